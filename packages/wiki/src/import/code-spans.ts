/**
 * The code spans of a paragraph, in linear time.
 * @returns a function that returns the end of the code span that begins at an offset with backticks, or else of these
 * backticks. Its offsets must increase
 */
export const codeSpans = (paragraph: string): ((at: number) => number) => {
  /** Offsets of the runs of backticks, by their length. */
  const runs = new Map<number, number[]>()
  for (const { 0: run, index } of paragraph.matchAll(/`+/g)) {
    const offsets = runs.get(run.length) ?? []
    offsets.push(index)
    runs.set(run.length, offsets)
  }
  // The last run comes first, so that it is cheap to drop one.
  for (const offsets of runs.values()) offsets.reverse()
  return (at) => {
    let end = at
    while (paragraph[end] === '`') end += 1
    const offsets = runs.get(end - at) ?? []
    while (offsets.length > 0 && offsets.at(-1)! <= at) offsets.pop()
    const closer = offsets.at(-1)
    return closer === undefined ? end : closer + (end - at)
  }
}
