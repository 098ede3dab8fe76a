import { encodeInQuotes } from '../../paths.ts'
import type { ExampleValues } from '../../rest/openapi/example-values.ts'
import type { OwnAnswer, ReadOwnApi } from '../../rest/openapi/own-api.ts'

/** What the examples of a section print: the one with curl, and those in JavaScript and in Python. */
export interface Outputs {
  curl?: string
  program: string
}

type OutputsOf = (values: ExampleValues, read: ReadOwnApi) => Promise<Outputs | undefined>

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes; tests run the programs that read the same
type Json = any

const json = async (read: ReadOwnApi, url: string): Promise<Json> => JSON.parse((await read(url)).text)

const pageUrl = ({ page }: ExampleValues): string => `/pages/${encodeInQuotes(page!.path)}`

const lines = (...texts: unknown[]): string => texts.flat().join('\n')

const cut = ({ text, highlights }: { text: string; highlights: [number, number][] }): string[] =>
  highlights.map(([start, end]) => text.slice(start, end))

const linkHeader = ({ link }: OwnAnswer): string => (link === '' ? '' : `Link: ${link}`)

/**
 * What the examples of `site/guide.md` print, by the heading of the section. Tests run the programs for the sample wiki
 * and for other wikis, and compare. Undefined: the wiki lacks what the programs read.
 */
export const OUTPUTS: Readonly<Record<string, OutputsOf>> = {
  'Your first request': async (_, read) => {
    const { text } = await read('/')
    const wiki = JSON.parse(text)
    const locales = wiki.locales.map(({ locale }: Json) => locale).join(' ')
    return { curl: text, program: lines(`${wiki.name}: ${locales}`, wiki.endpoints.search) }
  },

  'Read a page': async (values, read) => {
    const { title, revision, url } = await json(read, pageUrl(values))
    return {
      curl: (await read(`/pages/${encodeInQuotes(values.shortPath!)}?format=html`)).text,
      program: lines(`${title}, last edited by ${revision.author.name}`, url),
    }
  },

  'Read a part of a page': async (values, read) => {
    const url = `/pages/${encodeInQuotes(values.sectionPath!)}`
    const section = `section=${encodeInQuotes(values.section!)}`
    const outline = await json(read, `${url}?format=text&include=sections`)
    const part = await json(read, `${url}?format=text&${section}`)
    const headings = outline.sections.slice(0, 5).map((one: Json) => `${one.level} ${one.title} (${one.id})`)
    return {
      curl: (await json(read, `${url}?${section}`)).markdown,
      program: lines(headings, part.text.split('\n').at(-1)),
    }
  },

  Pagination: async (_, read) => ({
    curl: linkHeader(await read('/pages?limit=2')),
    program: lines((await json(read, '/pages?limit=5')).items.map(({ path }: Json) => path)),
  }),

  'Read many pages': async (_, read) => {
    const { text } = await read('/pages?limit=1&include=summary')
    const { items } = await json(read, '/pages?limit=20&include=markdown')
    const count = items.reduce((sum: number, { markdown }: Json) => sum + markdown.split('\n').length, 0)
    return {
      curl: /"summary":"(?:[^"\\]|\\.)*"/.exec(text)?.[0],
      program: `${items.length} pages, ${count} lines`,
    }
  },

  Languages: async (values, read) => {
    const page = await json(read, `${pageUrl(values)}?locale=${values.pageLocale}`)
    const shown = [page, ...page.translations.slice(0, 5)]
    return {
      curl: (await read(`${pageUrl(values)}?locale=${values.missingLocale}`)).text,
      program: lines(shown.map(({ locale, title }: Json) => `${locale} ${title}`)),
    }
  },

  Search: async ({ words }, read) => {
    const { text } = await read(`/search?q=${encodeInQuotes(words!)}&limit=1`)
    const [hit] = JSON.parse(text).items
    if (!hit) return undefined
    const passages = hit.passages.map((one: Json) => cut(one).join(', '))
    return { curl: text, program: lines(hit.title, passages) }
  },

  'Suggest pages': async ({ prefix, typo }, read) => {
    const { items } = await json(read, `/suggest?q=${encodeInQuotes(typo ?? prefix!)}&limit=3`)
    return {
      curl: (await read(`/suggest?q=${encodeInQuotes(prefix!)}&limit=1`)).text,
      program: lines(items.map(({ title }: Json) => title)),
    }
  },

  'Follow links': async (values, read) => {
    const { items } = await json(read, `/links?from=${encodeInQuotes(values.page!.path)}&limit=5`)
    return {
      curl: (await read(`/links?to=${encodeInQuotes(values.linkedPath!)}&limit=1`)).text,
      program: lines(items.map(({ path, exists }: Json) => (exists ? path : `${path} (not written yet)`))),
    }
  },

  'List categories': async ({ category }, read) => {
    if (category === undefined) return undefined
    const { items } = await json(read, '/categories?limit=200')
    const largest = items.sort((a: Json, b: Json) => b.pages - a.pages).slice(0, 3)
    return {
      curl: (await read('/categories?limit=2')).text,
      program: lines(largest.map(({ name, pages }: Json) => `${name}: ${pages}`)),
    }
  },

  'Track changes': async (values, read) => {
    const { items } = await json(read, `${pageUrl(values)}/history?limit=1`)
    const edit = await json(read, `/revisions/${items[0].id}`)
    return {
      curl: (await read('/recent?limit=1')).text,
      program: lines(`${edit.author.name}: ${edit.comment}`, edit.markdown.split('\n')[0]),
    }
  },

  'Keep a copy': async ({ locale, page }, read) => ({
    curl: (await read(`/changes?locale=${encodeInQuotes(locale)}&limit=1`)).text,
    program: page!.title,
  }),

  'Keep a copy with a client': async (values, read) => {
    const { markdown } = await json(read, pageUrl(values))
    return { program: `${markdown.split('\n').length} lines` }
  },

  'Changes as they happen': async (_, read) => {
    const { items } = await json(read, '/changes?limit=3')
    return { program: lines(items.map(({ type, path }: Json) => `${type} ${path}`)) }
  },

  'See what an edit changed': async ({ edit }, read) => {
    const patch = await read(`/revisions/${edit}/diff?format=unified`)
    const { page, added, removed, hunks } = await json(read, `/revisions/${edit}/diff`)
    const line = hunks
      .flatMap((hunk: Json) => hunk.lines)
      .find(({ kind, highlights }: Json) => kind === 'added' && highlights.length > 0)
    if (!line) return undefined
    return {
      curl: patch.text.split('\n').slice(0, 12).join('\n'),
      program: lines(`${page.title}: ${added} lines added, ${removed} removed`, line.text, cut(line)),
    }
  },

  Caching: async () => ({ curl: '304, 0 bytes', program: lines('200 public, max-age', 304) }),

  Limits: async ({ page }, read) => ({
    curl: /"requests_per_minute":\d+/.exec((await read('/')).text)?.[0],
    program: page!.title,
  }),

  Errors: async ({ missingPath }, read) => {
    const { status, text } = await read(`/pages/${encodeInQuotes(missingPath)}`)
    return {
      curl: lines((await read('/pages?limit=500')).text, 400),
      program: `${status} ${JSON.parse(text).error.code}`,
    }
  },

  Attribution: async (values, read) => {
    const [{ text }, page] = await Promise.all([read('/'), json(read, pageUrl(values))])
    const license = page.license.endsWith('#an-unknown-license') ? '' : `, under ${page.license}`
    return {
      curl: /"attribution":"(?:[^"\\]|\\.)*"/.exec(text)?.[0],
      program: `“${page.title}” by the authors of ${JSON.parse(text).name}, ${page.url}${license}`,
    }
  },
}
