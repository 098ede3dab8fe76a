/** A part of a text between marks that belong together, marks included. */
interface TextRegion {
  start: number
  end: number
}

/**
 * Outermost regions between runs of a bracket, as MediaWiki pairs them: a closing run takes from the open
 * run before it three (where `three` says that three mean something) or two, until either is used up. One pass.
 */
export const outermostPairs = (text: string, open: string, close: string, three: boolean): TextRegion[] => {
  const found: TextRegion[] = []
  const stack: { at: number; count: number }[] = []
  const runs = new RegExp(`\\${open}{2,}|\\${close}{2,}`, 'g')
  for (let run = runs.exec(text); run; run = runs.exec(text)) {
    if (run[0][0] === open) {
      stack.push({ at: run.index, count: run[0].length })
      continue
    }
    let left = run[0].length
    let at = run.index
    while (left >= 2 && stack.length > 0) {
      const top = stack.at(-1)!
      const taken = three && left >= 3 && top.count >= 3 ? 3 : 2
      top.count -= taken
      left -= taken
      at += taken
      found.push({ start: top.at + top.count, end: at })
      if (top.count < 2) stack.pop()
    }
  }
  return outermost(found)
}

const outermost = (regions: TextRegion[]): TextRegion[] => {
  const kept: TextRegion[] = []
  let end = 0
  for (const region of regions.sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (region.start < end) continue
    kept.push(region)
    end = region.end
  }
  return kept
}

/** A text with its outermost regions replaced. */
export const replaceRegions = (
  text: string,
  regions: TextRegion[],
  replace: (source: string) => string,
): string => {
  const parts: string[] = []
  let at = 0
  for (const { start, end } of regions) {
    parts.push(text.slice(at, start), replace(text.slice(start, end)))
    at = end
  }
  parts.push(text.slice(at))
  return parts.join('')
}
