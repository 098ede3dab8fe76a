import { answerBox, COPY_BUTTON, languageTabs } from '../code/boxes.ts'
import type { Highlight } from '../code/highlight.ts'
import { SAMPLE_LANGUAGES, type SampleLanguage } from '../code/samples.ts'
import { escapeHtml } from '../template.ts'

/** An example of the guide in one language. */
export interface Example {
  language: SampleLanguage
  code: string
  /** What it prints. */
  output: string
}

/** An example in several languages, as tabs. Where scripts do not run, all languages are visible. */
export const exampleHtml = (
  id: string,
  examples: readonly Example[],
  base: string,
  highlight: Highlight,
): string => {
  const tabs = examples.map(({ language }) => ({
    language,
    label: SAMPLE_LANGUAGES[language],
    panel: `${id}-${language}`,
  }))
  const panels = examples.map((example) => panelHtml(`${id}-${example.language}`, example, highlight))
  const request = examples.map(({ code }) => requestIn(code, base)).find((found) => found !== undefined)
  const run =
    request === undefined
      ? ''
      : `<button type="button" class="run quiet" aria-controls="${id}-answer" aria-label="Run: GET ${escapeHtml(request.target)}" data-request="${escapeHtml(JSON.stringify(request))}">Run</button>`
  const answer =
    request === undefined
      ? ''
      : `<div class="ran" id="${id}-answer" hidden><p class="sent"><span class="method">GET</span> <code>${escapeHtml(request.target)}</code></p>${answerBox(id, { body: '', status: '', label: `GET ${request.target}` })}</div>`
  const languages = examples.map(({ language }) => language).join(' ')
  return `<div class="example"><div class="box"><div class="bar">${languageTabs(tabs, id)}<span class="actions">${run}${COPY_BUTTON}</span></div><div class="panels" data-languages="${languages}">${panels.join('')}</div></div>${answer}</div>\n`
}

const panelHtml = (id: string, { language, code, output }: Example, highlight: Highlight): string => {
  const shown = output.startsWith('{') ? highlight(output, 'json') : escapeHtml(output)
  const label = SAMPLE_LANGUAGES[language]
  return `<div class="panel" id="${id}" role="tabpanel" aria-label="${label}" data-language="${language}"><p class="caption">${label}</p><pre tabindex="0" dir="ltr"><code>${highlight(code, language)}</code></pre><p class="prints">prints</p><pre class="output" tabindex="0" dir="ltr"><samp>${shown}</samp></pre></div>`
}

/** A request that a page can send as an example does. */
interface ExampleRequest {
  /** Path and query under the base URL. */
  target: string
  headers: Record<string, string>
  /** The part of the response that the example is about. */
  part: 'body' | 'headers'
}

/** The first request of a command with curl. Undefined: a program puts its requests together while it runs. */
const requestIn = (code: string, base: string): ExampleRequest | undefined => {
  if (!code.startsWith('curl ') && !code.includes('\ncurl ')) return undefined
  const url = [...code.matchAll(/'([^']*)'/g)].find(([, text]) => text!.startsWith(`${base}/`))?.[1]
  if (url === undefined) return undefined
  const target = url.slice(base.length) + queryOf(code)
  const headers = [...code.matchAll(/-H '([\w-]+): ([^'$]*)'/g)].map(([, name, value]) => [name!, value!])
  return {
    target,
    headers: Object.fromEntries(headers),
    part: / -(D|I|i) /.test(code) ? 'headers' : 'body',
  }
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
