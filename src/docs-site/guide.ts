import { readFile } from 'node:fs/promises'
import { Marked, type Tokens } from 'marked'
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id'
import { packagePath } from '../paths.ts'
import { escapeHtml } from './template.ts'

/** The address that the guide's examples are written for. */
const WRITTEN_FOR = 'http://localhost:3000/api/v1'

/** What a block of code is, by the word after its fence. */
const CAPTIONS: Readonly<Record<string, string>> = {
  sh: 'curl',
  js: 'JavaScript',
  python: 'Python',
  output: 'prints',
}

/** Blocks of code in their order: what is printed is printed by all that stand before it, back to the last that was. */
const makeExamples = () => {
  let languages: string[] = []
  return ({ text, lang = '' }: Tokens.Code): string => {
    if (lang !== 'output') languages.push(lang)
    const shownWith = lang === 'output' ? languages.join(' ') : lang
    if (lang === 'output') languages = []
    return `<figure class="example ${lang}" data-languages="${shownWith}"><figcaption>${CAPTIONS[lang]}</figcaption><pre><code>${escapeHtml(text)}</code></pre></figure>\n`
  }
}

/**
 * `docs/guide.md` as HTML: the text, and what is in it. (D53)
 * @param base address of this API, which the examples call
 */
export const guideHtml = async (base: string): Promise<{ guide: string; contents: string }> => {
  const written = await readFile(packagePath('docs', 'guide.md'), 'utf8')
  const marked = new Marked({ gfm: true, renderer: { code: makeExamples() } }, gfmHeadingId())
  const guide = marked.parse(written.replaceAll(WRITTEN_FOR, base), { async: false })
  const contents = getHeadingList()
    .filter(({ level }) => level === 2)
    .map(({ id, text }) => `<li><a href="#${escapeHtml(id)}">${text}</a></li>`)
    .join('')
  return { guide, contents }
}
