import { wikiFileRecord } from '@lectern/wiki/records'
import { expect } from 'chai'
import fc from 'fast-check'
import {
  applyImport,
  type Link,
  type Model,
  type ModelPage,
  type ModelWiki,
  makeModel,
} from './support/model.ts'
import { marksIn, RANDOM_LICENSE, randomWiki, TIMESTAMPS } from './support/random-wiki.ts'
import { rounds } from './support/rounds.ts'
import { withService } from './support/service.ts'
import { clearWorld, importRecords, makeWorld } from './support/world.ts'

const RUNS = rounds(1)
/** Time limit of a property. fast-check then stops shrinking and can still print the counterexample. */
const TIME_LIMIT_MS = 90_000
const NAMESPACES = ['main', 'template', 'page_template', 'module']

describe('REST API of a random wiki, compared with a simple model of what guests see', () => {
  /** The marks in all responses, bodies and headers. */
  const seenMarks = new Set<string>()
  const test = withService(
    {},
    {
      onResponse: ({ text, headers }) => {
        for (const mark of marksIn(text + decodeURIComponent(JSON.stringify(headers)))) seenMarks.add(mark)
      },
    },
  )

  /** Replaces each link in a value by its target. */
  const resolveLinks = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolveLinks)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        key,
        key === 'url' ? linkOf(member) : resolveLinks(member),
      ]),
    )
  }

  const linkOf = (url: string): Link => {
    const { origin, pathname } = new URL(url)
    const [, revision] = /^http:\/\/localhost:3000\/api\/v1\/revisions\/(.*)$/.exec(url) ?? []
    if (revision !== undefined) return { revision }
    const [, ownLocale] = /^https:\/\/(en|ru)\.wiki\.example$/.exec(origin) ?? []
    if (ownLocale !== undefined) return { locale: ownLocale, path: decodeURIComponent(pathname.slice(1)) }
    const [, locale, path] =
      new RegExp(`^${new URL(test.service.url).origin}/wiki/([^/]+)/(.*)$`).exec(url) ?? []
    return { locale: String(locale), path: decodeURIComponent(String(path)) }
  }

  const getBody = async (path: string) => {
    const response = await test.getServed(path)
    if (response.status !== 200)
      throw new Error(`${path} returned status ${response.status}: ${response.text}`)
    return resolveLinks(response.body) as Record<string, unknown>
  }

  const expectNotFound = async (path: string) => {
    const { status } = await test.getServed(path)
    expect(status, path).to.equal(404)
  }

  /** Reads a list with `next`, then with the Link header. Both must give all items, and every page but the last is full. */
  const expectList = async (path: string, parameter: string, limits: number[], expected: unknown[]) => {
    for (const limit of limits) {
      expect(resolveLinks(await test.walk(path, parameter, limit)), `${path}, limit ${limit}`).to.deep.equal(
        expected,
      )
    }
    const items: unknown[] = []
    let url: string | undefined = `${path}${path.includes('?') ? '&' : '?'}limit=2`
    while (url !== undefined) {
      const response = await test.getServed(url)
      expect(response.status, url).to.equal(200)
      items.push(...response.body.items)
      const nextUrl = /<([^>]*)>; rel="next"/.exec(String(response.headers.link))?.[1]
      expect(nextUrl !== undefined, `Link of ${url}`).to.equal(response.body.next !== '')
      if (nextUrl !== undefined) expect(response.body.items, url).to.have.lengthOf(2)
      url = nextUrl?.replace('http://localhost:3000/api/v1', '')
    }
    expect(resolveLinks(items), `${path}, with Link`).to.deep.equal(expected)
  }

  const expectPage = async (model: Model, { locale, path }: ModelPage, limits: number[]) => {
    const url = `/pages/${encodeURIComponent(path)}`
    const expected = model.page(locale, path)
    const revisions = model.history(locale, path)
    if (!expected || !revisions) {
      await expectNotFound(`${url}?locale=${locale}`)
      await expectNotFound(`${url}/history?locale=${locale}`)
      return
    }
    const { html, ...page } = await getBody(`${url}?locale=${locale}&format=both`)
    expect(html).to.be.a('string')
    expect(page, url).to.deep.equal(expected)
    const decomposed = encodeURIComponent(path.normalize('NFD'))
    expect(await getBody(`/pages/${decomposed}?locale=${locale}`), decomposed).to.deep.equal(expected)
    if (!path.endsWith('/history')) {
      const unescaped = url.replaceAll('%2F', '/')
      expect(await getBody(`${unescaped}?locale=${locale}`), unescaped).to.deep.equal(expected)
      await expectList(`${unescaped}/history?locale=${locale}`, 'before', [1], revisions)
    }
    await expectList(`${url}/history?locale=${locale}`, 'before', limits, revisions)
  }

  const expectRevision = async (model: Model, id: string) => {
    const expected = model.revision(id)
    if (!expected) return expectNotFound(`/revisions/${id}`)
    expect(await getBody(`/revisions/${id.toUpperCase()}`)).to.deep.equal(expected)
  }

  const expectDifference = async (model: Model, id: string) => {
    const expected = model.revision(id)
    if (!expected) return expectNotFound(`/revisions/${id}/diff`)
    const { page, from, to } = await getBody(`/revisions/${id}/diff`)
    expect({ page, parent: from, id: to }).to.deep.equal({ page: expected.page, parent: expected.parent, id })
  }

  const expectCategory = async (model: Model, locale: string, key: string, limits: number[]) => {
    const path = `/categories/${encodeURIComponent(key)}?locale=${locale}`
    const expected = model.category(locale, key)
    if (!expected) return expectNotFound(path)
    expect((await getBody(path)).category).to.deep.equal(expected.category)
    await expectList(path, 'after', limits, expected.items)
  }

  const expectLinks = async (model: Model, { locale, path }: ModelPage, limits: number[]) => {
    const lists = { from: model.linksFrom(locale, path), to: model.linksTo(locale, path) }
    for (const [parameter, expected] of Object.entries(lists)) {
      const url = `/links?${parameter}=${encodeURIComponent(path)}&locale=${locale}`
      if (!expected) await expectNotFound(url)
      else await expectList(url, 'after', limits, expected)
    }
  }

  /** The title of each page has a mark of its own, so no other page is better. Pages that describe a category are not suggested. */
  const expectSuggestion = async ({ locale, path, revisions }: ModelPage, model: Model) => {
    const visible = model.page(locale, path)
    for (const { title } of revisions) {
      const { items } = await getBody(`/suggest?q=${encodeURIComponent(title)}&locale=${locale}`)
      const [first] = items as { path: string; title: string }[]
      const isSuggested = visible?.title === title && !path.startsWith('category:')
      expect(first?.title === title, `${title} of ${path}`).to.equal(isSuggested)
      if (isSuggested) expect(first!.path).to.equal(path)
    }
  }

  /** Every visible page contains the searched word. The search must find exactly these, without pages that describe a category. */
  const expectSearch = async (model: Model, path: string, locale?: string) => {
    const sortedPaths = (pages: { locale: string; path: string }[]) =>
      pages.map((page) => `${page.locale} ${page.path}`).sort()
    const visible = model.live.filter(
      (page) => (locale === undefined || page.locale === locale) && !page.path.startsWith('category:'),
    )
    for (const limit of [2, 50]) {
      const hits = (await test.walk(path, 'offset', limit)) as { locale: string; path: string }[]
      expect(sortedPaths(hits), `${path}, limit ${limit}`).to.deep.equal(sortedPaths(visible))
    }
  }

  const expectResponses = async (wiki: ModelWiki, locales: string[], limits: number[]) => {
    test.service.invalidate()
    seenMarks.clear()
    const model = makeModel(wiki)
    const keys = new Set([
      ...wiki.pages.flatMap(({ revisions }) =>
        revisions.flatMap(({ categories }) => categories.map(({ key }) => key)),
      ),
      ...wiki.categories.map(({ key }) => key),
      ...wiki.pages.flatMap(({ path }) => (path.startsWith('category:') ? [path.slice(9)] : [])),
    ])
    await Promise.all([
      expectList('/recent', 'before', limits, model.recent()),
      ...locales.flatMap((locale) => [
        expectList(`/recent?locale=${locale}`, 'before', limits, model.recent(locale)),
        ...NAMESPACES.flatMap((ns) => [
          expectList(`/pages?locale=${locale}&ns=${ns}`, 'after', limits, model.pages(locale, ns)),
          expectList(
            `/pages?locale=${locale}&ns=${ns}&include=markdown,categories,translations`,
            'after',
            [3],
            model.pages(locale, ns).map((item) => {
              const { markdown, categories, translations } = model.page(item.locale, item.path)!
              return { ...item, markdown, categories, translations }
            }),
          ),
        ]),
        expectList(`/categories?locale=${locale}`, 'after', limits, model.categories(locale)),
        ...[...keys].map((key) => expectCategory(model, locale, key, limits)),
        expectSearch(model, `/search?q=lantern&locale=${locale}`, locale),
      ]),
      expectSearch(model, '/search?q=lantern&all=true'),
      ...wiki.pages.map((page) => expectPage(model, page, limits)),
      ...wiki.pages.map((page) => expectLinks(model, page, [2])),
      ...wiki.pages.map((page) => expectSuggestion(page, model)),
      ...wiki.pages.flatMap(({ revisions }) => revisions.map(({ id }) => expectRevision(model, id))),
    ])
    // One after the other, because the service refuses what it cannot compare soon.
    for (const { id } of wiki.pages.flatMap(({ revisions }) => revisions)) await expectDifference(model, id)
    const visible = new Set(marksIn(JSON.stringify(everyResponse(model, locales, [...keys]))))
    const written = marksIn(JSON.stringify(wiki))
    for (const mark of new Set(written)) {
      if (visible.has(mark)) continue
      const { body } = await test.getServed(`/search?all=true&q=${mark}`)
      expect(body.items, `results for ${mark}`).to.deep.equal([])
    }
    const leaked = [...seenMarks].filter((mark) => !visible.has(mark))
    expect(leaked, 'marks of hidden content in responses').to.deep.equal([])
  }

  it('after an import in two parts, returns each list complete with limits 1, 2, 3 and 200, each page and revision, and no hidden content', () =>
    fc.assert(
      fc
        .asyncProperty(randomWiki, async ({ locales, parts, categories }) => {
          await importPages(locales, categories, parts[1])
          await importPages(locales, [], parts[0])
          await expectResponses(wikiAfterImports({ categories, parts }), locales, [1, 2, 3, 200])
        })
        .beforeEach(clearWorld),
      { numRuns: RUNS, interruptAfterTimeLimit: TIME_LIMIT_MS },
    ))

  it('reflects each later import that changes the state of pages and the status of revisions', () =>
    fc.assert(
      fc
        .asyncProperty(randomWiki, async ({ locales, parts, categories, changes }) => {
          await importPages(locales, categories, parts[0])
          await importPages(locales, [], parts[1])
          let wiki = wikiAfterImports({ categories, parts })
          for (const pages of changes) {
            await importPages(locales, [], pages)
            wiki = applyImport(wiki, pages)
            await expectResponses(wiki, locales, [2])
          }
        })
        .beforeEach(clearWorld),
      { numRuns: RUNS, interruptAfterTimeLimit: TIME_LIMIT_MS },
    ))
})

describe('REST API of a special wiki that random ones rarely are', () => {
  const test = withService()
  beforeEach(clearWorld)

  it('pages through a category past a sort key that lower-casing decomposes', async () => {
    await makeWorld({
      pages: ['J\u030c', 'K', 'Z'].map((title, i) => ({
        path: `page-${i}`,
        revisions: [{ title, categories: [{ key: 'letters' }] }],
      })),
    })
    test.service.invalidate()
    const items = (await test.walk('/categories/letters', 'after', 1)) as { title: string }[]
    expect(items.map(({ title }) => title)).to.deep.equal(['K', 'Z', 'J\u030c'])
  })
})

/** All responses that the model allows, as one value. */
const everyResponse = (model: Model, locales: string[], keys: string[]) => [
  model.recent(),
  model.live.map(({ locale, path }) => model.page(locale, path)),
  model.live.flatMap(({ accepted }) => accepted.map(({ id }) => model.revision(id))),
  locales.flatMap((locale) => keys.map((key) => model.category(locale, key))),
  model.live.map(({ locale, path }) => model.linksFrom(locale, path)),
]

const wikiAfterImports = ({
  categories,
  parts,
}: {
  categories: ModelWiki['categories']
  parts: [ModelPage[], ModelPage[]]
}) => applyImport(applyImport({ license: RANDOM_LICENSE, categories, pages: [] }, parts[0]), parts[1])

/** Imports pages in the variants that files may have: times with offsets, ids in upper case, decomposed paths. */
const importPages = (locales: string[], categories: ModelWiki['categories'], pages: ModelPage[]) =>
  importRecords(
    [
      ...pages.map((page, i) => ({
        type: 'page',
        ...page,
        path: i % 2 === 0 ? page.path : page.path.normalize('NFD'),
        revisions: page.revisions.map((revision, j) => ({
          ...revision,
          id: j % 2 === 0 ? revision.id : revision.id.toUpperCase(),
          created_at: variantOf(revision.created_at, i + j),
        })),
      })),
      {
        type: 'wiki',
        name: 'Wiki',
        license: RANDOM_LICENSE,
        default_locale: locales[0],
        locales: locales.map((locale) => ({ locale, name: locale })),
      },
      ...categories.map((category) => ({ type: 'category', ...category })),
    ].map((record) => wikiFileRecord.parse(record)),
  )

/** One of the ways in which a file may write a timestamp. */
const variantOf = (timestamp: string, choice: number): string => {
  const variants = TIMESTAMPS.filter(([, output]) => output === timestamp)
  return variants[choice % variants.length]![0]
}
