import { Marked, type MarkedToken, type Token } from 'marked'
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id'
import { loadHighlighter } from '../code/highlight.ts'
import { escapeHtml } from '../template.ts'
import { type Example, exampleHtml } from './example.ts'

/** Examples in several languages that stand together, as one token. */
interface ExamplesToken {
  type: 'examples'
  raw: string
  examples: Example[]
}

const LANGUAGES: Readonly<Record<string, Example['language']>> = {
  sh: 'curl',
  js: 'javascript',
  python: 'python',
}

/** Joins blocks of code that stand together. An `output` belongs to each example since the `output` before it. */
const joinExamples = (tokens: readonly Token[]): Token[] => {
  const joined: Token[] = []
  let group: ExamplesToken | undefined
  let waiting: Example[] = []
  for (const token of tokens as MarkedToken[]) {
    if (token.type === 'space' && group) continue
    if (token.type !== 'code') {
      group = undefined
      joined.push(token)
      continue
    }
    if (!group) {
      group = { type: 'examples', raw: '', examples: [] }
      waiting = []
      joined.push(group)
    }
    const language = LANGUAGES[token.lang ?? '']
    if (language) {
      const example = { language, code: token.text, output: '' }
      group.examples.push(example)
      waiting.push(example)
    } else {
      for (const example of waiting) example.output = token.text
      waiting = []
    }
  }
  return joined
}

/**
 * The guide as HTML: its text and its table of contents.
 * @param markdown as `guideMarkdown` returns it
 * @param base base URL of this API
 */
export const guideHtml = async (
  markdown: string,
  base: string,
): Promise<{ guide: string; contents: string }> => {
  const highlight = await loadHighlighter()
  let count = 0
  const marked = new Marked(
    {
      gfm: true,
      hooks: { processAllTokens: joinExamples },
      extensions: [
        {
          name: 'examples',
          renderer: (token) => {
            count += 1
            return exampleHtml(
              `example-${count}`,
              (token as unknown as ExamplesToken).examples,
              base,
              highlight,
            )
          },
        },
      ],
    },
    gfmHeadingId(),
  )
  const guide = marked.parse(markdown, { async: false })
  const contents = getHeadingList()
    .filter(({ level }) => level === 2)
    .map(({ id, text }) => `<li><a href="#${escapeHtml(id)}">${text}</a></li>`)
    .join('')
  return { guide, contents: `<li><ul>${contents}</ul></li>` }
}
