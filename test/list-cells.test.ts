import { expect } from 'chai'
import { testId } from './support/ids.ts'
import { withService, withWorld } from './support/service.ts'

/** Characters that have a meaning in JSON, in arrays of PostgreSQL or in lines of text. */
const UNUSUAL = '"\\ \\n {a,b} null \u00a0\u2028\ufeff чай 茶 👩‍🌾 \ufffe'

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
})
