import { makeWikiAddresses } from '@lectern/wiki/links'
import { expect } from 'chai'
import { execute, parse, validate } from 'graphql'
import type { Database } from '../src/db/database.ts'
import { PageDocument } from '../src/generated/queries.ts'
import { graphqlSchema, makeStoredQueries } from '../src/graphql.ts'
import { makeContext } from '../src/query-context.ts'
import type { Render } from '../src/render/render-result.ts'
import { testDatabase } from './support/database.ts'
import { renderHtml } from './support/markdown.ts'
import { pageVariables } from './support/page-variables.ts'
import { withService, withWorld } from './support/service.ts'
import type { PageSpec } from './support/world.ts'

/** Names of the statements that ran, in order. */
let statementsRun: string[] = []

const counting = <Wrapped extends Database>(database: Wrapped): Wrapped => ({
  ...database,
  query: (statement, values) => {
    statementsRun.push(statement.name)
    return database.query(statement, values)
  },
})

const number = (n: number) => String(n).padStart(3, '0')

/** 60 pages in two languages, each with a translation, two categories and four revisions. */
const pages = Array.from({ length: 60 }, (_, i) => i).flatMap((i): PageSpec[] =>
  ['en', 'ru'].map((locale) => ({
    locale,
    path: `tea-${number(i)}`,
    translation_group: `tea-${i}`,
    revisions: Array.from({ length: 4 }, (_, j) => ({
      created_at: `2024-01-01T00:${number(i).slice(1)}:0${j}Z`,
      title: `Tea ${i}`,
      markdown: `Edit ${j} of a page about steamed leaves, ${i} ${locale}.\n\n[next](tea-${number(i + 1)})`,
      categories: [{ key: 'green' }, { key: `of-${i % 7}` }],
    })),
  })),
)

const categories = [{ locale: 'en', key: 'green', name: 'Green' }]

describe('SQL statements', () => {
  withWorld({}, { pages, categories })

  describe('of each endpoint', endpointTests)
  describe('of concurrent requests', concurrencyTests)
})

function endpointTests() {
  // Nothing is cached, so that every response is computed.
  const test = withService({ cacheSeconds: 0 }, { wrap: counting })

  let revision: string
  before(async () => {
    revision = (await test.get('/pages/tea-007/history')).body.items[1].id
  })

  /** Statements of one request, the first since the wiki changed. */
  const statementsOf = async (path: string, headers = {}): Promise<string[]> => {
    test.service.invalidate()
    statementsRun = []
    expect((await test.get(path, { headers })).status, path).to.equal(200)
    return [...statementsRun]
  }

  // The first request also reads the name and the languages of the wiki, which are cached for some seconds.
  const endpoints: Record<string, string[]> = {
    '/': ['wiki'],
    '/pages?limit=200': ['wiki', 'pages_after'],
    '/pages?path=tea-007&path=tea-030': ['wiki', 'listed_page'],
    '/pages?path=tea&path=no-page&path=mug': ['wiki', 'listed_page', 'page_by_former_path'],
    '/pages?limit=200&include=markdown': [...['wiki', 'pages_after', 'texts_of_list']],
    '/pages?limit=8&include=html,categories': [
      ...[
        'wiki',
        'pages_after',
        'texts_of_list',
        'revisions_with_page',
        'categories_of_page',
        'html_of_page',
      ],
    ],
    '/recent?limit=60&include=summary': [...['wiki', 'recent', 'revisions_with_page', 'revision_texts']],
    '/pages?limit=32&include=categories,translations,links,contributors': [
      ...['wiki', 'pages_after', 'revisions_with_page'],
      ...['categories_of_page', 'translations_of_page', 'links_from', 'contributors_of_page'],
    ],
    '/pages/tea-007': ['wiki', 'page_by_path'],
    '/pages/tea-007?format=text&section=&include=sections,summary': ['wiki', 'page_by_path'],
    '/pages/tea-030?format=html': ['wiki', 'page_by_path', 'html_of_page'],
    '/pages/tea-007?include=contributors': ['wiki', 'page_by_path', 'contributors_of_page'],
    '/pages/tea-007/history?limit=200': ['wiki', 'history'],
    '/pages/tea-007/history?limit=200&include=parent': ['wiki', 'history', 'parents_of_revisions'],
    '/recent?limit=200': ['wiki', 'recent'],
    '/recent?limit=200&include=parent': ['wiki', 'recent', 'parents_of_revisions'],
    '/recent?limit=200&locale=ru': ['wiki', 'recent_of_locale'],
    '/categories?limit=200': ['wiki', 'categories_after'],
    '/recent.atom': ['wiki', 'recent'],
    '/recent.atom?locale=ru': ['wiki', 'recent_of_locale'],
    '/categories/green?limit=200': ['wiki', 'category_by_key'],
    '/links?to=tea-007&limit=200': ['wiki', 'links_to'],
    '/links?from=tea-007&limit=200': ['wiki', 'links_from'],
    '/suggest?q=tea&limit=5': ['wiki', 'suggest_titles'],
    '/suggest?q=taen': [
      ...['wiki', 'suggest_titles', 'suggest_titles_with_word'],
      ...['suggest_similar_titles', 'suggest_titles_with_word'], // at once
    ],
    '/search?q=steamed&limit=50': ['wiki', 'search_languages', 'search_matches'],
    '/search?q=steamed&limit=50&all=true': ['wiki', 'search_languages', 'search_matches'],
    '/search?q=': ['wiki'],
  }

  for (const [path, statements] of Object.entries(endpoints)) {
    it(`GET ${path}: ${statements.join(', ')}`, async () => {
      expect(await statementsOf(path)).to.deep.equal(statements)
    })
  }

  it('a strict filter: whether it exists, but nothing that is like it', async () => {
    const strict = { Prefer: 'handling=strict' }
    const ofAuthor = await statementsOf('/recent?author=Ada&limit=1', strict)
    expect(ofAuthor).to.deep.equal(['wiki', 'recent_within', 'recent_within'])
    expect(await statementsOf('/search?q=steamed&category=green', strict)).to.not.include('categories_after')
  })

  it('GET /revisions/{id}: wiki, revision_by_id; as HTML, once more html_of_page', async () => {
    const statements = ['wiki', 'revision_by_id']
    expect(await statementsOf(`/revisions/${revision}`)).to.deep.equal(statements)
    for (const more of [['html_of_page'], []])
      expect(await statementsOf(`/revisions/${revision}?format=html`)).to.deep.equal([...statements, ...more])
  })

  it('GET /revisions/{id}/diff: wiki, revision_pairs, also as a patch', async () => {
    for (const query of ['', '?format=unified'])
      expect(await statementsOf(`/revisions/${revision}/diff${query}`)).to.deep.equal([
        'wiki',
        'revision_pairs',
      ])
  })

  it('an invalid request runs no statement; one for a page that is missing also looks what was meant', async () => {
    statementsRun = []
    for (const path of ['/pages?limit=0', '/recent?before=never', '/revisions/1', '/nothing'])
      await test.get(path)
    expect((await test.get('/pages/none/history')).status).to.equal(404)
    expect(statementsRun.filter((name) => name !== 'wiki')).to.deep.equal([
      ...['history', 'listed_page', 'page_by_former_path', 'pages_by_name', 'pages_after'],
    ])
  })
}

/** Renders in this process, because this test counts only statements. */
const renderHere: Render = async ({ markdown, context }) => ({ output: renderHtml(markdown, context) })

function concurrencyTests() {
  const schema = graphqlSchema()

  const addresses = makeWikiAddresses({ byLocale: {}, fallback: 'https://wiki.example' })
  const contextOfTest = async () =>
    makeContext(counting((await testDatabase()).reader), addresses, renderHere)

  it('60 pages that are requested at the same time are read with one statement', async () => {
    const page = makeStoredQueries(await contextOfTest())(PageDocument)
    statementsRun = []
    const results = await Promise.all(
      pages.filter(({ locale }) => locale === 'en').map(({ path }) => page(pageVariables('en', path))),
    )
    expect(statementsRun).to.deep.equal(['page_by_path'])
    expect(results.map((result) => result.page?.path)).to.deep.equal(
      pages.filter(({ locale }) => locale === 'en').map(({ path }) => path),
    )
    expect(results[42]?.page?.translations.map(({ title }) => title)).to.deep.equal(['Tea 42'])
  })

  it('three of the longest lists that are requested at the same time are read with one statement', async () => {
    const { loaders } = await contextOfTest()
    statementsRun = []
    const starts = ['', 'tea-020', 'tea-058']
    const lists = await Promise.all(
      starts.map((after) => loaders.pages.load({ locale: 'en', ns: 'main', after, first: 201 })),
    )
    expect(statementsRun).to.deep.equal(['pages_after'])
    expect(lists.map((list) => list.length)).to.deep.equal([60, 39, 1])
  })

  it('a list does not wait for those of another statement', async () => {
    const { reader } = await testDatabase()
    let statements = 0
    let sendSecond = () => {}
    const second = new Promise<void>((resolve) => {
      sendSecond = resolve
    })
    const waiting: Database = {
      ...reader,
      query: async (statement, values) => {
        statements += 1
        if (statements === 2) await second
        return reader.query(statement, values)
      },
    }
    const { pages: lists } = makeContext(waiting, addresses, renderHere).loaders
    const [first, , , fourth] = ['', 'tea-020', 'tea-057', 'tea-058'].map((after) =>
      lists.load({ locale: 'en', ns: 'main', after, first: 201 }),
    )
    expect(await first).to.have.lengthOf(60)
    sendSecond()
    expect(await fourth).to.have.lengthOf(1)
    expect(statements).to.equal(2)
  })

  /** Statements of a GraphQL query for `first` pages. */
  const statementsOver = async (first: number, fields: string): Promise<string[]> => {
    const document = parse(`query ($first: Int!) { pages(locale: "en", first: $first) { ${fields} } }`)
    expect(validate(schema, document)).to.deep.equal([])
    const contextValue = await contextOfTest()
    statementsRun = []
    const { data, errors } = await execute({ schema, document, contextValue, variableValues: { first } })
    expect(errors).to.equal(undefined)
    expect(data?.pages).to.have.lengthOf(first)
    return [...statementsRun].sort()
  }

  it('GraphQL: recent revisions with the last revisions of their pages take two statements, for any number', async () => {
    const document = parse(
      '{ recent(first: 50) { items { page { path revision { id author { name } } } } } }',
    )
    statementsRun = []
    const { data, errors } = await execute({ schema, document, contextValue: await contextOfTest() })
    expect(errors).to.equal(undefined)
    expect(data).to.have.nested.property('recent.items').with.lengthOf(50)
    expect(statementsRun).to.deep.equal(['recent', 'page_by_id'])
  })

  const MEMBERS = 'sortKey page { path revision { id createdAt } }'
  const categoryQueries: Record<string, { query: string; statements: string[]; members: number[] }> = {
    'members and all, in one': {
      query: `category(locale: "en", key: "green") { name url members(first: 7, after: "A") { ${MEMBERS} } }`,
      statements: ['category_by_key'],
      members: [7],
    },
    'two parts of its members': {
      query: `category(locale: "en", key: "green") { name
        members(first: 2) { ${MEMBERS} } more: members(first: 3, after: "A") { ${MEMBERS} } }`,
      statements: ['category_by_key', 'category_members'],
      members: [2, 3],
    },
    'without members': {
      query: 'category(locale: "en", key: "green") { name }',
      statements: ['category_by_key'],
      members: [],
    },
  }

  for (const [title, { query, statements, members }] of Object.entries(categoryQueries)) {
    it(`GraphQL: a category ${title}: ${statements.join(', ')}`, async () => {
      statementsRun = []
      const document = parse(`{ ${query} }`)
      const { data, errors } = await execute({ schema, document, contextValue: await contextOfTest() })
      expect(errors).to.equal(undefined)
      expect(statementsRun).to.deep.equal(statements)
      const found = data?.category as Record<string, unknown> | null
      const lists = Object.values(found ?? {}).filter((value) => Array.isArray(value))
      expect(lists.map(({ length }) => length)).to.deep.equal(members)
    })
  }

  const queries: Record<string, { fields: string; statements: string[] }> = {
    'with what the list holds': {
      fields: 'path title url lastRevision { id createdAt author { name } } revision { id }',
      statements: ['pages_after'],
    },
    'with the sizes of their categories': {
      fields: 'path categories { key pages }',
      statements: ['categories_of_page', 'category_sizes', 'pages_after'],
    },
    'with their links in both directions, and the last edits of the pages behind them': {
      fields:
        'path links(first: 3) { path exists page { lastRevision { id } } } backlinks(first: 3) { title isRedirect }',
      statements: ['links_from', 'links_to', 'page_by_id', 'pages_after'],
    },
    'with categories, translations, the last edit, the one before, and histories': {
      fields: `path
        categories { key name url }
        translations { locale title url }
        revision { size comment markdown parent { id createdAt author { name } parent { id } } }
        history(first: 3) { items { id createdAt comment size } next }`,
      statements: [
        'categories_of_page',
        'history',
        'pages_after',
        'revision_by_id', // the last edits
        'revision_by_id', // those before them
        'revision_texts',
        'translations_of_page',
      ],
    },
    'with the members of their categories': {
      fields: 'categories { key members(first: 5) { sortKey page { path revision { id } } } }',
      statements: ['categories_of_page', 'category_members', 'pages_after'],
    },
    'with their contributors, summaries and texts': {
      fields: 'contributors { total items { name edits lastAt } } revision { summary markdown }',
      statements: ['contributors_of_page', 'dialect_of_page', 'pages_after', 'revision_texts'],
    },
    'with HTML': {
      fields: 'revision { html }',
      statements: ['dialect_of_page', 'html_of_page', 'pages_after', 'revision_texts', 'wiki'],
    },
  }

  for (const [title, { fields, statements }] of Object.entries(queries)) {
    it(`GraphQL: pages ${title} take as many statements for 50 pages as for 2`, async () => {
      expect(await statementsOver(2, fields)).to.deep.equal(statements)
      expect(await statementsOver(50, fields)).to.deep.equal(statements)
    })
  }
}
