import { expect } from 'chai'
import fc from 'fast-check'
import { listedPageJson } from '../src/rest/routes/shared/fields.ts'
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

  it('writes the pages of a list as JSON.stringify does', () => {
    const text = fc.array(character).map((characters) => characters.join(''))
    const page = fc.record({ path: text, title: text, name: text }).map(({ path, title, name }) => ({
      ...{ path, title, locale: 'zh-tw', ns: 'main' as const, url: 'https://wiki.example/a%22b' },
      revision: { id: '0190', created_at: '2026-05-01T12:34:56.123456Z', author: { name } },
    }))
    fc.assert(
      fc.property(fc.array(page), text, (items, next) => {
        expect(bodyToJson({ items, next }, listedPageJson)).to.equal(JSON.stringify({ items, next }))
      }),
    )
  })
})
