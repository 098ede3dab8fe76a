import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect } from 'chai'
import { makeDeadlines } from '../src/db/deadlines.ts'
import { singleHost } from '../src/db/hosts.ts'
import { type ServerWatch, watchServer } from '../src/db/watch.ts'

describe('a database server that is lost', () => {
  it('is looked for every half second, however many statements fail meanwhile', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    let watch: ServerWatch | undefined
    let attempts = 0
    const began = performance.now()
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
        opened.then((made) => {
          watch = made
        })
        const hurry = () => {
          watch?.checkNow()
          if (attempts < 4) setImmediate(hurry)
        }
        hurry()
      })
      // Three pauses of half a second; a timer may fire a millisecond early.
      expect(performance.now() - began).to.be.at.least(1490)
    } finally {
      await watch?.stop()
      server.close()
    }
  })
})

describe('deadlines', () => {
  it('spare what arrived while this process stood still', async () => {
    const deadlines = makeDeadlines(40)
    let wasLate = false
    const deadline = deadlines.begin(() => {
      wasLate = true
    })
    setImmediate(() => deadlines.end(deadline)) // as an answer that is read in the turn after the stall
    for (const until = performance.now() + 80; performance.now() < until; );
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(wasLate).to.equal(false)
  })

  it('end what takes too long, and nothing that was done in time', async () => {
    const deadlines = makeDeadlines(40)
    const ended: string[] = []
    const done = deadlines.begin(() => ended.push('done'))
    deadlines.end(done)
    const began = performance.now()
    await new Promise<void>((resolve) => {
      deadlines.begin(() => ended.push('first'))
      deadlines.begin(() => {
        ended.push('second')
        resolve()
      })
    })
    expect(performance.now() - began).to.be.at.least(39)
    expect(ended).to.deep.equal(['first', 'second'])
  })
})
