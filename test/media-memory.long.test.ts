import { createHash } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { makeWorldWithFiles, sha256 } from './support/files.ts'
import { withService } from './support/service.ts'
import { until } from './support/until.ts'

const MIB = 1024 * 1024
const CLIENTS = 50

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** What this process needs, the service and its clients. V8 counts freed buffers until a later collection. */
const usedBytes = async (): Promise<number> => {
  for (let n = 0; n < 5; n += 1) {
    collectGarbage()
    await nextTurn()
  }
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return arrayBuffers + heapUsed
}

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
    const before = await usedBytes()
    const responses = await Promise.all(Array.from({ length: CLIENTS }, open))
    const readSome = (response: IncomingMessage) =>
      until('a client has read 64 KiB', () => response.destroyed || response.read(64 * 1024) !== null)
    await Promise.all(responses.map(readSome))
    expect(((await usedBytes()) - before) / MIB).to.be.lessThan(60)
    for (const response of responses) response.on('error', () => {}).destroy()
    const whole = createHash('sha256')
    for await (const chunk of await open()) whole.update(chunk)
    expect(whole.digest('hex')).to.equal(sha256(film))
  })
})
