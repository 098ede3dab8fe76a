/** A width or a density. Browsers ignore a candidate with an invalid descriptor. */
const DESCRIPTOR = /^(?:[1-9]\d{0,5}w|\d{1,3}(?:\.\d{1,4})?x)?$/

/** Rewrites the URLs of the valid candidates of a `srcset`; null if none remains. @see HTML, "parse a srcset attribute" */
export const rewriteSrcset = (srcset: string, toUrl: (reference: string) => string | null): string | null => {
  const candidates: string[] = []
  for (const { reference, descriptor } of candidatesOf(srcset)) {
    const url = DESCRIPTOR.test(descriptor) ? toUrl(reference) : null
    if (url !== null) candidates.push(descriptor ? `${escapeCommas(url)} ${descriptor}` : escapeCommas(url))
  }
  return candidates.length > 0 ? candidates.join(', ') : null
}

/** The URLs of the candidates of a `srcset`, also of invalid ones. */
export const srcsetReferences = (srcset: string): string[] =>
  candidatesOf(srcset).map(({ reference }) => reference)

/** A candidate ends at a comma after its descriptor, or at a comma at the end of its URL. */
const CANDIDATE = /([^\s,]\S*)(?:(?<=,)|([^,]*))/g

const candidatesOf = (srcset: string) =>
  Array.from(srcset.matchAll(CANDIDATE), ([, url = '', descriptor = '']) => ({
    reference: url.replace(COMMAS, ''),
    descriptor: descriptor.trim(),
  }))

/** Parsers read a comma at the end of a URL as the end of its candidate. */
const escapeCommas = (url: string): string => url.replace(COMMAS, (commas) => '%2C'.repeat(commas.length))

/** Those at the end. Each run of commas is looked at once. */
const COMMAS = /(?<!,),+$/
