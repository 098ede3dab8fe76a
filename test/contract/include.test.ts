import { expect } from 'chai'
import { testId } from '../support/ids.ts'
import { withService, withWorld } from '../support/service.ts'

describe('include', () => {
  const test = withService({ cacheSeconds: 0 })

  describe('adds fields to the items of lists', () => {
    withWorld(test, {
      pages: [
        {
          path: 'sencha',
          translation_group: 'sencha',
          revisions: [
            {
              id: testId(1),
              created_at: '2024-01-01T00:00:00Z',
              author: 'Bo',
              markdown: 'Old *text*.',
              categories: [{ key: 'green' }],
            },
            {
              id: testId(2),
              created_at: '2024-01-02T00:00:00Z',
              markdown: 'Tea of *steamed* [leaves](leaf).\n\n# Use\n',
              categories: [{ key: 'green' }],
            },
            { id: testId(3), created_at: '2024-01-03T00:00:00Z', status: 'pending', markdown: 'Hidden' },
          ],
        },
        {
          path: 'сенча',
          locale: 'ru',
          translation_group: 'sencha',
          revisions: [{ id: testId(4), created_at: '2023-01-01T00:00:00Z', title: 'Сенча' }],
        },
      ],
    })

    const ALL =
      'markdown,html,text,summary,sections,properties,categories,translations,links,contributors,files'
    const TEXTS = {
      markdown: 'Tea of *steamed* [leaves](leaf).\n\n# Use\n',
      html: '<p>Tea of <em>steamed</em> <a href="https://en.wiki.example/leaf">leaves</a>.</p>\n<h1 id="use">Use</h1>\n',
      text: 'Tea of steamed leaves.\n\nUse',
      summary: 'Tea of steamed leaves.',
      sections: [
        { id: '', level: 0, title: '', start: 0, end: 34 },
        { id: 'use', level: 1, title: 'Use', start: 34, end: 40 },
      ],
      properties: [],
    }
    const PAGE = {
      ...TEXTS,
      files: [],
      categories: [{ key: 'green', name: 'green', url: 'https://en.wiki.example/category:green' }],
      translations: [
        {
          locale: 'ru',
          path: 'сенча',
          title: 'Сенча',
          url: 'https://ru.wiki.example/%D1%81%D0%B5%D0%BD%D1%87%D0%B0',
        },
      ],
      links: {
        items: [
          {
            ...{ path: 'leaf', title: null, locale: 'en', ns: 'main', url: 'https://en.wiki.example/leaf' },
            ...{ exists: false, redirect: false },
          },
        ],
        next: '',
      },
      contributors: {
        total: 2,
        items: [
          { name: 'Ada', edits: 1, last_at: '2024-01-02T00:00:00.000000Z' },
          { name: 'Bo', edits: 1, last_at: '2024-01-01T00:00:00.000000Z' },
        ],
      },
    }

    for (const path of ['/pages', '/categories/green', '/search?q=steamed', '/changes?locale=en'])
      it(`${path}: everything that a page has`, async () => {
        const plain = (await test.get(path)).body
        const { body } = await test.get(`${path}${path.includes('?') ? '&' : '?'}include=${ALL}`)
        expect(body).to.deep.equal({ ...plain, items: [{ ...plain.items[0], ...PAGE }] })
      })

    it('/recent: the text of each edit', async () => {
      const { body } = await test.get('/recent?locale=en&include=markdown,summary')
      expect(
        body.items.map(({ markdown, summary }: Record<string, string>) => [markdown, summary]),
      ).to.deep.equal([
        [TEXTS.markdown, TEXTS.summary],
        ['Old *text*.', 'Old text.'],
      ])
      const all = await test.get('/recent?limit=1&include=markdown,html,text,summary,sections,properties')
      expect(all.body.items[0]).to.deep.include(TEXTS)
    })

    it('an empty list stays empty', async () => {
      expect((await test.get('/pages?ns=module&include=markdown')).body).to.deep.equal({
        items: [],
        next: '',
      })
      expect((await test.get('/search?q=&include=markdown')).body).to.deep.equal({ items: [], next: '' })
    })

    it('the next part has the same fields: the Link header repeats include', async () => {
      const { headers } = await test.get('/recent?limit=1&include=summary,%20markdown')
      expect(headers.link).to.match(/include=markdown%2Csummary&before=.*rel="next"/)
    })
  })

  describe('a list ends early when its body would pass 4 MiB', () => {
    const MiB = 1024 * 1024
    const large = (letter: string, bytes: number) => letter.repeat(bytes)
    withWorld(test, {
      pages: [
        ...[...'abcdef'].map((path) => ({
          path,
          revisions: [{ markdown: large(path, 0.9 * MiB), categories: [{ key: 'large', sort_key: 'same' }] }],
        })),
        { path: 'huge', revisions: [{ markdown: large('x', 5 * MiB), categories: [{ key: 'large' }] }] },
        {
          path: 'versions',
          locale: 'ru',
          // Dates before those of all others.
          revisions: Array.from({ length: 6 }, (_, i) => ({
            id: testId(100 + i),
            created_at: '2001-01-01T00:00:00Z',
            markdown: large('v', MiB - 9_000),
          })),
        },
        ...Array.from({ length: 30 }, (_, i) => ({
          path: `small-${i}`,
          revisions: [{ markdown: `"\n`.repeat(20), categories: [{ key: 'large', sort_key: 'same' }] }],
        })),
      ],
    })

    /** All parts of a list. */
    const partsOf = async (path: string, by: string) => {
      const parts: { items: { id: string; path: string }[]; bytes: number }[] = []
      for (let next = '', isFirst = true; isFirst || next !== ''; isFirst = false) {
        const cursor: string = next === '' ? '' : `&${by}=${encodeURIComponent(next)}`
        const { body, text } = await test.getServed(`${path}${cursor}`)
        parts.push({ items: body.items, bytes: Buffer.byteLength(text) })
        next = body.next
        if (body.cursor !== undefined && next !== '') expect(body.cursor).to.equal(next)
      }
      return parts
    }
    const limits: [path: string, by: string, key: (item: { id: string; path: string }) => string][] = [
      ['/pages?', 'after', ({ path }) => path],
      ['/categories/large?', 'after', ({ path }) => path],
      ['/recent?locale=en&', 'before', ({ id }) => id],
      ['/changes?locale=en&', 'after', ({ path }) => path],
    ]
    for (const [path, by, key] of limits)
      it(`${path}: and next goes on after its last item: all items come once, in their order`, async () => {
        const plain = (await test.getServed(`${path}limit=200`)).body.items
        const parts = await partsOf(`${path}limit=200&include=markdown`, by)
        expect(parts.flatMap(({ items }) => items.map(key))).to.deep.equal(plain.map(key))
        const [most, ...others] = parts.toSorted((a, b) => b.bytes - a.bytes)
        expect(most).to.deep.include({ bytes: most!.bytes }).and.property('items').with.lengthOf(1)
        expect(most!.bytes).to.be.within(5 * MiB, 5.01 * MiB)
        for (const { bytes, items } of others) expect(bytes, `${items.length} items`).to.be.at.most(4 * MiB)
        expect(parts.length).to.be.at.most(6)
      })

    for (const [order, by] of [
      ['desc', 'before'],
      ['asc', 'after'],
    ])
      it(`/pages/{path}/history?order=${order}: the same`, async () => {
        const list = `/pages/versions/history?locale=ru&order=${order}&include=`
        const ids = (items: { id: string }[]) => items.map(({ id }) => id)
        const plain = (await test.get(`${list}parent`)).body.items
        const parts = await partsOf(`${list}markdown,parent`, by!)
        expect(ids(parts.flatMap(({ items }) => items))).to.deep.equal(ids(plain))
        expect(parts.map(({ items }) => items.length)).to.deep.equal([4, 2])
      })

    it('/search: and next is the offset after its last hit', async () => {
      const parts = await partsOf('/search?q=b+or+c+or+d+or+e+or+f&include=markdown', 'offset')
      const paths = parts.flatMap(({ items }) => items.map(({ path }) => path))
      expect(parts.length).to.be.above(1)
      expect(paths.sort()).to.deep.equal(['b', 'c', 'd', 'e', 'f'])
    })

    it('texts that are read for something short count, too', async () => {
      expect((await test.get('/pages?limit=200&include=sections')).body.items.length).to.be.below(5)
      expect((await test.get('/pages?limit=200&include=summary')).body.items).to.have.lengthOf(37)
    })
  })
})
