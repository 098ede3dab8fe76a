import { expect } from 'chai'
import { makePositionHistory } from '../src/db/position-history.ts'

describe("a replica's lag", () => {
  it('is 0 while it has all that the primary is known to have, however long nobody writes', () => {
    const timeline = makePositionHistory(10)
    timeline.add(100, 0)
    timeline.add(100, 3_600_000)
    expect(timeline.lagOf(100, 3_600_000)).to.equal(0)
    expect(timeline.lagOf(101, 3_600_000)).to.equal(0)
  })

  it('is the time since the primary first had something that it lacks', () => {
    const timeline = makePositionHistory(10)
    timeline.add(100, 0)
    timeline.add(200, 1000)
    timeline.add(300, 2000)
    expect(timeline.lagOf(200, 5000)).to.equal(3)
    expect(timeline.lagOf(150, 5000)).to.equal(4)
    expect(timeline.lagOf(300, 5000)).to.equal(0)
  })

  it('is at least what is remembered, for one that lacks more than that', () => {
    const timeline = makePositionHistory(10)
    for (let second = 0; second <= 60; second += 1) timeline.add(100 + second, second * 1000)
    expect(timeline.lagOf(100, 60_000)).to.equal(10)
  })

  it('is 0 while nothing is known of the primary', () => {
    expect(makePositionHistory(10).lagOf(1, 9000)).to.equal(0)
  })

  it('begins anew with a primary whose log begins earlier', () => {
    const timeline = makePositionHistory(10)
    timeline.add(500, 0)
    timeline.add(400, 1000)
    expect(timeline.lagOf(400, 2000)).to.equal(0)
    expect(timeline.lagOf(300, 2000)).to.equal(1)
  })
})
