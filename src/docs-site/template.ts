import { readFile } from 'node:fs/promises'
import { packagePath } from '../paths.ts'
import { memoize } from '../shared/memoize.ts'

/** Text as HTML. It is safe in elements and in quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** A path as HTML. A line may break before a slash. */
export const pathHtml = (path: string): string => escapeHtml(path).replace(/(?<=[\w}])\//g, '<wbr>/')

/**
 * Fills the placeholders of a template in `site/pages/`.
 * @param texts values of `{{name}}`, which this function escapes
 * @param html values of `{{{name}}}`, which are HTML already
 * @param say gives the text for `{{=English text}}`, in which `{0}` is the HTML of that name
 * @throws Error for a placeholder without a value
 */
export const fill = async (
  file: string,
  texts: Readonly<Record<string, string>>,
  html: Readonly<Record<string, string>> = {},
  say = (text: string): string => text,
): Promise<string> => {
  const template = await readFile(packagePath('site', 'pages', file), 'utf8')
  return template.replace(/\{\{(\{\w+\}|=.+?|\w+)\}\}(?!\})/g, (placeholder, inner: string) => {
    if (inner.startsWith('='))
      return escapeHtml(say(inner.slice(1))).replace(/\{(\d)\}/g, (_, name) => html[name]!)
    const value = inner.startsWith('{') ? html[inner.slice(1, -1)] : texts[inner] && escapeHtml(texts[inner])
    if (value === undefined) throw new Error(`The placeholder ${placeholder} of ${file} has no value`)
    return value
  })
}

/** The texts around pages by the English ones, in each language. */
const shellTexts = memoize(async () => {
  const table = await readFile(packagePath('site', 'words.tsv'), 'utf8')
  const rows = table.trimEnd().split('\n')
  const [languages, ...texts] = rows.map((row) => row.split('\t')) as [string[], ...string[][]]
  const textsOf = (i: number) => Object.fromEntries(texts.map((row) => [row[0]!, row[i]!]))
  return new Map(languages.map((language, i) => [language, textsOf(i)]))
})

/** How what is around a page speaks: in its language and script, or else in English. */
export const shellFor = async (locale: string) => {
  const [tag] = locale.split('-', 1) as [string]
  const language = /^zh-(hant|tw|hk|mo)\b/.test(locale) ? 'zh-hant' : tag
  const texts = (await shellTexts()).get(language)
  return { language: texts ? language : 'en', texts, say: (text: string): string => texts?.[text] ?? text }
}
