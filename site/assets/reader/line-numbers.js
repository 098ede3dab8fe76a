/**
 * The lines of a hunk, each with its number: a removed line has that of the older text, any other that of the newer one.
 * `older` is that of the older text, also of a line that both have.
 * @param {{ from: { line: number }, to: { line: number }, lines: { kind: string }[] }} hunk as the API returns it
 */
export const numberedLines = ({ from, to, lines }) => {
  let [older, newer] = [from.line, to.line]
  return lines.map((line) => {
    const before = older
    const number = line.kind === 'removed' ? older : newer
    if (line.kind !== 'added') older += 1
    if (line.kind !== 'removed') newer += 1
    return { ...line, number, older: before }
  })
}
