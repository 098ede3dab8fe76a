import { Unavailable } from '@lectern/wiki/errors'
import { expect } from 'chai'
import { testId } from '../../support/ids.ts'
import { checkResponse } from '../../support/openapi-check.ts'
import { withService, withWorld } from '../../support/service.ts'
import type { Open, Read, WikiReader } from '../projects/wiki-reader.ts'

/** Paths whose letters mean something in an address, or take several bytes of it. */
const ODD_PATHS = [
  'tea',
  'template:brewing table',
  'tea/green',
  'tea/green/history',
  'tea//green/',
  '/tea',
  'a%2Fb',
  '%',
  '100%25',
  'milk+sugar',
  'iced tea',
  'is it?',
  'what?is=it&really',
  'c#',
  'чай/самовар',
  'お茶',
  '🍵',
  "it's;a,b@c!$(d)*",
  '"<x>"\\^`{|}[]',
]

const ODD_KEYS = ['зелёный чай', 'a/b', '50%+?#', 'お茶']
const SAME = '2024-05-01T12:34:56.123456Z'

const inMain = ODD_PATHS.filter((path) => !path.startsWith('template:'))
const byBytes = (texts: string[]) => texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))

/**
 * Holds a generated client to all that it is for; each answer to openapi.json besides.
 * @param make generates it once a service runs at the address that it is given
 */
export const itReadsEverything = (make: (api: string) => Promise<Open>): void => {
  let isLost = false
  const test = withService(
    { cacheSeconds: 0 },
    {
      wrap: (database) => ({
        ...database,
        query: async (statement, values) => {
          if (isLost) throw new Unavailable()
          return database.query(statement, values)
        },
      }),
    },
  )
  const limited = withService({ rateLimit: 1 })
  withWorld(test, {
    name: 'Tea Wiki',
    categories: ODD_KEYS.map((key) => ({ key, locale: 'en', name: `About ${key}` })),
    pages: ODD_PATHS.map((path, i) => ({
      path,
      translation_group: i === 0 ? 'tea' : undefined,
      revisions: [0, 1, 2].map((n) => ({
        id: testId(10 * i + n),
        created_at: SAME,
        title: `Title of ${path}`,
        markdown: n === 2 ? `Steamed leaves of **${i}**` : '',
        categories: ODD_KEYS.map((key) => ({ key, sort_key: i < 5 ? 'same' : path })),
      })),
    })),
  })
  let open: Open
  let wiki: WikiReader
  const api = (from = test) => `${from.service.listeningUrl}/api/v1`
  before(async () => {
    open = await make(api())
    wiki = await open(api())
  })

  /** The answer, held to the document. @param template an address that the operation matches */
  const answerOf = async <Answer>(template: string, call: Promise<Read<Answer>>): Promise<Answer> => {
    const { status, headers, answer, failure } = await call
    checkResponse('GET', template, {
      status,
      headers: Object.fromEntries(headers),
      body: answer ?? failure,
      text: JSON.stringify(answer ?? failure),
    })
    expect(failure).to.equal(undefined)
    return answer!
  }

  /** Items of a list, walked to its end by `next`. */
  const walk = async <Item>(
    template: string,
    part: (next: string | undefined) => Promise<Read<{ items: Item[]; next: string }>>,
  ): Promise<Item[]> => {
    const items: Item[] = []
    let next: string | undefined
    do {
      const answer = await answerOf(template, part(next))
      items.push(...answer.items)
      next = answer.next
    } while (next !== '' && items.length < 1000)
    return items
  }

  it('the wiki, and the document itself', async () => {
    expect((await answerOf('/', wiki.wiki())).name).to.equal('Tea Wiki')
    expect((await answerOf('/openapi.json', wiki.openapi())).openapi).to.equal('3.1.0')
  })

  for (const path of ODD_PATHS) {
    it(`a page and its history: ${path}`, async () => {
      const page = await answerOf('/pages/x', wiki.page(path, {}))
      expect(page.path).to.equal(path)
      expect(page.markdown).to.include('Steamed leaves')
      expect(page).not.to.have.property('html')
      const { items } = await answerOf('/pages/x/history', wiki.history(path, {}))
      expect(items.map(({ id }) => id))
        .to.include(page.revision.id)
        .and.have.length(3)
    })
  }

  it('both forms of a page and of a revision, whose parent is an id, or null for the first', async () => {
    const page = await answerOf('/pages/x', wiki.page('tea', { format: 'both', locale: 'en' }))
    expect(page.html).to.include('<strong>0</strong>')
    const revision = await answerOf('/revisions/x', wiki.revision(page.revision.id, { format: 'html' }))
    expect(revision)
      .to.include({ html: page.html, parent: testId(1) })
      .and.not.have.property('markdown')
    expect((await answerOf('/revisions/x', wiki.revision(testId(0), {}))).parent).to.equal(null)
  })

  it('pages, walked by next, which is a path of any letters', async () => {
    const pages = await walk('/pages', (after) => wiki.pages({ limit: 2, after }))
    expect(pages.map(({ path }) => path)).to.deep.equal(byBytes(inMain))
  })

  it('another namespace', async () => {
    const { items } = await answerOf('/pages', wiki.pages({ ns: 'template' }))
    expect(items.map(({ path }) => path)).to.deep.equal(['template:brewing table'])
  })

  it('history and recent edits, walked by next, though all were made at one moment', async () => {
    const history = await walk('/pages/x/history', (before) =>
      wiki.history('чай/самовар', { limit: 1, before }),
    )
    expect(new Set(history.map(({ id }) => id)).size).to.equal(3)
    const recent = await walk('/recent', (before) => wiki.recent({ limit: 7, before }))
    expect(recent).to.have.length(57)
    expect(new Set(recent.map(({ id }) => id)).size).to.equal(57)
    expect(new Set(recent.map(({ page }) => page.path))).to.deep.equal(new Set(ODD_PATHS))
  })

  for (const key of ODD_KEYS) {
    it(`a category, walked by next, though pages share a sort key: ${key}`, async () => {
      const members = await walk('/categories/x', (after) => wiki.category(key, { limit: 2, after }))
      expect(new Set(members.map(({ path }) => path))).to.deep.equal(new Set(ODD_PATHS))
      expect(members).to.have.length(ODD_PATHS.length)
      const { category } = await answerOf('/categories/x', wiki.category(key, { limit: 1, locale: 'en' }))
      expect(category).to.include({ key, name: `About ${key}` })
    })
  }

  it('search, walked by next as a number, with highlights', async () => {
    const hits = await walk('/search', (offset) =>
      wiki.search({ q: 'steamed leaves', all: true, limit: 6, offset: Number(offset ?? 0) }),
    )
    expect(new Set(hits.map(({ path }) => path)).size).to.equal(ODD_PATHS.length)
    const { text, highlights } = hits[0]!.passages[0]!
    expect(highlights.map(([start, end]) => text.slice(start, end))).to.include('Steamed')
  })

  it('a difference, whose type is that of its JSON alone', async () => {
    const { hunks, from } = await answerOf('/revisions/x/diff', wiki.diff(testId(2), { from: testId(1) }))
    expect(from).to.equal(testId(1))
    expect(hunks[0]?.lines.map(({ text }) => text)).to.include('Steamed leaves of **0**')
  })

  it('changes, each of which has a title if it is no gone page', async () => {
    const changes = await walk('/changes', (after) => wiki.changes({ limit: 7, after }))
    const titles = changes.map((change) => (change.type === 'upsert' ? change.title : change.moved_to))
    expect(new Set(titles)).to.deep.equal(new Set(ODD_PATHS.map((path) => `Title of ${path}`)))
  })

  describe('errors', () => {
    const failureOf = async (call: Promise<Read<unknown>>) => {
      const { status, headers, answer, failure } = await call
      expect(answer).to.equal(undefined)
      return { status, retryAfter: headers.get('retry-after'), ...failure!.error }
    }

    it('400 names the parameter', async () => {
      const { status, code, message } = await failureOf(wiki.pages({ limit: 201 }))
      expect({ status, code }).to.deep.equal({ status: 400, code: 'bad_parameter' })
      expect(message).to.include('limit')
      expect((await failureOf(wiki.revision('no-uuid', {}))).message).to.include('id')
    })

    it('404', async () => {
      for (const call of [
        wiki.page('a/b?c', {}),
        wiki.category('never', {}),
        wiki.revision(testId(999), {}),
      ]) {
        expect(await failureOf(call)).to.include({ status: 404, code: 'not_found' })
      }
    })

    it('429, with the seconds to wait', async () => {
      const refused = await open(api(limited))
      await refused.wiki()
      const { retryAfter, ...told } = await failureOf(refused.wiki())
      expect(told).to.include({ status: 429, code: 'rate_limited' })
      expect(Number(retryAfter)).to.be.within(1, 60)
      wiki = await open(api()) // Some clients have one address for the whole program.
    })

    it('503, with the seconds to wait', async () => {
      isLost = true
      const told = await failureOf(wiki.page('tea', {}))
      isLost = false
      expect(told).to.include({ status: 503, code: 'unavailable', retryAfter: '1' })
    })
  })
}
