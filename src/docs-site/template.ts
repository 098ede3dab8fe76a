import { readFile } from 'node:fs/promises'
import { packagePath } from '../paths.ts'

/** Text within HTML, also within quotes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/**
 * A file of `site/pages/` with its gaps filled.
 * @param texts for `{{name}}`, escaped here
 * @param html for `{{{name}}}`, which is HTML already
 * @throws Error for a gap that nothing is given for
 */
export const fill = async (
  file: string,
  texts: Readonly<Record<string, string>>,
  html: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const template = await readFile(packagePath('site', 'pages', file), 'utf8')
  return template.replace(/\{\{(\{\w+\}|\w+)\}\}/g, (gap, inner: string) => {
    const value = inner.startsWith('{')
      ? html[inner.slice(1, -1)]
      : texts[inner] === undefined
        ? undefined
        : escapeHtml(texts[inner])
    if (value === undefined) throw new Error(`Nothing is given for ${gap} of ${file}`)
    return value
  })
}
