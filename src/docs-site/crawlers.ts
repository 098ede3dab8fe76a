import { NotFound, Overloaded } from '@lectern/wiki/errors'
import { API_PATH } from '../paths.ts'
import { type ExampleValues, encodeInQuotes } from '../rest/openapi/example-values.ts'
import type { OwnApi } from '../rest/openapi/own-api.ts'
import type { RequestContext } from '../rest/route.ts'
import { type ApiResponse, textResponse } from '../rest/transport/responses.ts'
import { shownLocales } from './pages.ts'
import { escapeHtml } from './template.ts'

/** What programs read of the site: `/llms.txt` for agents, `/robots.txt` and sitemaps for search engines. */

/** The response with `/llms.txt`, in the format of https://llmstxt.org: Markdown for agents. (D102) */
export const llmsResponse = async (context: RequestContext, api?: OwnApi): Promise<ApiResponse> => {
  const text = llmsText(context, await api?.values())
  return textResponse(text, 'text/plain; charset=utf-8', context.settings.cacheSeconds, {
    'Content-Language': 'en',
  })
}

const llmsText = (context: RequestContext, values?: ExampleValues): string => {
  const { wiki, base, locale, settings, attribution } = context
  const languages = wiki.locales.map((one) => `${one.locale} (${one.name})`).join(', ')
  const limit =
    settings.requestsPerMinute === 0
      ? 'There is no rate limit, but send one request at a time.'
      : `Rate limit: ${settings.requestsPerMinute} requests per minute for each network address. After a 429 or 503, wait for the seconds in \`Retry-After\`.`
  const mcp =
    settings.mcpPath === undefined
      ? ''
      : `\n- If you speak the Model Context Protocol, add the server ${base.slice(0, -API_PATH.length)}${settings.mcpPath} (streamable HTTP). Its tools search, read and compare pages.`
  return `# ${wiki.name}

> The pages of ${wiki.name} through a public, read-only HTTP API: search, pages as plain text, Markdown or HTML, their history, and what has changed. No key and no account. Every request is a GET, and responses are JSON.

- Do not crawl pages of the website. The API gives you their text without markup, in fewer bytes.
- Search first. Then read the page, or only the section that you need.${mcp}
- Languages: ${languages}. The default here is ${locale}; add \`locale=\` for another one.
- ${limit} You can reuse a response for the seconds in its \`Cache-Control\`.
- A list returns \`items\` and \`next\`. Send \`next\` back as \`after\`, \`before\` or \`offset\` until it is empty.
- If a parameter is wrong, the response has status 400, and its message names the parameter.
- License of the content: ${licenseText(context)} ${attribution}

## Read

- [Search](${base}/search?q=${encodeInQuotes(values?.words ?? 'WORDS')}&limit=5): \`q\` takes words, "a phrase", \`or\` and \`-without\`; passages show where a page matches
- [A page](${base}/pages/PATH?format=text): replace PATH by the \`path\` of a search result, percent-encoded; \`format=text\` gives plain text, \`format=markdown\` Markdown
- [The outline of a page](${base}/pages/PATH?include=sections,summary): the ids of its sections, and its beginning
- [One section](${base}/pages/PATH?format=text&section=ID): a section with its subsections, by an id of the outline
- [Pictures and documents](${base}/files?type=image&limit=20): the \`url\` of each leads to its bytes; \`include=files\` names those of a page
- [What an edit changed](${base}/revisions/ID/diff): ID is that of a revision; \`format=unified\` gives a patch
- [Recent edits](${base}/recent?limit=20): newest first; also as an [Atom feed](${base}/recent.atom)

## Keep a copy

- [Changes](${base}/changes): everything from the beginning, then what has changed since a \`cursor\` (\`after=\`), including pages that are gone
- [Many pages at once](${base}/pages?limit=200&include=markdown): lists with texts; \`include\` takes several names with commas. \`path\`, repeated up to 50 times, names the pages

## Optional

- [The endpoints as URI templates](${base}): with the limits and languages of this wiki
- [OpenAPI](${base}/openapi.json): every endpoint, parameter and response
- [Guide](${base}/docs/guide): examples in curl, JavaScript and Python
`
}

const licenseText = ({ license, isLicenseKnown }: RequestContext): string =>
  isLicenseKnown ? license : `unknown, so ask the operators of the wiki before you reuse it (${license}).`

/** As many pages as a sitemap may have. Those that follow in the order of paths are missing. */
const PAGES_MAX = 50_000

/**
 * The response with robots.txt, the sitemap index or the sitemap of a language, for the languages without a website.
 * @throws NotFound if the language, or each, has one @throws PublicError when the service is overloaded
 */
export const sitemapResponse = async (path: string, context: RequestContext, api?: OwnApi) => {
  const { base, settings } = context
  const locales = shownLocales(context)
  const [known, locale] = /^\/(?:robots\.txt|sitemap(?:-([\w-]+))?\.xml)\/?$/.exec(path) ?? []
  if (!known || !locales[0] || !locales.includes(locale ?? locales[0]))
    throw new NotFound('This URL does not exist.')
  const start = `${base.slice(0, -API_PATH.length)}/sitemap`
  const respond = (text: string, type: string) =>
    textResponse(text, `${type}; charset=utf-8`, settings.cacheSeconds)
  if (path.startsWith('/robots'))
    return respond(`User-agent: *\nDisallow:\n\nSitemap: ${start}.xml\n`, 'text/plain')
  const sitemaps = locales.map(
    (one) => `<sitemap><loc>${escapeHtml(`${start}-${one}.xml`)}</loc></sitemap>\n`,
  )
  const [list, entries] = locale ? ['urlset', await pageEntries(locale, api)] : ['sitemapindex', sitemaps]
  const opening = `<?xml version="1.0" encoding="UTF-8"?>\n<${list} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`
  return respond(`${opening}\n${entries.join('')}</${list}>\n`, 'application/xml')
}

/** The URLs of pages, and when each was edited. The list is read in parts, so that other requests have their turn. */
const pageEntries = async (locale: string, api: OwnApi | undefined): Promise<string[]> => {
  const entries: string[] = []
  if (!api) throw new Overloaded(5)
  let pages = await api.pagesAfter(locale, '')
  while (pages.length > 0 && entries.length < PAGES_MAX) {
    for (const { url, revision } of pages)
      entries.push(`<url><loc>${escapeHtml(url)}</loc><lastmod>${revision.created_at}</lastmod></url>\n`)
    pages = await api.pagesAfter(locale, pages.at(-1)!.path)
  }
  return entries
}
