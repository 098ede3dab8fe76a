import { readFile } from 'node:fs/promises'
import { Marked, type Tokens } from 'marked'
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id'
import { packagePath } from '../paths.ts'
import { escapeHtml } from './template.ts'

/** The base URL in the examples of the guide. */
const EXAMPLE_BASE = 'http://localhost:3000/api/v1'

/** The caption of a block of code, by its language. */
const CAPTIONS: Readonly<Record<string, string>> = {
  sh: 'curl',
  js: 'JavaScript',
  python: 'Python',
  output: 'prints',
}

/** Renders blocks of code, in their order. An `output` belongs to each example since the `output` before it. */
const makeExamples = () => {
  let languagesSinceOutput: string[] = []
  return ({ text, lang = '' }: Tokens.Code): string => {
    if (lang !== 'output') languagesSinceOutput.push(lang)
    const languages = lang === 'output' ? languagesSinceOutput.join(' ') : lang
    if (lang === 'output') languagesSinceOutput = []
    return `<figure class="example ${lang}" data-languages="${languages}"><figcaption>${CAPTIONS[lang]}</figcaption><pre><code>${escapeHtml(text)}</code></pre></figure>\n`
  }
}

/**
 * `docs/guide.md` as HTML: its text and its table of contents. (D53)
 * @param base base URL of this API, for the examples
 */
export const guideHtml = async (base: string): Promise<{ guide: string; contents: string }> => {
  const markdown = await readFile(packagePath('docs', 'guide.md'), 'utf8')
  const marked = new Marked({ gfm: true, renderer: { code: makeExamples() } }, gfmHeadingId())
  const guide = marked.parse(markdown.replaceAll(EXAMPLE_BASE, base), { async: false })
  const contents = getHeadingList()
    .filter(({ level }) => level === 2)
    .map(({ id, text }) => `<li><a href="#${escapeHtml(id)}">${text}</a></li>`)
    .join('')
  return { guide, contents }
}
