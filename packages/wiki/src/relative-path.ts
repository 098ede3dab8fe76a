/**
 * The segments of a path that is written relative to a folder. Empty segments and `.` count nothing.
 * @param folder segments of the folder, from the top
 * @returns null if the path leads above the top
 */
export const resolveSegments = (folder: readonly string[], path: string): string[] | null => {
  const segments = [...folder]
  for (const segment of path.split('/')) {
    if (segment === '..' && segments.pop() === undefined) return null
    if (!['', '.', '..'].includes(segment)) segments.push(segment)
  }
  return segments
}
