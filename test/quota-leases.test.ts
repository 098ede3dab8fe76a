import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import fc from 'fast-check'
import { type Consumption, makeFixedWindow } from '../src/rate/fixed-window.ts'
import { type Lease, makeQuotaLeases } from '../src/rate/quota-leases.ts'

/** A store that several processes share, one clock for all, and queries and replies that the test can hold back. */
const world = (limit: number, processes: number) => {
  const clock = { ms: 1_000 }
  const now = () => clock.ms
  const store = makeFixedWindow(1000, now)
  const batches: Lease[][] = []
  const held: (() => void)[] = []
  let holding: 'queries' | 'replies' | undefined
  const lease = (leases: Lease[]): Promise<Consumption>[] => {
    batches.push(leases)
    return leases.map(({ client, requests }) => {
      if (holding === 'queries') {
        return new Promise((resolve) => held.push(() => resolve(store(client, requests))))
      }
      const reply = store(client, requests)
      if (holding === undefined) return Promise.resolve(reply)
      return new Promise((resolve) => held.push(() => resolve(reply)))
    })
  }
  return {
    clock,
    store,
    batches,
    counters: Array.from({ length: processes }, () => makeQuotaLeases({ limit, lease, now })),
    hold: (what: typeof holding) => {
      holding = what
    },
    release: () => {
      holding = undefined
      for (const proceed of held.splice(0)) proceed()
    },
  }
}

describe('quota leases', () => {
  it('lease a sixtieth of the limit: 600 consecutive requests query the store about 60 times', async () => {
    const { counters, batches } = world(600, 1)
    for (let i = 1; i <= 600; i += 1) expect((await counters[0]!.consume('a')).requests).to.equal(i)
    expect((await counters[0]!.consume('a')).requests).to.be.above(600)
    expect(batches.length).to.be.within(60, 300)
    expect(batches[0]).to.deep.equal([{ client: 'a', requests: 10 }])
  })

  it('respond at once while a lease lasts, and when they refuse', async () => {
    const { counters, batches } = world(120, 1)
    expect(counters[0]!.consume('a')).to.be.instanceOf(Promise)
    await turn()
    expect(counters[0]!.consume('a')).to.deep.equal({ requests: 2, msLeft: 60_000 })
    for (let i = 3; i <= 121; i += 1) await counters[0]!.consume('a')
    const queriesBefore = batches.length
    expect(counters[0]!.consume('a')).to.deep.equal({ requests: 121, msLeft: 60_000 })
    expect(batches.length).to.equal(queriesBefore)
  })

  it('query the store once for all requests of a turn of the event loop; no request waits for two replies', async () => {
    const { counters, batches } = world(20, 1)
    const consumptions = await Promise.all(
      Array.from({ length: 25 }, (_, i) => counters[0]!.consume(i < 22 ? 'a' : 'b')),
    )
    expect(batches).to.deep.equal([
      [
        { client: 'a', requests: 22 },
        { client: 'b', requests: 3 },
      ],
    ])
    expect(consumptions.map(({ requests }) => requests)).to.deep.equal([
      ...Array.from({ length: 20 }, (_, i) => i + 1),
      21,
      21,
      1,
      2,
      3,
    ])
  })

  it('take no further lease while a query is pending', async () => {
    const { counters, batches, hold, release } = world(600, 1)
    const [counter] = counters
    hold('replies')
    const consumptions = [counter!.consume('a'), counter!.consume('a')]
    await turn()
    consumptions.push(counter!.consume('a'), counter!.consume('a'), counter!.consume('a'))
    await turn()
    release()
    expect((await Promise.all(consumptions)).map(({ requests }) => requests)).to.have.length(5)
    expect(batches.flat().map(({ requests }) => requests)).to.deep.equal([11, 3])
  })

  it('two processes share one limit; limits up to 60 are exact', async () => {
    const { counters } = world(60, 2)
    let admitted = 0
    for (let i = 0; i < 200; i += 1) if ((await counters[i % 2]!.consume('a')).requests <= 60) admitted += 1
    expect(admitted).to.equal(60)
  })

  it('with a limit of 600, one process can leave at most 9 requests unused for the others', async () => {
    const { counters } = world(600, 2)
    await counters[0]!.consume('a')
    let admitted = 1
    for (let i = 0; i < 700; i += 1) if ((await counters[1]!.consume('a')).requests <= 600) admitted += 1
    expect(admitted).to.equal(591)
    for (let i = 0; i < 20; i += 1) if ((await counters[0]!.consume('a')).requests <= 600) admitted += 1
    expect(admitted).to.equal(600)
  })

  it('a reply that arrives after its window has ended grants nothing in the next window', async () => {
    const { counters, clock, hold, release } = world(600, 1)
    const [counter] = counters
    await counter!.consume('a')
    for (let i = 2; i <= 10; i += 1) await counter!.consume('a')
    hold('replies')
    const late = counter!.consume('a')
    await turn()
    clock.ms += 60_000
    release()
    expect((await late).requests).to.equal(11)
    expect(counter!.consume('a')).to.be.instanceOf(Promise)
  })

  it('a reply about an earlier window grants nothing when the next window is known', async () => {
    const { counters, clock, hold, release } = world(600, 1)
    const [counter] = counters
    for (let i = 1; i <= 10; i += 1) await counter!.consume('a')
    hold('replies')
    const late = counter!.consume('a')
    await turn()
    clock.ms += 60_000
    hold(undefined)
    for (let i = 1; i <= 5; i += 1) expect((await counter!.consume('a')).requests).to.equal(i)
    release()
    await late
    for (let i = 6; i <= 600; i += 1) expect((await counter!.consume('a')).requests).to.equal(i)
    expect((await counter!.consume('a')).requests).to.be.above(600)
  })

  it('never exceed the limit in a window, and waiting for msLeft always helps, with any order and delay', async () => {
    const step = fc.record({
      process: fc.nat({ max: 2 }),
      burst: fc.integer({ min: 1, max: 30 }),
      pause: fc.oneof(fc.nat({ max: 50 }), fc.nat({ max: 30_000 })),
      late: fc.constantFrom(undefined, 'queries' as const, 'replies' as const),
    })
    const run = async (
      limit: number,
      steps: { process: number; burst: number; pause: number; late?: 'queries' | 'replies' }[],
    ) => {
      const { counters, store, clock, hold, release } = world(limit, 3)
      const admitted = new Map<number, number>()
      /** When the window of the store ends. Queries do not change it. */
      const windowEnd = () => Math.round(clock.ms + store('a', 0).msLeft)
      for (const { process, burst, pause, late } of steps) {
        clock.ms += pause
        hold(late)
        const consumptions = Array.from({ length: burst }, () => counters[process]!.consume('a'))
        await turn()
        if (late !== undefined) clock.ms += 75
        release()
        const used = await Promise.all(consumptions)
        const [end, now] = [windowEnd(), clock.ms]
        const granted = used.filter(({ requests }) => requests <= limit).length
        admitted.set(end, (admitted.get(end) ?? 0) + granted)
        expect(admitted.get(end)).to.be.at.most(limit)
        const refused = used.find(({ requests }) => requests > limit)
        if (refused === undefined) continue
        // Every process that refuses the client now returns the same msLeft.
        const waits = [refused.msLeft]
        for (const counter of counters) {
          const again = await counter.consume('a')
          if (again.requests > limit) waits.push(again.msLeft)
        }
        expect(Math.min(...waits)).to.be.at.least(end - now)
        clock.ms = now + Math.ceil(Math.min(...waits))
        for (const counter of counters) expect((await counter.consume('a')).requests).to.be.at.most(limit)
        admitted.set(windowEnd(), 3)
      }
    }
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(3, 60, 90, 600), fc.array(step, { maxLength: 40 }), run),
      { numRuns: 150 },
    )
  })
})
