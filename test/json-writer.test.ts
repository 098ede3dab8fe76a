import { expect } from 'chai'
import fc from 'fast-check'
import { listedPageJson, memberJson, recentEditJson } from '../src/rest/routes/shared/fields.ts'
import { bodyToJson } from '../src/rest/transport/json-writer.ts'

/** Escapes, lone surrogates, and characters of one to four bytes. */
const character = fc.constantFrom('\n', '"', '\\', '\0', 'a', '\x80', '茶', '🍵', '\u2028', '\ud83c')

describe('bodyToJson', () => {
  it('writes what JSON.stringify writes, whatever the lengths of the texts', () => {
    const values = fc.oneof(
      fc.constantFrom(undefined, null, '', 'short', { a: ['"'] }),
      fc.array(character, { maxLength: 9_000, size: 'max' }).map((characters) => characters.join('')),
    )
    fc.assert(
      fc.property(fc.array(values, { maxLength: 5 }), (list) => {
        const body = Object.fromEntries(list.map((value, i) => [`"${i}"`, value]))
        expect(bodyToJson(body).toString()).to.equal(JSON.stringify(body))
      }),
      { numRuns: 50 },
    )
  })

  describe('writes as JSON.stringify does', () => {
    const text = fc.array(character).map((characters) => characters.join(''))
    const address = { locale: 'zh-tw', ns: 'main' as const, url: 'https://wiki.example/a%22b' }
    const revision = text.map((name) => ({
      ...{ id: '0190', created_at: '2026-05-01T12:34:56.123456Z', author: { name } },
    }))
    const page = fc.record({ path: text, title: text }).map((texts) => ({ ...texts, ...address }))
    const listed = fc.tuple(page, revision).map(([page, revision]) => ({ ...page, revision }))
    const isEqual = <Item extends object>(items: fc.Arbitrary<Item>, itemToJson: (item: Item) => string) =>
      fc.assert(
        fc.property(fc.array(items), text, (items, next) => {
          const body = { items, next, category: { key: '"' } }
          expect(bodyToJson(body, itemToJson)).to.equal(JSON.stringify(body))
        }),
      )

    it('the pages of a list', () => isEqual(listed, listedPageJson))

    it('the pages of a category', () => {
      const member = fc.tuple(listed, text).map(([page, sort_key]) => ({ ...page, sort_key }))
      isEqual(member, memberJson)
    })

    it('the edits of the whole wiki', () => {
      const edit = fc.tuple(revision, page, text, fc.nat()).map(([revision, page, comment, size]) => ({
        ...{ ...revision, comment, size, page, url: 'https://api.wiki.example/api/v1/revisions/0190' },
      }))
      isEqual(edit, recentEditJson)
    })
  })
})
