import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { directoryError } from '../src/db/embedded/data-directory.ts'
import { UsageError } from '../src/errors.ts'
import { folderError, openPartial } from '../src/export/partial.ts'
import { lockFolder, lockWithSocket, type ProcessLock } from '../src/process-lock/process-lock.ts'
import { prepareSocketDirectory } from '../src/process-lock/socket-directory.ts'

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
    await raceFor(20, () => lockWithSocket(directory, 'clients', (socket) => socket.destroy()))
    expect(readdirSync(folder).sort()).to.deep.equal(['.owner.20', 'clients'])
  })

  it('leaves nothing but its own socket in a folder without clients', async () => {
    const folder = newFolder('without-clients')
    const directory = prepareSocketDirectory(folder)
    await raceFor(5, () => lockFolder(directory))
    expect(readdirSync(folder)).to.deep.equal(['.owner.20'])
  })

  it('a second export to the same file is refused as an export', async () => {
    const file = join(newFolder('exports'), 'wiki.ndjson')
    const options = { view: 'everything', gzip: false } as const
    const first = await openPartial(file, options)
    const refusal = await openPartial(file, options).catch((error: unknown) => error)
    await first.close()
    expect(messageOf(refusal)).to.match(/^Another process is exporting to /)
    expect(messageOf(refusal)).to.not.match(/embedded|database/)
  })

  for (const [what, error] of [
    ['on a file system without sockets', systemError('EPERM', 'listen')],
    ['on a file system without hard links', systemError('ENOTSUP', 'link')],
    ['that this user cannot write', systemError('EACCES', 'access')],
    ['of another user', systemError('EACCES', 'connect')],
  ] as const) {
    it(`a folder ${what}: the message of an export does not mention the embedded database`, () => {
      const message = messageOf(folderError('/exports/wiki.partial', error))
      expect(message)
        .to.include('/exports/wiki.partial')
        .and.to.match(/export/i)
      expect(message).to.not.match(/embedded|database|DATA_DIR/)
    })

    it(`a folder ${what}: the message of the embedded database does not mention an export`, () => {
      const message = messageOf(directoryError('/data/wiki', error))
      expect(message).to.include('/data/wiki').and.include('embedded database')
      expect(message).to.not.match(/export/i)
    })
  }

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
