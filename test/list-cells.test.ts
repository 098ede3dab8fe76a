import { makeWikiAddresses } from '@lectern/wiki/links'
import { expect } from 'chai'
import { makeContext, makeStoredQueries, type PrepareStoredQuery } from '../src/graphql.ts'
import { makeAddContent } from '../src/rest/list-content.ts'
import type { RequestContext } from '../src/rest/route.ts'
import { makeRouteResponder } from '../src/rest/route-responder.ts'
import { routes } from '../src/rest/routes/index.ts'
import { testDatabase } from './support/database.ts'
import { testId } from './support/ids.ts'
import { withService, withWorld } from './support/service.ts'

/** Characters that have a meaning in JSON, in arrays of PostgreSQL or in lines of text. */
const UNUSUAL = '"\\ \\n {a,b} null \u00a0\u2028\ufeff чай 茶 👩‍🌾 \ufffe'

/** Lists, and the names of their routes. */
const LISTS: Record<string, string> = {
  '/pages': 'pages',
  '/pages?limit=1': 'pages',
  '/pages?after=z': 'pages',
  '/pages?include=markdown,categories': 'pages',
  '/recent?limit=2': 'recent',
  '/recent?locale=en&include=summary': 'recent',
  '/pages/a/history': 'history',
  '/categories/tea': 'category',
  '/categories/tea?limit=1': 'category',
  '/categories/tea?include=markdown': 'category',
}

const CONTEXT: RequestContext = {
  wiki: {
    name: 'Tea',
    defaultLocale: 'en',
    license: null,
    locales: [{ locale: 'en', name: 'English', url: '/' }],
  },
  host: '',
  locale: 'en',
  base: 'http://localhost:3000/api/v1',
  license: 'https://license.example',
  isLicenseKnown: true,
  attribution: '',
  settings: { requestsPerMinute: 0, cacheSeconds: 0 },
  endpoints: {},
}

const prepareQueries = async (): Promise<PrepareStoredQuery> => {
  const { reader } = await testDatabase()
  const addresses = makeWikiAddresses({
    byLocale: { en: "https://wiki.example/it's" },
    fallback: 'http://localhost',
  })
  return makeStoredQueries(
    makeContext(reader, addresses, async () => {
      throw new Error('nothing is rendered')
    }),
  )
}

describe('items of lists', () => {
  const test = withService()
  const categories = [{ key: 'tea', sort_key: `a${UNUSUAL}` }]
  withWorld(test, {
    pages: [
      {
        path: 'a',
        revisions: [
          { id: testId(1), title: UNUSUAL, author: UNUSUAL, comment: UNUSUAL, categories },
          { id: testId(2), created_at: '2024-01-02T00:00:00.1Z', title: UNUSUAL, author: '', categories },
        ],
      },
      { path: 'b', revisions: [{ id: testId(3), author: '', markdown: '', title: 'b', categories }] },
    ],
  })
  const items = async (list: string) => (await test.get(list)).body.items

  it('unusual characters and empty texts are what the import contained', async () => {
    for (const list of ['/pages', '/categories/tea'])
      expect(
        (await items(list)).map(({ path, title, revision }: Record<string, { author: { name: string } }>) => [
          ...[path, title, revision!.author.name],
        ]),
        list,
      ).to.deep.equal([
        ['a', UNUSUAL, ''],
        ['b', 'b', ''],
      ])
    for (const list of ['/recent', '/recent?locale=en', '/pages/a/history']) {
      const [last, first] = (await items(list)).filter(({ id }: { id: string }) => id !== testId(3))
      expect(last, list).to.deep.include({ id: testId(2), author: { name: '' }, comment: '', size: 10 })
      expect(last.created_at, list).to.equal('2024-01-02T00:00:00.100000Z')
      expect(first, list).to.deep.include({ author: { name: UNUSUAL }, comment: UNUSUAL, size: 10 })
      if (list !== '/pages/a/history') expect(last.page.title).to.equal(UNUSUAL)
    }
  })

  it('a list that writes itself has the bytes of one whose items the query makes', async () => {
    const prepare = await prepareQueries()
    const respond = (withLists: boolean, url: string) => {
      const prepared = withLists ? prepare : (((document) => prepare(document)) as PrepareStoredQuery)
      const name = LISTS[url]!
      const route = routes.find((one) => one.name === name)!
      return makeRouteResponder(route, prepared, makeAddContent(prepare))(`/api/v1${url}`, CONTEXT, false)
        .createResponse((_, work) => work())
        .then(({ body, headers }) => `${headers.Link} ${body}`)
    }
    for (const url of Object.keys(LISTS))
      expect(await respond(true, url), url).to.equal(await respond(false, url))
  })
})
