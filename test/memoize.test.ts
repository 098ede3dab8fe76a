import { expect } from 'chai'
import { makeSingleFlight, memoize, memoizeFor } from '../src/shared/memoize.ts'

/** A read that counts its calls, and fails while `isBroken`. */
const makeRead = () => {
  const read = { calls: 0, isBroken: false }
  return Object.assign(read, {
    value: async () => {
      read.calls += 1
      if (read.isBroken) throw new Error('broken')
      return read.calls
    },
  })
}

describe('memoizeFor', () => {
  it('reads once for concurrent callers, and again when the value is too old', async () => {
    const read = makeRead()
    let now = 0
    const memoized = memoizeFor(10, read.value, () => now)
    expect(await Promise.all([memoized.get(), memoized.get()])).to.deep.equal([1, 1])
    now = 10
    expect(await memoized.get()).to.equal(1)
    now = 11
    expect(await memoized.get()).to.equal(2)
  })

  it('reads again after invalidate', async () => {
    const memoized = memoizeFor(10, makeRead().value, () => 0)
    await memoized.get()
    memoized.invalidate()
    expect(await memoized.get()).to.equal(2)
  })
})

describe('memoize', () => {
  it('reads once, and does not cache a failure', async () => {
    const read = makeRead()
    const value = memoize(read.value)
    read.isBroken = true
    const failures = await Promise.allSettled([value(), value()])
    expect(failures.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected'])
    expect(read.calls).to.equal(1)
    read.isBroken = false
    expect([await value(), await value()]).to.deep.equal([2, 2])
  })
})

describe('makeSingleFlight', () => {
  it('shares running work by key, and stores no result', async () => {
    const read = makeRead()
    const flights = makeSingleFlight<number>()
    const first = flights.run('a', read.value)
    expect(flights.pending('a')).to.equal(first)
    expect(
      await Promise.all([first, flights.run('a', read.value), flights.run('b', read.value)]),
    ).to.deep.equal([1, 1, 2])
    expect(flights.pending('a')).to.equal(undefined)
    expect(await flights.run('a', read.value)).to.equal(3)
  })

  it('starts again after clear, and shares the new work when the old work ends', async () => {
    const flights = makeSingleFlight<string>()
    let endOld: (value: string) => void = () => {}
    let endNew: (value: string) => void = () => {}
    const old = flights.run('a', () => new Promise((resolve) => (endOld = resolve)))
    flights.clear()
    const latest = flights.run('a', () => new Promise((resolve) => (endNew = resolve)))
    endOld('old')
    expect(await old).to.equal('old')
    expect(flights.pending('a')).to.equal(latest)
    endNew('new')
    expect(await latest).to.equal('new')
  })
})
