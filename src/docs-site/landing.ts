import { API_PATH } from '../paths.ts'
import { type ExampleValues, exampleUrl } from '../rest/openapi/example-values.ts'
import { type OwnApi, PAGES_COUNTED, type PageCount, shortened } from '../rest/openapi/own-api.ts'
import type { RequestContext } from '../rest/route.ts'
import { answerBox, COPY_BUTTON, languageTabs, loadHighlighter, loadModules, samplePanels } from './code.ts'
import { DOCS_PAGES, mcpUrl } from './paths.ts'
import { escapeHtml } from './template.ts'

/** The parts of the landing page that show this wiki, as HTML. @throws PublicError when the service is overloaded */
export const landingHtml = async (context: RequestContext, api: OwnApi | undefined) => {
  const requests = requestsOf(await api?.values())
  const counts = await api?.pageCounts()
  const server = mcpUrl(context)
  const { withBreaks } = await loadModules()
  return {
    console: await consoleHtml('live', context, requests[0]!, api),
    // For the other requests: a script shows it below the one that the visitor chooses.
    asked: await consoleHtml('asked', context, requests[0]!),
    requests: requests.map((request) => requestHtml(request, withBreaks)).join('\n'),
    numbers: await numbersHtml(api, counts),
    languages: languagesHtml(context, counts),
    mcp: server ? `, and MCP at <a href=".${DOCS_PAGES.guide}#agents">${escapeHtml(server)}</a>` : '',
  }
}

type LandingRequest = ReturnType<typeof requestsOf>[number]

/** What one can ask this wiki. `target`: path and query under the base URL. The first request is shown with its response. */
const requestsOf = (values?: ExampleValues) => {
  const { page, sectionPath, section, words, edit, category, linkedPath, prefix } = values ?? {}
  const path = page?.path
  const requests: Record<string, [text: string, target: string | undefined]> = {
    'A page': [
      'As Markdown, HTML or plain text. Whole, or one section.',
      exampleUrl`/pages/${sectionPath}?format=text&section=${section}` ??
        exampleUrl`/pages/${path}?format=text`,
    ],
    Search: [
      'Words, phrases and exclusions. Passages show where a page matches.',
      exampleUrl`/search?q=${words}&limit=2`,
    ],
    History: ['Every accepted edit: who made it, when, and why.', exampleUrl`/pages/${path}/history?limit=3`],
    Differences: ['What an edit changed, line by line, or as a patch.', exampleUrl`/revisions/${edit}/diff`],
    Categories: [
      'The pages of a category, with their texts if you like.',
      exampleUrl`/categories/${category}?limit=3`,
    ],
    Links: ['Which pages link to a page.', exampleUrl`/links?to=${linkedPath}&limit=3`],
    Suggestions: [
      'Titles for a search field, while somebody types.',
      exampleUrl`/suggest?q=${prefix}&limit=3`,
    ],
    Changes: ['What changed since you last asked, for a copy of the wiki.', '/changes?limit=2'],
  }
  // As readers write them. The slash of a path that ends in `/history` must stay as it is.
  const available = Object.entries(requests).flatMap(([title, [text, target]]) =>
    target === undefined ? [] : { title, text, target: target.replaceAll(/%2F(?!history(?:[/?]|$))/g, '/') },
  )
  const wiki = { title: 'The wiki', text: 'Its languages, its license and its limits.', target: '/' }
  return path === undefined ? [wiki, ...available] : available
}

/** The code has letters of all scripts instead of their encoded bytes. Parts with them are isolated, or others would change places. */
const requestHtml = ({ title, text, target }: LandingRequest, withBreaks: (html: string) => string): string =>
  `<li><a href="${escapeHtml(`.${DOCS_PAGES.reference}?request=${encodeURIComponent(target)}`)}" data-target="${escapeHtml(target)}"><strong>${escapeHtml(title)}</strong> <span>${escapeHtml(text)}</span> <code>${withBreaks(escapeHtml(decodeURI(target))).replace(/(?:[^/?&=<>]|&#3[49];)*[^\x00-\x7f](?:[^/?&=<>]|&#3[49];)*/g, '<bdi>$&</bdi>')}</code></a><a class="raw" href="${escapeHtml(`.${API_PATH}${target}`)}" aria-label="JSON: ${escapeHtml(title)}">JSON</a></li>`

/** @param id what ids in it begin with @param api absent: it shows no response yet */
const consoleHtml = async (
  id: string,
  { base }: RequestContext,
  { title, target }: LandingRequest,
  api?: OwnApi,
): Promise<string> => {
  const highlight = await loadHighlighter()
  const { urlOf, samplesOf, formatJson } = await loadModules()
  const answer = await api?.read(target)
  const samples = samplesOf(urlOf(base, target), true)
  const { languages, panels } = samplePanels(id, samples, highlight)
  const shown = answer && mainFields(JSON.parse(answer.text))
  const body = shown ? highlight(formatJson(shortened(shown, TEXT_LENGTH_MAX)), 'json') : ''
  const status = answer ? `<strong>${answer.status}</strong> OK, excerpt` : 'No response yet'
  return `<div class="box">
<div class="bar">${languageTabs(id, languages, title)}<span class="actions"><button type="button" class="send" aria-controls="${id}-body">Send</button>${COPY_BUTTON}</span></div>
<div class="panels" data-languages="${languages.join(' ')}">${panels}</div>
</div>
${answerBox(id, { body, status, label: title }).replace('class="box answer"', 'class="box answer" data-outcome="success"')}`
}

/** Longer texts are cut, until the visitor sends the request. */
const TEXT_LENGTH_MAX = 400

/** Of a page, its name and the text that was asked for. Other responses are whole. */
const mainFields = (answer: Record<string, unknown>): object => {
  const { path, title, url, text } = answer
  return text === undefined ? answer : { path, title, url, text }
}

const count = (pages: number): string =>
  pages > PAGES_COUNTED ? `${PAGES_COUNTED.toLocaleString('en')}+` : pages.toLocaleString('en')

const numbersHtml = async (api?: OwnApi, counts?: PageCount[]) => {
  if (!api || !counts) return ''
  const total = counts.reduce((sum, { pages }) => sum + pages, 0)
  const isExact = counts.every(({ pages }) => pages <= PAGES_COUNTED)
  const number = (value: string, label: string) => `<div><dt>${label}</dt><dd>${value}</dd></div>`
  const { items } = JSON.parse((await api.read('/recent?limit=1')).text)
  const lastEdit = ({ created_at: time, page }: { created_at: string; page: Record<string, string> }) => {
    const date = new Date(time).toLocaleDateString('en', { dateStyle: 'medium', timeZone: 'UTC' })
    const title = `<a href="${escapeHtml(page.url!)}" lang="${escapeHtml(page.locale!)}" dir="auto">${escapeHtml(page.title!)}</a>`
    return number(`<time datetime="${escapeHtml(time)}">${date}</time>`, `last edit: ${title}`)
  }
  return [
    number(`${total.toLocaleString('en')}${isExact ? '' : '+'}`, total === 1 ? 'page' : 'pages'),
    number(String(counts.length), counts.length === 1 ? 'language' : 'languages'),
    ...items.map(lastEdit),
  ].join('')
}

const LANGUAGES_SHOWN = 8

/** The languages with their numbers of pages; many of them in a menu. */
const languagesHtml = ({ wiki }: RequestContext, counts: PageCount[] | undefined): string => {
  const pagesOf = new Map(counts?.map(({ locale, pages }) => [locale, pages]))
  const item = ({ locale, name }: { locale: string; name: string }) => {
    const pages = pagesOf.get(locale)
    const number = pages === undefined ? '' : ` <small>${count(pages)}</small>`
    return `<li><bdi lang="${escapeHtml(locale)}">${escapeHtml(name)}</bdi> <code>${escapeHtml(locale)}</code>${number}</li>`
  }
  const list = `<ul class="locales">${wiki.locales.map(item).join('')}</ul>`
  if (wiki.locales.length <= LANGUAGES_SHOWN) return list
  return `<details><summary>${wiki.locales.length} languages, and their numbers of pages</summary>${list}</details>`
}
