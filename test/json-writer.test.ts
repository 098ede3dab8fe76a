import { expect } from 'chai'
import fc from 'fast-check'
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
})
