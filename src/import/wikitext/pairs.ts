/** A part of a text between matching brackets, including the brackets. */
interface TextRegion {
  start: number
  end: number
}

/**
 * Finds the outermost regions between runs of brackets, in one pass. It pairs them like MediaWiki: a closing run
 * consumes three brackets (with `allowTriple`) or two of the open run before it, until one of the runs is used up.
 */
export const outermostPairs = (
  text: string,
  open: string,
  close: string,
  allowTriple: boolean,
): TextRegion[] => {
  const regions: TextRegion[] = []
  const stack: { start: number; count: number }[] = []
  const runs = new RegExp(`\\${open}{2,}|\\${close}{2,}`, 'g')
  for (let run = runs.exec(text); run; run = runs.exec(text)) {
    if (run[0][0] === open) {
      stack.push({ start: run.index, count: run[0].length })
      continue
    }
    let remaining = run[0].length
    let end = run.index
    while (remaining >= 2 && stack.length > 0) {
      const top = stack.at(-1)!
      const count = allowTriple && remaining >= 3 && top.count >= 3 ? 3 : 2
      top.count -= count
      remaining -= count
      end += count
      regions.push({ start: top.start + top.count, end })
      if (top.count < 2) stack.pop()
    }
  }
  return outermost(regions)
}

const outermost = (regions: TextRegion[]): TextRegion[] => {
  const result: TextRegion[] = []
  let end = 0
  for (const region of regions.sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (region.start < end) continue
    result.push(region)
    end = region.end
  }
  return result
}

/** Replaces regions of a text, which must not overlap. */
export const replaceRegions = (
  text: string,
  regions: TextRegion[],
  replace: (source: string) => string,
): string => {
  const parts: string[] = []
  let position = 0
  for (const { start, end } of regions) {
    parts.push(text.slice(position, start), replace(text.slice(start, end)))
    position = end
  }
  parts.push(text.slice(position))
  return parts.join('')
}
