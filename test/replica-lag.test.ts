import { expect } from 'chai'
import { makePositionHistory } from '../src/db/replication.ts'

describe('replica lag', () => {
  it('is 0 while the replica has everything of the primary, however long nobody writes', () => {
    const history = makePositionHistory(10)
    history.add(100, 0)
    history.add(100, 3_600_000)
    expect(history.lagOf(100, 3_600_000)).to.equal(0)
    expect(history.lagOf(101, 3_600_000)).to.equal(0)
  })

  it('is the time since the primary first had something that the replica lacks', () => {
    const history = makePositionHistory(10)
    history.add(100, 0)
    history.add(200, 1000)
    history.add(300, 2000)
    expect(history.lagOf(200, 5000)).to.equal(3)
    expect(history.lagOf(150, 5000)).to.equal(4)
    expect(history.lagOf(300, 5000)).to.equal(0)
  })

  it('is at least the length of the history, for a replica that lacks more', () => {
    const history = makePositionHistory(10)
    for (let second = 0; second <= 60; second += 1) history.add(100 + second, second * 1000)
    expect(history.lagOf(100, 60_000)).to.equal(10)
  })

  it('is 0 before the first heartbeat of the primary', () => {
    expect(makePositionHistory(10).lagOf(1, 9000)).to.equal(0)
  })

  it('starts again with a primary whose log is at a lower position', () => {
    const history = makePositionHistory(10)
    history.add(500, 0)
    history.add(400, 1000)
    expect(history.lagOf(400, 2000)).to.equal(0)
    expect(history.lagOf(300, 2000)).to.equal(1)
  })
})
