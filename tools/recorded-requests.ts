import type { CallOptions, TestResponse } from '../test/support/client.ts'

/** The requests that `record-answers.ts` records: every endpoint, format, include and way of paging. */

const words = (text: string): string[] => text.split(' ')

const NAMESPACES = words('main template page_template module')
const FORMATS = words('markdown html both text pdf')
const TEXTS = words('markdown html text summary sections properties')
const INCLUDES = [...TEXTS, ...words('categories translations links contributors')]
const BAD_QUERIES = words(
  'limit=0 limit=x limit=1&limit=2 limit[]=1 locale=zz locale=%FF after=%00 before=x offset=-1 ns=x unknown=1',
)
const MARKDOWN = { headers: { Accept: 'text/markdown' } }

/** Sends a request and records its answer. */
export type Ask = (path: string, options?: CallOptions) => Promise<TestResponse>

interface ListedPage {
  path: string
  locale: string
  title: string
}

const encode = encodeURIComponent
const encodePath = (path: string): string => path.split('/').map(encode).join('/')
/** Items spread evenly over a list, the first one among them. */
const spread = <Item>(items: readonly Item[], count: number): Item[] =>
  items.filter((_, i) => i % Math.ceil(items.length / count) === 0)

/**
 * Asks for each of the includes of a list alone, for all of them, and for one that it refuses. The lists are so short that
 * they are rendered in one step: longer ones end early on a busy machine.
 */
const askIncludes = async (ask: Ask, list: string, names: readonly string[]): Promise<void> => {
  for (const include of [...names, names.join(','), 'everything'])
    await ask(`${list}${list.includes('?') ? '&' : '?'}limit=8&include=${include}`)
}

/** Follows `next`. @param parts at most so many */
// biome-ignore lint/suspicious/noExplicitAny: items of every list
const walk = async (ask: Ask, list: string, parameter: string, parts = 1000): Promise<any[]> => {
  const items = []
  let next = ''
  for (let part = 0; part < parts; part++) {
    const query = next === '' ? '' : `${list.includes('?') ? '&' : '?'}${parameter}=${encode(next)}`
    const { body } = await ask(list + query)
    items.push(...(body?.items ?? []))
    next = body?.next ?? ''
    if (next === '') break
  }
  return items
}

const askPages = async (ask: Ask, locales: readonly string[]): Promise<ListedPage[]> => {
  const pages: ListedPage[] = []
  for (const locale of locales)
    for (const ns of NAMESPACES)
      pages.push(...(await walk(ask, `/api/v1/pages?locale=${locale}&ns=${ns}&limit=200`, 'after')))
  await walk(ask, '/api/v1/pages', 'after', 3)
  await walk(ask, '/api/v1/pages?limit=3', 'after', 4)
  await askIncludes(ask, '/api/v1/pages', INCLUDES)
  await walk(ask, '/api/v1/pages?limit=7&include=markdown,sections,links', 'after', 3)
  return pages
}

const askPage = async (ask: Ask, { path, locale }: ListedPage): Promise<string[]> => {
  const page = `/api/v1/pages/${encodePath(path)}?locale=${locale}`
  for (const format of FORMATS) await ask(`${page}&format=${format}`)
  for (const include of INCLUDES) await ask(`${page}&include=${include}`)
  const { body } = await ask(`${page}&include=${INCLUDES.join(',')}`)
  const sections: { id: string }[] = body?.sections ?? []
  for (const { id } of [...spread(sections, 2), { id: 'no-such-section' }])
    await ask(`${page}&format=both&section=${encode(id)}`)
  await ask(page, MARKDOWN)
  for (const end of ['to', 'from'])
    await walk(ask, `/api/v1/links?${end}=${encode(path)}&locale=${locale}&limit=20`, 'after', 3)
  const history = `/api/v1/pages/${encodePath(path)}/history?locale=${locale}`
  await walk(ask, `${history}&limit=2`, 'before', 3)
  const revisions = await walk(ask, `${history}&limit=200`, 'before', 3)
  return revisions.map(({ id }) => id)
}

const askRevision = async (ask: Ask, id: string, other: string): Promise<void> => {
  const revision = `/api/v1/revisions/${id}`
  for (const format of FORMATS) await ask(`${revision}?format=${format}`)
  await ask(revision, MARKDOWN)
  for (const query of ['', '?format=unified', `?from=${other}`]) await ask(`${revision}/diff${query}`)
}

const askLists = async (ask: Ask, locales: readonly string[]): Promise<void> => {
  await walk(ask, '/api/v1/recent?limit=3', 'before', 4)
  await walk(ask, '/api/v1/recent?limit=200', 'before', 5)
  await askIncludes(ask, '/api/v1/recent', TEXTS)
  await walk(ask, '/api/v1/changes?limit=200', 'after', 20)
  await walk(ask, '/api/v1/changes?limit=3', 'after', 4)
  await askIncludes(ask, '/api/v1/changes', INCLUDES)
  await ask('/api/v1/recent.atom')
  for (const ns of NAMESPACES) await ask(`/api/v1/changes?ns=${ns}`)
  for (const locale of locales) {
    for (const list of ['changes', 'recent', 'recent.atom']) await ask(`/api/v1/${list}?locale=${locale}`)
    const categories = await walk(ask, `/api/v1/categories?locale=${locale}&limit=5`, 'after')
    for (const { key } of spread(categories, 50)) {
      const category = `/api/v1/categories/${encode(key)}?locale=${locale}`
      await walk(ask, `${category}&limit=3`, 'after', 20)
      await ask(category)
      await askIncludes(ask, category, INCLUDES)
    }
  }
}

/** Searches for titles, for words of them, and for what these begin with. */
const askSearches = async (ask: Ask, pages: readonly ListedPage[]): Promise<void> => {
  for (const { title, locale } of spread(pages, 60)) {
    const [first = '', ...others] = title.split(/\s+/)
    const last = others.at(-1) ?? first
    const wrong = `${first.slice(0, 2)}x${first.slice(2)}`
    for (const q of [title, last, `"${title}"`, wrong, `${first} or ${last} -tea`])
      await ask(`/api/v1/search?q=${encode(q)}&locale=${locale}`)
    await walk(ask, `/api/v1/search?q=${encode(first)}&all=true&limit=2`, 'offset', 3)
    for (const length of [1, 2, 4, 7])
      await ask(`/api/v1/suggest?q=${encode(title.slice(0, length))}&locale=${locale}`)
    await ask(`/api/v1/suggest?q=${encode(wrong)}&locale=${locale}&limit=3`)
  }
  await askIncludes(ask, `/api/v1/search?q=${encode(pages[0]!.title)}`, INCLUDES)
}

/** Errors, methods, conditional requests, and the documents that are not lists. */
const askProtocol = async (ask: Ask, { path }: ListedPage, revision: string): Promise<void> => {
  const page = `/api/v1/pages/${encodePath(path)}`
  const lists = words('pages recent search suggest categories links changes pages/tea/history')
  for (const list of lists) for (const query of BAD_QUERIES) await ask(`/api/v1/${list}?${query}`)
  const unknown = `pages/no-such-page pages/no-such-page/history revisions/x categories/no-such-category nothing`
  for (const missing of [...words(unknown), `revisions/${revision.replace(/^./, 'f')}`])
    await ask(`/api/v1/${missing}`)
  for (const target of [page, '/api/v1/pages', `/api/v1/revisions/${revision}`, '/api/v1/nothing']) {
    const { headers } = await ask(target)
    for (const method of ['HEAD', 'OPTIONS', 'POST', 'DELETE']) await ask(target, { method })
    if (headers.etag) await ask(target, { headers: { 'If-None-Match': headers.etag } })
    for (const encoding of ['gzip', 'br']) await ask(target, { headers: { 'Accept-Encoding': encoding } })
    await ask(target, { headers: { Origin: 'https://other.example' } })
  }
  for (const document of words(
    '/ /api/v1 /api/v1/openapi.json /api/v1/docs /api/v1/docs/guide /llms.txt /mcp',
  ))
    await ask(document)
}

/** @param pages how many pages of a wiki are read; the revisions of each are the newest ones and the oldest one */
export const askEverything = async (ask: Ask, pages: number): Promise<void> => {
  const { body } = await ask('/api/v1/')
  const locales: string[] = body.locales.map(({ locale }: { locale: string }) => locale)
  const listed = await askPages(ask, locales)
  if (listed.length === 0) throw new Error('The wiki has no pages')
  const revisions: string[] = []
  for (const page of spread(listed, pages)) {
    const ids = await askPage(ask, page)
    revisions.push(...ids.slice(0, 2), ...ids.slice(2).slice(-1))
  }
  for (const [i, id] of revisions.entries()) await askRevision(ask, id, revisions[i - 1] ?? id)
  await askLists(ask, locales)
  await askSearches(ask, listed)
  await askProtocol(ask, listed[0]!, revisions[0]!)
}
