import { join, resolve } from 'node:path'
import { UsageError } from '../../errors.ts'
import { parseSourceLocale } from '../../wiki/locales.ts'
import { quote } from '../../wiki/text.ts'
import type { DokuwikiFolders } from './folders.ts'
import { type PhpValue, readAssignments } from './php-values.ts'
import { readSmallFile } from './small-file.ts'

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
  data: { pages: string; attic: string; meta: string }
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
