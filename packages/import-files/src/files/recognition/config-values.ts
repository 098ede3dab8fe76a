import { FRONT_MATTER_LIMITS } from '@lectern/wiki/limits'
import { parse as parseToml } from 'smol-toml'
import { parseDocument } from 'yaml'
import { looseEntries, nestingOf } from '../yaml.ts'

/** The settings of a configuration file. YAML values are texts. */
export type ConfigValues = Readonly<Record<string, unknown>>

/** Keys that are read from YAML even if it is too deep for the parser. */
const YAML_KEYS: ReadonlySet<string> = new Set(
  ['docs_dir', 'contentDir', 'defaultContentLanguage', 'languageCode', 'source', 'lang', 'root'].map((key) =>
    key.toLowerCase(),
  ),
)

/** Parses YAML, TOML or JSON, by the extension of the file. A file that is invalid has no values. */
export const parseConfig = (file: string, text: string): ConfigValues => {
  try {
    const values: unknown = file.endsWith('.toml')
      ? parseTomlConfig(text)
      : file.endsWith('.json')
        ? JSON.parse(text)
        : parseYamlConfig(text)
    return tableOf(values)
  } catch {
    return {}
  }
}

const parseTomlConfig = (text: string): unknown =>
  (text.match(/[^\n][[{]/g)?.length ?? 0) > FRONT_MATTER_LIMITS.nesting ? {} : parseToml(text)

/** Custom tags such as `!ENV` and `!!python/name:…` are ignored, because the failsafe schema knows none. */
const parseYamlConfig = (text: string): unknown => {
  if (nestingOf(text) <= FRONT_MATTER_LIMITS.nesting) {
    const document = parseDocument(text, {
      schema: 'failsafe',
      logLevel: 'silent',
      prettyErrors: false,
      uniqueKeys: false,
    })
    if (document.errors.length === 0) return document.toJS({ maxAliasCount: 100 })
  }
  return Object.fromEntries(looseEntries(text, YAML_KEYS)?.entries ?? [])
}

/** A value that is a table (a mapping); empty for other values. */
export const tableOf = (value: unknown): ConfigValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ConfigValues) : {}

/** A value that is a text, and not empty. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** The tables of an array. */
export const tablesOf = (value: unknown): ConfigValues[] => (Array.isArray(value) ? value.map(tableOf) : [])

/** Removes the comments of JavaScript in linear time. Comment marks in strings stay. */
export const withoutComments = (code: string): string => {
  const kept: string[] = []
  let from = 0
  for (const { index, 0: mark } of code.matchAll(/\/\/|\/\*|["'`]/g)) {
    if (index < from) continue
    const isComment = mark.startsWith('/')
    const end =
      mark === '/*'
        ? after(code, '*/', index + 2)
        : mark === '//'
          ? lineEnd(code, index)
          : stringEnd(code, index)
    kept.push(code.slice(from, isComment ? index : end))
    from = end
  }
  return [...kept, code.slice(from)].join('')
}

const after = (code: string, mark: string, from: number): number => {
  const at = code.indexOf(mark, from)
  return at === -1 ? code.length : at + mark.length
}

const lineEnd = (code: string, from: number): number => {
  const at = code.indexOf('\n', from)
  return at === -1 ? code.length : at
}

const stringEnd = (code: string, start: number): number => {
  for (let at = start + 1; at < code.length; at += 1) {
    if (code[at] === '\\') at += 1
    else if (code[at] === code[start]) return at + 1
    else if (code[at] === '\n' && code[start] !== '`') return at
  }
  return code.length
}

/** The strings that a property of this name has anywhere in JavaScript: `lang: 'en'`. The code has no comments. */
export const stringsOf = (code: string, key: string): string[] =>
  [
    ...code.matchAll(
      new RegExp(`(?<![\\w$])${key}["']?\\s{0,20}:\\s{0,20}(["'\`])([^"'\`\\n$\\\\]{1,200})\\1`, 'g'),
    ),
  ].map((match) => match[2]!)

/** The strings of the first array that is the value of a property: `locales: ['en', 'fr']`. */
export const arrayOf = (code: string, key: string): string[] => {
  const inside =
    new RegExp(`(?<![\\w$])${key}["']?\\s{0,20}:\\s{0,20}\\[([^\\]]{0,4000})\\]`).exec(code)?.[1] ?? ''
  return [...inside.matchAll(/["'`]([^"'`\n$\\]{1,200})["'`]/g)].map((match) => match[1]!)
}
