import { Marked, type MarkedToken, type Token } from 'marked'
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id'
import {
  answerBox,
  COPY_BUTTON,
  type Highlight,
  languageTabs,
  loadHighlighter,
  loadModules,
  SAMPLE_LANGUAGES,
  type SampleLanguage,
} from '../code.ts'
import { escapeHtml, pathHtml } from '../template.ts'

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

/** The guide as HTML: text and table of contents. @param markdown as `guideMarkdown` returns it */
export const guideHtml = async (markdown: string, base: string) => {
  const tools = { base, highlight: await loadHighlighter(), ...(await loadModules()) }
  let count = 0
  const marked = new Marked(
    {
      gfm: true,
      hooks: { processAllTokens: joinExamples },
      renderer: { codespan: ({ text }) => `<code>${pathHtml(text)}</code>` },
      extensions: [
        {
          name: 'examples',
          renderer: (token) => {
            count += 1
            return exampleHtml(`example-${count}`, (token as unknown as ExamplesToken).examples, tools)
          },
        },
      ],
    },
    gfmHeadingId(),
  )
  const guide = marked.parse(markdown, { async: false })
  const contents = getHeadingList()
    .filter(({ level }) => level === 2)
    .map(({ id, text }) => {
      const group = GROUPS[id] ? `</ul></li><li><p>${GROUPS[id]}</p><ul>` : ''
      return `${group}<li><a href="#${escapeHtml(id)}">${text}</a></li>`
    })
    .join('')
  return { guide, contents: `<li><ul>${contents}</ul></li>`.replace('<li><ul></ul></li>', '') }
}

/** Groups of sections, by the id of the first one. */
const GROUPS: Readonly<Record<string, string>> = {
  'your-first-request': 'Read',
  search: 'Find',
  'track-changes': 'Follow',
  caching: 'Operate',
}

interface Example {
  language: SampleLanguage
  code: string
  output: string
}

type Tools = { base: string; highlight: Highlight } & Awaited<ReturnType<typeof loadModules>>

/** An example in several languages, as tabs. Where scripts do not run, all languages are visible. */
const exampleHtml = (id: string, examples: readonly Example[], tools: Tools): string => {
  const languages = examples.map(({ language }) => language)
  const panels = examples.map((example) => panelHtml(`${id}-${example.language}`, example, tools))
  const request = examples.map(({ code }) => requestIn(code, tools.base)).find((found) => found !== undefined)
  const run =
    request &&
    `<button type="button" class="run quiet" aria-controls="${id}-answer" aria-label="Run: GET ${escapeHtml(request.target)}" data-request="${escapeHtml(JSON.stringify(request))}">Run</button>`
  const answer =
    request &&
    `<div class="ran" id="${id}-answer" hidden><p class="sent"><span class="method">GET</span> <code>${tools.withBreaks(escapeHtml(request.target))}</code></p>${answerBox(id, { body: '', status: 'Running …', label: `GET ${request.target}` })}</div>`
  return `<div class="example"><div class="box"><div class="bar">${languageTabs(id, languages, id)}<span class="actions">${run ?? ''}${COPY_BUTTON}</span></div><div class="panels" data-languages="${languages.join(' ')}">${panels.join('')}</div>${answer ?? ''}</div></div>\n`
}

const panelHtml = (id: string, { language, code, output }: Example, tools: Tools): string => {
  const shown = output.startsWith('{')
    ? tools.highlight(onLines(output, tools), 'json')
    : tools.withBreaks(escapeHtml(output))
  const label = SAMPLE_LANGUAGES[language]
  const prints =
    output &&
    `<p class="prints">prints</p><pre class="output" tabindex="0" dir="ltr"><samp>${shown}</samp></pre>`
  return `<div class="panel" id="${id}" role="tabpanel" aria-label="${label}" data-language="${language}"><p class="caption">${label}</p><pre tabindex="0" dir="ltr"><code>${tools.highlight(code, language)}</code></pre>${prints}</div>`
}

/** JSON on several lines, and what follows it. An output that is cut stays as it is. */
const onLines = (output: string, { formatJson }: Tools): string => {
  const [json = '', ...rest] = output.split('\n')
  return json.endsWith('}') ? [formatJson(JSON.parse(json)), ...rest].join('\n') : output
}

/**
 * The first request of a command with curl, which a page can send as the example does: path and query under the base URL,
 * headers, whether it sends the ETag of the response before, and the part of the response that the example is about.
 * Undefined: a program builds its requests.
 */
const requestIn = (code: string, base: string) => {
  if (!code.startsWith('curl ') && !code.includes('\ncurl ')) return undefined
  const url = [...code.matchAll(/'([^']*)'/g)].find(([, text]) => text!.startsWith(`${base}/`))?.[1]
  if (url === undefined) return undefined
  const target = url.slice(base.length) + queryOf(code)
  const headers = [...code.matchAll(/-H '([\w-]+): ([^'$]*)'/g)].map(([, name, value]) => [name!, value!])
  const part = / -(D|I|i) /.test(code) ? 'headers' : 'body'
  const sendsEtag = code.includes('-H "If-None-Match: $')
  return { target, headers: Object.fromEntries(headers), sendsEtag, part }
}

/** The query that `curl -G` puts together. */
const queryOf = (code: string): string => {
  if (!/ -G /.test(code)) return ''
  const pairs = [...code.matchAll(/ (?:--data-urlencode|-d) (?:'((?:[^']|'\\'')*)'|(\S+))/g)].map(
    ([, quoted, bare]) => quoted?.replaceAll("'\\''", "'") ?? bare!,
  )
  const query = pairs.map((pair) => pair.replace(/=(.*)/s, (_, value) => `=${encodeURIComponent(value)}`))
  return `?${query.join('&')}`
}
