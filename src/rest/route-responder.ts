import { BadParameter, NotFound } from '@lectern/wiki/errors'
import { distance } from 'fastest-levenshtein'
import * as queries from '../generated/queries.ts'
import type { PrepareStoredQuery } from '../graphql.ts'
import { STORED_LIST_BYTES_MAX } from '../limits/responses.ts'
import type { AddContent, ListBody } from './list-content.ts'
import type { AnyRoute, RequestClass, RequestContext, RouteResult } from './route.ts'
import { namesContent, PAGE_FIELDS } from './routes/shared/include.ts'
import type { Exchange } from './transport/exchange.ts'
import { bodyToJson } from './transport/json-writer.ts'
import { type ReadRequest, requestReader, routePattern } from './transport/request.ts'
import {
  type ApiResponse,
  type HeaderList,
  IMMUTABLE,
  JSON_TYPE,
  textResponse,
} from './transport/responses.ts'

/** Reads a request. Requests with the same key have the same response. @throws BadParameter */
export type Responder = (
  url: string,
  context: RequestContext,
  client: ApiClient,
) => {
  key: string
  /** Headers of responses to this spelling of the request alone. */
  ownHeaders?: HeaderList
  /** @param admit runs work when the limit of a class allows it @throws PublicError; anything else is a defect */
  createResponse(admit: Admit): Promise<ApiResponse>
}

/** Who sends a request, and what it prefers. */
export type ApiClient = Pick<Exchange, 'prefersMarkdown' | 'clientKey'> & Partial<Pick<Exchange, 'isStrict'>>

type Admit = <Result>(requestClass: RequestClass, work: () => Promise<Result>) => Promise<Result>

/** Proxies refuse responses whose headers are too long. The body has `next`, too. */
const LINK_MAX = 3_000

const MARKDOWN_TYPE = 'text/markdown; charset=utf-8'

/** The responder of a route: it reads the parameters, runs the stored query, and reshapes the result. */
export const makeRouteResponder = (
  route: AnyRoute,
  prepare: PrepareStoredQuery,
  addContent: AddContent,
): Responder => {
  const find = makeFinder(route, prepare)
  const checkFilters = makeFilterCheck(prepare)
  const read = requestReader(route, routePattern(route))
  const { markdownOf } = route
  const fixedHeaders = headersOf(route)
  const respond =
    (request: ReadRequest, context: RequestContext, isMarkdown: boolean) =>
    async (admit: Admit): Promise<ApiResponse> => {
      const { values } = request
      const result = await admit(route.requestClass, async () => {
        if (request.isChecked) await checkFilters(values, context)
        return find(values, context)
      })
      const { cacheSeconds } = context.settings
      const headers: Record<string, string> = {
        ...(result.locale === undefined ? {} : { 'Content-Language': result.locale }),
        ...(result.isImmutable && cacheSeconds > 0 ? { 'Cache-Control': IMMUTABLE } : {}),
        ...fixedHeaders,
      }
      const withLinks = (...own: string[]) => {
        const links = [...own, ...linksOf(route, context)]
        return links.length > 0 ? { Link: links.join(', '), ...headers } : headers
      }
      if (isMarkdown) {
        const { text, canonicalUrl } = markdownOf!(result.body)
        const canonical = withLinks(`<${canonicalUrl}>; rel="canonical"`)
        return { ...textResponse(text, MARKDOWN_TYPE, cacheSeconds, canonical), isNegotiated: true }
      }
      if (result.type !== undefined)
        return textResponse(result.body as string, `${result.type}; charset=utf-8`, cacheSeconds, withLinks())
      const content = namesContent(values.include) ? result.content?.() : undefined
      // Reading many texts must not delay other lists, so it has a limit of its own. (D101)
      const list = content
        ? await admit('bulk', () => addContent(result.body as ListBody, content, values.include as string))
        : undefined
      const next = list ? list.next : (result.body as { next?: string }).next
      const url = route.pagedBy && next ? nextUrl(route.pagedBy, request, next, context) : ''
      const nextLinks = url === '' || url.length > LINK_MAX ? [] : [`<${url}>; rel="next"`]
      const made = list ? list.json : bodyToJson(result.body as object, result.itemToJson)
      const json = made instanceof Promise ? await made : made
      const response = textResponse(json, JSON_TYPE, cacheSeconds, withLinks(...nextLinks))
      if (markdownOf || route.textTypes?.['text/event-stream']) response.isNegotiated = true
      if (list && response.body.length > STORED_LIST_BYTES_MAX) response.isStored = false
      return response
    }
  return (url, context, { prefersMarkdown, isStrict }) => {
    const request = read(url, context, isStrict)
    const isMarkdown = prefersMarkdown && markdownOf !== undefined
    // Whatever else the client asks for, only the Markdown is sent.
    if (isMarkdown) Object.assign(request.values, { format: 'markdown', include: '' })
    const variant = (isMarkdown ? ' markdown' : '') + (request.isChecked ? ' checked' : '')
    const key = `${route.name} ${JSON.stringify(request.values)}${variant}`
    return { key, ownHeaders: request.ownHeaders, createResponse: respond(request, context, isMarkdown) }
  }
}

/** Refuses a category or an author that the wiki does not have, where others get an empty list. */
const makeFilterCheck = (prepare: PrepareStoredQuery) => {
  const missingCategory = makeCategoryCheck(prepare)
  const findAuthor = prepare(queries.KnownAuthorDocument)
  const readAuthors = prepare(queries.RecentAuthorsDocument)
  return async ({ category, author, locale, all }: ReadRequest['values'], { wiki }: RequestContext) => {
    if (typeof category === 'string') {
      const locales = all ? wiki.locales.map((one) => one.locale) : [locale as string]
      const hint = await missingCategory(category, locales)
      if (hint !== undefined) throw new BadParameter('category', `does not exist${hint}`)
    }
    if (typeof author === 'string') {
      if ((await findAuthor({ author })).recent.edits.length > 0) return
      const { edits } = (await readAuthors({})).recent
      const known = edits.map(({ author: { name } }) => ({ key: name, name }))
      throw new BadParameter('author', `does not exist${didYouMean(author, known)}`)
    }
  }
}

/** @returns what finds out that languages lack a category: undefined if they have it, or else which are meant */
const makeCategoryCheck = (prepare: PrepareStoredQuery) => {
  const find = prepare(queries.KnownCategoryDocument)
  const readNear = prepare(queries.NearCategoriesDocument)
  return async (key: string, locales: readonly string[]): Promise<string | undefined> => {
    const found = await Promise.all(locales.map((locale) => find({ key, locale })))
    if (found.some(({ category }) => category)) return undefined
    // As in the path of its page, or as people guess the list of pages.
    const wanted = key.replace(/^category:|\/pages$/gi, '')
    const [near = ''] = wanted
    const cases = { lower: near.toLowerCase(), upper: near.toUpperCase() }
    const lists = await Promise.all(locales.map((locale) => readNear({ ...cases, locale })))
    const known = lists.flatMap(({ first, lower, upper }) => [...first, ...lower, ...upper])
    return didYouMean(wanted, known)
  }
}

/** A question after the keys that are near a text, or whose names are: at most three, the nearest first. */
const didYouMean = (value: string, known: readonly { key: string; name: string }[]): string => {
  const wanted = value.slice(0, 100).toLowerCase()
  const errorsMax = value.length < 6 ? 1 : 2
  const errorsOf = (text: string) => {
    const errors = distance(text.toLowerCase(), wanted)
    return wanted.length > 2 && text.toLowerCase().includes(wanted) ? Math.min(errors, errorsMax) : errors
  }
  const ranked = known.map(({ key, name }) => ({ key, errors: Math.min(errorsOf(key), errorsOf(name)) }))
  const near = ranked.filter(({ errors }) => errors <= errorsMax).sort((a, b) => a.errors - b.errors)
  const keys = [...new Set(near.map(({ key }) => key))].slice(0, 3)
  return keys.length === 0 ? '' : `. Did you mean ${keys.join(', ')}?`
}

const makeFinder = (route: AnyRoute, prepare: PrepareStoredQuery) => {
  const run = prepare(route.query)
  const findMissing = prepare(queries.MissingPageDocument)
  const missingCategory = makeCategoryCheck(prepare)
  // A page can have a path that ends as the URL of the route: `dev/history`.
  const [ending] = /(?<=\{path\})\/\w+$/.exec(route.path) ?? []
  return async (values: ReadRequest['values'], context: RequestContext): Promise<RouteResult<unknown>> => {
    const found = route.reshape(await run(route.variables(values, context)), values, context)
    if (found) return found
    const { locale, path, key } = values as { locale: string; path: string; key?: string }
    if (key !== undefined) {
      const hint = await missingCategory(key, [locale])
      throw new NotFound(`There is no such category in this language (${locale})${hint || '.'}`)
    }
    // A link can begin with another language, as `/ru/tea`.
    const [first = '', ...rest] = path.split('/')
    const linked = { locale: first.toLowerCase(), path: rest.join('/') }
    const isOther =
      linked.locale !== locale && context.wiki.locales.some((one) => one.locale === linked.locale)
    const hint = `It exists as ${linked.path} with locale=${linked.locale}.`
    if (isOther && (await findMissing(linked)).localesOfPath.includes(linked.locale))
      throw notFound(locale, hint, pageLink(context.base, linked, 'alternate'))
    const whole = ending === undefined ? [] : [{ locale, path: path + ending }]
    const [missing, ...others] = await Promise.all(
      [{ locale, path }, ...whole].map((page) => findMissing(page)),
    )
    if (others[0]?.localesOfPath.includes(locale)) {
      const own = `The page ${whole[0]!.path} is at /pages/${encodeURIComponent(whole[0]!.path)}.`
      throw notFound(locale, own, pageLink(context.base, whole[0]!, 'related'))
    }
    throw missingPage(locale, path, missing!, context.base)
  }
}

/** @param hint what the client probably wants, for people @param links the same for programs */
const notFound = (locale: string, hint: string, ...links: string[]): NotFound => {
  const Link = links.join(', ')
  const headers = Link === '' || Link.length > LINK_MAX ? undefined : { Link }
  return new NotFound(`There is no such page in this language (${locale}). ${hint}`.trimEnd(), headers)
}

/** A page as a value of the header `Link`. In another language, it is an alternate. */
const pageLink = (base: string, to: { locale: string; path: string }, relation: string): string => {
  const language = relation === 'alternate' ? `; hreflang="${to.locale}"` : ''
  return `<${base}/pages/${encodeURIComponent(to.path)}?locale=${to.locale}>; rel="${relation}"${language}`
}

/** What a last segment means: `/pages/sencha/history` for `sencha/histroy` and `sencha/revisions`. */
const historyOf = (path: string): string | undefined => {
  const [, page, name = 'history'] = /^(.+)\/(?:(h[^/]+)|(?:revision|edit|version)s?)\/*$/i.exec(path) ?? []
  const meant = `${page}/history`
  const isMeant = page && path !== meant && distance(name.toLowerCase(), 'history') <= 2
  return isMeant ? `/pages/${meant}` : undefined
}

/** The same for a field: `/pages/sencha?include=links` for `sencha/links`. */
const fieldOf = (path: string): string | undefined => {
  const [, page, field] = /^(.+)\/(.+)$/.exec(path) ?? []
  return PAGE_FIELDS.some((one) => one === field) ? `/pages/${page}?include=${field}` : undefined
}

/** The error names where the page moved, or which one may be meant, with links. RFC 5829 defines `successor-version`. */
const missingPage = (locale: string, path: string, found: queries.MissingPageQuery, base: string) => {
  const { movedTo, similarPath } = found
  if (movedTo) {
    const other = movedTo.locale === locale ? '' : ` (${movedTo.locale})`
    const link = pageLink(base, movedTo, 'successor-version')
    return notFound(locale, `It moved to ${movedTo.path}${other}.`, link)
  }
  const elsewhere = found.localesOfPath.slice(0, 3)
  const history = historyOf(path)
  const meant = history ?? similarPath ?? fieldOf(path)
  const others = elsewhere.length === 0 ? '' : `It exists with locale=${elsewhere.join(', ')}. `
  const links = elsewhere.map((other) => pageLink(base, { locale: other, path }, 'alternate'))
  if (similarPath != null && !history) links.push(pageLink(base, { locale, path: similarPath }, 'related'))
  return notFound(locale, others + (meant ? `Did you mean ${meant}?` : ''), ...links)
}

/** To the license if it is known, and of the base URL to the description of the API (RFC 8631). */
const linksOf = (
  { deprecation, name, operationId }: AnyRoute,
  { base, license, isLicenseKnown }: RequestContext,
): string[] => [
  ...(isLicenseKnown ? [`<${license}>; rel="license"`] : []),
  ...(deprecation ? [`<${base}/docs#${operationId}>; rel="deprecation"`] : []),
  ...(name === 'wiki'
    ? [`<${base}/openapi.json>; rel="service-desc", <${base}/docs>; rel="service-doc"`]
    : []),
]

/** Of every response of a route. `Deprecation` and `Sunset` by RFC 9745 and RFC 8594. */
const headersOf = ({ deprecation: at, cache }: AnyRoute): Record<string, string> => ({
  ...(at && { Deprecation: `@${Date.parse(at.since) / 1000}`, Sunset: new Date(at.sunset).toUTCString() }),
  ...(cache === 'no-store' && { 'Cache-Control': 'no-store' }),
})

const nextUrl = (pagedBy: string, request: ReadRequest, next: string, { base }: RequestContext) => {
  const { path, query, values } = request
  const nextQuery = new URLSearchParams(query)
  nextQuery.set(values.order === 'asc' ? 'after' : pagedBy, next)
  return `${base}${path}?${nextQuery}`
}
