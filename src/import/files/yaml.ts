import { isMap, isNode, isScalar, parseDocument } from 'yaml'
import { FRONT_MATTER_LIMITS } from '../../limits.ts'
import { type FrontMatterEntry, looseEntries, plainEntries } from './yaml-lines.ts'

/** Keys whose values are used. For other keys, only the end of the value matters. */
const USED_KEYS: ReadonlySet<string> = new Set([
  ...['title', 'tags', 'categories', 'published', 'draft'],
  ...['aliases', 'alias'],
])

interface YamlEntries {
  /** Null if the block is not a mapping. Then the marks are thematic breaks around a paragraph. */
  entries: FrontMatterEntry[] | null | 'broken'
  /** Whether it is too large or too deep for the YAML parser, and was read line by line. */
  large: boolean
}

/**
 * Reads the used keys at the top level of a block of YAML. Nearly all blocks are plain lines, which are read directly,
 * at a fortieth of the library's cost. The library reads other blocks. A block that the library refuses although its lines
 * are clear (`title: Tea: a guide`, tabs, `@`) is read line by line. (D73)
 * @param isSafe false if the entries do not hide the text, but something in the block may be intended to
 */
export const readYaml = (inner: string, isSafe: (entries: FrontMatterEntry[]) => boolean): YamlEntries => {
  const plain = plainEntries(inner, USED_KEYS)
  if (plain !== null && isSafe(plain)) return { entries: plain, large: false }
  const large =
    inner.length > FRONT_MATTER_LIMITS.yamlCharacters || nestingOf(inner) > FRONT_MATTER_LIMITS.nesting
  const entries = large ? 'broken' : parsedEntries(inner)
  if (entries !== 'broken') return { entries, large: false }
  const loose = looseEntries(inner, USED_KEYS)
  if (loose === null) return { entries: 'broken', large }
  return { entries: isSafe(loose) ? loose : [...loose, ['draft', 'true']], large }
}

/**
 * An upper bound of the nesting of a block. The library is recursive, and a regular expression that V8 compiles near
 * the end of the stack does not throw: it ends the process.
 */
export const nestingOf = (inner: string): number => {
  let brackets = 0
  let deepest = 0
  for (const line of inner.split('\n')) {
    let marks = 0
    let indent = 0
    while (line[indent] === ' ') indent += 1
    for (let i = indent; i < line.length; i += 1) {
      if ('[{'.includes(line[i]!)) brackets += 1
      else if ('-?:'.includes(line[i]!) && ' \t'.includes(line[i + 1] ?? ' ')) marks += 1
    }
    deepest = Math.max(deepest, indent + marks)
  }
  return deepest + brackets
}

const parsedEntries = (inner: string): FrontMatterEntry[] | null | 'broken' => {
  try {
    // With the failsafe schema, every scalar stays a text. The check for unique keys would take quadratic time.
    const document = parseDocument(inner, {
      schema: 'failsafe',
      logLevel: 'silent',
      prettyErrors: false,
      uniqueKeys: false,
    })
    if (document.errors.length > 0) return 'broken'
    const { contents } = document
    if (contents === null || (isScalar(contents) && contents.value === '')) return []
    if (!isMap(contents)) return null
    return contents.items.flatMap(({ key, value }): FrontMatterEntry[] => {
      const name = isScalar(key) ? String(key.value) : ''
      if (!USED_KEYS.has(name.toLowerCase())) return []
      return [[name, isNode(value) ? value.toJS(document) : value]]
    })
  } catch {
    return 'broken'
  }
}
