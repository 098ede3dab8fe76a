/** Length of the run of equal characters at an offset. */
export const runLength = (text: string, at: number): number => {
  let end = at + 1
  while (text[end] === text[at]) end++
  return end - at
}

/** Offsets of all runs of backticks by length, the last one first. */
export const runsByLength = (text: string): Map<number, number[]> => {
  const offsets = new Map<number, number[]>()
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const same = offsets.get(run.length)
    if (same) same.push(index)
    else offsets.set(run.length, [index])
  }
  for (const same of offsets.values()) same.reverse()
  return offsets
}
