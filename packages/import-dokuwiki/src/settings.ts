import { join, resolve } from 'node:path'
import { UsageError } from '@lectern/wiki/errors'
import { parseSourceLocale } from '@lectern/wiki/locales'
import { quote } from '@lectern/wiki/text'
import { type DokuwikiFolders, readSmallFile } from './folders.ts'

/** A value in a PHP file; undefined if it is not a constant. */
type PhpValue = string | number | boolean | undefined

interface PhpAssignments {
  /** Values by variable and keys, joined by a dot: `conf.plugin.translation.translations`. */
  values: Map<string, PhpValue>
  /** Whether the file includes other files, or assigns values in ways that are not read. */
  isIncomplete: boolean
}

/**
 * A token of PHP: white space, comment, string, here document, variable with keys, word, number or another character.
 * Comments and strings are whole tokens, so that an assignment in them does not count.
 */
const TOKEN =
  /\s+|\/\*[\s\S]*?(?:\*\/|$)|(?:\/\/|#)(?:(?!\?>)[^\n])*|'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|<<<|\$\w+|\w+|-?\d+|[\s\S]/gy
const IGNORED = /^(?:\s|\/\*|\/\/|#)/

/**
 * Reads assignments of constants (`$conf['title'] = 'Tea';`) from a PHP file, which is never run.
 * @param text bounded by the caller
 */
const readAssignments = (text: string): PhpAssignments => {
  const tokens = (text.match(TOKEN) ?? []).filter((token) => !IGNORED.test(token))
  const values = new Map<string, PhpValue>()
  let isIncomplete = false
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!
    if (INCLUDE.test(token)) isIncomplete ||= !includesProtected(tokens.slice(at, statementEnd(tokens, at)))
    if (PROGRAM.test(token)) isIncomplete = true
    if (!/^\$\w+$/.test(token)) continue
    const { keys, end } = readKeys(tokens, at + 1)
    if (tokens[end] !== '=' || tokens[end + 1] === '=' || keys === null) {
      isIncomplete ||= keys === null || token === '$conf'
      continue
    }
    const statement = statementEnd(tokens, end + 1)
    const name = [token.slice(1), ...keys].join('.')
    for (const [key, value] of assigned(name, tokens.slice(end + 1, statement))) values.set(key, value)
    at = statement
  }
  return { values, isIncomplete }
}

/** Tokens of programs, which could assign other values. */
const PROGRAM =
  /^(?:if|else|switch|for|foreach|while|eval|extract|unset|global|array_merge|<<<|\$|\$GLOBALS)$/

const INCLUDE = /^(?:include|require)(?:_once)?$/

/** Older versions of DokuWiki include this file, which is read in any case. */
const includesProtected = (tokens: string[]): boolean =>
  tokens.some((token) => /local\.protected\.php['"]$/.test(token))

/** Reads `['a']['b']`. */
const readKeys = (tokens: string[], from: number): { keys: string[] | null; end: number } => {
  const keys: string[] = []
  let at = from
  while (tokens[at] === '[') {
    const key = constantOf(tokens.slice(at + 1, at + 2))
    if (key === undefined || tokens[at + 2] !== ']') return { keys: null, end: at }
    keys.push(String(key))
    at += 3
  }
  return { keys, end: at }
}

const statementEnd = (tokens: string[], from: number): number => {
  let at = from
  while (at < tokens.length && tokens[at] !== ';') at += 1
  return at
}

/** A value, or the values of `array('key' => value, …)`. */
const assigned = (name: string, tokens: string[]): [string, PhpValue][] => {
  const isArray = tokens[0] === '[' || (tokens[0]?.toLowerCase() === 'array' && tokens[1] === '(')
  if (!isArray) return [[name, constantOf(tokens)]]
  const values: [string, PhpValue][] = []
  for (let at = 0; at + 3 < tokens.length; at += 1) {
    if (tokens[at + 1] !== '=' || tokens[at + 2] !== '>') continue
    const key = constantOf([tokens[at]!])
    if (key !== undefined)
      values.push([`${name}.${key}`, isEnd(tokens[at + 4]) ? constantOf([tokens[at + 3]!]) : undefined])
  }
  return values
}

const isEnd = (token: string | undefined): boolean => token === undefined || /^[,)\]]$/.test(token)

const constantOf = (tokens: string[]): PhpValue => {
  const [token] = tokens
  if (tokens.length !== 1 || token === undefined) return undefined
  if (token.startsWith("'")) return token.slice(1, -1).replace(/\\([\\'])/g, '$1')
  // A string in double quotes can contain variables.
  if (token.startsWith('"')) return /[\\$]/.test(token) ? undefined : token.slice(1, -1)
  if (/^-?\d{1,15}$/.test(token)) return Number(token)
  if (/^(?:true|false)$/i.test(token)) return token.toLowerCase() === 'true'
  return undefined
}

/** Namespaces of the Translation plugin. */
export interface TranslationSettings {
  /** The path in which these namespaces are, with a slash at its end; empty for the root. */
  prefix: string
  /** Locales by namespace. */
  locales: ReadonlyMap<string, string>
}

/** The settings of a DokuWiki that the import uses. */
export interface DokuwikiSettings {
  /** Whether the configuration was found. */
  isKnown: boolean
  /** Whether access control lists are used; undefined if no configuration says so. */
  usesAcl: boolean | undefined
  /** Pattern of ids, with `:` at the beginning, that DokuWiki does not list; empty if there is none. */
  hiddenPages: string
  disabledActions: ReadonlySet<string>
  title: string | undefined
  start: string
  language: string
  license: string | undefined
  separator: string
  useSlash: boolean
  removeAccents: boolean
  camelCase: boolean
  rewriting: 0 | 1 | 2
  fileNames: 'url' | 'safe' | 'utf-8'
  /** Folders of the data. Each contains a folder for each namespace. */
  data: { pages: string; attic: string; meta: string; media: string }
  translation: TranslationSettings | null
}

/** Later files override earlier ones. @see DokuWiki's inc/config_cascade.php */
const FILES = ['dokuwiki.php', 'local.php', 'local.protected.php']

/** @throws UsageError if a file cannot be read, or there is no folder with pages */
export const readSettings = async (folders: DokuwikiFolders): Promise<DokuwikiSettings> => {
  const values = new Map<string, PhpValue>()
  let isKnown = false
  let isIncomplete = false
  for (const folder of folders.configuration) {
    for (const name of FILES) {
      const text = await readSmallFile(join(folder, name))
      if (text === null) continue
      isKnown = true
      const read = readAssignments(text)
      // The defaults of DokuWiki are constants. Only the files of an administrator can contain programs.
      isIncomplete ||= read.isIncomplete && name !== 'dokuwiki.php'
      for (const [key, value] of read.values) if (key.startsWith('conf.')) values.set(key.slice(5), value)
    }
  }
  const text = (key: string, fallback: string): string => {
    const value = values.get(key)
    return value === undefined ? fallback : String(value)
  }
  const isOn = (key: string): boolean => Boolean(values.get(key)) && values.get(key) !== '0'
  const fileNames = text('fnencode', 'url')
  return {
    isKnown,
    usesAcl: usesAcl(values, isIncomplete),
    hiddenPages: knownText(values, 'hidepages'),
    disabledActions: new Set(
      knownText(values, 'disableactions')
        .split(',')
        .map((action) => action.trim()),
    ),
    title: text('title', '') || undefined,
    start: text('start', 'start'),
    language: text('lang', 'en'),
    license: text('license', '') || undefined,
    separator: /^[._-]$/.test(text('sepchar', '_')) ? text('sepchar', '_') : '_',
    useSlash: isOn('useslash'),
    removeAccents: text('deaccent', '1') !== '0',
    camelCase: isOn('camelcase'),
    rewriting: Number(text('userewrite', '0')) === 1 ? 1 : Number(text('userewrite', '0')) === 2 ? 2 : 0,
    fileNames: fileNames === 'safe' || fileNames === 'utf-8' ? fileNames : 'url',
    data: dataFolders(folders, text),
    translation: translationOf(
      text('plugin.translation.translations', ''),
      text('plugin.translation.translationns', ''),
    ),
  }
}

/** If a value or a file cannot be read, Lectern assumes that the wiki restricts its pages. */
const usesAcl = (values: ReadonlyMap<string, PhpValue>, isIncomplete: boolean): boolean | undefined => {
  if (!values.has('useacl')) return isIncomplete ? true : undefined
  const value = values.get('useacl')
  return isIncomplete || value === undefined || (Boolean(value) && value !== '0')
}

/** A setting that hides pages. @throws UsageError if its value is not a constant */
const knownText = (values: ReadonlyMap<string, PhpValue>, key: string): string => {
  if (values.has(key) && values.get(key) === undefined)
    throw new UsageError(
      `The configuration computes $conf['${key}'], and Lectern does not run PHP. Write its value as a string.`,
    )
  return String(values.get(key) ?? '')
}

const dataFolders = (
  folders: DokuwikiFolders,
  text: (key: string, fallback: string) => string,
): DokuwikiSettings['data'] => {
  const root = folders.installation ?? '.'
  const saved = folders.data ?? resolve(root, text('savedir', './data'))
  const folder = (key: string, name: string) => {
    const value = folders.installation === null ? '' : text(key, '')
    return value === '' ? join(saved, name) : resolve(root, value)
  }
  return {
    pages: folder('datadir', 'pages'),
    attic: folder('olddir', 'attic'),
    meta: folder('metadir', 'meta'),
    media: folder('mediadir', 'media'),
  }
}

/** @param codes languages, which are names of namespaces, too: `de, fr pt-br` */
const translationOf = (codes: string, namespace: string): TranslationSettings | null => {
  const locales = new Map<string, string>()
  for (const code of codes.split(/[\s,]+/).slice(0, 500)) {
    const locale = parseSourceLocale(code)
    if (locale !== null) locales.set(code.toLowerCase(), locale)
  }
  const prefix = namespace.replace(/^:+|:+$/g, '').replaceAll(':', '/')
  return locales.size === 0 ? null : { prefix: prefix === '' ? '' : `${prefix}/`, locales }
}

/** The language of a DokuWiki. @throws UsageError if it is not a locale code */
export const localeOf = (language: string, chosen: string | undefined): string => {
  const locale = parseSourceLocale(chosen ?? language.replace(/-informal$/, ''))
  if (locale !== null) return locale
  throw new UsageError(
    chosen === undefined
      ? `The language of the DokuWiki, ${quote(language)}, is not a locale code. Set --locale.`
      : `${quote(chosen)} is not a locale code. Use a code such as en or pt-br.`,
  )
}
