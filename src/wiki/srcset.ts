/** A width or a density; nothing else is written in practice, and a wrong one voids its candidate. */
const DESCRIPTOR = /^(?:[1-9]\d{0,5}w|\d{1,3}(?:\.\d{1,4})?x)?$/

/**
 * The candidates of a `srcset`, each address replaced by what `toUrl` makes of it. Candidates without an
 * address or with a wrong descriptor are left out; null when none is left.
 * @see HTML standard, "parse a srcset attribute"
 */
export const rewriteSrcset = (srcset: string, toUrl: (address: string) => string | null): string | null => {
  const kept: string[] = []
  for (const { address, descriptor } of candidatesOf(srcset)) {
    const url = DESCRIPTOR.test(descriptor) ? toUrl(address) : null
    if (url !== null) kept.push(descriptor ? `${guardCommas(url)} ${descriptor}` : guardCommas(url))
  }
  return kept.length > 0 ? kept.join(', ') : null
}

/** A candidate ends at a comma after its descriptor, or at one that ends its address. */
function* candidatesOf(srcset: string): Generator<{ address: string; descriptor: string }> {
  const START = /[^\s,]\S*/g
  for (let match = START.exec(srcset); match; match = START.exec(srcset)) {
    const address = match[0]
    if (address.endsWith(',')) {
      yield { address: address.slice(0, commasFrom(address)), descriptor: '' }
      continue
    }
    const comma = srcset.indexOf(',', START.lastIndex)
    const end = comma < 0 ? srcset.length : comma
    yield { address, descriptor: srcset.slice(START.lastIndex, end).trim() }
    START.lastIndex = end
  }
}

/** Commas at the end of an address would be read as the end of its candidate. */
const guardCommas = (url: string): string => {
  const end = commasFrom(url)
  return url.slice(0, end) + '%2C'.repeat(url.length - end)
}

const commasFrom = (text: string): number => {
  let end = text.length
  while (text[end - 1] === ',') end--
  return end
}
