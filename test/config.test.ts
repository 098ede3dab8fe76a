import { resolve } from 'node:path'
import { UsageError } from '@lectern/wiki/errors'
import { expect } from 'chai'
import { type Config, readConfig } from '../src/config.ts'

const refusal = (environment: Record<string, string>): string => {
  try {
    readConfig(environment)
  } catch (error) {
    expect(error).to.be.instanceOf(UsageError)
    return (error as Error).message
  }
  throw new Error(`${JSON.stringify(environment)} was accepted`)
}

interface Variable {
  name: string
  field: keyof Config
  defaultValue: unknown
  good: [text: string, value: unknown][]
  bad: string[]
  /** Other variables that it requires. */
  with?: Record<string, string>
}

const wholeNumber = (name: string, field: keyof Config, defaultValue: number, max: number): Variable => ({
  name,
  field,
  defaultValue,
  good: [
    ['0', 0],
    [' 17 '.slice(0, max < 17 ? 0 : undefined) || '1', max < 17 ? 1 : 17],
    [String(max), max],
  ],
  bad: ['-1', String(max + 1), '1.5', '1e3', '0x10', 'many', '٣', '1,000'],
})

const variables: Variable[] = [
  wholeNumber('PORT', 'port', 3000, 65_535),
  {
    name: 'HOST',
    field: 'host',
    defaultValue: undefined,
    good: [
      ['127.0.0.1', '127.0.0.1'],
      ['::', '::'],
    ],
    bad: [],
  },
  wholeNumber('INTERNAL_PORT', 'internalPort', 3001, 65_535),
  {
    name: 'INTERNAL_HOST',
    field: 'internalHost',
    defaultValue: '127.0.0.1',
    good: [['0.0.0.0', '0.0.0.0']],
    bad: [],
  },
  {
    name: 'BASE_URL',
    field: 'baseUrl',
    defaultValue: undefined,
    good: [
      ['https://wiki.example/api/v1', 'https://wiki.example/api/v1'],
      ['https://wiki.example/tea/api/v1/', 'https://wiki.example/tea/api/v1'],
    ],
    bad: [
      'wiki.example/api/v1',
      'https://wiki.example',
      'https://wiki.example/api/v1?x=1',
      'ftp://wiki.example/api/v1',
      'https://ada:secret@wiki.example/api/v1',
    ],
  },
  {
    name: 'DATABASE_URL',
    field: 'databaseUrl',
    defaultValue: undefined,
    good: [
      ['postgresql://ada:secret@db.example:5432/wiki', 'postgresql://ada:secret@db.example:5432/wiki'],
      ['postgres:///wiki?host=/run/postgresql', 'postgres:///wiki?host=/run/postgresql'],
      [
        'postgresql://ada:secret@one.example:5432,two.example:5433/wiki?target_session_attrs=read-write',
        'postgresql://ada:secret@one.example:5432,two.example:5433/wiki?target_session_attrs=read-write',
      ],
    ],
    bad: [
      'postgresql://one.example,/wiki',
      'postgresql://one.example,two.example/wiki?target_session_attrs=master',
      'mysql://ada:secret@db.example/wiki',
      'host=db.example password=secret',
      'postgres:secret@db.example',
      'db.example',
    ],
  },
  {
    name: 'DATABASE_POOL_SIZE',
    field: 'databasePoolSize',
    defaultValue: 10,
    good: [
      ['1', 1],
      ['1000', 1000],
    ],
    bad: ['0', '1001', '-1', '2.5', 'many'],
  },
  {
    name: 'DATABASE_CONNECTION_LIFETIME',
    field: 'databaseConnectionLifetime',
    defaultValue: 1800,
    good: [
      ['1', 1],
      ['86400', 86_400],
    ],
    bad: ['0', '86401', '-1', '30m'],
  },
  {
    name: 'DATABASE_REPLICA_URLS',
    field: 'databaseReplicaUrls',
    defaultValue: [],
    good: [
      [
        'postgresql://ada:secret@one.example/wiki, postgres:///wiki?host=/run/two ,',
        ['postgresql://ada:secret@one.example/wiki', 'postgres:///wiki?host=/run/two'],
      ],
    ],
    bad: ['postgresql://one.example/wiki,two.example', 'one.example'],
    with: { DATABASE_URL: 'postgresql://db.example/wiki' },
  },
  {
    name: 'MAX_REPLICA_LAG',
    field: 'maxReplicaLag',
    defaultValue: 10,
    good: [
      ['1', 1],
      ['3600', 3600],
    ],
    bad: ['0', '-1', '3601', '1.5', '10s'],
  },
  {
    name: 'PREPARED_STATEMENTS',
    field: 'preparedStatements',
    defaultValue: true,
    good: [
      ['true', true],
      ['false', false],
    ],
    bad: ['0', 'no', 'TRUE'],
  },
  {
    name: 'DATA_DIR',
    field: 'dataDir',
    defaultValue: resolve('.lectern'),
    good: [
      ['my-wiki', resolve('my-wiki')],
      ['/var/lib/lectern', '/var/lib/lectern'],
    ],
    bad: [],
  },
  {
    name: 'WIKI_ADDRESSES',
    field: 'wikiAddresses',
    defaultValue: {},
    good: [
      [
        'en=https://en.wiki.example,ru=https://ru.wiki.example/',
        { en: 'https://en.wiki.example', ru: 'https://ru.wiki.example' },
      ],
      [' PT-BR = https://wiki.example/pt , ', { 'pt-br': 'https://wiki.example/pt' }],
    ],
    bad: [
      'https://en.wiki.example',
      'en',
      'en=',
      'en=en.wiki.example',
      'e=https://en.wiki.example',
      'en=https://a.example,en=https://b.example',
      'en=https://a.example?x=1',
    ],
  },
  {
    name: 'LICENSE_URL',
    field: 'licenseUrl',
    defaultValue: undefined,
    good: [
      ['https://creativecommons.org/licenses/by-sa/4.0/', 'https://creativecommons.org/licenses/by-sa/4.0/'],
    ],
    bad: ['CC BY-SA 4.0', 'javascript:alert(1)', '/license'],
  },
  wholeNumber('RATE_LIMIT', 'rateLimit', 600, 1_000_000),
  wholeNumber('MEDIA_RATE_LIMIT', 'mediaRateLimit', 6_000, 1_000_000),
  wholeNumber('TRUSTED_PROXIES', 'trustedProxies', 0, 10),
  {
    name: 'GRAPHQL_DOCUMENTS',
    field: 'graphqlDocuments',
    defaultValue: undefined,
    good: [['/srv/documents', '/srv/documents']],
    bad: [],
  },
  {
    name: 'SITE_NAME',
    field: 'siteName',
    defaultValue: undefined,
    good: [['Tea for <Two>', 'Tea for <Two>']],
    bad: ['x'.repeat(61)],
  },
  {
    name: 'SITE_LOGO',
    field: 'siteLogo',
    defaultValue: undefined,
    good: [['/srv/logo.svg', '/srv/logo.svg']],
    bad: [],
  },
  {
    name: 'SITE_ACCENT_COLOR',
    field: 'siteAccentColor',
    defaultValue: undefined,
    good: [
      ['#1b6149', '#1b6149'],
      ['#AABBCC', '#aabbcc'],
    ],
    bad: ['red', '#abc', '1b6149', '#1b6149; }'],
  },
  {
    name: 'EXAMPLE_PAGE',
    field: 'examplePage',
    defaultValue: undefined,
    good: [['kinds/green tea', 'kinds/green tea']],
    bad: [],
  },
  {
    name: 'FOLLOW_SECRET',
    field: 'followSecret',
    defaultValue: undefined,
    good: [
      ['0123456789abcdef', '0123456789abcdef'],
      ['a text with spaces', 'a text with spaces'],
    ],
    bad: ['x', '0123456789abcde'],
  },
  {
    name: 'REDIS_URL',
    field: 'redisUrl',
    defaultValue: undefined,
    good: [
      ['redis://127.0.0.1:6379', 'redis://127.0.0.1:6379'],
      ['rediss://ada:s3cr3t@redis.example:6380/2', 'rediss://ada:s3cr3t@redis.example:6380/2'],
    ],
    bad: ['127.0.0.1:6379', 'http://redis.example', 'redis'],
  },
  {
    name: 'WORKERS',
    field: 'workers',
    defaultValue: 1,
    good: [
      ['1', 1],
      ['4', 4],
      ['64', 64],
    ],
    bad: ['0', '65', '-1', '1.5', 'auto'],
  },
  wholeNumber('CACHE_SECONDS', 'cacheSeconds', 60, 3600),
  wholeNumber('MEDIA_CACHE_SECONDS', 'mediaCacheSeconds', 86_400, 31_536_000),
  {
    name: 'MCP',
    field: 'mcp',
    defaultValue: false,
    good: [
      ['true', true],
      ['false', false],
    ],
    bad: ['yes', '1'],
  },
  {
    name: 'LOG_LEVEL',
    field: 'logLevel',
    defaultValue: 'info',
    good: [
      ['debug', 'debug'],
      ['silent', 'silent'],
    ],
    bad: ['loud', 'INFO'],
  },
  {
    name: 'LOG_FORMAT',
    field: 'logFormat',
    defaultValue: 'auto',
    good: [
      ['json', 'json'],
      ['pretty', 'pretty'],
    ],
    bad: ['text'],
  },
  {
    name: 'ATTRIBUTION',
    field: 'attribution',
    defaultValue: undefined,
    good: [['This is a fan wiki.', 'This is a fan wiki.']],
    bad: ['a\u0007b', 'x'.repeat(501)],
  },
]

describe('configuration', () => {
  for (const { name, field, defaultValue, good, bad, with: others } of variables) {
    describe(name, () => {
      it('has its default if it is absent, empty or blank', () => {
        for (const environment of [{}, { [name]: '' }, { [name]: '  ' }])
          expect(readConfig(environment)[field]).to.deep.equal(defaultValue)
      })

      for (const [text, value] of good) {
        it(`accepts ${JSON.stringify(text)}`, () => {
          expect(readConfig({ [name]: text, ...others })[field]).to.deep.equal(value)
        })
      }

      for (const text of bad) {
        it(`refuses ${JSON.stringify(text)}, and names the variable and the expected value`, () => {
          expect(refusal({ [name]: text })).to.match(new RegExp(`^${name} must be `))
        })
      }
    })
  }

  it('has exactly these variables', () => {
    expect(Object.keys(readConfig({}))).to.have.members(variables.map(({ field }) => field))
  })

  it('refuses replicas if the database is embedded', () => {
    expect(refusal({ DATABASE_REPLICA_URLS: 'postgresql://ada:s3cr3t@one.example/wiki' })).to.equal(
      'DATABASE_REPLICA_URLS requires DATABASE_URL, the URL of the primary.',
    )
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
