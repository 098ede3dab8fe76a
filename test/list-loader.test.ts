import { expect } from 'chai'
import type { Database } from '../src/db/database.ts'
import { statement } from '../src/db/statements.ts'
import { makeListLoader } from '../src/read/list-loader.ts'

/** A database that returns the keys in capitals, and fails for a part of a batch that contains `lost`. */
const database = {
  query: async (_: unknown, [keys]: [string[]]) => {
    if (keys.includes('lost')) throw new Error('lost')
    return keys.map((key, i) => ({ n: i + 1, text: key.toUpperCase() }))
  },
} as unknown as Database

describe('loaders of lists', () => {
  let events: string[]

  /** @param rowsOfKey how many rows of a batch each key has; 320 are the maximum of a statement */
  const makeLoader = (rowsOfKey = 1) =>
    makeListLoader(
      database,
      statement('pages_after') as never,
      (key: string) => [key],
      ([row]: { text: string }[], key) => {
        events.push(`make ${key}`)
        if (key === 'bad') throw new Error('bad')
        return row!.text
      },
      () => rowsOfKey,
    )

  /** What a request does with a list: several steps, each in a microtask. */
  const respond = async (list: Promise<string>): Promise<string> => {
    const text = await list
    for (let step = 0; step < 20; step++) await undefined
    events.push(`sent ${text}`)
    return text
  }

  beforeEach(() => {
    events = []
  })

  it('make a list when the response with the one before is complete', async () => {
    const { load } = makeLoader()
    const responses = Promise.all(['a', 'b', 'c'].map((key) => respond(load(key))))
    expect(await responses).to.deep.equal(['A', 'B', 'C'])
    expect(events).to.deep.equal(['make a', 'sent A', 'make b', 'sent B', 'make c', 'sent C'])
  })

  it('make the list of equal keys once', async () => {
    const { load } = makeLoader()
    expect(await Promise.all(['a', 'b', 'a'].map((key) => respond(load(key))))).to.deep.equal(['A', 'B', 'A'])
    expect(events).to.deep.equal(['make a', 'sent A', 'sent A', 'make b', 'sent B'])
  })

  it('reject a list that cannot be made or read, and no other one', async () => {
    const { load } = makeLoader(320) // a statement for each key
    const results = await Promise.allSettled(['a', 'bad', 'lost', 'b'].map((key) => load(key)))
    expect(
      results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message)),
    ).to.deep.equal([...['A', 'bad', 'lost', 'B']])
  })

  it('make further lists after a batch', async () => {
    const { load } = makeLoader()
    expect(await load('a')).to.equal('A')
    expect(await Promise.all([load('a'), load('b')])).to.deep.equal(['A', 'B'])
  })
})
