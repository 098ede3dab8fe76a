import { nfc } from '../../wiki/text.ts'

/**
 * File names that differ only in case, together. A file system that ignores case, as on Windows and macOS, can have
 * only one file of each group.
 */
export const caseClashes = (names: Iterable<string>): string[][] => {
  const groups = new Map<string, string[]>()
  for (const name of names) {
    const key = nfc(name).toLowerCase()
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [name])
    else group.push(name)
  }
  return [...groups.values()].filter((group) => group.length > 1)
}
