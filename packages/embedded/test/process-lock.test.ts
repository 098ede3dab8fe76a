import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { directoryError } from '@lectern/embedded/data-directory'
import { lockWithSocket, type ProcessLock, prepareSocketDirectory } from '@lectern/embedded/process-lock'
import { UsageError } from '@lectern/wiki/errors'
import { expect } from 'chai'

const systemError = (code: string, syscall: string): Error =>
  Object.assign(new Error('reported by the system'), { code, syscall })

const messageOf = (error: unknown): string => {
  expect(error).to.be.instanceOf(UsageError)
  return (error as Error).message
}

describe('process lock', () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'process-lock-')))
  after(() => rmSync(top, { recursive: true, force: true }))

  const newFolder = (name: string): string => {
    mkdirSync(join(top, name))
    return join(top, name)
  }

  const raceFor = async (attempts: number, lock: () => Promise<ProcessLock | null>): Promise<void> => {
    for (let round = 0; round < 20; round++) {
      const locks = await Promise.all(Array.from({ length: attempts }, lock))
      const owned = locks.filter((one) => one !== null)
      expect(owned).to.have.length(1)
      await owned[0]!.release()
    }
  }

  it('gives a folder to one of several processes that lock it at once, and to the next after its release', async () => {
    const folder = newFolder('with-socket')
    const directory = prepareSocketDirectory(folder)
    await raceFor(20, () => lockWithSocket(directory, (socket) => socket.destroy(), 'clients'))
    expect(readdirSync(folder).sort()).to.deep.equal(['.owner.20', 'clients'])
  })

  it('a data folder on a file system without sockets: the message names sockets and a local disk', () => {
    expect(messageOf(directoryError('/data/wiki', systemError('EPERM', 'listen')))).to.equal(
      '/data/wiki is on a file system without sockets (EPERM), and the embedded database needs them. Choose a folder on a local disk.',
    )
  })

  it('a data folder that this user cannot write: the message says to make it writable', () => {
    expect(messageOf(directoryError('/data/wiki', systemError('EACCES', 'access')))).to.equal(
      'The embedded database cannot use /data/wiki (EACCES). Make it writable, or choose another folder on a local disk.',
    )
  })
})
