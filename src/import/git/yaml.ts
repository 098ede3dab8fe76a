import { isMap, isNode, isScalar, parseDocument } from 'yaml'
import { FRONT_MATTER_LIMITS } from '../../limits.ts'
import { type FrontMatterEntry, looseEntries, plainEntries } from './yaml-lines.ts'

/** Keys whose values are wanted; of the others only where they end. */
const WANTED: ReadonlySet<string> = new Set(['title', 'tags', 'categories', 'published', 'draft'])

interface YamlEntries {
  /** Null where the block is no mapping: then the marks were thematic breaks around a paragraph. */
  entries: FrontMatterEntry[] | null | 'broken'
  /** Whether it was read line by line because it is too large, or nested too deeply. */
  large: boolean
}

/**
 * What a block of YAML says at its top level of the keys that are wanted. Nearly all are plain lines, which are read
 * at a fortieth of the library's cost; the library reads what is more than that; and what it refuses, though its
 * lines are clear (`title: Tea: a guide`, tabs, `@`), is read line by line again, as one means it. (D73)
 * @param isSafe false where what was read does not hide the text, though something in the block may be meant to
 */
export const readYaml = (inner: string, isSafe: (entries: FrontMatterEntry[]) => boolean): YamlEntries => {
  const plain = plainEntries(inner, WANTED)
  if (plain !== null && isSafe(plain)) return { entries: plain, large: false }
  const large =
    inner.length > FRONT_MATTER_LIMITS.yamlCharacters || nestingOf(inner) > FRONT_MATTER_LIMITS.nesting
  const entries = large ? 'broken' : parsedEntries(inner)
  if (entries !== 'broken') return { entries, large: false }
  const loose = looseEntries(inner, WANTED)
  if (loose === null) return { entries: 'broken', large }
  return { entries: isSafe(loose) ? loose : [...loose, ['draft', 'true']], large }
}

/**
 * At least how deep things can be nested in a block. The library goes into them by recursion, and a regular
 * expression that V8 compiles where its stack nearly ends does not throw: it ends the process.
 */
const nestingOf = (inner: string): number => {
  let brackets = 0
  let deepest = 0
  for (const line of inner.split('\n')) {
    let marks = 0
    let indent = 0
    while (line[indent] === ' ') indent += 1
    for (let at = indent; at < line.length; at += 1) {
      if ('[{'.includes(line[at]!)) brackets += 1
      else if ('-?:'.includes(line[at]!) && ' \t'.includes(line[at + 1] ?? ' ')) marks += 1
    }
    deepest = Math.max(deepest, indent + marks)
  }
  return deepest + brackets
}

const parsedEntries = (inner: string): FrontMatterEntry[] | null | 'broken' => {
  try {
    // The failsafe schema leaves every scalar the text that it is; keys are not compared, which is quadratic.
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
      if (!WANTED.has(name.toLowerCase())) return []
      return [[name, isNode(value) ? value.toJS(document) : value]]
    })
  } catch {
    return 'broken'
  }
}
