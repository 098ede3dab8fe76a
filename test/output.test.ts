import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { packagePath } from '../src/paths.ts'
import { endProcesses, environmentOf, lectern, start } from './support/cli.ts'
import { newPlace } from './support/database.ts'

describe('a command whose output nobody reads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-output-'))
  const open: number[] = []
  afterEach(async () => {
    await endProcesses()
    for (const fd of open.splice(0)) closeSync(fd)
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const opened = (path: string): number => {
    open.push(openSync(path, constants.O_WRONLY))
    return open.at(-1)!
  }
  /** A pipe to write to, whose reader has gone. */
  const closedPipe = (): number => {
    const path = join(folder, `pipe-${open.length}`)
    execFileSync('mkfifo', [path])
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const writer = opened(path)
    closeSync(reader)
    rmSync(path)
    return writer
  }

  for (const args of [['completion', 'bash'], ['--help'], ['check'], ['check', '--json']]) {
    it(`lectern ${args.join(' ')}: ends with status 141, as by SIGPIPE, and says nothing`, async () => {
      const environment = { DATA_DIR: join(folder, 'data') }
      const { status, stderr } = await start(args, environment, { stdout: closedPipe() }).ended
      expect(stderr).to.equal('')
      expect(status).to.equal(141)
    })
  }

  it('on a full disk ends with status 1, and says so', async () => {
    const { status, stderr } = await start(['completion', 'bash'], {}, { stdout: opened('/dev/full') }).ended
    expect(stderr).to.match(/^lectern: Cannot write to standard output: ENOSPC/)
    expect(status).to.equal(1)
  })

  it('an import is finished though nobody reads of its progress', async () => {
    const { place, remove } = await newPlace()
    try {
      const file = packagePath('sample', 'tea-wiki.ndjson')
      await lectern(['migrate'], environmentOf(place))
      const first = await start(['import', 'ndjson', file], environmentOf(place), { stderr: closedPipe() })
        .ended
      expect(first.status).to.equal(0)
      const second = await start(['import', 'ndjson', file], environmentOf(place)).ended
      expect(second.stderr).to.include('nothing new')
    } finally {
      await remove()
    }
  })
})
