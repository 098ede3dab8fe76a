import { expect } from 'chai'
import type { TestResponse } from './support/client.ts'
import { withService, withWorld } from './support/service.ts'

const HIDDEN_EDIT = '11111111-1111-4111-8111-111111111111'
const DRAFTED_EDIT = '22222222-2222-4222-8222-222222222222'
const TEA_EDIT = '33333333-3333-4333-8333-333333333333'
const NO_EDIT = '99999999-9999-4999-8999-999999999999'

/** Requests for hidden content, and requests of the same length for content that never existed. */
const pairs: [hidden: string, missing: string][] = [
  ['/pages/draft', '/pages/never'],
  ['/pages/draft?format=both', '/pages/never?format=both'],
  [
    '/pages/draft?section=den&include=sections,contributors',
    '/pages/never?section=den&include=sections,contributors',
  ],
  ['/pages/draft/history', '/pages/never/history'],
  ['/pages/erased', '/pages/absent'],
  ['/pages/waiting', '/pages/missing'],
  ['/pages/waiting?locale=ru', '/pages/missing?locale=ru'],
  ['/pages/tea/history?before=2024-01-01T00:00:00Z', '/pages/mug/history?before=2024-01-01T00:00:00Z'],
  [`/revisions/${HIDDEN_EDIT}`, `/revisions/${NO_EDIT}`],
  [`/revisions/${DRAFTED_EDIT}`, `/revisions/${NO_EDIT}`],
  [`/revisions/${HIDDEN_EDIT}/diff`, `/revisions/${NO_EDIT}/diff`],
  [`/revisions/${TEA_EDIT}/diff?from=${HIDDEN_EDIT}`, `/revisions/${TEA_EDIT}/diff?from=${NO_EDIT}`],
  ['/categories/secret', '/categories/nobody'],
  ['/categories?after=secre', '/categories?after=secrf'],
  ['/links?from=draft', '/links?from=never'],
  ['/links?to=draft', '/links?to=never'],
  ['/links?to=lair', '/links?to=nest'],
  ['/suggest?q=kestr', '/suggest?q=unhea'],
  ['/suggest?q=kestrle', '/suggest?q=unheadr'],
  ['/search?q=kestrel', '/search?q=unheard'],
  ['/search?q=kestrel&all=true', '/search?q=unheard&all=true'],
  ['/pages?path=draft', '/pages?path=never'],
  ['/pages?path=waiting&include=markdown,files', '/pages?path=unknown&include=markdown,files'],
  ['/pages?after=draf&limit=1', '/pages?after=drag&limit=1'],
  ['/pages?after=draf&include=markdown,contributors', '/pages?after=drag&include=markdown,contributors'],
]

describe('responses for hidden content are those for missing content', () => {
  const test = withService({ cacheSeconds: 0 })
  const hidden = { title: 'Kestrel', markdown: 'kestrel [den](lair)', categories: [{ key: 'secret' }] }
  withWorld(test, {
    pages: [
      { path: 'tea', revisions: [{ id: TEA_EDIT }, { ...hidden, id: HIDDEN_EDIT, status: 'pending' }] },
      { path: 'mug' },
      { path: 'draft', state: 'draft', revisions: [{ ...hidden, id: DRAFTED_EDIT }] },
      { path: 'erased', state: 'deleted', revisions: [hidden] },
      { path: 'waiting', revisions: [{ ...hidden, status: 'pending' }] },
    ],
  })

  /** The parts of a response by which a client could distinguish it, without the requested name. */
  const distinguishable = ({ status, headers, text }: TestResponse, requested: string): unknown => {
    const { date, 'x-request-id': id, ratelimit, etag, link, ...rest } = headers
    const from = /(?:from|path)=([\w-]+)/.exec(requested)?.[1] ?? requested
    const name = /^\/\w+\/([\w-]+)/.exec(requested)?.[1] ?? requested
    return { status, headers: rest, text: text.replaceAll(name, '…').replaceAll(from, '…') }
  }

  for (const [one, other] of pairs) {
    it(`${one} and ${other}: status, headers and body are the same`, async () => {
      expect(distinguishable(await test.get(one), one)).to.deep.equal(
        distinguishable(await test.get(other), other),
      )
    })
  }

  const site = withService({ cacheSeconds: 0, wikiAddresses: {} })
  for (const [one, other] of [
    ['draft', 'never'],
    ['erased', 'absent'],
    ['waiting', 'nowhere'],
    ['category:secret', 'category:nobody'],
  ] as const) {
    it(`the addresses of ${one} and ${other} in the reader: so are theirs`, async () => {
      const answers = await Promise.all(
        [one, other].map(async (path) => {
          const { status, headers, text } = await site.call(`/wiki/en/${path}`)
          const { date, 'x-request-id': id, ratelimit, 'content-length': length, ...rest } = headers
          // The page names what was asked for, and offers to search for it.
          const words = path.replace('category:', '')
          return { status, headers: rest, text: text.replaceAll(path, '…').replaceAll(words, '…') }
        }),
      )
      expect(answers[0]!.status).to.equal(404)
      expect(answers[0]).to.deep.equal(answers[1])
    })
  }

  for (const [one, other] of [
    ['q=kestrel', 'q=unheard'],
    ['history=draft', 'history=never'],
    ['links=waiting', 'links=nowhere'],
    ['page=erased', 'page=absent'],
    [`edit=${DRAFTED_EDIT}`, `edit=${NO_EDIT}`],
    [`to=${HIDDEN_EDIT}`, `to=${NO_EDIT}`],
    ['category=secret', 'category=nobody'],
  ] as const) {
    it(`the views ?${one} and ?${other} of the reader without scripts: so are theirs`, async () => {
      const answers = await Promise.all(
        [one, other].map(async (query) => {
          const { status, text } = await site.call(`/api/v1/docs/reader?${query}&locale=en`)
          return { status, text: text.replaceAll(query.replace(/.*=/, ''), '…') }
        }),
      )
      expect(answers[0]).to.deep.equal(answers[1])
      expect(answers[0]!.text).to.include('<noscript>')
    })
  }

  it('no sitemap has an address of theirs', async () => {
    const { text } = await site.call('/sitemap-en.xml')
    expect(text.match(/[^/]+(?=<\/loc>)/g)).to.deep.equal(['mug', 'tea'])
  })

  it('take the same time: in one of five rounds, the medians of 40 interleaved requests differ by less than a factor of two', async () => {
    const median = (times: number[]): number => times.sort((x, y) => x - y)[20]!
    const ratio = async (one: string, other: string): Promise<number> => {
      const times: Record<string, number[]> = { [one]: [], [other]: [] }
      for (let i = 0; i < 100; i += 1) {
        const path = i % 2 === 0 ? one : other
        const startedAt = performance.now()
        await test.get(path)
        // Without the first requests, which warm the service up.
        if (i >= 20) times[path]!.push(performance.now() - startedAt)
      }
      return median(times[one]!) / median(times[other]!)
    }
    for (const [one, other] of [pairs[0]!, pairs[7]!]) {
      const ratios: number[] = []
      // What else the machine does may slow one of them down for a round.
      do ratios.push(await ratio(one, other))
      while (ratios.length < 5 && !(ratios.at(-1)! > 0.5 && ratios.at(-1)! < 2))
      expect(ratios.at(-1), `${one} to ${other}: ${ratios}`).to.be.within(0.5, 2)
    }
  })
})
