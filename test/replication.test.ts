import { expect } from 'chai'
import { makeReplication, type Replication } from '../src/db/replication.ts'

const at = (position: number, received = position) => ({ position, received })

describe('the state of a replica', () => {
  let replication: Replication<string>
  /** With MAX_REPLICA_LAG=10; the primary is at 100, and so is the replica `one`. */
  beforeEach(() => {
    replication = makeReplication(10)
    replication.onPrimaryHeartbeat(at(100), 0)
    replication.onReplicaHeartbeat('one', at(100), 0)
  })
  const state = (replica = 'one') => replication.stateOf(replica)

  it('is unknown before its first answer, and again after it was lost', () => {
    expect(state('two')).to.equal('unknown')
    replication.onReplicaHeartbeat('two', at(100), 0)
    expect(state('two')).to.equal('current')
    replication.onReplicaLost('two')
    expect(state('two')).to.equal('unknown')
  })

  it('goes from current to behind with a change, and back when the change is replayed', () => {
    expect(state()).to.equal('current')
    replication.onChange(1000)
    expect(state()).to.equal('behind')
    replication.onPrimaryHeartbeat(at(200), 1001)
    expect(state()).to.equal('behind')
    replication.onReplicaHeartbeat('one', at(199), 1002)
    expect(state()).to.equal('behind')
    replication.onReplicaHeartbeat('one', at(200), 1003)
    expect(state()).to.equal('current')
  })

  it('stays behind until the primary answers what it was asked after the change', () => {
    replication.onChange(1000)
    replication.onReplicaHeartbeat('one', at(1_000_000), 1001)
    replication.onPrimaryHeartbeat(at(100), 999)
    expect(state()).to.equal('behind')
    replication.onPrimaryHeartbeat(at(200), 1000)
    expect(state()).to.equal('current')
  })

  it('stays behind when the primary is lost after it said where the change is', () => {
    replication.onChange(1000)
    replication.onPrimaryHeartbeat(at(200), 1001)
    replication.onPrimaryLost()
    replication.onReplicaHeartbeat('one', at(199), 60_000)
    expect(state()).to.equal('behind')
    replication.onReplicaHeartbeat('one', at(200), 60_001)
    expect(state()).to.equal('current')
  })

  it('stays behind when the primary is lost before it said where the change is', () => {
    replication.onChange(1000)
    replication.onPrimaryLost()
    replication.onReplicaHeartbeat('one', at(1_000_000), 60_000)
    expect(state()).to.equal('behind')
    replication.onPrimaryHeartbeat(at(300), 61_000)
    expect(state()).to.equal('current')
  })

  it('does not become current by being lost and found', () => {
    replication.onChange(1000)
    replication.onPrimaryHeartbeat(at(200), 1001)
    replication.onPrimaryLost()
    replication.onReplicaLost('one')
    replication.onReplicaHeartbeat('one', at(100, 100), 2000)
    expect(state()).to.equal('behind')
  })

  it('is lagging when the primary has had more for longer than MAX_REPLICA_LAG, and that grows without the primary', () => {
    replication.onPrimaryHeartbeat(at(150), 1000)
    replication.onReplicaHeartbeat('one', at(149), 10_999)
    expect(state()).to.equal('current')
    expect(replication.lagOf('one')).to.equal(9.999)
    replication.onPrimaryLost()
    replication.onReplicaHeartbeat('one', at(149), 11_001)
    expect(state()).to.equal('lagging')
    replication.onReplicaHeartbeat('one', at(150), 11_002)
    expect(state()).to.equal('current')
  })

  it('stays current without a primary, if it has all that the primary was known to have', () => {
    replication.onPrimaryLost()
    replication.onReplicaHeartbeat('one', at(100), 3_600_000)
    expect(state()).to.equal('current')
  })

  it('is told by the promoted primary, whose log may go on from an earlier place', () => {
    replication.onChange(1000)
    replication.onPrimaryHeartbeat(at(200), 1001)
    replication.onPrimaryLost()
    replication.onReplicaHeartbeat('one', at(150), 2000)
    expect(state()).to.equal('behind')
    replication.onChange(3000)
    replication.onPrimaryHeartbeat(at(160), 3001)
    replication.onReplicaHeartbeat('one', at(160), 3002)
    expect(state()).to.equal('current')
    replication.onPrimaryHeartbeat(at(155), 4000)
    replication.onReplicaHeartbeat('one', at(155), 4001)
    expect(state()).to.equal('current')
  })

  it('is as it may be, where the primary cannot say where it is', () => {
    replication.onChange(1000)
    replication.onPrimaryHeartbeat({ position: null, received: null }, 1001)
    replication.onReplicaHeartbeat('one', { position: null, received: null }, 1002)
    expect(state()).to.equal('current')
  })

  describe('of a process that has not reached the primary since its start', () => {
    beforeEach(() => {
      replication = makeReplication(10)
    })

    it('is behind until the primary has answered, or was not to be reached', () => {
      replication.onReplicaHeartbeat('one', at(100), 0)
      expect(state()).to.equal('behind')
      expect(replication.isAwaitingPrimary()).to.equal(true)
      replication.onPrimaryLost()
      expect(state()).to.equal('current')
    })

    it('is behind while it has not replayed what it has received, as where replay is paused', () => {
      replication.onPrimaryLost()
      replication.onReplicaHeartbeat('one', at(100, 120), 0)
      expect(state()).to.equal('behind')
      replication.onReplicaHeartbeat('one', at(119, 500), 1)
      expect(state()).to.equal('behind')
      replication.onReplicaHeartbeat('one', at(120, 500), 2)
      expect(state()).to.equal('current')
    })

    it('is behind while it has not replayed what another had received', () => {
      replication.onReplicaHeartbeat('one', at(100), 0)
      replication.onPrimaryLost()
      replication.onReplicaHeartbeat('two', at(110, 120), 0)
      expect([state('one'), state('two')]).to.deep.equal(['behind', 'behind'])
      replication.onReplicaHeartbeat('two', at(120), 1)
      expect([state('one'), state('two')]).to.deep.equal(['behind', 'current'])
      replication.onReplicaLost('two')
      expect(state('one')).to.equal('behind')
    })

    it('is told by the primary as soon as that answers', () => {
      replication.onPrimaryLost()
      replication.onReplicaHeartbeat('one', at(100, 120), 0)
      replication.onPrimaryHeartbeat(at(100), 1)
      expect(state()).to.equal('current')
    })
  })

  describe('where a standby stands for the primary', () => {
    it('holds that standby to what the primary before it had committed', () => {
      replication.onChange(1000)
      replication.onPrimaryHeartbeat(at(200), 1001)
      replication.onPrimaryLost()
      replication.onStandbyHeartbeat(at(150))
      expect(replication.isPrimaryCurrent()).to.equal(false)
      replication.onStandbyHeartbeat(at(200))
      expect(replication.isPrimaryCurrent()).to.equal(true)
    })

    it('believes the standby once it is promoted', () => {
      replication.onChange(1000)
      replication.onPrimaryHeartbeat(at(200), 1001)
      replication.onPrimaryLost()
      replication.onStandbyHeartbeat(at(150))
      replication.onChange(5000)
      replication.onPrimaryHeartbeat(at(160), 5001)
      expect(replication.isPrimaryCurrent()).to.equal(true)
      replication.onReplicaHeartbeat('one', at(160), 5002)
      expect(state()).to.equal('current')
    })

    it('holds a standby that is all there ever was to what it had received', () => {
      replication = makeReplication(10)
      replication.onStandbyHeartbeat(at(100, 120))
      expect(replication.isPrimaryCurrent()).to.equal(false)
      replication.onStandbyHeartbeat(at(120, 500))
      expect(replication.isPrimaryCurrent()).to.equal(true)
    })
  })
})
