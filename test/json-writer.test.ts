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

  it('large texts are made one after the other, and the event loop runs after each part of 256 K', async () => {
    const made: number[] = []
    let turns = 0
    let isOver = false
    const count = (): void => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const turnsAtEnd: number[] = []
    const bodies = Array.from({ length: 12 }, async (_, n) => {
      await bodyToJson({ markdown: 'tea "green"\n'.repeat(200_000) })
      made.push(n)
      turnsAtEnd.push(turns)
    })
    await Promise.all(bodies)
    isOver = true
    expect(made).to.deep.equal(made.toSorted((a, b) => a - b))
    const parts = (12 * 200_000) / (256 * 1024)
    for (const [n, at] of turnsAtEnd.entries()) expect(at - (turnsAtEnd[n - 1] ?? 0)).to.be.at.least(parts)
  })
})
