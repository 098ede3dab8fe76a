import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { ConfigError } from '@lectern/wiki/errors'
import { expect } from 'chai'
import { dataDirProblem } from '../src/check/machine.ts'
import { readConfigToServe } from '../src/check/start.ts'
import { loadSettings } from '../src/config/settings.ts'
import { expectFailure, lectern, lecternHere } from './support/cli.ts'
import { SAMPLE_WIKI } from './support/sample.ts'
import { withTemporaryFolder } from './support/temporary-folder.ts'

/** Settings of an environment, or lines of an environment file; each problem that the start must name; `#` is the file. */
type Case = [settings: Record<string, string> | string, ...problems: string[]]

const whole = (max: string) => `must be a whole number from 0 to ${max}, but is`
const DATABASE = 'must be a URL such as postgresql://user:password@host:5432/database.'
const LINE = 'must be VARIABLE=value, with both quotes or none.'

const CASES: Case[] = [
  [
    { PORT: '4711', INTERNAL_PORT: '4711' },
    'PORT (environment) and INTERNAL_PORT (environment) are both 4711.',
  ],
  [
    { BASE_URL: 'wiki.example' },
    'BASE_URL (environment) must be an http or https URL, but is "wiki.example".',
  ],
  [
    { WIKI_ADDRESSES: 'en=x' },
    'WIKI_ADDRESSES (environment) must be a list in which en has an http or https URL',
  ],
  [
    { WIKI_ADDRESSES: 'en=http://a.b,english_us=http://c.d' },
    'WIKI_ADDRESSES (environment) must be a list of languages such as en or pt-br and their URLs, not english_us',
  ],
  [
    { FILES_URL: 's3://bucket/f', DATABASE_URL: 'postgresql://127.0.0.1:1/x', AWS_CONFIG_FILE: '/dev/null' },
    'FILES_URL (environment): no region is set. Set AWS_REGION.',
  ],
  [
    { HOST: '192.0.2.1', PORT: 'x' },
    `PORT (environment) ${whole('65535')} "x".`,
    'HOST (environment) must be an address of this machine, but is "192.0.2.1"',
  ],
  [
    { DATABASE_URL: '"postgres://a.example/x"' },
    'DATABASE_URL (environment) must be a URL without quotes around',
  ],
  [
    { DATABASE_URL: 'postgres://a.example:99999/x' },
    'DATABASE_URL (environment) must be a URL whose port is at most 65535.',
  ],
  [
    { WIKI_ADDRESSES: 'en=http://a.b,en=http://c.d' },
    'WIKI_ADDRESSES (environment) must be a list that names',
  ],
  [{ FILES_URL: 's3://bucket' }, 'FILES_URL (environment) requires DATABASE_URL'],
  [
    { DATABASE_URL: 'mysql://x', DATABASE_REPLICA_URLS: 's3cr3t' },
    `DATABASE_URL (environment) ${DATABASE}`,
    `DATABASE_REPLICA_URLS (environment) ${DATABASE}`,
  ],
  [
    { SITE_LOGO: '/etc/hostname', SITE_STYLES: '/bin/sh' },
    'SITE_LOGO (environment) must be a file .svg or .png',
    'SITE_STYLES (environment) must be CSS of at most 32 KiB, without </style>',
  ],
  [
    { DATA_DIR: '~/wiki' },
    'DATA_DIR (environment) must be a path without ~, which only shells replace, but is',
  ],
  [{ DATA_DIR: '/proc/x' }, 'DATA_DIR (environment): this user cannot write to /proc'],
  [{ DATA_DIR: '/etc/hostname/x' }, 'DATA_DIR (environment): /etc/hostname is a file, not a folder.'],
  [{ DATA_DIR: '/usr' }, 'DATA_DIR (environment): /usr has other files (such as '],
  [
    { RATE_LIMT: '3', PORT: 'x' },
    `PORT (environment) ${whole('65535')} "x".`,
    'RATE_LIMT (environment) is not read. Did you mean RATE_LIMIT?',
  ],
  ['PORT 8080\nRATE_LIMIT=x\n', `#, line 1 ${LINE}`, `RATE_LIMIT (#, line 2) ${whole('100000000')} "x".`],
  ['PORT: 8080\n', `#, line 1 ${LINE}`],
  ['\n=x\n', `#, line 2 ${LINE}`],
  ['SITE_NAME="Tea\nMCP=1\n', `#, line 1 ${LINE}`, 'MCP (#, line 2) must be true or false, but is "1".'],
  ['ATTRIBUTION="two\nlines"\nMCP=1\n', 'ATTRIBUTION (#, line 1) must be one line', 'MCP (#, line 3) must'],
  ['# PORT="80\nexport WORKRES=2\n', 'WORKRES (#, line 2) is no setting. Did you mean WORKERS?'],
  ['PORT=1\n\nPORT=x\n', `PORT (#, line 3) ${whole('65535')} "x".`],
  ['DATABASE_URL s3cr3t\n', `#, line 1 ${LINE}`],
  ['SITE_ACCENT_COLOR=#1b6149\n', 'SITE_ACCENT_COLOR (#, line 1) must stand in quotes'],
]

describe('a wrong start', () => {
  const folder = withTemporaryFolder()
  const before = { ...process.env }
  afterEach(async () => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    await loadSettings({})
  })

  for (const [settings, ...problems] of CASES)
    it(`${JSON.stringify(settings)}: names each setting, its origin and what it must be`, async () => {
      const isFile = typeof settings === 'string'
      const envFile = folder.write('a.env', isFile ? settings : '')
      const common = { DATA_DIR: folder.path('data'), INTERNAL_PORT: '0', ...(isFile ? {} : { PORT: '0' }) }
      Object.assign(process.env, common, isFile ? {} : settings)
      await loadSettings({ envFile })
      const message = await readConfigToServe().then(
        () => 'none',
        (error: Error) => error.message,
      )
      // Files with a wrong PORT leave the default, which another program of this machine may use.
      const said = message.split('\n').filter((line) => !/^\d+ problems:$| uses port \d/.test(line))
      const expected = problems.map((problem) => problem.replaceAll('#,', `${envFile},`))
      for (const problem of expected)
        expect(
          said.filter((line) => line.trim().startsWith(problem)),
          message,
        ).to.have.length(1)
      expect(said, message).to.have.length(expected.length)
      expect(message).not.to.match(/s3cr3t/)
    })

  it('is told in a message without a stack, before anything is created', async () => {
    const wrong = { DATA_DIR: folder.path('data'), PORT: 'x', INTERNAL_PORT: '0' }
    const ended = await lectern(['serve'], wrong)
    expectFailure(
      ended,
      /^lectern: PORT \(environment\) must be a whole number from 0 to 65535, but is "x"\.\n$/,
      78,
    )
    expect(existsSync(folder.path('data'))).to.equal(false)
  })

  it('in a folder of others, also of an import, is told before anything is created', async () => {
    mkdirSync(folder.path('home/Documents'), { recursive: true })
    const ended = await lecternHere(['import', 'ndjson', SAMPLE_WIKI], { DATA_DIR: folder.path('home') })
    expectFailure(
      ended,
      `lectern: DATA_DIR (environment): ${folder.path('home')} has other files (such as Documents), and no database of Lectern. ` +
        'Set DATA_DIR to an empty folder, a new one, or one with such a database.',
    )
    expect(readdirSync(folder.path('home'))).to.deep.equal(['Documents'])
    expect(dataDirProblem(folder.path('home'), false), 'with PostgreSQL, for clones').to.equal(undefined)
  })

  it('in a folder that a new disk or an earlier import of a repository left, is none', async () => {
    for (const name of ['lost+found', '.cache', 'sources/tea.git', 'postgres.new'])
      mkdirSync(folder.path(`disk/${name}`), { recursive: true })
    expect(dataDirProblem(folder.path('disk'))).to.equal(undefined)
  })

  it('is one line of JSON if the log is', async () => {
    const wrong = { DATA_DIR: folder.path('data'), PORT: 'x', INTERNAL_PORT: '0', LOG_FORMAT: 'json' }
    const ended = await lectern(['serve'], wrong)
    expect(ended.stdout).to.equal('')
    expect(JSON.parse(ended.stderr)).to.include({
      level: 'fatal',
      msg: 'PORT (environment) must be a whole number from 0 to 65535, but is "x".',
    })
  })

  it('is status 78 if a value or a name is wrong, and 1 if only a file cannot be read, which may pass', async () => {
    mkdirSync(folder.path('documents'))
    folder.write('documents/wrong.graphql', '{ nothing }')
    const absent = {
      SITE_LOGO: folder.path('none.svg'),
      GRAPHQL_DOCUMENTS: folder.path('none'),
      DATABASE_URL: `postgresql://db.example/wiki?sslrootcert=${folder.path('none.pem')}`,
    }
    const wrong = { SITE_LOGO: folder.write('logo.svg', 'text'), GRAPHQL_DOCUMENTS: folder.path('documents') }
    const statusOf = (settings: object) =>
      readConfigToServe({ PORT: '0', INTERNAL_PORT: '0', DATA_DIR: folder.path('data'), ...settings }).then(
        () => 0,
        (error: Error) => (error instanceof ConfigError ? 78 : 1),
      )
    for (const [name, value] of Object.entries(absent))
      expect(await statusOf({ [name]: value }), name).to.equal(1)
    expect(await statusOf(absent)).to.equal(1)
    expect(await statusOf({ ...absent, PORT: 'x' })).to.equal(78)
    for (const name of ['SITE_LOGO', 'GRAPHQL_DOCUMENTS'] as const)
      expect(await statusOf({ ...absent, [name]: wrong[name] }), name).to.equal(78)
    expect(await statusOf({ PORT: '4711', INTERNAL_PORT: '4711' })).to.equal(78)
    mkdirSync(folder.path('documents/folder.graphql'))
    rmSync(folder.path('documents/wrong.graphql'))
    expect(await statusOf({ GRAPHQL_DOCUMENTS: folder.path('documents') })).to.equal(1)
  })

  it('warns once if other machines reach the internal listener, and there is no FOLLOW_SECRET', async () => {
    const settings = { DATABASE_URL: 'postgresql://127.0.0.1:1/wiki', INTERNAL_HOST: '0.0.0.0', WORKERS: '2' }
    const { stdout } = await lectern(['serve'], { ...settings, PORT: '0', INTERNAL_PORT: '0' })
    expect(stdout.match(/^\{"level":"warn".*"INTERNAL_HOST .+, and start imports\."\}$/gm)).to.have.length(1)
  })

  it('without a wiki, with NODE_ENV=production: says what to set, and creates no sample wiki', async () => {
    const environment = {
      NODE_ENV: 'production',
      DATA_DIR: folder.path('data'),
      PORT: '0',
      INTERNAL_PORT: '0',
    }
    expectFailure(
      await lectern(['serve'], environment),
      /^lectern: There is nothing to serve, .+ Set DATABASE_URL, name a source .+\n$/,
      78,
    )
    expectFailure(
      await lectern(['serve'], { ...environment, DATABSE_URL: 'postgresql://ada:s3cr3t@db.example/wiki' }),
      /^lectern: DATABSE_URL \(environment\) is not read\. Did you mean DATABASE_URL\?\n$/,
      78,
    )
    expect(existsSync(folder.path('data'))).to.equal(false)
  })
})
