import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { CLI } from '../support/cli.ts'
import { LONG_LIVED } from '../support/engine.ts'
import { linesOfFile } from '../support/importing.ts'
import { until } from '../support/until.ts'
import { recordsOf } from '../support/world.ts'
import { openTerminal } from './support/terminal.ts'

const HIDE = '\u001b[?25l'
const SHOW = '\u001b[?25h'
const CTRL_C = '\u0003'

/** Runs `lectern` on a terminal. */
const onTerminal = (args: string[], environment: Record<string, string> = {}) =>
  openTerminal(
    [process.execPath, ...LONG_LIVED, CLI, ...args].map((word) => `'${word}'`).join(' '),
    environment,
  )

describe('on a terminal', () => {
  let folder: string
  let environment: Record<string, string>
  let file: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lectern-terminal-'))
    environment = { DATA_DIR: join(folder, 'data') }
    file = join(folder, 'wiki.ndjson')
    const pages = Array.from({ length: 1_600 }, (_, i) => ({ path: `p${i}` }))
    await writeFile(file, linesOfFile(...recordsOf({ pages })))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('long work shows a bar with its rate and what time is left, and gives the cursor back', async () => {
    const importing = onTerminal(['import', 'ndjson', file], environment)
    expect(await importing.ended, importing.shown()).to.equal(0)
    expect(importing.shown()).to.match(/\d+ % {2}[\d.]+ of [\d.]+ MB, [\d.]+ MB\/s/)
    expect(importing.shown()).to.match(/\r\nRead 1600 pages, 0 categories, 1600 edits/)
    const target = join(folder, 'out.ndjson.gz')
    const exporting = onTerminal(['export', target], environment)
    expect(await exporting.ended, exporting.shown()).to.equal(0)
    // It is drawn ten times a second: which part of so quick a work it shows is chance.
    expect(exporting.shown()).to.match(/\d+ % {2}\d+ of 1600 pages, \d+\/s/)
    for (const { shown } of [importing, exporting]) {
      expect(shown()).to.include(HIDE)
      expect(shown().lastIndexOf(SHOW)).to.be.above(shown().lastIndexOf(HIDE))
    }
  })

  it('Ctrl-C ends the work at once, says what is left of it, and gives the cursor back', async () => {
    const importing = onTerminal(['import', 'ndjson', file], environment)
    await importing.shows(/ MB\/s/)
    importing.type(CTRL_C)
    expect(await importing.ended).to.equal(130)
    expect(importing.shown()).to.include('Stopped. The import is rolled back; nothing has changed.')
    expect(importing.shown().lastIndexOf(SHOW)).to.be.above(importing.shown().lastIndexOf(HIDE))
    expect(importing.shown()).not.to.include('1600 edits')
  })

  it('a service ends with its terminal', async () => {
    const serving = onTerminal(['serve'], { ...environment, PORT: '0', INTERNAL_PORT: '0' })
    await serving.shows(/Lectern serves \S+\s/)
    const [, url] = /Lectern serves (\S+)/.exec(serving.shown())!
    expect((await fetch(url!)).status).to.equal(200)
    await serving.close()
    const isGone = () =>
      fetch(url!).then(
        () => false,
        () => true,
      )
    await until('the port is closed', isGone)
  })

  it('errors are red and checks are coloured, but for NO_COLOR', async () => {
    for (const [more, expected] of [
      [{}, true],
      [{ NO_COLOR: '1' }, false],
    ] as const) {
      const wrong = onTerminal(['import', 'ndjson', 'none'], { ...environment, ...more })
      expect(await wrong.ended).to.equal(1)
      expect(wrong.shown().includes('\u001b[31mlectern:\u001b[39m The file none does not exist.')).to.equal(
        expected,
      )
      const checking = onTerminal(['check'], { ...environment, ...more, PORT: '0', INTERNAL_PORT: '0' })
      expect(await checking.ended, checking.shown()).to.equal(0)
      expect(checking.shown().includes('\u001b[32mok')).to.equal(expected)
      const helping = onTerminal(['--help'], { ...environment, ...more })
      expect(await helping.ended).to.equal(0)
      expect(helping.shown().includes('\u001b[1mUsage:')).to.equal(expected)
    }
  })
})
