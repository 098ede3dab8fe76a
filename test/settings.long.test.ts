import { existsSync, readFileSync } from 'node:fs'
import { UsageError } from '@lectern/wiki/errors'
import { expect } from 'chai'
import { nameWithOrigin, settingOrigins, withProgramName } from '../src/config/messages.ts'
import { loadSettings, type SettingsOptions } from '../src/config/settings.ts'
import { inspectConfig } from '../src/config.ts'
import { serializeError } from '../src/log/log.ts'
import { makePrettyFormat } from '../src/log/pretty.ts'
import { packagePath } from '../src/paths.ts'
import {
  endProcesses,
  environmentOf,
  expectFailure,
  lectern,
  lecternHere,
  serviceUrl,
  start,
} from './support/cli.ts'
import { copyTemplate } from './support/database.ts'
import { WITH_SAMPLE } from './support/sample.ts'
import { withTemporaryFolder } from './support/temporary-folder.ts'

describe('settings', () => {
  const folder = withTemporaryFolder()
  let names: string[]
  beforeEach(() => {
    names = Object.keys(process.env)
  })
  afterEach(async () => {
    await endProcesses()
    for (const name of Object.keys(process.env)) if (!names.includes(name)) delete process.env[name]
    await loadSettings({})
  })
  const failureOf = (options: SettingsOptions) =>
    loadSettings(options).then(
      () => 'no failure',
      ({ message }: Error) => message,
    )

  it('come from the command line, then from the environment, then from --env-file, then from --config; the start names each source, and no secret', async () => {
    const envFile = folder.write(
      'a.env',
      'PORT=70000\nCACHE_SECONDS=7\nRATE_LIMIT=11 # a comment\nFOLLOW_SECRET="s3cr3t s3cr3t s3cr3t"\n',
    )
    const config = folder.write(
      'a.yaml',
      'RATE_LIMIT: 12\nCACHE_SECONDS: 8\nTRUSTED_PROXIES: 1\nWIKI_ADDRESSES:\n  en: https://wiki.example/en\n  ja: https://wiki.example/ja\n',
    )
    const { place, remove } = await copyTemplate(WITH_SAMPLE)
    const ports = ['--port', '0', '--internal-port', '0']
    const service = start(['serve', ...ports, '--env-file', envFile, '--config', config], {
      ...{ ...environmentOf(place), HOST: '127.0.0.1', CACHE_SECONDS: '9', WORKERS: '' },
    })
    const url = await serviceUrl(service)
    const wiki = await (await fetch(url)).json()
    expect(wiki.limits).to.include({ requests_per_minute: 11, cache_seconds: 9 })
    expect(wiki.locales.find(({ locale }: { locale: string }) => locale === 'ja').url).to.equal(
      'https://wiki.example/ja',
    )
    const printed = service.printed()
    for (const line of [
      'PORT=0  (--port)',
      'INTERNAL_PORT=0  (--internal-port)',
      'CACHE_SECONDS=9  (environment)',
      `RATE_LIMIT=11  (${envFile}, line 3)`,
      `TRUSTED_PROXIES=1  (${config}, line 3)`,
      `FOLLOW_SECRET=…  (${envFile}, line 4)`,
      'WORKERS=  (environment; empty, so the default counts)',
    ])
      expect(printed).to.include(`  ${line}\n`)
    expect(printed).not.to.include('s3cr3t')
    await endProcesses()
    await remove()
  })

  it('a secret may be in a file that its name with _FILE says, and not also in the variable itself', async () => {
    const file = folder.write('secret', 'postgresql://ada:s3cr3t@db.example/wiki\n')
    const config = folder.write('c.yaml', 'DATABASE_URL: postgresql://other.example/wiki\n')
    process.env.DATABASE_URL_FILE = file
    await loadSettings({ config })
    expect(inspectConfig().config.databaseUrl).to.equal('postgresql://ada:s3cr3t@db.example/wiki')
    expect(nameWithOrigin('DATABASE_URL')).to.equal('DATABASE_URL (DATABASE_URL_FILE)')
    process.env.DATABASE_URL_FILE = file
    expect(await failureOf({ config })).to.equal(
      'DATABASE_URL and DATABASE_URL_FILE are both set: unset one of them.',
    )
    delete process.env.DATABASE_URL
    process.env.DATABASE_URL_FILE = folder.write('empty', ' \n')
    expect(await failureOf({})).to.match(/^DATABASE_URL_FILE: .*empty is empty\.$/)
    process.env.DATABASE_URL_FILE = folder.path('none')
    expect(await failureOf({})).to.match(/^DATABASE_URL_FILE: .*none" cannot be read \(ENOENT/)
    expectFailure(
      await lecternHere(['check'], { DATABASE_URL_FILE: folder.path('none') }),
      /DATABASE_URL_FILE \(environment\): /,
    )
  })

  it('_FILE may stand in files of settings, too; what wins over such a file wins over the secret', async () => {
    const secret = folder.write('url', 'postgresql://ada:s3cr3t@db.example/wiki\n')
    const envFile = folder.write('f.env', `MCP=true\nDATABASE_URL_FILE=${secret}\n`)
    const config = folder.write('f.yaml', `DATABASE_URL_FILE: ${secret}\n`)
    const other = 'postgresql://other.example/wiki'
    const used = async (options: SettingsOptions) => {
      delete process.env.DATABASE_URL
      await loadSettings(options)
      const { problems, config } = inspectConfig()
      return [config.databaseUrl, nameWithOrigin('DATABASE_URL'), ...problems]
    }
    for (const [options, place] of [
      [{ envFile }, `${envFile}, line 2`],
      [{ config }, `${config}, line 1`],
      [{ envFile, config }, `${envFile}, line 2`],
    ] as const)
      expect(await used(options)).to.deep.equal([
        'postgresql://ada:s3cr3t@db.example/wiki',
        `DATABASE_URL (DATABASE_URL_FILE, ${place})`,
      ])
    const winner = folder.write('winner.env', `DATABASE_URL=${other}\n`)
    expect(await used({ envFile: winner, config })).to.deep.equal([other, `DATABASE_URL (${winner}, line 1)`])
    process.env.DATABASE_URL = other
    await loadSettings({ envFile, config })
    expect(process.env.DATABASE_URL).to.equal(other)
    for (const lines of [
      [`DATABASE_URL=${other}`, `DATABASE_URL_FILE=${secret}`],
      [`DATABASE_URL_FILE=${secret}`, `DATABASE_URL=${other}`],
    ]) {
      const both = folder.write('both.env', lines.join('\n'))
      const line = lines.findIndex((one) => one.includes('_FILE')) + 1
      expect((await used({ envFile: both })).at(-1)).to.equal(
        `DATABASE_URL and DATABASE_URL_FILE (${both}, line ${line}) are both set: unset one of them.`,
      )
    }
    delete process.env.DATABASE_URL
    const missing = folder.write('missing.yaml', `DATABASE_URL_FILE: ${folder.path('none')}\n`)
    expect(await failureOf({ config: missing })).to.match(
      /^DATABASE_URL_FILE \(.*missing\.yaml, line 1\): ".*none" cannot be read \(ENOENT/,
    )
  })

  it('a settings file that is missing or is no YAML is an error that names it', async () => {
    for (const [content, expected] of [
      [undefined, /--config: "?.*none\.yaml"? cannot be read/],
      ['- PORT', /must be a list of settings/],
      ['PORT: [', /is not YAML \(.+ at line 1, column 8\)\.$/],
      ['PORT=80', /VARIABLE=value need --env-file/],
    ] as const) {
      const file = content === undefined ? folder.path('none.yaml') : folder.write('bad.yaml', content)
      expect(await failureOf({ config: file })).to.match(expected)
    }
    expect(await failureOf({ envFile: folder.path('none.env') })).to.match(
      /--env-file: .*none\.env" cannot be read/,
    )
  })

  it('a settings file that is no YAML: the message has the place, and nothing of the text, which may be a password', async () => {
    for (const [content, reason] of [
      ['DATABASE_URL: postgres://ada:s3cr3t@db: 5432/x', 'block as implicit key at line 2, column 15'],
      ['FOLLOW_SECRET: |s3cr3t\n x', 'unexpected token at line 2, column 17'],
      ['FOLLOW_SECRET: !s3cr3t x', 'tag resolve failed at line 2, column 16'],
      ['FOLLOW_SECRET: *s3cr3t', 'wrong alias'],
    ]) {
      const config = folder.write('bad.yaml', `MCP: true\n${content}\n`)
      expect(await failureOf({ config })).to.equal(`--config: "${config}" is not YAML (${reason}).`)
    }
  })

  it('a YAML file as --env-file is told apart', async () => {
    const yaml = folder.write('e.yaml', 'RATE_LIMIT: 12\n')
    await loadSettings({ envFile: yaml })
    expect(inspectConfig().problems).to.deep.equal([
      `${yaml}, line 1 must be VARIABLE=value, with both quotes or none. A YAML file needs --config.`,
    ])
  })

  it('lines of an environment file that systemd reads differently are told by check, and no others', async () => {
    const differing = [
      'RATE_LIMIT=11 # a comment',
      'FOLLOW_SECRET=s3cr3t#s3cr3t-s3cr3t',
      'export RATE_LIMIT=11',
      'SITE_NAME="Tea" # a comment',
      'SITE_NAME="Tea" Wiki',
      "SITE_NAME='Tea'Wiki",
      'SITE_NAME=Tea \\',
      'SITE_NAME="Tea\\"',
      'SITE_NAME=`Tea`',
      '# In systemd 252, this comment includes the next line \\',
    ]
    const alike = [
      ...['', '# a comment', '  SITE_NAME = Tea Wiki ', 'SITE_NAME="Tea # Wiki" ', "SITE_NAME='Tea \\ Wiki'"],
      ...['SITE_NAME=Tea "Wiki"', "SITE_NAME=It's tea", 'SITE_NAME=', 'ATTRIBUTION="two', 'lines"'],
    ]
    const envFile = folder.write('systemd.env', [...differing, ...alike].join('\n'))
    await loadSettings({ envFile })
    expect(settingOrigins().differing).to.deep.equal(
      differing.map(
        (_, i) =>
          `${envFile}, line ${i + 1} is read differently by systemd (EnvironmentFile=). Write VARIABLE=value, or VARIABLE='value' if it has # or \\, without export, and nothing after it.`,
      ),
    )
    const one = folder.write('one.env', `PORT=0\nINTERNAL_PORT=0\n${differing[0]}`)
    const { stdout } = await lecternHere(['check', '--env-file', one], { DATA_DIR: folder.path('no-wiki') })
    expect(stdout).to.match(/^warning configuration .*one\.env, line 3 is read differently by systemd/m)
    expect(stdout).not.to.include('all variables are valid')
  })

  it('Lectern, not Node, reports an environment file that is missing, after `node --`, as in npm start', async () => {
    const ended = await lectern(['check', '--env-file', folder.path('none.env')], {}, { nodeOptions: ['--'] })
    expectFailure(ended, /--env-file: .*none\.env" cannot be read/)
    const files = ['package.json', 'deploy/Dockerfile', 'deploy/lectern.service']
    for (const file of files)
      expect(readFileSync(packagePath(file), 'utf8'), file).to.match(/\bnode("?,? "?)--\1dist\/src\/cli\.js/)
  })

  it('commands in messages repeat the options; those that need a wiki create no database', async () => {
    const dataDir = folder.path('no-wiki')
    const envFile = folder.write('no-wiki.env', `DATA_DIR=${dataDir}`)
    for (const command of [['migrate'], ['mcp']])
      expectFailure(
        await lecternHere([...command, '--env-file', envFile]),
        new RegExp(
          `^lectern: DATA_DIR \\(.*no-wiki\\.env, line 1\\): there is no database in ${dataDir}\\. .+ --env-file ${envFile} serve\\b`,
        ),
      )
    expect(existsSync(dataDir)).to.equal(false)
  })

  it('a name in a file that is no setting is a problem that names the file and the nearest setting; an environment file may have variables of other programs', async () => {
    const names = ['COLOUR_OF_THE_HEADER', 'DATABSE_URL', 'LECTERN_WORKERS', 'PROT', 'TRUSTED_PROXY']
    const nearest = [
      `${packagePath('README.md')} lists all settings.`,
      ...['DATABASE_URL', 'WORKERS', 'PORT', 'TRUSTED_PROXIES'].map((name) => `Did you mean ${name}?`),
    ]
    const problemsOf = (file: string) =>
      names.map((name, i) => `${name} (${file}, line ${i + 1}) is no setting. ${nearest[i]}`)
    const others = [
      'PATH=/bin',
      'PGPASSWORD=x',
      'NODE_OPTIONS=',
      'TZ=UTC',
      'LC_ALL=C',
      'https_proxy=x',
      'LECTERN_TEST_X=1',
    ]
    const envFile = folder.write('b.env', [...names.map((name) => `${name}=x`), ...others].join('\n'))
    const config = folder.write('b.yaml', names.map((name) => `${name}: x\n`).join(''))
    await loadSettings({ envFile, config })
    expect(inspectConfig().problems).to.deep.equal([...problemsOf(envFile), ...problemsOf(config)])
    expect(Object.keys(process.env).filter((name) => names.includes(name))).to.deep.equal([])
  })

  it('in a file count as they are written: digits of a secret, the name 1.10, and after a byte order mark', async () => {
    const envFile = folder.write('bom.env', '\ufeffATTRIBUTION=Credit us.\r\nSITE_ACCENT_COLOR="#1b6149"\r\n')
    const config = folder.write(
      'bom.yaml',
      '\ufeffFOLLOW_SECRET: 00123456789012345678901\nSITE_NAME: 1.10\nMCP: True\n',
    )
    await loadSettings({ envFile, config })
    expect(process.env).to.include({
      ...{ ATTRIBUTION: 'Credit us.', SITE_ACCENT_COLOR: '#1b6149' },
      ...{ FOLLOW_SECRET: '00123456789012345678901', SITE_NAME: '1.10', MCP: 'true' },
    })
  })
})

describe('the name of the program in messages', () => {
  const message =
    'Run `lectern migrate`, then "lectern serve --help" or `lectern serve`.\nlectern: grant connect on database lectern to ada'
  const named = (script: string, event?: string, options = { files: '', port: '' }) =>
    withProgramName(message, {
      argv: ['node', script],
      environment: { npm_lifecycle_event: event },
      folder: '/srv/lectern',
      options,
    })

  it('is the command that the user ran', () => {
    expect(named('/usr/local/bin/lectern')).to.equal(message)
    expect(named('/srv/lectern/dist/src/cli.js')).to.equal(
      'Run `node dist/src/cli.js migrate`, then "node dist/src/cli.js serve --help" or `node dist/src/cli.js serve`.\nlectern: grant connect on database lectern to ada',
    )
    expect(named('/opt/x/dist/src/cli.js')).to.include('`node /opt/x/dist/src/cli.js migrate`')
    expect(named('/root/.npm/_npx/1/node_modules/.bin/lectern', 'npx'))
      .to.include('`npx lectern migrate`')
      .and.include('`npx lectern serve`')
    expect(named('/srv/lectern/dist/src/cli.js', 'start')).to.equal(
      'Run `npx lectern migrate`, then "npx lectern serve --help" or `npm start`.\nlectern: grant connect on database lectern to ada',
    )
  })

  it('repeats the options that say where settings are, except for help', () => {
    const options = { files: "--env-file 'my wiki.env' --config a.yaml", port: '--port 80' }
    const given = options.files
    expect(named('/usr/local/bin/lectern', undefined, options)).to.equal(
      `Run \`lectern ${given} migrate\`, then "lectern serve --help" or \`lectern ${given} serve --port 80\`.\nlectern: grant connect on database lectern to ada`,
    )
    expect(named('/srv/lectern/dist/src/cli.js', 'start', options)).to.include(
      `or \`npm start -- ${given} --port 80\`.`,
    )
  })
})

describe('the log on a terminal', () => {
  const format = makePrettyFormat(false)
  it('has a request in one line, with the fields that a person reads', () => {
    const line = {
      level: 'info',
      time: '2026-05-01T12:34:56.123Z',
      pid: 1,
      hostname: 'h',
      id: 'u',
      client: '192.0.2.1',
      method: 'GET',
      url: '/api/v1',
      status: 200,
      ms: 3.1,
    }
    expect(format(`${JSON.stringify({ ...line, msg: 'request' })}\n`)).to.match(
      /^\[\d\d:\d\d:\d\d\] INFO: GET \/api\/v1 200, 3\.1 ms, 192\.0\.2\.1\n$/,
    )
    expect(
      format(
        '{"level":"warn","time":"2026-05-01T12:34:56.123Z","pid":1,"hostname":"h","source":"main","msg":"failed"}\n',
      ),
    ).to.match(/^\[.{8}\] WARN: failed \{"source":"main"\}\n$/)
  })

  it('has an error that the operator can fix as a sentence', () => {
    const err = serializeError(new UsageError('The "main" is gone.'))
    expect(format(`${JSON.stringify({ level: 'error', source: 'main', msg: 'It stops', err })}\n`)).to.equal(
      'ERROR: It stops. The "main" is gone. {"source":"main"}\n',
    )
  })
})
