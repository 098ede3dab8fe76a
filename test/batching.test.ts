import { expect } from 'chai'
import { execute, parse, validate } from 'graphql'
import type { Database } from '../src/db/database.ts'
import { PageDocument } from '../src/generated/queries.ts'
import { makeContext, makeSchema, makeStoredQueries } from '../src/graphql.ts'
import type { Render } from '../src/render/render-result.ts'
import { renderHtml } from '../src/wiki/html.ts'
import { makeWikiAddresses } from '../src/wiki/links.ts'
import { testDatabase } from './support/database.ts'
import { withService, withWorld } from './support/service.ts'
import type { PageSpec } from './support/world.ts'

/** Names of the statements that were run, in order. */
let run: string[] = []

const counting = <Wrapped extends Database>(database: Wrapped): Wrapped => ({
  ...database,
  query: (statement, values) => {
    run.push(statement.name)
    return database.query(statement, values)
  },
})

const number = (n: number) => String(n).padStart(3, '0')

/** 60 pages in two languages, each with a translation, two categories and four edits. */
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

describe('Statements that an answer costs', () => {
  // No answer is kept, so that each is made.
  const test = withService({ cacheSeconds: 0 }, { wrap: counting })
  withWorld(test, { pages, categories })

  let revision: string
  before(async () => {
    revision = (await test.get('/pages/tea-007/history')).body.items[0].id
  })

  /** Statements of one request, the first since the wiki changed. */
  const statementsOf = async (path: string): Promise<string[]> => {
    test.service.invalidate()
    run = []
    expect((await test.get(path)).status, path).to.equal(200)
    return [...run]
  }

  // The first of each is for the wiki's name and languages, which are then kept for some seconds.
  const endpoints: Record<string, string[]> = {
    '/': ['wiki'],
    '/pages?limit=1': ['wiki', 'pages_after'],
    '/pages?limit=200': ['wiki', 'pages_after'],
    '/pages/tea-007': ['wiki', 'page_by_path'],
    '/pages/tea-007?format=html': ['wiki', 'page_by_path'],
    '/pages/tea-007?format=both': ['wiki', 'page_by_path'],
    '/pages/tea-007/history?limit=1': ['wiki', 'history'],
    '/pages/tea-007/history?limit=200': ['wiki', 'history'],
    '/recent?limit=1': ['wiki', 'recent'],
    '/recent?limit=200': ['wiki', 'recent'],
    '/recent?limit=200&locale=ru': ['wiki', 'recent_of_locale'],
    '/categories/green?limit=1': ['wiki', 'category_by_key'],
    '/categories/green?limit=200': ['wiki', 'category_by_key'],
    '/search?q=steamed&limit=1': ['wiki', 'search_configurations', 'search_full_matches', 'search_sections'],
    '/search?q=steamed&limit=50': ['wiki', 'search_configurations', 'search_full_matches', 'search_sections'],
    '/search?q=steamed&limit=50&all=true': [
      'wiki',
      'search_configurations',
      'search_full_matches',
      'search_sections',
    ],
    '/search?q=': ['wiki'],
    '/openapi.json': ['wiki'],
  }

  for (const [path, statements] of Object.entries(endpoints)) {
    it(`GET ${path}: ${statements.join(', ')}`, async () => {
      expect(await statementsOf(path)).to.deep.equal(statements)
    })
  }

  it('GET /revisions/{id}: wiki, revision_by_id, also as HTML', async () => {
    expect(await statementsOf(`/revisions/${revision}`)).to.deep.equal(['wiki', 'revision_by_id'])
    expect(await statementsOf(`/revisions/${revision}?format=html`)).to.deep.equal(['wiki', 'revision_by_id'])
  })

  it('what is wrong costs no statement, what is not there costs one', async () => {
    run = []
    for (const path of ['/pages?limit=0', '/recent?before=never', '/revisions/1', '/nothing'])
      await test.get(path)
    expect((await test.get('/pages/none/history')).status).to.equal(404)
    expect(run.filter((name) => name !== 'wiki')).to.deep.equal(['history'])
  })
})

/** Statements alone count here. */
const renderHere: Render = async (markdown, place) => ({ html: renderHtml(markdown, place) })

describe('Statements of what is asked at once', () => {
  withWorld({}, { pages, categories })

  const schema = makeSchema()
  const addresses = makeWikiAddresses({ byLocale: {}, fallback: 'https://wiki.example' })
  const contextOfTest = async () =>
    makeContext(counting((await testDatabase()).reader), addresses, renderHere)

  it('60 pages, asked for one by one in the same moment, are one statement, each with its own answer', async () => {
    const page = makeStoredQueries(schema, await contextOfTest())(PageDocument)
    run = []
    const answers = await Promise.all(
      pages
        .filter(({ locale }) => locale === 'en')
        .map(({ path }) => page({ locale: 'en', path, markdown: true, html: false })),
    )
    expect(run).to.deep.equal(['page_by_path'])
    expect(answers.map((answer) => answer.page?.path)).to.deep.equal(
      pages.filter(({ locale }) => locale === 'en').map(({ path }) => path),
    )
    expect(answers[42]?.page?.translations.map(({ title }) => title)).to.deep.equal(['Tea 42'])
  })

  it('the same page, asked for 500 times in the same moment, is read once', async () => {
    const page = makeStoredQueries(schema, await contextOfTest())(PageDocument)
    run = []
    const variables = { locale: 'en', path: 'tea-007', markdown: true, html: false }
    const answers = await Promise.all(Array.from({ length: 500 }, () => page(variables)))
    expect(run).to.deep.equal(['page_by_path'])
    expect(new Set(answers.map((answer) => answer.page?.title))).to.deep.equal(new Set(['Tea 7']))
  })

  it('nothing is kept from one moment to the next', async () => {
    const page = makeStoredQueries(schema, await contextOfTest())(PageDocument)
    run = []
    for (let i = 0; i < 3; i++) await page({ locale: 'en', path: 'tea-007', markdown: true, html: false })
    expect(run).to.have.lengthOf(3)
  })

  /** Statements of a GraphQL query over so many pages. */
  const statementsOver = async (first: number, fields: string): Promise<string[]> => {
    const document = parse(`query ($first: Int!) { pages(locale: "en", first: $first) { ${fields} } }`)
    expect(validate(schema, document)).to.deep.equal([])
    const contextValue = await contextOfTest()
    run = []
    const { data, errors } = await execute({ schema, document, contextValue, variableValues: { first } })
    expect(errors).to.equal(undefined)
    expect(data?.pages).to.have.lengthOf(first)
    return [...run].sort()
  }

  it('GraphQL over recent edits with their pages’ last edits: two, however many', async () => {
    const document = parse(
      '{ recent(first: 50) { items { page { path revision { id author { name } } } } } }',
    )
    run = []
    const { data, errors } = await execute({ schema, document, contextValue: await contextOfTest() })
    expect(errors).to.equal(undefined)
    expect(data).to.have.nested.property('recent.items').with.lengthOf(50)
    expect(run).to.deep.equal(['recent', 'page_by_id'])
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
    'members in a fragment': {
      query: `category(locale: "en", key: "green") { ... on Category { members(first: 4) { ${MEMBERS} } } }`,
      statements: ['category_by_key', 'category_members'],
      members: [4],
    },
    'without members': {
      query: 'category(locale: "en", key: "green") { name }',
      statements: ['category_by_key'],
      members: [],
    },
    'with members past the last': {
      query: 'category(locale: "en", key: "green") { name members(first: 4, after: "zzz") { sortKey } }',
      statements: ['category_by_key'],
      members: [0],
    },
    'that nothing defines': {
      query: 'category(locale: "en", key: "blue") { name members(first: 4) { sortKey } }',
      statements: ['category_by_key'],
      members: [],
    },
  }

  for (const [title, { query, statements, members }] of Object.entries(categoryQueries)) {
    it(`GraphQL: a category ${title}: ${statements.join(', ')}`, async () => {
      run = []
      const document = parse(`{ ${query} }`)
      const { data, errors } = await execute({ schema, document, contextValue: await contextOfTest() })
      expect(errors).to.equal(undefined)
      expect(run).to.deep.equal(statements)
      const found = data?.category as Record<string, unknown> | null
      const lists = Object.values(found ?? {}).filter((value) => Array.isArray(value))
      expect(lists.map(({ length }) => length)).to.deep.equal(members)
    })
  }

  const queries: Record<string, { fields: string; statements: string[] }> = {
    'with what the list holds': {
      fields: 'path title url revision { id createdAt author { name } }',
      statements: ['pages_after'],
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
        'translations_of_page',
      ],
    },
    'with the members of their categories': {
      fields: 'categories { key members(first: 5) { sortKey page { path revision { id } } } }',
      statements: ['categories_of_page', 'category_members', 'pages_after'],
    },
    'with HTML': {
      fields: 'revision { html }',
      statements: ['pages_after', 'revision_by_id', 'wiki'],
    },
  }

  for (const [title, { fields, statements }] of Object.entries(queries)) {
    it(`GraphQL over pages ${title}: as many for 50 pages as for 2`, async () => {
      expect(await statementsOver(2, fields)).to.deep.equal(statements)
      expect(await statementsOver(50, fields)).to.deep.equal(statements)
    })
  }
})
