import { expect } from 'chai'
import { testId } from '../support/ids.ts'
import { withService, withWorld } from '../support/service.ts'

const ids = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id)

describe('pagination', () => {
  const test = withService()

  describe('edits that share a created_at', () => {
    const SAME = '2024-05-01T12:34:56.123456Z'
    withWorld(test, {
      pages: [
        {
          path: 'tea',
          revisions: [
            { id: testId(1), created_at: '2024-05-01T12:34:56.123455Z' },
            { id: testId(2), created_at: SAME },
            { id: testId(3), created_at: SAME },
            { id: 'ffffffff-ffff-ffff-ffff-ffffffffffff', created_at: SAME },
            { id: testId(5), created_at: '2024-05-01T12:34:56.123457Z' },
          ],
        },
      ],
    })
    const ALL = [testId(5), 'ffffffff-ffff-ffff-ffff-ffffffffffff', testId(3), testId(2), testId(1)]
    const LISTS = ['/pages/tea/history', '/recent', '/recent?locale=en']

    it('next is the created_at of the last item if the next edit has another one', async () => {
      for (const path of ['/pages/tea/history', '/recent']) {
        expect((await test.get(`${path}?limit=1`)).body.next).to.equal('2024-05-01T12:34:56.123457Z')
        expect((await test.get(`${path}?limit=4`)).body.next).to.equal('2024-05-01T12:34:56.123456Z')
      }
    })

    it('next is a unique date, whole milliseconds later, if the next edit has the same created_at', async () => {
      const first = new Set<string>()
      const second = new Set<string>()
      for (const path of LISTS) {
        first.add((await test.get(`${path}${path.includes('?') ? '&' : '?'}limit=2`)).body.next)
        second.add((await test.get(`${path}${path.includes('?') ? '&' : '?'}limit=3`)).body.next)
      }
      expect([first.size, second.size, new Set([...first, ...second]).size]).to.deep.equal([1, 1, 2])
      for (const next of [...first, ...second]) {
        expect(next).to.match(/^2024-05-01T12:34:5\d\.\d\d[1-9]000Z$/)
        expect(next > SAME && next < '2024-05-01T12:34:58', next).to.equal(true)
      }
    })

    it('next is the same date however a client formats it', async () => {
      const { next } = (await test.get('/recent?limit=2')).body
      const millisecond = next.slice(0, 23)
      for (const same of [
        `${millisecond}Z`,
        new Date(next).toISOString(),
        `${millisecond}000000Z`,
        `${millisecond}000+00:00`,
        `${millisecond}000%2B00:00`,
        new Date(Date.parse(next) + 19_800_000).toISOString().replace('Z', '+05:30'),
      ]) {
        expect(ids((await test.get(`/recent?before=${same}`)).body), same).to.deep.equal(ALL.slice(2))
      }
    })

    it('a date next to that one skips all edits that share the created_at', async () => {
      const { next } = (await test.get('/recent?limit=2')).body
      for (const beside of [
        `${next.slice(0, 23)}001Z`,
        `${next.slice(0, 26)}5Z`,
        `${new Date(Date.parse(next) - 1).toISOString().slice(0, 23)}999Z`,
        `${new Date(Date.parse(next) - 1).toISOString().slice(0, 23)}9999999Z`,
      ])
        expect(ids((await test.get(`/recent?before=${beside}`)).body), beside).to.deep.equal(ALL)
    })

    it('order=asc: following next returns every edit once, oldest first', async () => {
      for (const limit of [1, 2, 3, 200]) {
        const items = await test.walk('/pages/tea/history?order=asc', 'after', limit)
        expect(ids({ items })).to.deep.equal([...ALL].reverse())
      }
      const { body, headers } = await test.get('/pages/tea/history?order=asc&limit=2&include=parent')
      expect(body.next).to.equal(`${SAME}_${testId(2)}`)
      expect(headers.link).to.include(
        `history?limit=2&order=asc&include=parent&after=${SAME.replaceAll(':', '%3A')}_`,
      )
      // Also if the edit is no longer there.
      const after = `${SAME}_${testId(2).replace(/2$/, 'A')}`
      const rest = await test.get(`/pages/tea/history?order=asc&after=${after}`)
      expect(ids(rest.body)).to.deep.equal(ALL.slice(0, 2).reverse())
    })

    it('the plain created_at skips all edits that have it', async () => {
      for (const path of ['/pages/tea/history', '/recent']) {
        expect(ids((await test.get(`${path}?before=${SAME}`)).body)).to.deep.equal([testId(1)])
      }
    })

    it('a date between two microseconds includes the edits of the earlier one', async () => {
      const { body } = await test.get('/recent?before=2024-05-01T12:34:56.1234560001Z')
      expect(ids(body)).to.deep.equal(ALL.slice(1))
      expect(ids((await test.get('/recent?before=2024-05-01T12:34:56.1234560000000Z')).body)).to.deep.equal(
        ALL.slice(4),
      )
    })
  })

  describe('limit', () => {
    const name = (i: number) => `p${String(i).padStart(3, '0')}`
    withWorld(test, {
      pages: [
        ...Array.from({ length: 201 }, (_, i) => ({
          path: name(i),
          locale: i % 2 === 0 ? 'en' : 'ru',
          revisions: [{ id: testId(1000 + i) }],
        })),
        ...Array.from({ length: 201 }, (_, i) => ({
          path: `template:${name(i)}`,
          revisions: [
            {
              id: testId(2000 + i),
              title: `Kettle ${i}`,
              markdown: '[hub](/en/hub)',
              categories: [
                { key: 'many', sort_key: i < 100 ? 'same' : name(i) },
                { key: name(i), sort_key: 'x' },
              ],
            },
          ],
        })),
        {
          path: 'module:edited',
          revisions: Array.from({ length: 201 }, (_, i) => ({
            id: testId(3000 + i),
            created_at: `2024-02-01T00:00:00.${String(i).padStart(6, '0')}Z`,
            markdown:
              i < 200 ? '' : Array.from({ length: 201 }, (_, n) => `[${n}](/en/wanted${n})`).join(' '),
          })),
        },
      ],
    })

    const LISTS: [path: string, by: string, items: number, most?: number, normal?: number, next?: string][] =
      [
        ['/pages?ns=template', 'after', 201, 200, 50, 'template:p049'],
        ['/pages/module:edited/history', 'before', 201, 200, 50, '2024-02-01T00:00:00.000151Z'],
        ['/recent', 'before', 603],
        ['/recent?locale=ru', 'before', 100],
        ['/categories/many', 'after', 201],
        ['/categories', 'after', 202],
        ['/links?to=hub', 'after', 201, 200, 50, 'en/template:p049'],
        ['/links?from=module:edited', 'after', 201],
        ['/changes', 'after', 403],
        ['/search?q=kettle', 'offset', 201, 50, 20, '20'],
      ]
    const WRONG = ['0', '-1', '1.5', '1e2', '0x10', 'ten', '', '+5', '%2B5', '5%20', '９', '1'.repeat(400)]

    for (const [path, by, items, most = 200, normal = 50, next] of LISTS) {
      const limited = (limit: string | number) => `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`

      it(`${path}: the default is ${normal}; 1 to ${most} are accepted`, async () => {
        const { body } = await test.get(path)
        expect(body.items).to.have.length(normal)
        if (next !== undefined) expect(body.next).to.equal(next)
        for (const limit of [1, Math.min(most, items)])
          expect((await test.get(limited(limit))).body.items).to.have.length(limit)
      })

      it(`${path}: 400 for every other value, with the name and the range of the parameter`, async () => {
        for (const limit of [...WRONG, most + 1]) {
          const { status, body } = await test.get(encodeURI(decodeURIComponent(limited(limit))))
          expect(status, String(limit)).to.equal(400)
          expect(body.error.message).to.match(new RegExp(`^limit: .*1 to ${most}`))
        }
      })

      it(`${path}: following next returns every item once, in one order at any limit`, async () => {
        const all = (await test.walk(path, by, most)).map((item) => JSON.stringify(item))
        expect(new Set(all).size).to.equal(items)
        expect((await test.walk(path, by, 33)).map((item) => JSON.stringify(item))).to.deep.equal(all)
      })
    }
  })

  describe('before accepts any RFC 3339 date-time', () => {
    withWorld(test, {
      pages: [
        {
          path: 'tea',
          revisions: [
            { id: testId(1), created_at: '2016-12-31T23:59:59.999999Z' },
            { id: testId(2), created_at: '2017-01-01T00:00:00Z' },
            { id: testId(3), created_at: '2024-02-29T12:00:00Z' },
          ],
        },
      ],
    })

    const same: [string, string][] = [
      ['UTC', '2024-02-29T12:00:00Z'],
      ['lower-case t and z', '2024-02-29t12:00:00z'],
      ['an offset east', '2024-02-29T17:30:00%2B05:30'],
      ['an offset west', '2024-02-28T12:30:00-23:30'],
      ['the offset -00:00', '2024-02-29T12:00:00-00:00'],
      ['a plus that became a space', '2024-02-29T14:00:00+02:00'],
      ['no seconds, as Java prints them if they are 0', '2024-02-29T12:00Z'],
      ['no seconds, and an offset', '2024-02-29T13:00%2B01:00'],
      ['no seconds, and a plus that became a space', '2024-02-29T14:00+02:00'],
      ['one digit of a second', '2024-02-29T12:00:00.0Z'],
      ['nine digits of a second', '2024-02-29T12:00:00.000000000Z'],
      ['a thousand digits of a second', `2024-02-29T12:00:00.${'0'.repeat(1_000)}Z`],
    ]
    for (const [title, before] of same) {
      it(title, async () => {
        for (const path of ['/recent', '/pages/tea/history']) {
          const { status, body } = await test.get(`${path}?before=${before}`)
          expect(status).to.equal(200)
          expect(ids(body)).to.deep.equal([testId(2), testId(1)])
        }
      })
    }

    it('openapi.json accepts all of these, without format: date-time, which generators would turn into a date type', async () => {
      const { paths } = (await test.get('/openapi.json')).body
      for (const path of ['/recent', '/pages/{path}/history']) {
        const { schema } = paths[path].get.parameters.find(({ name }: { name: string }) => name === 'before')
        expect(schema).to.have.all.keys('type', 'pattern')
        const pattern = new RegExp(schema.pattern, 'u')
        for (const [, before] of same)
          expect(decodeURIComponent(before).replace(/\+(?=02)/, ' ')).to.match(pattern)
        for (const before of ['', '2024-01-01', '2016-12-31T23:59:60Z']) expect(before).to.match(pattern)
        for (const before of ['now', '2024-01-01T00:00:00', '1714567890'])
          expect(before).not.to.match(pattern)
      }
    })

    it('a leap second comes after the second before it', async () => {
      const { status, body } = await test.get('/recent?before=2016-12-31T23:59:60Z')
      expect(status).to.equal(200)
      expect(ids(body)).to.deep.equal([testId(1)])
    })

    it('accepts the first and last years, also with offsets beyond them', async () => {
      for (const [before, count] of [
        ['0000-01-01T00:00:00Z', 0],
        ['0001-01-01T00:00:00Z', 0],
        ['0001-01-01T00:00:00%2B23:59', 0],
        ['9999-12-31T23:59:59Z', 3],
        ['9999-12-31T23:59:59.999999999-23:59', 3],
      ] as const) {
        const { status, body } = await test.get(`/recent?before=${before}`)
        expect(status, before).to.equal(200)
        expect(body.items, before).to.have.length(count)
      }
    })

    it('empty means the beginning', async () => {
      expect((await test.get('/recent?before=')).body.items).to.have.length(3)
    })

    it('400: text that is not a date-time, with the name of the parameter', async () => {
      const texts = `2024-02-30T00:00:00Z 2023-02-29T00:00:00Z 1900-02-29T00:00:00Z 2024-04-31T00:00:00Z
        2024-13-01T00:00:00Z 2024-00-01T00:00:00Z 2024-01-00T00:00:00Z 2024-01-01T24:00:00Z 2024-01-01T23:60:00Z
        2024-01-01T23:59:61Z 2024-01-01T00:00:00 2024-01-32 2024-01-01T00Z 2024-01-01T00:00 2024-01-01T24:00Z
        2024-01-01T00:00.5Z 2024-01-01T00:00:00.Z 2024-01-01T00:00:00,5Z 2024-01-01T00:00:00%2B24:00
        2024-01-01T00:00:00%2B0100 2024-01-01T00:00:00%2B01 24-01-01T00:00:00Z 12024-01-01T00:00:00Z
        -2024-01-01T00:00:00Z %D9%A2024-01-01T00:00:00Z 2024-01-01T00:00:00Z%0A %202024-01-01T00:00:00Z
        1714567890 now infinity epoch yesterday`
      for (const before of texts.split(/\s+/)) {
        for (const path of ['/recent', '/pages/tea/history']) {
          const { status, body } = await test.get(`${path}?before=${before}`)
          expect(status, before).to.equal(400)
          expect(body.error.message).to.match(/^before: /)
        }
      }
    })
  })

  describe('pages that share a sort key', () => {
    const member = (path: string, sortKey: string) => ({
      path,
      revisions: [{ title: path, categories: [{ key: 'tea', sort_key: sortKey }] }],
    })
    withWorld(test, {
      pages: [
        member('a', 'k'),
        member('b', 'k'),
        member('\u{10ffff}', 'k'),
        member('c', 'l'),
        member('d', 'k \u00e9'),
      ],
    })
    const paths = (body: { items: { path: string }[] }) => body.items.map(({ path }) => path)

    it('next is sort key, U+001F and path if the next page has the same sort key', async () => {
      expect((await test.get('/categories/tea?limit=1')).body.next).to.equal('k\u001fa')
      const { body } = await test.get('/categories/tea?limit=1&after=k%1Fa')
      expect(paths(body)).to.deep.equal(['b'])
      expect(body.next).to.equal('k\u001fb')
    })

    it('the plain sort key skips all pages that have it', async () => {
      expect(paths((await test.get('/categories/tea?after=k')).body)).to.deep.equal(['d', 'c'])
    })

    it('Link rel="next" contains the same cursor, percent-encoded', async () => {
      const { headers } = await test.get('/categories/tea?limit=1')
      expect(headers.link).to.include(
        '<http://localhost:3000/api/v1/categories/tea?limit=1&after=k%1Fa>; rel="next"',
      )
    })
  })
})
