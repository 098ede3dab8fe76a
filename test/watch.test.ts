import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect } from 'chai'
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
