import { expect } from 'chai'
import { withProgramName } from '../src/config/program-name.ts'
import { loadSettings, type SettingsOptions } from '../src/config/settings.ts'
import { makePrettyFormat } from '../src/log/pretty.ts'
import { endProcesses, serviceUrl, start } from './support/cli.ts'
import { withTemporaryFolder } from './support/temporary-folder.ts'

describe('settings', () => {
  const folder = withTemporaryFolder()
  afterEach(endProcesses)
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
    const service = start(['serve', '--port', '0', '--env-file', envFile, '--config', config], {
      ...{ DATA_DIR: folder.path('data'), INTERNAL_PORT: '0', HOST: '127.0.0.1', CACHE_SECONDS: '9' },
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
      'CACHE_SECONDS=9  (environment)',
      `RATE_LIMIT=11  (${envFile})`,
      `TRUSTED_PROXIES=1  (${config})`,
      `FOLLOW_SECRET=…  (${envFile})`,
    ])
      expect(printed).to.include(`  ${line}\n`)
    expect(printed).not.to.include('s3cr3t')
  })

  it('a settings file that is missing, is no YAML or has an unknown setting is an error that names it', async () => {
    for (const [content, expected] of [
      [undefined, /--config: "?.*none\.yaml"? cannot be read/],
      ['- PORT', /must be a list of settings/],
      ['PORT: [', /is not YAML/],
      ['SITE_ACCENT_COLOR: #1b6149\n', /value of SITE_ACCENT_COLOR must stand in quotes/],
      ['RATELIMIT: 1', /has RATELIMIT, which is no setting\. Did you mean RATE_LIMIT\?/],
    ] as const) {
      const file = content === undefined ? folder.path('none.yaml') : folder.write('bad.yaml', content)
      expect(await failureOf({ config: file })).to.match(expected)
    }
    expect(await failureOf({ envFile: folder.path('none.env') })).to.match(
      /--env-file: .*none\.env" cannot be read/,
    )
    const color = folder.write('color.env', 'PORT=1\r\nSITE_ACCENT_COLOR=#1b6149\r\n')
    expect(await failureOf({ envFile: color })).to.match(/value of SITE_ACCENT_COLOR must stand in quotes/)
  })

  it('in a file count as they are written: digits of a secret, the name 1.10, and after a byte order mark', async () => {
    const before = { ...process.env }
    const envFile = folder.write('bom.env', '\ufeffATTRIBUTION=Credit us.\r\nSITE_ACCENT_COLOR="#1b6149"\r\n')
    const config = folder.write(
      'bom.yaml',
      '\ufeffFOLLOW_SECRET: 00123456789012345678901\nSITE_NAME: 1.10\nMCP: True\n',
    )
    try {
      await loadSettings({ envFile, config })
      expect(process.env).to.include({
        ...{ ATTRIBUTION: 'Credit us.', SITE_ACCENT_COLOR: '#1b6149' },
        ...{ FOLLOW_SECRET: '00123456789012345678901', SITE_NAME: '1.10', MCP: 'true' },
      })
    } finally {
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    }
  })
})

describe('the name of the program in messages', () => {
  const message =
    'Run `lectern migrate`, then "lectern serve --help" or `lectern serve`.\nlectern: grant connect on database lectern to ada'
  const named = (script: string, event?: string) =>
    withProgramName(message, {
      argv: ['node', script],
      environment: { npm_lifecycle_event: event },
      folder: '/srv/lectern',
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
})

describe('the log on a terminal', () => {
  const format = makePrettyFormat(false)
  it('has a request in one line, with the fields that a person reads', () => {
    const line = {
      level: 30,
      time: 0,
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
    expect(format('{"level":40,"time":0,"pid":1,"hostname":"h","source":"main","msg":"failed"}\n')).to.match(
      /^\[.{8}\] WARN: failed \{"source":"main"\}\n$/,
    )
  })
})
