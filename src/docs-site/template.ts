import { readFile } from 'node:fs/promises'
import { packagePath } from '../paths.ts'

/** Text as HTML. It is safe in elements and in quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/**
 * Fills the placeholders of a template in `site/pages/`.
 * @param texts values of `{{name}}`, which this function escapes
 * @param html values of `{{{name}}}`, which are HTML already
 * @throws Error for a placeholder without a value
 */
export const fill = async (
  file: string,
  texts: Readonly<Record<string, string>>,
  html: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const template = await readFile(packagePath('site', 'pages', file), 'utf8')
  return template.replace(/\{\{(\{\w+\}|\w+)\}\}/g, (placeholder, inner: string) => {
    const value = inner.startsWith('{')
      ? html[inner.slice(1, -1)]
      : texts[inner] === undefined
        ? undefined
        : escapeHtml(texts[inner])
    if (value === undefined) throw new Error(`The placeholder ${placeholder} of ${file} has no value`)
    return value
  })
}
