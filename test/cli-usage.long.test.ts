import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect } from 'chai'
import { makeProgram } from '../src/commands/program.ts'
import { packagePath } from '../src/paths.ts'
import { endProcesses, expectFailure, lectern, lecternHere } from './support/cli.ts'
import { withHistory } from './support/fast-import.ts'
import { withTemporaryFolder } from './support/temporary-folder.ts'

describe('lectern: help and usage errors', () => {
  it('lists every command with --help', async () => {
    const { status, stdout } = await lecternHere(['--help'], { npm_lifecycle_event: 'npx' })
    expect(status).to.equal(0)
    const lines = stdout.trimEnd().split('\n')
    // It names itself as the user ran it, once.
    expect(
      lines.slice(1, 4).map((line) => /^ +npx lectern (serve \.|serve|check)/.exec(line)?.[1]),
    ).to.deep.equal(['serve', 'serve .', 'check'])
    const names = makeProgram().commands.map((command) => command.name())
    for (const name of names.filter((one) => !one.startsWith('__') && one !== 'detach'))
      expect(stdout).to.match(new RegExp(`^ +${name} .*\\S {2,}\\S|^ +${name} {2,}\\S`, 'm'))
    expect(stdout).to.match(/^ +attach .*detach/m)
    expect(lines.length, 'of a terminal, whose last line is the prompt').to.be.at.most(23)
    expect(lines.slice(4).filter((line) => line.length > 80)).to.deep.equal([])
    expect(existsSync(lines.at(-1)!.replace('Settings: ', ''))).to.equal(true)
  })

  for (const [args, expected] of [
    [
      ['sreve'],
      'error: unknown command \'sreve\'\n(Did you mean serve?)\nRun "npx lectern --help" for usage.\n',
    ],
    [
      ['../mkdocs'],
      'error: unknown command \'../mkdocs\'\n(Did you mean: npx lectern serve ../mkdocs?)\nRun "npx lectern --help" for usage.\n',
    ],
    [
      ['import', '/tea.git'],
      'error: unknown command \'/tea.git\'\n(Did you mean: npx lectern import git /tea.git?)\nRun "npx lectern import --help" for usage.\n',
    ],
    [
      ['import', 'markdown'],
      'error: unknown command \'markdown\'\n(Did you mean folder?)\nRun "npx lectern import --help" for usage.\n',
    ],
    [
      ['import', 'ndjson'],
      'error: missing required argument \'file\'\nRun "npx lectern import ndjson --help" for usage.\n',
    ],
    [
      ['follow', 'x', '--every', '2d'],
      "error: option '--every <duration>' argument '2d' is invalid. It must be a time from 1s to 24h, such as 30s, 5m or 1h.\nRun \"npx lectern follow --help\" for usage.\n",
    ],
    [
      ['serve', '--prot', '80'],
      'error: unknown option \'--prot\'\n(Did you mean --port?)\nRun "npx lectern serve --help" for usage.\n',
    ],
  ] as const) {
    it(`answers "lectern ${args.join(' ')}" with a hint and status 2`, async () => {
      expect(await lecternHere([...args], { npm_lifecycle_event: 'npx' })).to.include({
        status: 2,
        stdout: '',
        stderr: expected,
      })
    })
  }

  it('npm start refuses options that npm kept for itself', () => {
    const start = (kept: object) =>
      spawnSync(process.execPath, [packagePath('dist', 'tools', 'npm-options.js')], {
        env: { ...process.env, ...kept },
        encoding: 'utf8',
      })
    expect(start({ npm_config_exclude: 'Private/**', npm_config_redirects: '' })).to.include({
      status: 2,
      stderr:
        'lectern: npm has kept --exclude, --no-redirects for itself. Write -- before the source: npm start -- SOURCE --exclude …\n',
    })
    expect(start({ npm_config_yes: 'true', npm_config_loglevel: 'silent' })).to.include({
      status: 0,
      stderr: '',
    })
  })

  it('gives examples in the help of every command', async () => {
    const commands = makeProgram()
      .commands.filter((command) => command.name() !== '__complete') // only scripts run it
      .flatMap((command) => (command.commands.length > 0 ? command.commands : [command]))
    expect(commands.length).to.be.at.least(9)
    for (const command of commands) {
      let help = ''
      command.configureOutput({
        writeOut: (text) => {
          help += text
        },
      })
      command.outputHelp()
      expect(help, command.name()).to.match(/\nExamples?:\n {2}\S/)
    }
  })
})

describe('lectern: refuses bad arguments at once and creates no database', () => {
  const folder = withTemporaryFolder()
  afterEach(endProcesses)
  const cases: [what: string, file: string, expected: string][] = [
    ['a file that does not exist', 'none.ndjson', 'The file none.ndjson does not exist.'],
    ['a folder instead of a file', '/', '/ is a folder'],
  ]
  for (const [what, file, expected] of cases) {
    it(`refuses ${what}`, async () => {
      const dataDir = folder.path('none')
      expectFailure(await lecternHere(['import', 'ndjson', file], { DATA_DIR: dataDir }), expected)
      expect(existsSync(dataDir)).to.equal(false)
    })
  }

  it('refuses options of a source without one', async () => {
    for (const [option = '', ...value] of [['--every', '5m'], ['--yes'], ['--no-redirects']]) {
      const ended = await lecternHere(['serve', option, ...value], { DATA_DIR: folder.path('none') })
      expect(ended.stderr).to.match(
        new RegExp(`^error: ${option} needs a source, such as: .* serve \\.\\./docs`),
      )
      expect(ended.status).to.equal(2)
    }
    expect(existsSync(folder.path('none'))).to.equal(false)
  })

  it('tells all wrong options of an import at once, before it opens a database', async () => {
    await withHistory([{ 'tea.md': '# Tea' }], async (repository) => {
      const options = '--locale englisch.de --license CC0 --ref nope --history 2024 --layout tea --source a/b'
      for (const command of ['import git', 'follow', 'serve']) {
        const args = [...command.split(' '), repository, ...options.split(' ')]
        const environment = { DATABASE_URL: 'postgresql://ada@127.0.0.1:1/wiki', LOG_FORMAT: 'pretty' }
        const { status, stderr } = await lecternHere(args, environment)
        const expected = [
          '--locale must be a language such as en or pt-br, but is "englisch.de".',
          '--license must be an http or https URL, but is "CC0".',
          '--history must be all, none or since= and a date, such as since=2024-01-31, not "2024".',
          '--source must be at most 50 letters, digits, dots, hyphens and underscores, such as docs, but is "a/b".',
          'The layout tea must contain {path} once.',
          ...(command !== 'import git' ? [] : [`nope is not a commit of ${repository}. Set --ref to`]),
        ]
        expect(status).to.equal(2)
        expect(stderr).to.match(new RegExp(`^lectern: ${expected.length} problems:`))
        for (const problem of expected) expect(stderr).to.include(`\n  ${problem}`)
      }
    })
  })

  it('tells of a misspelled variable; refuses a database that does not answer, without its password', async () => {
    // A process with a parent that it can write to, as that of parallel tests, tells no misspelled variables.
    const ended = await lectern(['export', folder.path('x.ndjson')], {
      DATABASE_URL: 'postgresql://ada:s3cr3t@127.0.0.1:1/wiki',
      PROT: '1',
    })
    expect(ended.status).to.equal(1)
    expect(ended.stderr).to.match(
      /^Warning: PROT \(environment\) is not read\. Did you mean PORT\?\nlectern: DATABASE_URL \(environment\): .*127\.0\.0\.1:1\/wiki: nothing listens there.*ECONNREFUSED/,
    )
    expect(existsSync(folder.path('x.ndjson.partial'))).to.equal(false)
    expect(ended.stderr).not.to.include('s3cr3t')
  })

  it('ends if the database of an import does not answer', async () => {
    await withHistory([{ 'tea.md': '# Tea' }], async (repository) => {
      const DATABASE_URL = 'postgresql://ada@127.0.0.1:1/wiki'
      const { status, stderr } = await lecternHere(['import', 'git', repository], { DATABASE_URL })
      expect(status).to.equal(1)
      expect(stderr).to.match(/^lectern: .*nothing listens there/)
    })
  })
})
