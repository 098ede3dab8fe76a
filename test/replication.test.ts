import { expect } from 'chai'
import { makeReplication, type Replication } from '../src/db/replication.ts'

const at = (position: number, received = position) => ({
  position,
  received,
  data: '1/wiki',
  instance: '',
  isInRecovery: true,
})

describe('replication: the state of a replica', () => {
  let replication: Replication<string>
  /** With MAX_REPLICA_LAG=10; the primary is at 100, and so is the replica `one`. */
  beforeEach(() => {
    replication = makeReplication(10, '')
    replication.onPrimaryHeartbeat(at(100), 0)
    replication.onReplicaHeartbeat('one', at(100), 0)
  })
  const state = (replica = 'one') => replication.stateOf(replica)

  it('is unknown before its first heartbeat, and again after its loss', () => {
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

  it('stays behind when the primary is lost after it reported the position of the change', () => {
    replication.onChange(1000)
    replication.onPrimaryHeartbeat(at(200), 1001)
    replication.onPrimaryLost()
    replication.onReplicaHeartbeat('one', at(199), 60_000)
    expect(state()).to.equal('behind')
    replication.onReplicaHeartbeat('one', at(200), 60_001)
    expect(state()).to.equal('current')
  })

  it('stays behind when the primary is lost before it reported the position of the change', () => {
    replication.onChange(1000)
    replication.onPrimaryLost()
    replication.onReplicaHeartbeat('one', at(1_000_000), 60_000)
    expect(state()).to.equal('behind')
    replication.onPrimaryHeartbeat(at(300), 61_000)
    expect(state()).to.equal('current')
  })

  it('does not become current when it is lost and recovers', () => {
    replication.onChange(1000)
    replication.onPrimaryHeartbeat(at(200), 1001)
    replication.onPrimaryLost()
    replication.onReplicaLost('one')
    replication.onReplicaHeartbeat('one', at(100, 100), 2000)
    expect(state()).to.equal('behind')
  })

  it('is lagging when the primary has had more for longer than MAX_REPLICA_LAG, also while the primary is lost', () => {
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

  it('stays current without a primary, if it has everything that the primary reported', () => {
    replication.onPrimaryLost()
    replication.onReplicaHeartbeat('one', at(100), 3_600_000)
    expect(state()).to.equal('current')
  })

  it('follows a promoted primary, whose log may go on from a lower position', () => {
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

  describe('in a process that has not reached the primary since its start', () => {
    beforeEach(() => {
      replication = makeReplication(10, '')
    })

    it('is behind until the primary has responded, or could not be reached', () => {
      replication.onReplicaHeartbeat('one', at(100), 0)
      expect(state()).to.equal('behind')
      expect(replication.isAwaitingPrimary()).to.equal(true)
      replication.onPrimaryLost()
      expect(state()).to.equal('current')
    })

    it('is behind until it has replayed what it had received, for example while replay is paused', () => {
      replication.onPrimaryLost()
      replication.onReplicaHeartbeat('one', at(100, 120), 0)
      expect(state()).to.equal('behind')
      replication.onReplicaHeartbeat('one', at(119, 500), 1)
      expect(state()).to.equal('behind')
      replication.onReplicaHeartbeat('one', at(120, 500), 2)
      expect(state()).to.equal('current')
    })

    it('is behind until it has replayed what another replica had received', () => {
      replication.onReplicaHeartbeat('one', at(100), 0)
      replication.onPrimaryLost()
      replication.onReplicaHeartbeat('two', at(110, 120), 0)
      expect([state('one'), state('two')]).to.deep.equal(['behind', 'behind'])
      replication.onReplicaHeartbeat('two', at(120), 1)
      expect([state('one'), state('two')]).to.deep.equal(['behind', 'current'])
      replication.onReplicaLost('two')
      expect(state('one')).to.equal('behind')
    })
  })

  describe('with a standby in place of the primary', () => {
    it('requires that standby to replay what the lost primary had committed', () => {
      replication.onChange(1000)
      replication.onPrimaryHeartbeat(at(200), 1001)
      replication.onPrimaryLost()
      replication.onStandbyHeartbeat(at(150))
      expect(replication.isPrimaryCurrent()).to.equal(false)
      replication.onStandbyHeartbeat(at(200))
      expect(replication.isPrimaryCurrent()).to.equal(true)
    })

    it('follows the standby once it is promoted', () => {
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

    it('requires a standby without any primary to replay what it had received', () => {
      replication = makeReplication(10, '')
      replication.onStandbyHeartbeat(at(100, 120))
      expect(replication.isPrimaryCurrent()).to.equal(false)
      replication.onStandbyHeartbeat(at(120, 500))
      expect(replication.isPrimaryCurrent()).to.equal(true)
    })
  })
})

describe('replication: whose data a replica has', () => {
  const primary = { position: 100, received: 100, data: '1/wiki', instance: 'one', isInRecovery: false }
  const standby = { ...primary, instance: 'two', isInRecovery: true }
  const promoted = { ...standby, isInRecovery: false }
  let replication: Replication<string>
  beforeEach(() => {
    replication = makeReplication(10, '/wiki')
  })
  const onPrimary = (report = primary) => replication.onPrimaryHeartbeat(report, 0)
  const onReplica = (report: typeof primary) => replication.onReplicaHeartbeat('one', report, 0)
  const state = () => replication.stateOf('one')

  for (const [what, other, reason] of [
    ['a standby of another cluster', { ...standby, data: '2/wiki' }, 'it is database 2/wiki, not 1/wiki'],
    ['another database', { ...standby, data: '1/lectern2' }, '1/lectern2'],
    ['a copy that accepts writes', { ...primary, instance: 'returned' }, 'accepts writes'],
    ['a server that does not tell', { ...standby, data: '' }, 'it is database unknown'],
  ] as const)
    it(`${what} is not read from, whether it or the primary responds first`, () => {
      onReplica(other)
      onPrimary()
      expect(state()).to.equal('unknown')
      onReplica(other)
      expect(state()).to.equal('unknown')
      expect(() => replication.checkReplica(other)).to.throw(reason)
    })

  it('a standby of the primary, and the primary itself, are read from', () => {
    onPrimary()
    for (const same of [standby, primary]) {
      onReplica(same)
      expect(state()).to.equal('current')
    }
  })

  it('before the primary has responded, only a standby with the name of the database is accepted', () => {
    replication.checkReplica(standby)
    expect(() => replication.checkReplica({ ...standby, data: '1/lectern2' })).to.throw('lectern2')
    expect(() => replication.checkReplica(primary)).to.throw('accepts writes')
  })

  it('a standby that is promoted while there is no primary stays, until another server is the primary', () => {
    onPrimary()
    onReplica(standby)
    replication.onPrimaryLost()
    onReplica(promoted)
    expect(state()).to.equal('current')
    onPrimary(promoted)
    expect(state()).to.equal('current')
    onPrimary()
    expect(state()).to.equal('unknown')
  })

  it('a server that was never a standby is not read from while there is no primary', () => {
    onPrimary()
    onReplica(standby)
    replication.onPrimaryLost()
    onReplica({ ...promoted, instance: 'returned' })
    expect(state()).to.equal('unknown')
  })

  it('servers that do not tell are not read from', () => {
    const silent = { ...standby, data: '', instance: '' }
    onPrimary(silent)
    for (const report of [silent, standby]) {
      onReplica(report)
      expect(state()).to.equal('unknown')
    }
  })
})
