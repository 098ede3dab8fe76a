import { FRONT_MATTER_LIMITS } from '@lectern/wiki/limits'
import { parseTomlTable } from '../front-matter.ts'
import { looseEntries, nestingOf, parseYaml } from '../yaml.ts'

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
      ? parseTomlTable(text)
      : file.endsWith('.json')
        ? JSON.parse(text)
        : parseYamlConfig(text)
    return tableOf(values)
  } catch {
    return {}
  }
}

/** Custom tags such as `!ENV` and `!!python/name:…` are ignored, because the failsafe schema knows none. */
const parseYamlConfig = (text: string): unknown => {
  if (nestingOf(text) <= FRONT_MATTER_LIMITS.nesting) {
    const document = parseYaml(text)
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

/** Comments and strings of JavaScript. A string ends with its quote, its line, or the code. */
const COMMENT_OR_STRING =
  /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|`(?:[^`\\]|\\[\s\S])*[`\\]?|"(?:[^"\\\n]|\\[\s\S])*["\\]?|'(?:[^'\\\n]|\\[\s\S])*['\\]?/g

/** Removes the comments of JavaScript in linear time. Comment marks in strings stay. */
export const withoutComments = (code: string): string =>
  code.replace(COMMENT_OR_STRING, (part) => (part.startsWith('/') ? '' : part))

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
