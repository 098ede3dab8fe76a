import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect } from 'chai'
import { startDeadline } from '../src/db/connection-sharing.ts'
import { singleHost } from '../src/db/hosts.ts'
import { type ServerWatch, watchServer } from '../src/db/watch.ts'

describe('watch of a database server', () => {
  it('tries a lost server every half second, however many statements fail meanwhile', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    let watch: ServerWatch | undefined
    let attempts = 0
    const startedAt = performance.now()
    try {
      await new Promise<void>((resolve) => {
        const opened = watchServer({
          hosts: singleHost({
            host: '127.0.0.1',
            port: (server.address() as AddressInfo).port,
            user: 'a',
            database: 'b',
          }),
          lifetime: () => 60_000,
          onFailover: () => {},
          onConnected: () => {},
          listensForChanges: false,
          sendsHeartbeats: true,
          onHeartbeat: () => {},
          shouldPollFast: () => false,
          onChange: () => {},
          onLost: () => {
            attempts += 1
            if (attempts === 4) resolve()
          },
        })
        opened.then((result) => {
          watch = result
        })
        const checkRepeatedly = () => {
          watch?.checkNow()
          if (attempts < 4) setImmediate(checkRepeatedly)
        }
        checkRepeatedly()
      })
      // Three pauses of half a second; a timer may fire a millisecond early.
      expect(performance.now() - startedAt).to.be.at.least(1490)
    } finally {
      await watch?.stop()
      server.close()
    }
  })
})

describe('deadlines', () => {
  it('do not expire for a result that arrived while this process was stalled', async () => {
    let hasExpired = false
    const end = startDeadline(40, () => {
      hasExpired = true
    })
    setImmediate(end) // like a result that is read right after the stall
    for (const until = performance.now() + 80; performance.now() < until; );
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(hasExpired).to.equal(false)
  })

  it('end what takes too long, and nothing that ended in time', async () => {
    const expired: string[] = []
    startDeadline(40, () => expired.push('done'))()
    const startedAt = performance.now()
    await new Promise<void>((resolve) => {
      startDeadline(40, () => expired.push('first'))
      startDeadline(40, () => {
        expired.push('second')
        resolve()
      })
    })
    expect(performance.now() - startedAt).to.be.at.least(39)
    expect(expired).to.deep.equal(['first', 'second'])
  })
})
