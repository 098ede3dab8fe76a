import { nfc } from '@lectern/wiki/text'

/** Names of files and patterns with `*`, which also stands for slashes. In linear time, because authors write both. */

/** Which files of a site are no pages. `toString` tells two such rules apart. */
export interface LeftOut {
  test(name: string): boolean
  toString(): string
  /** Whether they are notes that the settings of a vault exclude. */
  isOfVault?: boolean
  excluded?: readonly string[]
}

/** The patterns with which `--exclude` names a file. Two stars and a slash also stand for no folder. */
export const excludedBy = (name: string, patterns: readonly string[]): string[] =>
  patterns.filter((pattern) => {
    const normal = nfc(pattern).replace(/^\.?\/|\/$/g, '')
    return [normal, normal.replaceAll('**/', '')].some((one) => isNameOrFolder(nfc(name), one))
  })

export const withExcluded = (leftOut: LeftOut | null, patterns: readonly string[]): LeftOut | null => {
  if (patterns.length === 0) return leftOut
  return {
    test: (name) => excludedBy(name, patterns).length > 0 || leftOut?.test(name) === true,
    toString: () => JSON.stringify([String(leftOut), ...patterns]),
    isOfVault: leftOut?.isOfVault === true,
    excluded: patterns,
  }
}

/** The place after all parts, each as early as possible; -1 if one is missing. The first begins the name. */
export const placeAfter = (name: string, parts: readonly string[]): number => {
  let at = 0
  for (const [i, part] of parts.entries()) {
    const found = i === 0 ? (name.startsWith(part) ? 0 : -1) : name.indexOf(part, at)
    if (found < 0) return -1
    at = found + part.length
  }
  return at
}

/** Whether a pattern is a name, or the folders at its beginning. */
export const isNameOrFolder = (name: string, pattern: string): boolean => {
  const parts = pattern.split(/\*+/)
  const last = parts.pop()!
  if (parts.length === 0) return name === last || name.startsWith(`${last}/`)
  let at = placeAfter(name, parts)
  if (at < 0 || last === '') return at >= 0
  for (at = name.indexOf(last, at); at >= 0; at = name.indexOf(last, at + 1)) {
    const end = at + last.length
    if (end === name.length || name[end] === '/') return true
  }
  return false
}
