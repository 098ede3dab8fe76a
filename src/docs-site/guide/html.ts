import { Marked, type Tokens } from 'marked'
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id'
import { escapeHtml } from '../template.ts'

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

/** The guide as HTML: its text and its table of contents. @param markdown as `guideMarkdown` returns it */
export const guideHtml = (markdown: string): { guide: string; contents: string } => {
  const marked = new Marked({ gfm: true, renderer: { code: makeExamples() } }, gfmHeadingId())
  const guide = marked.parse(markdown, { async: false })
  const contents = getHeadingList()
    .filter(({ level }) => level === 2)
    .map(({ id, text }) => `<li><a href="#${escapeHtml(id)}">${text}</a></li>`)
    .join('')
  return { guide, contents }
}
