import { resolve } from 'node:path'
import { UsageError } from '@lectern/wiki/errors'
import { expect } from 'chai'
import { type Config, inspectConfig, readConfig } from '../src/config.ts'

const refusal = (environment: Record<string, string>): string => {
  try {
    readConfig(environment)
  } catch (error) {
    expect(error).to.be.instanceOf(UsageError)
    return (error as Error).message
  }
  throw new Error(`${JSON.stringify(environment)} was accepted`)
}

/** Its name, the field of `Config`, the default, texts with their values, refused texts, and variables that it requires. */
type Variable = [
  name: string,
  field: keyof Config,
  defaultValue: unknown,
  good: Record<string, unknown>,
  bad?: string[],
  others?: Record<string, string>,
]

const wholeNumber = (name: string, field: keyof Config, defaultValue: number, max: number): Variable => [
  name,
  field,
  defaultValue,
  { 0: 0, ' 7 ': 7, [max]: max },
  ['-1', String(max + 1), '1.5', '1e3', '0x10', 'many', '٣', '1,000'],
]

/** Texts that are their own values. */
const same = (...texts: string[]) => Object.fromEntries(texts.map((text) => [text, text]))

const variables: Variable[] = [
  wholeNumber('PORT', 'port', 3000, 65_535),
  ['HOST', 'host', undefined, same('127.0.0.1', '::')],
  wholeNumber('INTERNAL_PORT', 'internalPort', 3001, 65_535),
  ['INTERNAL_HOST', 'internalHost', '127.0.0.1', same('0.0.0.0')],
  [
    'BASE_URL',
    'baseUrl',
    undefined,
    {
      'https://wiki.example/api/v1': 'https://wiki.example/api/v1',
      'https://wiki.example/tea/api/v1/': 'https://wiki.example/tea/api/v1',
    },
    [
      'wiki.example/api/v1',
      'https://wiki.example',
      'https://wiki.example/api/v1?x=1',
      'ftp://wiki.example/api/v1',
      'https://ada:secret@wiki.example/api/v1',
    ],
  ],
  [
    'DATABASE_URL',
    'databaseUrl',
    undefined,
    same(
      'postgresql://ada:secret@db.example:5432/wiki',
      'postgres:///wiki?host=/run/postgresql',
      'postgresql://ada:secret@one.example:5432,two.example:5433/wiki?target_session_attrs=read-write',
    ),
    [
      'postgresql://one.example,/wiki',
      'postgresql://one.example,two.example/wiki?target_session_attrs=master',
      'mysql://ada:secret@db.example/wiki',
      'host=db.example password=secret',
      'postgres:secret@db.example',
      'db.example',
    ],
  ],
  ['DATABASE_POOL_SIZE', 'databasePoolSize', 10, { 1: 1, 1000: 1000 }, ['0', '1001', '-1', '2.5', 'many']],
  [
    'DATABASE_CONNECTION_LIFETIME',
    'databaseConnectionLifetime',
    1800,
    { 1: 1, 86400: 86_400 },
    ['0', '86401', '-1', '30m'],
  ],
  [
    'DATABASE_REPLICA_URLS',
    'databaseReplicaUrls',
    [],
    {
      'postgresql://ada:secret@one.example/wiki, postgres:///wiki?host=/run/two ,': [
        'postgresql://ada:secret@one.example/wiki',
        'postgres:///wiki?host=/run/two',
      ],
    },
    ['postgresql://one.example/wiki,two.example', 'one.example'],
    { DATABASE_URL: 'postgresql://db.example/wiki' },
  ],
  ['MAX_REPLICA_LAG', 'maxReplicaLag', 10, { 1: 1, 3600: 3600 }, ['0', '-1', '3601', '1.5', '10s']],
  ['PREPARED_STATEMENTS', 'preparedStatements', true, { true: true, false: false }, ['0', 'no', 'TRUE']],
  [
    'DATA_DIR',
    'dataDir',
    resolve('.lectern'),
    { 'my-wiki': resolve('my-wiki'), '/var/lib/lectern': '/var/lib/lectern' },
  ],
  [
    'WIKI_ADDRESSES',
    'wikiAddresses',
    {},
    {
      'en=https://en.wiki.example,ru=https://ru.wiki.example/': {
        en: 'https://en.wiki.example',
        ru: 'https://ru.wiki.example',
      },
      ' PT-BR = https://wiki.example/pt , ': { 'pt-br': 'https://wiki.example/pt' },
    },
    [
      'https://en.wiki.example',
      'en',
      'en=',
      'en=en.wiki.example',
      'e=https://en.wiki.example',
      'en=https://a.example,en=https://b.example',
      'en=https://a.example?x=1',
    ],
  ],
  [
    'LICENSE_URL',
    'licenseUrl',
    undefined,
    same('https://creativecommons.org/licenses/by-sa/4.0/'),
    ['CC BY-SA 4.0', 'javascript:alert(1)', '/license'],
  ],
  wholeNumber('RATE_LIMIT', 'rateLimit', 600, 100_000_000),
  wholeNumber('MEDIA_RATE_LIMIT', 'mediaRateLimit', 6_000, 100_000_000),
  wholeNumber('TRUSTED_PROXIES', 'trustedProxies', 0, 10),
  ['GRAPHQL_DOCUMENTS', 'graphqlDocuments', undefined, same('/srv/documents')],
  ['SITE_NAME', 'siteName', undefined, same('Tea for <Two>'), ['x'.repeat(61)]],
  ['SITE_LOGO', 'siteLogo', undefined, same('/srv/logo.svg')],
  ['SITE_STYLES', 'siteStyles', undefined, same('/srv/own.css')],
  [
    'SITE_ACCENT_COLOR',
    'siteAccentColor',
    undefined,
    { '#1b6149': '#1b6149', '#AABBCC': '#aabbcc' },
    ['red', '#abc', '1b6149', '#1b6149; }'],
  ],
  ['SITE_HOME', 'siteHome', 'api', same('wiki'), ['/wiki']],
  ['EXAMPLE_PAGE', 'examplePage', undefined, same('kinds/green tea')],
  [
    'FOLLOW_SECRET',
    'followSecret',
    undefined,
    same('0123456789abcdef', 'a text with spaces'),
    ['x', '0123456789abcde'],
  ],
  [
    'REDIS_URL',
    'redisUrl',
    undefined,
    same('redis://127.0.0.1:6379', 'rediss://ada:s3cr3t@redis.example:6380/2'),
    ['127.0.0.1:6379', 'http://redis.example', 'redis'],
  ],
  ['WORKERS', 'workers', 1, { 1: 1, 4: 4, 64: 64 }, ['0', '65', '-1', '1.5', 'auto']],
  wholeNumber('CACHE_SECONDS', 'cacheSeconds', 60, 3600),
  wholeNumber('MEDIA_CACHE_SECONDS', 'mediaCacheSeconds', 86_400, 31_536_000),
  [
    'FILE_BYTES_MAX',
    'fileBytesMax',
    26_214_400,
    { 1: 1, 1000000000: 1_000_000_000 },
    ['0', '25 MiB', '1000000001'],
  ],
  [
    'FILES_ALLOW',
    'filesAllow',
    undefined,
    { 'Image, text/csv,.ZIP,': ['image', 'text/csv', '.zip'], '.tar.gz': ['.tar.gz'] },
    ['*', 'image/*', 'image png', '.', 'pictures;pdf', 'image,pdf', 'images', 'image/jpg', 'font/woff2'],
  ],
  [
    'FILES_URL',
    'filesUrl',
    undefined,
    same('s3://bucket', 's3://my.bucket/', 's3://bucket/wiki/files'),
    ['bucket', 'https://bucket.s3.example/wiki', 's3://Bucket', 's3://ada:key@bucket', 's3://bucket/a//b'],
    { DATABASE_URL: 'postgresql://db.example/wiki' },
  ],
  ['MCP', 'mcp', false, { true: true, false: false }, ['yes', '1']],
  ['LOG_LEVEL', 'logLevel', 'info', same('debug', 'silent'), ['loud', 'INFO']],
  ['LOG_FORMAT', 'logFormat', 'auto', same('json', 'pretty'), ['text']],
  ['ATTRIBUTION', 'attribution', undefined, same('This is a fan wiki.'), ['a\u0007b', 'x'.repeat(501)]],
]

describe('configuration', () => {
  for (const [name, field, defaultValue, good, bad = [], others] of variables) {
    it(`${name}: has its default if it is absent, empty or blank, and accepts valid values`, () => {
      const empty = name === 'DATABASE_URL' ? [] : [{ [name]: '' }, { [name]: '  ' }]
      for (const environment of [{}, ...empty])
        expect(readConfig(environment)[field]).to.deep.equal(defaultValue)
      for (const [text, value] of Object.entries(good))
        expect(readConfig({ [name]: text, ...others })[field], text).to.deep.equal(value)
    })

    if (bad.length > 0)
      it(`${name}: refuses every other value, and names the variable and what it must be`, () => {
        for (const text of bad) expect(refusal({ [name]: text })).to.match(new RegExp(`^${name} must be `))
      })
  }

  it('has exactly these variables', () => {
    expect(Object.keys(readConfig({}))).to.have.members(variables.map(([, field]) => field))
  })

  it('can name one port twice for a command that opens none', () => {
    const environment = { PORT: '7001', INTERNAL_PORT: '7001' }
    expect(readConfig(environment).port).to.equal(7001)
    expect(inspectConfig(environment).problems).to.deep.equal(['PORT and INTERNAL_PORT are both 7001.'])
  })

  describe('a variable like DATABASE_URL or DATA_DIR, which would start another wiki', () => {
    const meant = (environment: Record<string, string>) => inspectConfig(environment).problems

    it('is an error if the setting that was meant is absent', () => {
      const likeDatabaseUrl =
        'DATABSE_URL DATABASE_URI DATABASE_ULR URL_DATABASE LECTERN_DATABASE_URL database_url'
      for (const name of likeDatabaseUrl.split(' '))
        expect(meant({ [name]: 'x', DATA_DIR: '/data' })).to.deep.equal([
          `${name} (environment) is not read. Did you mean DATABASE_URL?`,
        ])
      for (const name of ['DATABASE_URL_FIL', 'DATABASE_URL_FLIE', 'DATABSE_URL_FILE'])
        expect(meant({ [name]: 'x' })).to.deep.equal([
          `${name} (environment) is not read. Did you mean DATABASE_URL_FILE?`,
        ])
      const likeDataDir =
        'DATADIR DATA_DRI DATA_DIRR ADTA_DIR DIR_DATA DATA_DIR_FILE LECTERN_DATA_DIR LECTERN_DATA_DRI'
      for (const name of likeDataDir.split(' '))
        expect(meant({ [name]: '/data' })).to.deep.equal([
          `${name} (environment) is not read. Did you mean DATA_DIR?`,
        ])
    })

    it('is none if it is there: the other one may be of another program', () => {
      const environment = { DATABASE_URL: 'postgresql://one/wiki', DATABASE_URI: 'x', DATADIR: 'x' }
      expect(meant(environment)).to.deep.equal([])
      expect(inspectConfig(environment).misspelled).to.deep.equal([
        'DATABASE_URI (environment) is not read. Did you mean DATABASE_URL?',
        'DATADIR (environment) is not read. Did you mean DATA_DIR?',
      ])
    })

    it('no variable of a shell, systemd, Docker, Kubernetes, a CI system or a database is one', () => {
      const services = ['LECTERN', 'LECTERN_WEB', 'LECTERN_DATABASE', 'DATABASE', 'DATA', 'DB', 'POSTGRES']
      const links = services.flatMap((service) =>
        [
          'SERVICE_HOST',
          'SERVICE_PORT',
          'SERVICE_PORT_HTTP',
          'PORT',
          ...['', '_PROTO', '_PORT', '_ADDR'].map((end) => `PORT_5432_TCP${end}`),
        ].map((end) => `${service}_${end}`),
      )
      const others =
        'PATH HOME USER LOGNAME SHELL SHLVL TERM PWD OLDPWD LANG LC_ALL TZ EDITOR DISPLAY HOSTNAME HOSTTYPE MAIL LS_COLORS ' +
        'SSH_AUTH_SOCK DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR XDG_DATA_DIRS XDG_DATA_HOME TMPDIR INVOCATION_ID JOURNAL_STREAM ' +
        'NOTIFY_SOCKET WATCHDOG_USEC STATE_DIRECTORY RUNTIME_DIRECTORY CACHE_DIRECTORY LOGS_DIRECTORY CREDENTIALS_DIRECTORY ' +
        'MAINPID LISTEN_FDS NODE_ENV NODE_VERSION YARN_VERSION NODE_OPTIONS NPM_CONFIG_CACHE container PORTS HOSTS ' +
        'KUBERNETES_SERVICE_HOST KUBERNETES_PORT POD_NAME POD_IP CI BUILD_URL JOB_URL JENKINS_URL GIT_URL WORKSPACE ' +
        'GITHUB_API_URL GITHUB_SERVER_URL RUNNER_TEMP CI_JOB_URL CI_API_V4_URL CI_PROJECT_DIR CI_BUILDS_DIR TRAVIS_BUILD_DIR ' +
        'DATABASE_FILE REDIS_FILE DATABASE_PATH REDIS_PORT LECTERN_SERVICE_PORT WORKER_ID HTTP_PORT SERVER_PORT BIND_HOST ' +
        'DATABASE_HOST DATABASE_PORT DATABASE_NAME DATABASE_USER DATABASE_PASSWORD DATABASE_URL_FILE DB_URL PGDATA PGHOST ' +
        'PGDATABASE MYSQL_URL MONGO_URL REDIS_HOST APP_URL BASE_DIR DATA_PATH DATA_ROOT LOG_DIR CACHE_URL STATIC_URL'
      for (const name of [...links, ...others.split(' ')]) {
        const { problems, misspelled } = inspectConfig({
          [name]: name.endsWith('PORT') ? 'tcp://10.0.0.1:80' : 'x',
        })
        expect(problems.concat(misspelled), name).to.deep.equal([])
      }
    })
  })

  it('a variable like any other is misspelled; of a short one, only with the same letters', () => {
    const misspelled = (name: string) => inspectConfig({ [name]: 'x' }).misspelled
    for (const name of ['PROT', 'LECTERN_PROT'])
      expect(misspelled(name)).to.deep.equal([`${name} (environment) is not read. Did you mean PORT?`])
    expect(misspelled('WORKER')).to.deep.equal(['WORKER (environment) is not read. Did you mean WORKERS?'])
    const others = { RATE_LIMIT_FILE: 'RATE_LIMIT', BASE_URL_FILE: 'BASE_URL', WORKERS_FILE: 'WORKERS' }
    const reordered = {
      PORT_INTERNAL: 'INTERNAL_PORT',
      LIMIT_RATE_MEDIA: 'MEDIA_RATE_LIMIT',
      WOKRERS: 'WORKERS',
    }
    for (const [name, setting] of Object.entries({ ...others, ...reordered }))
      expect(misspelled(name)).to.deep.equal([`${name} (environment) is not read. Did you mean ${setting}?`])
    expect(misspelled('L'.repeat(100_000))).to.be.empty
    for (const name of ['POST', 'SORT', 'SHOT', 'PORTS', 'GHOST', 'HOSTS', 'MC', 'TCP'])
      expect(misspelled(name)).to.be.empty
  })

  it('refuses an empty DATABASE_URL, which would create an embedded database', () => {
    for (const text of ['', ' '])
      expect(refusal({ DATABASE_URL: text })).to.equal(
        'DATABASE_URL is empty. For the embedded database, unset it.',
      )
  })

  it('refuses replicas if the database is embedded', () => {
    expect(refusal({ DATABASE_REPLICA_URLS: 'postgresql://ada:s3cr3t@one.example/wiki' })).to.equal(
      'DATABASE_REPLICA_URLS requires DATABASE_URL, the URL of the primary.',
    )
  })

  it('DATABASE_URL: refuses a file of certificates that cannot be read, and names it', () => {
    for (const name of ['sslrootcert', 'sslcert', 'sslkey'])
      expect(refusal({ DATABASE_URL: `postgresql://ada:s3cr3t@db.example/wiki?${name}=/none.pem` }))
        .to.match(new RegExp(`^DATABASE_URL must be a URL whose ${name} exists: /none\\.pem\\.$`))
        .and.not.include('s3cr3t')
  })

  it('repeats an invalid value, without control characters', () => {
    expect(refusal({ PORT: '80 80' })).to.include('"80 80"')
    expect(refusal({ LOG_LEVEL: 'loud\u001b[31m\u202e' }))
      .to.include('loud')
      .and.not.match(/[\p{Cc}\p{Cf}]/u)
  })

  const secrets: [string, string][] = [
    ['DATABASE_URL', 'mysql://ada:s3cr3t@db.example/wiki'],
    ['DATABASE_URL', 'mysql://ada:p@s3cr3t@db.example/wiki'],
    ['LICENSE_URL', 'ftp://ada:p, s3cr3t@wiki.example/license'],
    ['LICENSE_URL', 'ftp://ada:p//s3cr3t@wiki.example/license'],
    ['DATABASE_URL', 'ada:s3cr3t@db.example/wiki'],
    ['DATABASE_URL', 'postgres:ada:s3cr3t@db.example/wiki'],
    ['DATABASE_URL', 'host=db.example password=s3cr3t'],
    ['DATABASE_URL', 'postgresql//db.example/wiki?password=s3cr3t'],
    ['DATABASE_URL', 'postgresql://ada:s3cr3t@[::1/wiki'],
    ['DATABASE_REPLICA_URLS', 'postgresql://db.example/wiki,host=two.example password=s3cr3t'],
    ['REDIS_URL', 'http://:s3cr3t@redis.example'],
    ['REDIS_URL', ':s3cr3t@redis.example:6379'],
    ['FOLLOW_SECRET', 's3cr3t'],
    ['BASE_URL', 'https://ada:s3cr3t@wiki.example/'],
    ['LICENSE_URL', 'ftp://ada:s3/cr3t@wiki.example/'],
    ['WIKI_ADDRESSES', 'en=https://en.wiki.example,ru=ftp://ada:s3cr3t@ru.wiki.example'],
  ]
  for (const [name, text] of secrets) {
    it(`does not repeat a password of ${name} ${text}`, () => {
      expect(refusal({ [name]: text }))
        .to.match(new RegExp(`^${name} must be`))
        .and.not.match(/s3|cr3t/)
    })
  }
})
