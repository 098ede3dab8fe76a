import { expect } from 'chai'
import type { ToPrimary } from '../src/workers/messages.ts'
import { makeSharedCounter } from '../src/workers/shared-counter.ts'
import { until } from './support/until.ts'

describe('counting in the primary of workers', () => {
  it('a primary that stands still keeps requests waiting once, and gets one message a second; then it counts again', async () => {
    const sent: Extract<ToPrimary, { type: 'count' }>[] = []
    const counting = makeSharedCounter(600, (message) => sent.push(message as (typeof sent)[number]))
    const began = performance.now()
    expect((await counting.consume('first')).requests).to.equal(1)
    expect(performance.now() - began).to.be.at.least(950)
    const stalled = performance.now()
    for (let n = 0; n < 5_000; n++) await counting.consume(`client ${n}`)
    const seconds = Math.ceil((performance.now() - stalled) / 1000)
    expect(sent.length).to.be.within(2, 2 + seconds)

    counting.onReply(sent.at(-1)!.number, [[1, 60_000]])
    const before = sent.length
    const answer = counting.consume('next')
    await until('the primary is asked', () => sent.length === before + 1)
    const { number, draws } = sent.at(-1)!
    expect(draws).to.deep.equal([['next', 10]])
    counting.onReply(number, [[25, 30_000]])
    expect((await answer).requests).to.equal(16) // 15 by others, and this one of the ten
  })
})
