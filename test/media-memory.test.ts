import { createHash } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { makeWorldWithFiles, sha256 } from './support/files.ts'
import { withService } from './support/service.ts'
import { until } from './support/until.ts'

const MIB = 1024 * 1024
const CLIENTS = 50

describe('a file of 25 MiB', () => {
  const test = withService()
  const film = Buffer.alloc(25 * MIB, 'Each client reads some of it, and waits. ')
  const path = `/media/${sha256(film)}/film.bin`
  before(async () => {
    await makeWorldWithFiles({ pages: [{ path: 'tea', revisions: [{ markdown: '[](film.bin)' }] }] }, [
      { path: 'film.bin', data: film },
    ])
    test.service.invalidate()
  })

  const open = (): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      get(`${test.service.listeningUrl}${path}`, { agent: false }, resolve).on('error', reject)
    })

  it('does not fill the memory, although 50 clients read it slowly, and arrives whole', async () => {
    const before = process.memoryUsage()
    const responses: IncomingMessage[] = []
    for (let i = 0; i < CLIENTS; i++) responses.push(await open())
    // A client that has not read anything for long is disconnected, so each reads a little now and then.
    for (let round = 0; round < 5; round++)
      await Promise.all(
        responses.map((response) =>
          until('a client has read 64 KiB', () => response.read(64 * 1024) !== null),
        ),
      )
    const after = process.memoryUsage()
    expect(
      (after.arrayBuffers + after.heapUsed - before.arrayBuffers - before.heapUsed) / MIB,
    ).to.be.lessThan(60)
    const [one, ...others] = responses as [IncomingMessage, ...IncomingMessage[]]
    for (const response of others) response.destroy()
    const rest = createHash('sha256').update(film.subarray(0, 5 * 64 * 1024))
    for await (const chunk of one) rest.update(chunk)
    expect(rest.digest('hex')).to.equal(sha256(film))
  })
})
