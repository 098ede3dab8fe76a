import { PublicError } from '@lectern/wiki/errors'
import pLimit from 'p-limit'
import * as queries from '../../generated/queries.ts'
import type { PrepareStoredQuery } from '../../graphql.ts'
import { API_PATH } from '../../paths.ts'
import { memoize } from '../../shared/memoize.ts'
import type { AnyRoute, RequestContext } from '../route.ts'
import { type ApiResponse, errorResponse } from '../transport/responses.ts'
import { type ExampleValues, exampleUrl } from './example-values.ts'
import type { DocumentExamples } from './openapi.ts'

/** What this API answers, as every client gets it. */
export interface OwnAnswer {
  status: number
  text: string
  link: string
}

/** Reads this API. @param url path and query under its base URL @throws PublicError when the service is overloaded */
export type ReadOwnApi = (url: string) => Promise<OwnAnswer>

/** The API as one page of its own documentation reads it: nothing but what every guest gets. (D52) */
export type OwnApi = ReturnType<ReturnType<typeof makeOwnApis>>

/** How many pages are counted in each language. */
export const PAGES_COUNTED = 100_000

export type PageCount = queries.PageCountsQuery['wiki']['locales'][number]

interface OwnApiOptions {
  prepare: PrepareStoredQuery
  /** Reads a route within this process, within the limits of its class, also of one client. */
  readRoute(url: string, client: { host: string; clientKey: string }): Promise<ApiResponse>
  /** Runs a stored query that no route has, within the limits of a class. */
  admit<Result>(work: () => Promise<Result>): Promise<Result>
}

/** @returns the API for one page of the documentation. `clientKey`: whose searches and lists its reads count as; empty: of all */
export const makeOwnApis = ({ prepare, readRoute, admit }: OwnApiOptions) => {
  const pageCounts = prepare(queries.PageCountsDocument)
  const examplePages = prepare(queries.ExamplePagesDocument)
  const pageStarts = prepare(queries.PageStartsDocument)
  const pages = prepare(queries.PagesDocument)
  return (context: RequestContext, clientKey = '') => {
    const read: ReadOwnApi = async (url) => {
      const client = { host: context.host, clientKey }
      const { status, headers, body } = await readRoute(API_PATH + url, client).catch(toResponse)
      return { status, text: body.toString('utf8'), link: headers.Link ?? '' }
    }
    return {
      read,
      /** What the examples name. @throws PublicError when the service is overloaded */
      values: memoize(async () => {
        const found = await admit(() => examplePages({ locale: context.locale }))
        return chooseValues(context, found, read)
      }),
      /** The languages, and how many pages of the main namespace each has. A number above `PAGES_COUNTED` means more. */
      pageCounts: async () => (await admit(() => pageCounts({}))).wiki.locales,
      /** The paths after which the second and each further sitemap of a language begins. */
      pageStarts: async (locale: string) => (await admit(() => pageStarts({ locale }))).pageStarts,
      /** Live pages of the main namespace after a path, at most 200, past the response cache. */
      pagesAfter: async (locale: string, after: string) => {
        const list = { locale, ns: 'main', first: 200, after, isByPath: false, position: false } as const
        return (await admit(() => pages({ ...list, paths: [] }))).pages ?? []
      },
    }
  }
}

/** Refusals of a request are answers, too. What is wrong with the service is not. */
const toResponse = (error: unknown): ApiResponse => {
  if (!(error instanceof PublicError) || error.status >= 429) throw error
  return errorResponse(error, 0)
}

interface ShownPage {
  path: string
  title: string
  revision: { id: string; created_at: string }
  sections: { id: string }[]
  translations: { locale: string }[]
}

/**
 * What examples name: the page of the setting, or else, of main pages, introductions and the first twenty by their paths, the first
 * with a sentence that has the most of categories, links, several edits, 1,000 bytes, fewer than 50,000, a path of letters, and no folder above.
 */
const chooseValues = async (
  { locale, wiki, settings }: RequestContext,
  { main, files, missing, ...found }: queries.ExamplePagesQuery,
  read: ReadOwnApi,
): Promise<ExampleValues> => {
  const locales = wiki.locales.map((one) => one.locale)
  const byFeatures = (a: ExamplePage, b: ExamplePage) => featuresOf(b) - featuresOf(a)
  const pages = [...main, ...found.pages].filter((one) => one !== null).sort(byFeatures)
  const texts = pages.map(({ path }) => exampleUrl`/pages/${path}?format=text&locale=${locale}`!)
  const page =
    (await shownPage(read, settings.examplePage, locale)) ??
    (await shownPage(read, pages[await withSentence(read, texts)]?.path, locale))
  const inList = [...pages.filter(({ path }) => path === page?.path), ...pages]
  const withText = pages.filter(({ revision }) => revision.size > 0)
  const translation = page?.translations[0]?.locale
  const translated = await shownPage(read, page?.path, translation)
  return {
    locale,
    otherLocale: locales.find((one) => one !== locale) ?? locale,
    page: page && { path: page.path, title: page.title },
    ...(await sectionOf([page, ...inList.slice(0, PAGES_TRIED)], locale, read)),
    pageLocale: translated ? translation : page && locale,
    shortPath: withText.sort((a, b) => a.revision.size - b.revision.size)[0]?.path ?? page?.path,
    linkedPath: inList.flatMap(({ links }) => links).find((link) => link.exists && link.locale === locale)
      ?.path,
    category: inList.flatMap(({ categories }) => categories)[0]?.key,
    file: files[0]?.path,
    revision: page?.revision.id,
    edit: (await editOfWords(inList.slice(0, PAGES_TRIED), read)) ?? page?.revision.id,
    before: page?.revision.created_at,
    words: page?.title,
    ...typedFor(page?.title ?? ''),
    missingPath: missing ? 'no-such-page-2' : 'no-such-page',
    missingLocale: ['tlh', 'qya', 'art-x-none'].find((one) => !locales.includes(one))!,
  }
}

/** Pages and sections whose texts are read for an example. */
const PAGES_TRIED = 10
const SECTIONS_TRIED = 5

/** In a plain text, at least 40 characters, or 15 of scripts without spaces, that end as a sentence. In linear time. */
const SENTENCE = /(?<![^\n.!?])[^\n.!?]{40,}[.!?؟।։](?=\s|$)|(?<![^\n。！？])[^\n。！？]{15,}[。！？]/u

/** Which of these URLs is the first whose text has a sentence. @returns its number; 0 if there is none */
const withSentence = async (read: ReadOwnApi, urls: string[]): Promise<number> => {
  for (const [i, url] of urls.entries()) {
    const { status, text } = await read(url)
    if (status === 200 && SENTENCE.test(JSON.parse(text).text)) return i
  }
  return 0
}

/** The first section with a sentence, or else the first one. */
const sectionOf = async (pages: ({ path: string } | undefined)[], locale: string, read: ReadOwnApi) => {
  const found: { sectionPath: string; section: string }[] = []
  for (const one of pages) {
    const page = await shownPage(read, one?.path, locale)
    const named = page?.sections.filter(({ id }) => id !== '').slice(0, SECTIONS_TRIED) ?? []
    found.push(...named.map(({ id }) => ({ sectionPath: page!.path, section: id })))
  }
  const urlOf = ({ sectionPath, section }: (typeof found)[number]) =>
    exampleUrl`/pages/${sectionPath}?format=text&section=${section}&locale=${locale}`!
  return found[await withSentence(read, found.map(urlOf))] ?? {}
}

/** The first last edit that replaced words of a line. */
const editOfWords = async (pages: ExamplePage[], read: ReadOwnApi): Promise<string | undefined> => {
  for (const { revision } of pages.filter((page) => page.revision.parent))
    if (CHANGED_LINE.test((await read(`/revisions/${revision.id}/diff`)).text)) return revision.id
  return undefined
}

/** In the JSON of a difference: an added line with highlights. */
const CHANGED_LINE = /"kind":"added","text":"(?:[^"\\]|\\.)*","highlights":\[\[/

type ExamplePage = queries.ExamplePagesQuery['pages'][number]

const featuresOf = ({ categories, links, revision: { size, parent }, path }: ExamplePage): number => {
  const ofPath = [/^[\p{L}_-]+$/u.test(path), !path.includes('/')]
  return [categories[0], links[0], parent, size > 1000, size < 50_000, ...ofPath].filter(Boolean).length
}

/** Undefined if there is no such page, or no language is named. */
const shownPage = async (read: ReadOwnApi, path?: string, locale?: string) => {
  const url = exampleUrl`/pages/${path}?include=sections&locale=${locale}`
  if (url === undefined) return undefined
  const { status, text } = await read(url)
  return status === 200 ? (JSON.parse(text) as ShownPage) : undefined
}

/** What somebody types who looks for a title: its first letters, also with two of them swapped. */
const typedFor = (title: string): { prefix?: string; typo?: string } => {
  const [first, second, third, ...rest] = [...(/[\p{L}\p{M}\p{N}]+/u.exec(title)?.[0] ?? '')].slice(0, 5)
  if (first === undefined) return {}
  const prefix = [first, second, third, rest[0]].join('')
  return rest.length === 0 ? { prefix } : { prefix, typo: [first, third, second, ...rest].join('') }
}

/**
 * What the OpenAPI document shows of this wiki: the answers to the examples of the routes, whose long texts and lists are cut.
 * @throws PublicError when the service is overloaded
 */
export const documentExamples = async (routes: readonly AnyRoute[], { read, values: valuesOf }: OwnApi) => {
  const values = await valuesOf()
  const urls = routes.flatMap((route) => route.examples(values)).flatMap(({ url }) => url ?? [])
  const answers = await pLimit(AT_A_TIME).map(urls, async (url) => [url, await answerOf(read, url)] as const)
  return { values, answers: Object.fromEntries(answers.filter(([, answer]) => answer !== undefined)) }
}

/** For a document without examples. @param locale the default language */
export const noExamples = (locale: string): DocumentExamples => ({
  values: { locale, otherLocale: locale, missingLocale: '', missingPath: '' },
  answers: {},
})

/** What is left of long answers: a document with whole pages would be too large to read. */
const KEPT = { characters: 3_000, items: 30, answerCharacters: 30_000 }

/** Requests that one document sends at a time: others have their turn in between. */
const AT_A_TIME = 4

/** Undefined if there is none, or it is too long. */
const answerOf = async (read: ReadOwnApi, url: string): Promise<unknown> => {
  const { status, text } = await read(url)
  if (status !== 200) return undefined
  const answer = shortened(text.startsWith('{') ? JSON.parse(text) : text, KEPT.characters, KEPT.items)
  return JSON.stringify(answer).length <= KEPT.answerCharacters ? answer : undefined
}

/** An answer whose long texts and lists are cut. */
export const shortened = (value: unknown, characters: number, items?: number): unknown => {
  if (typeof value === 'string')
    return value.length > characters ? `${value.slice(0, characters).toWellFormed()}…` : value
  const inside = (inner: unknown) => shortened(inner, characters, items)
  if (Array.isArray(value)) return value.slice(0, items).map(inside)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inside(inner)]))
}
