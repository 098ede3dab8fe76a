import { pathToFileURL } from 'node:url'
import { memoize } from '../../memoize.ts'
import { highlighterFile, languageFile } from './highlightjs.ts'

/** The languages of the examples by their names on the site, with their names in the package. */
const LANGUAGES = {
  curl: 'bash',
  javascript: 'javascript',
  python: 'python',
  go: 'go',
  json: 'json',
} as const

type Language = keyof typeof LANGUAGES

interface Highlighter {
  registerLanguage(name: string, definition: unknown): void
  highlight(code: string, options: { language: string }): { value: string }
}

const load = async (path: string): Promise<unknown> => (await import(pathToFileURL(path).href)).default

/** The highlighter, loaded with the first page that shows code. */
export const loadHighlighter = memoize(async () => {
  const highlighter = (await load(highlighterFile())) as Highlighter
  for (const language of Object.keys(LANGUAGES) as Language[])
    highlighter.registerLanguage(language, await load(languageFile(LANGUAGES[language])))
  /** Code as HTML, with a `span` for each token that has a color. */
  return (code: string, language: Language): string => highlighter.highlight(code, { language }).value
})

export type Highlight = Awaited<ReturnType<typeof loadHighlighter>>
