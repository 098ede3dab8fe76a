import { expect } from 'chai'
import fc from 'fast-check'
import { makeFixedWindow } from '../src/rate/fixed-window.ts'

const MINUTE = 60_000

/** A clock that the test sets. */
const handClock = () => {
  const clock = { ms: 1_000, now: () => clock.ms }
  return clock
}

describe('fixed windows in memory', () => {
  it('count any sequence of requests and pauses like a list of all requests', () => {
    const steps = fc.array(
      fc.record({
        pause: fc.nat({ max: 30_000 }),
        client: fc.constantFrom('a', 'b', 'c'),
      }),
      { maxLength: 80 },
    )
    fc.assert(
      fc.property(steps, (all) => {
        const clock = handClock()
        const count = makeFixedWindow(10, clock.now)
        const opened = new Map<string, { at: number; requests: number }>()
        for (const { pause, client } of all) {
          clock.ms += pause
          let window = opened.get(client)
          if (!window || clock.ms - window.at >= MINUTE) window = { at: clock.ms, requests: 0 }
          window.requests += 1
          opened.set(client, window)
          expect(count(client)).to.deep.equal({
            requests: window.requests,
            msLeft: window.at + MINUTE - clock.ms,
          })
        }
      }),
    )
  })

  it('beyond the maximum, forget the clients that were away longest', () => {
    const count = makeFixedWindow(3)
    for (const client of ['a', 'b', 'c', 'a', 'd']) count(client)
    expect(count('a').requests).to.equal(3)
    expect(count('b').requests).to.equal(1)
  })

  it('of 100,000 clients take less than 40 MB, and of ten times as many no more', () => {
    const { gc } = globalThis
    const count = makeFixedWindow()
    const heapOf = (clients: number): number => {
      for (let i = 0; i < clients; i += 1) count(`${i & 255}.${(i >> 8) & 255}.${(i >> 16) & 255}.7`)
      gc?.()
      return process.memoryUsage().heapUsed / 1e6
    }
    const empty = heapOf(0)
    expect(heapOf(100_000) - empty).to.be.below(40)
    // Without --expose-gc, the heap also contains garbage. Then the bound is less strict.
    expect(heapOf(1_000_000) - empty).to.be.below(gc ? 40 : 250)
  })
})
