import { expect } from 'chai'
import fc from 'fast-check'
import { wikiFileRecord } from '../src/write/records.ts'
import {
  type Link,
  type Model,
  type ModelPage,
  type ModelWiki,
  makeModel,
  mergedModel,
} from './support/model.ts'
import { MOMENTS, marksIn, RANDOM_LICENSE, randomWiki } from './support/random-wiki.ts'
import { withService } from './support/service.ts'
import { clearWorld, importRecords, makeWorld, recordsOf } from './support/world.ts'

const RUNS = 8
/** Ends the search for a smaller example in time for it to be printed. */
const MILLISECONDS = 90_000
const NAMESPACES = ['main', 'template', 'page_template', 'module']

describe('A random wiki, compared with a plain model of what guests see', function () {
  this.timeout(MILLISECONDS * 2)

  /** Marks in everything that was answered: body and headers. */
  const answered = new Set<string>()
  const test = withService(
    {},
    {
      onAnswer: ({ text, headers }) => {
        for (const mark of marksIn(text + decodeURIComponent(JSON.stringify(headers)))) answered.add(mark)
      },
    },
  )

  /** Links as what they lead to. */
  const linksRead = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(linksRead)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, key === 'url' ? linkOf(one) : linksRead(one)]),
    )
  }

  const linkOf = (address: string): Link => {
    const { origin, pathname } = new URL(address)
    const [, revision] = /^http:\/\/localhost:3000\/api\/v1\/revisions\/(.*)$/.exec(address) ?? []
    if (revision !== undefined) return { revision }
    const [, ownLocale] = /^https:\/\/(en|ru)\.wiki\.example$/.exec(origin) ?? []
    if (ownLocale !== undefined) return { locale: ownLocale, path: decodeURIComponent(pathname.slice(1)) }
    const [, locale, path] =
      new RegExp(`^${test.service.listeningUrl}/wiki/([^/]+)/(.*)$`).exec(address) ?? []
    return { locale: String(locale), path: decodeURIComponent(String(path)) }
  }

  const body = async (path: string) => {
    const answer = await test.get(path)
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`)
    return linksRead(answer.body) as Record<string, unknown>
  }

  const expectNotFound = async (path: string) => {
    const { status } = await test.get(path)
    expect(status, path).to.equal(404)
  }

  /** A list walked by `next`, and by its Link header: both must give the same, in full parts. */
  const expectList = async (path: string, parameter: string, limits: number[], expected: unknown[]) => {
    for (const limit of limits) {
      expect(linksRead(await test.walk(path, parameter, limit)), `${path}, limit ${limit}`).to.deep.equal(
        expected,
      )
    }
    const items: unknown[] = []
    let at: string | undefined = `${path}${path.includes('?') ? '&' : '?'}limit=2`
    while (at !== undefined) {
      const answer = await test.get(at)
      expect(answer.status, at).to.equal(200)
      items.push(...answer.body.items)
      const following = /<([^>]*)>; rel="next"/.exec(String(answer.headers.link))?.[1]
      expect(following !== undefined, `Link of ${at}`).to.equal(answer.body.next !== '')
      if (following !== undefined) expect(answer.body.items, at).to.have.lengthOf(2)
      at = following?.replace('http://localhost:3000/api/v1', '')
    }
    expect(linksRead(items), `${path}, by Link`).to.deep.equal(expected)
  }

  const expectPage = async (model: Model, { locale, path }: ModelPage, limits: number[]) => {
    const address = `/pages/${encodeURIComponent(path)}`
    const expected = model.page(locale, path)
    const edits = model.history(locale, path)
    if (!expected || !edits) {
      await expectNotFound(`${address}?locale=${locale}`)
      await expectNotFound(`${address}/history?locale=${locale}`)
      return
    }
    const { html, ...both } = await body(`${address}?locale=${locale}&format=both`)
    expect(html).to.be.a('string')
    expect(both, address).to.deep.equal(expected)
    const decomposed = encodeURIComponent(path.normalize('NFD'))
    expect(await body(`/pages/${decomposed}?locale=${locale}`), decomposed).to.deep.equal(expected)
    if (!path.endsWith('/history')) {
      const bare = `/pages/${address.slice('/pages/'.length).replaceAll('%2F', '/')}`
      expect(await body(`${bare}?locale=${locale}`), bare).to.deep.equal(expected)
      await expectList(`${bare}/history?locale=${locale}`, 'before', [1], edits)
    }
    await expectList(`${address}/history?locale=${locale}`, 'before', limits, edits)
  }

  const expectRevision = async (model: Model, id: string) => {
    const expected = model.revision(id)
    if (!expected) return expectNotFound(`/revisions/${id}`)
    expect(await body(`/revisions/${id.toUpperCase()}`)).to.deep.equal(expected)
  }

  const expectCategory = async (model: Model, locale: string, key: string, limits: number[]) => {
    const path = `/categories/${encodeURIComponent(key)}?locale=${locale}`
    const expected = model.category(locale, key)
    if (!expected) return expectNotFound(path)
    expect((await body(path)).category).to.deep.equal(expected.category)
    await expectList(path, 'after', limits, expected.items)
  }

  /** Every page that guests see holds the word; nothing else may be found by it, nor what describes a category. */
  const expectSearch = async (model: Model, path: string, locale?: string) => {
    const places = (pages: { locale: string; path: string }[]) =>
      pages.map((page) => `${page.locale} ${page.path}`).sort()
    const visible = model.live.filter(
      (page) => (locale === undefined || page.locale === locale) && !page.path.startsWith('category:'),
    )
    for (const limit of [2, 50]) {
      const hits = (await test.walk(path, 'offset', limit)) as { locale: string; path: string }[]
      expect(places(hits), `${path}, limit ${limit}`).to.deep.equal(places(visible))
    }
  }

  const expectAnswers = async (wiki: ModelWiki, locales: string[], limits: number[]) => {
    test.service.invalidate()
    answered.clear()
    const model = makeModel(wiki)
    const keys = new Set([
      ...wiki.pages.flatMap(({ revisions }) =>
        revisions.flatMap((one) => one.categories.map(({ key }) => key)),
      ),
      ...wiki.categories.map(({ key }) => key),
      ...wiki.pages.flatMap(({ path }) => (path.startsWith('category:') ? [path.slice(9)] : [])),
    ])
    await Promise.all([
      expectList('/recent', 'before', limits, model.recent()),
      ...locales.flatMap((locale) => [
        expectList(`/recent?locale=${locale}`, 'before', limits, model.recent(locale)),
        ...NAMESPACES.map((ns) =>
          expectList(`/pages?locale=${locale}&ns=${ns}`, 'after', limits, model.pages(locale, ns)),
        ),
        ...[...keys].map((key) => expectCategory(model, locale, key, limits)),
        expectSearch(model, `/search?q=lantern&locale=${locale}`, locale),
      ]),
      expectSearch(model, '/search?q=lantern&all=true'),
      ...wiki.pages.map((page) => expectPage(model, page, limits)),
      ...wiki.pages.flatMap(({ revisions }) => revisions.map(({ id }) => expectRevision(model, id))),
    ])
    const visible = new Set(marksIn(JSON.stringify(everything(model, locales, [...keys]))))
    const written = marksIn(JSON.stringify(wiki))
    for (const mark of new Set(written)) {
      if (visible.has(mark)) continue
      const { body } = await test.get(`/search?all=true&q=${mark}`)
      expect(body.items, `found by ${mark}`).to.deep.equal([])
    }
    const leaked = [...answered].filter((mark) => !visible.has(mark))
    expect(leaked, 'marks of what is hidden').to.deep.equal([])
  }

  it('answers every list in full at limits 1, 2, 3 and 200, every page and edit, and nothing hidden, after an import in two halves', () =>
    fc.assert(
      fc
        .asyncProperty(randomWiki, async ({ locales, parts, categories }) => {
          await imported(locales, categories, parts[1])
          await imported(locales, [], parts[0])
          await expectAnswers(stateAfter({ categories, parts }), locales, [1, 2, 3, 200])
        })
        .beforeEach(clearWorld),
      { numRuns: RUNS, interruptAfterTimeLimit: MILLISECONDS },
    ))

  it('follows pages and edits through every change of state and status', () =>
    fc.assert(
      fc
        .asyncProperty(randomWiki, async ({ locales, parts, categories, changes }) => {
          await imported(locales, categories, parts[0])
          await imported(locales, [], parts[1])
          let wiki = stateAfter({ categories, parts })
          for (const pages of changes) {
            await imported(locales, [], pages)
            wiki = mergedModel(wiki, pages)
            await expectAnswers(wiki, locales, [2])
          }
        })
        .beforeEach(clearWorld),
      { numRuns: RUNS, interruptAfterTimeLimit: MILLISECONDS },
    ))
})

describe('What random wikis meet too rarely', () => {
  const test = withService()
  beforeEach(clearWorld)

  it('walks a category past a sort key that lower case takes apart', async () => {
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

  it('shows the pages of a file that says nothing of the wiki itself, in the first of its languages', async () => {
    await importRecords(recordsOf({ pages: [{ path: 'чай', locale: 'ru' }] }).slice(1))
    test.service.invalidate()
    const { body } = await test.get('/')
    expect(body.locale).to.equal('ru')
    expect(body.locales.map(({ locale }: { locale: string }) => locale)).to.deep.equal(['ru'])
    expect((await test.get(`/pages/${encodeURIComponent('чай')}`)).status).to.equal(200)
  })

  it('is an English wiki without pages before anything is imported', async () => {
    test.service.invalidate()
    const { body } = await test.get('/')
    expect(body.name).to.equal('An empty wiki')
    expect(body.locales.map(({ locale }: { locale: string }) => locale)).to.deep.equal(['en'])
    expect((await test.get('/recent')).body).to.deep.equal({ items: [], next: '' })
  })
})

/** Every answer that the model has, as one value. */
const everything = (model: Model, locales: string[], keys: string[]) => [
  model.recent(),
  model.live.map(({ locale, path }) => model.page(locale, path)),
  model.live.flatMap(({ edits }) => edits.map(({ id }) => model.revision(id))),
  locales.flatMap((locale) => keys.map((key) => model.category(locale, key))),
]

const stateAfter = ({
  categories,
  parts,
}: {
  categories: ModelWiki['categories']
  parts: [ModelPage[], ModelPage[]]
}) => mergedModel(mergedModel({ license: RANDOM_LICENSE, categories, pages: [] }, parts[0]), parts[1])

/** An import of a file as people write them: times with offsets, ids in capitals, text decomposed. */
const imported = (locales: string[], categories: ModelWiki['categories'], pages: ModelPage[]) =>
  importRecords(
    [
      ...pages.map((page, i) => ({
        type: 'page',
        ...page,
        path: i % 2 === 0 ? page.path : page.path.normalize('NFD'),
        revisions: page.revisions.map((one, j) => ({
          ...one,
          id: j % 2 === 0 ? one.id : one.id.toUpperCase(),
          created_at: writtenAs(one.created_at, i + j),
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

const writtenAs = (moment: string, choice: number): string => {
  const ways = MOMENTS.filter(([, answered]) => answered === moment)
  return ways[choice % ways.length]![0]
}
