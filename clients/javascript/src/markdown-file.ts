import type { Changed } from './changes.ts'

/** Characters that YAML does not allow in a quoted text, although JSON does. */
const NOT_IN_YAML = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g

/**
 * The file of a page: front matter in YAML with what a reader needs to name and link the page, then the Markdown.
 * @throws Error if the page came without its Markdown
 */
export const markdownFile = (page: Changed & { markdown?: string | undefined }): string => {
  const { title, path, locale, ns, url, revision, markdown } = page
  if (typeof markdown !== 'string') throw new Error(`The service sent no Markdown for the page ${path}`)
  const fields = {
    title,
    path,
    locale,
    ns,
    url,
    revision: revision.id,
    edited_at: revision.created_at,
    author: revision.author.name,
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${quote(value)}\n`)
  return `---\n${lines.join('')}---\n\n${markdown}`
}

/** A text of JSON is one of YAML, except for a few characters. */
const quote = (value: string): string =>
  JSON.stringify(value).replace(
    NOT_IN_YAML,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
