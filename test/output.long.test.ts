import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, rmSync } from 'node:fs'
import { expect } from 'chai'
import { endProcesses, environmentOf, start } from './support/cli.ts'
import { testDatabase } from './support/database.ts'
import { exportText } from './support/importing.ts'
import { withTemporaryFolder } from './support/temporary-folder.ts'
import { clearWorld, onePageFile } from './support/world.ts'

describe('a command whose output nobody reads', () => {
  const folder = withTemporaryFolder()
  const open: number[] = []
  afterEach(async () => {
    await endProcesses()
    for (const fd of open.splice(0)) closeSync(fd)
  })

  const opened = (path: string): number => {
    open.push(openSync(path, constants.O_WRONLY))
    return open.at(-1)!
  }
  /** A pipe to write to, whose reader has gone. */
  const closedPipe = (): number => {
    const path = folder.path(`pipe-${open.length}`)
    execFileSync('mkfifo', [path])
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const writer = opened(path)
    closeSync(reader)
    rmSync(path)
    return writer
  }

  for (const args of [['--help'], ['check', '--json']]) {
    it(`lectern ${args.join(' ')}: ends with status 141, as by SIGPIPE, and says nothing`, async () => {
      const environment = { DATA_DIR: folder.path('data') }
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
    const { owner, place } = await testDatabase()
    await clearWorld()
    const file = folder.write('tea.ndjson', onePageFile('tea'))
    const importing = start(['import', 'ndjson', file], environmentOf(place), { stderr: closedPipe() })
    expect((await importing.ended).status).to.equal(0)
    expect(await exportText(owner)).to.include('"path":"tea"')
  })
})
