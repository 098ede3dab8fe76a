import { expect } from 'chai'
import type { ToPrimary } from '../src/workers/messages.ts'
import { makeSharedCounter } from '../src/workers/shared-counter.ts'
import { until } from './support/until.ts'

describe('shared counter of workers', () => {
  it('a stalled primary delays requests once, and gets one message a second; when it responds, it counts again', async () => {
    const messages: Extract<ToPrimary, { type: 'count' }>[] = []
    const counter = makeSharedCounter(600, (message) => messages.push(message as (typeof messages)[number]))
    const startedAt = performance.now()
    expect((await counter.consume('first')).requests).to.equal(1)
    expect(performance.now() - startedAt).to.be.at.least(950)
    const stalled = performance.now()
    for (let n = 0; n < 5_000; n++) await counter.consume(`client ${n}`)
    const seconds = Math.ceil((performance.now() - stalled) / 1000)
    expect(messages.length).to.be.within(2, 2 + seconds)

    counter.onReply(messages.at(-1)!.number, [[1, 60_000]])
    const before = messages.length
    const consumption = counter.consume('next')
    await until('the primary gets a message', () => messages.length === before + 1)
    const { number, leases } = messages.at(-1)!
    expect(leases).to.deep.equal([['next', 10]])
    counter.onReply(number, [[25, 30_000]])
    expect((await consumption).requests).to.equal(16) // 15 by others, and one of the 10 that this request leased
  })
})
