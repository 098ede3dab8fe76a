import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeExecutableSchema } from '@graphql-tools/schema'
import { SchemaMismatch, Unavailable } from '@lectern/wiki/errors'
import { expect } from 'chai'
import { GraphQLScalarType, GraphQLString, getIntrospectionQuery } from 'graphql'
import { makeInternalListener } from '../src/internal/listener.ts'
import { packagePath } from '../src/paths.ts'

interface Answer {
  status: number
  headers: Headers
  text: string
  body: { data?: Record<string, unknown>; errors?: { message: string; extensions?: { code: string } }[] }
}

let calls = 0
const counted = <T>(make: (args: { first: number }) => T) => {
  return (_: unknown, args: { first: number }): T => {
    calls += 1
    return make(args)
  }
}
const revision = { id: 'r', markdown: 'text', html: '<p>text</p>', author: { name: 'Ada' } }
const page = { path: 'tea', title: 'Tea', categories: [], translations: [] }
const pages = counted(({ first }) => Array.from({ length: first }, () => page))
const history = counted(({ first }) => ({ items: Array.from({ length: first }, () => revision), next: null }))
const failing = (error: Error) => () => {
  throw error
}

const schema = makeExecutableSchema({
  typeDefs: readFileSync(packagePath('schema/wiki.graphql'), 'utf8'),
  resolvers: {
    Text: new GraphQLScalarType({ ...GraphQLString.toConfig(), name: 'Text' }),
    Query: {
      page: counted(() => page),
      pages,
      history,
      recent: history,
      search: counted(() => []),
      wiki: failing(new Error('password=hunter2')),
      category: failing(new Unavailable('The wiki rests.', 1, new Error('host db1 is down'))),
    },
    Page: { files: () => 5, history, revision: counted(() => revision) },
    Revision: { page: counted(() => page) },
  },
})

let servers: { name: string; health: 'up' | 'lost' | 'behind' }[] = []
let readiness: () => Promise<void> = async () => {}
const logged: unknown[][] = []
const log = (...entry: unknown[]): void => void logged.push(entry)
const server = createServer(
  { maxHeaderSize: 16 * 1024 },
  makeInternalListener({
    schema,
    context: () => ({}),
    ready: () => readiness(),
    servers: () => servers,
    metrics: async () => '',
    following: { sources: async () => [], request: async () => {} },
    logger: { info: log, warn: log, error: log },
    hosts: ['wiki.example'],
  }),
)
const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const send = async (path: string, init: RequestInit = {}): Promise<Answer> => {
  const response = await fetch(address() + path, init)
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text ? JSON.parse(text) : {},
  }
}
const post = (
  body: string | ReadableStream<Uint8Array>,
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const all = { 'content-type': 'application/json', ...headers }
  // fetch sends a stream in chunks. It requires `duplex: 'half'`: it does not read while it sends.
  return send('/graphql', { method: 'POST', headers: all, body, ...{ duplex: 'half' } })
}
const runQuery = (query: string, variables?: object): Promise<Answer> =>
  post(JSON.stringify({ query, variables }))

/** The status of a GET with headers that fetch does not allow. */
const statusWith = async (
  headers: Record<string, string>,
  path = '/graphql?query={__typename}',
  method = 'GET',
) => {
  const [response] = (await once(httpRequest(address() + path, { headers, method }).end(), 'response')) as [
    IncomingMessage,
  ]
  response.resume()
  return response.statusCode
}

const times = (count: number, piece: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => piece(index)).join(' ')
/** `nest(2, 'a { b {', 'c')` is `a { b { a { b { c } } } }`. */
const nest = (levels: number, open: string, inner: string): string =>
  open.repeat(levels) + inner + '}'.repeat(levels * (open.split('{').length - 1))
const PAGE = 'page(locale: "en", path: "tea")'
const PAGES = 'pages(locale: "en"'
const doubling = (levels: number, fields: string): string =>
  times(levels, (n) => `fragment f${n} on Query { ${n + 1 < levels ? `...f${n + 1} ...f${n + 1}` : fields} }`)

/** @param attack a query, or what sends a request */
const refuses = (
  what: string,
  attack: string | (() => Promise<Answer>),
  message: RegExp,
  status = 400,
): void => {
  it(`${status}: ${what}`, async () => {
    const before = process.cpuUsage()
    const response = await (typeof attack === 'string' ? runQuery(attack) : attack())
    expect(process.cpuUsage(before).user / 1000, 'milliseconds of processor time').to.be.below(20_000)
    expect(response.text).to.match(message)
    expect(response.status).to.equal(status)
    expect(calls, 'calls of resolvers').to.equal(0)
  })
}

describe('internal GraphQL', () => {
  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  beforeEach(() => {
    calls = 0
    logged.length = 0
  })
  afterEach('still answers', async () => {
    expect((await runQuery('{ __typename }')).body).to.deep.equal({ data: { __typename: 'Query' } })
  })

  describe('accepted queries', () => {
    it('200: an ordinary query', async () => {
      const response = await runQuery(
        `query ($n: Int!) { ${PAGES}, first: $n) { path revision { author { name } } } }`,
        { n: 201 },
      )
      expect(response.status).to.equal(200)
      expect(response.body.data?.pages).to.have.length(201)
      expect(calls).to.equal(202)
    })

    it('200: a query in the URL', async () => {
      const response = await send(`/graphql?query=${encodeURIComponent(`{ ${PAGE} { title } }`)}`)
      expect(response.body).to.deep.equal({ data: { page: { title: 'Tea' } } })
    })

    it('200: the longest introspection query of graphql', async () => {
      const response = await runQuery(
        getIntrospectionQuery({
          descriptions: true,
          specifiedByUrl: true,
          directiveIsRepeatable: true,
          schemaDescription: true,
          inputValueDeprecation: true,
          oneOf: true,
        }),
      )
      expect(response.status).to.equal(200)
      expect(response.body.data).to.have.nested.property('__schema.queryType.name', 'Query')
    })

    it('200: a fragment that is spread often, while the query stays small', async () => {
      const query = `{ ${times(30, () => '...f')} } fragment f on Query { ${PAGE} { title } }`
      expect((await runQuery(query)).status).to.equal(200)
    })

    it('runs one of several operations, and checks the limits of each', async () => {
      const query = `query One { ${PAGE} { title } } query Two { ${PAGES}, first: 202) { path } }`
      const response = await post(JSON.stringify({ query, operationName: 'One' }))
      expect(response.body.errors?.[0]?.message).to.include('first')
    })
  })

  it('runs one of several operations, of which another one needs variables', async () => {
    const query = `query One($p: Text!) { page(locale: "en", path: $p) { title } }
      query Two($q: Text!) { suggest(q: $q, locale: "en") { page { title } } }`
    const response = await post(JSON.stringify({ query, operationName: 'One', variables: { p: 'sencha' } }))
    expect(response.body.errors).to.equal(undefined)
  })

  describe('limits', () => {
    const introspectionBomb = `{ __schema { types { ${nest(5, 'fields { type {', 'name')} } } }`
    const fanOut = `{ ${PAGES}) { ...f } }
      fragment f on Page { history { items { page { history { items { page { path } } } } } } }`
    const listsInLists = `query ($a: Int!, $b: Int!) { ${PAGES}, first: $a) { history(first: $b) { items { id } } } }`
    const lists = (count: number, inner = '') => '['.repeat(count) + inner + ']'.repeat(count)
    const aliases = (count: number) => `{ ${times(count, (n) => `a${n}: __typename`)} }`
    const queries: [what: string, query: string, message: RegExp, status?: number][] = [
      ['62 levels', `{ ${PAGE} { ${nest(30, 'revision { page {', 'path')} } }`, /nesting is 61: at most 60/],
      ['2,500 opened braces', '{a'.repeat(2500), /nesting is 61/],
      [
        '20 searches',
        `{ ${times(20, (n) => `a${n}: search(q: "tea") { score }`)} }`,
        /cost is 20400: at most 20000/,
      ],
      ['600 aliases', aliases(600), /at most 500 are allowed/],
      ['2,500 fields', `{ ${times(2500, () => 'a')} }`, /more than 2000 tokens/],
      ['52 hits', '{ search(q: "tea", first: 52) { score } }', /from 1 to 51, not 52/],
      ['an offset below 0', '{ search(q: "tea", offset: -1) { score } }', /Query.search\(offset:\)/],
      [
        'first: 10^400',
        `{ ${PAGES}, first: 1${'0'.repeat(400)}) { path } }`,
        /Int cannot represent non 32-bit signed integer value: 10+\D/,
      ],
      ['first: "ten"', '{ recent(first: "ten") { next } }', /non-integer value: \\"ten\\"/],
      [
        'lists in lists: 200 × 200 texts',
        `{ ${PAGES}, first: 200) { history(first: 200) { items { markdown } } } }`,
        /cost is 480200: at most 20000/,
      ],
      ['a fan-out through a fragment', fanOut, /cost is \d+: at most 20000/],
      ['201 pages as HTML', `{ ${PAGES}, first: 201) { revision { html } } }`, /cost is/],
      ['25 fragments that double', `{ ...f0 } ${doubling(25, PAGE)}`, /maximum allowed number of nodes/],
      [
        'fragments that spread each other',
        '{ a } fragment f on Query { ...g } fragment g on Query { a { ...f } }',
        /within itself/,
      ],
      ['introspection in circles', introspectionBomb, /cost is \d+: at most 20000/],
      ['900 directives', `{ ${PAGE} { path ${times(900, () => '@include')} } }`, /\\"if\\" of required type/],
      ['a text of 15,000 characters', `{ page(path: "${'x'.repeat(15_000)}") { path } }`, /locale/],
      ['5,000 opened lists', `{ page(locale: ${'['.repeat(5000)}`, /nesting is 61/],
      ['300 variables', `query (${times(300, (n) => `$v${n}: Int`)}) { __typename }`, /never used/],
      ['a mutation', 'mutation { edit }', /mutation/],
      ['a subscription', 'subscription { edits }', /subscription/],
    ]
    for (const query of queries) refuses(...query)

    for (const first of [202, 1_000_000, 0, -1]) {
      const expected = new RegExp(`Query.pages\\(first:\\): must be an integer from 1 to 201, not ${first}`)
      refuses(`first: ${first}`, `{ ${PAGES}, first: ${first}) { path } }`, expected)
      const query = `query ($n: Int!) { ${PAGES}, first: $n) { path } }`
      refuses(`first: ${first} in a variable`, () => runQuery(query, { n: first }), expected)
      const byDefault = `query ($n: Int! = ${first}) { ${PAGES}, first: $n) { path } }`
      refuses(`first: ${first} as a variable's default`, byDefault, expected)
    }
    refuses(
      'lists in lists with the sizes in variables',
      () => runQuery(listsInLists, { a: 200, b: 200 }),
      /cost is 80200/,
    )
    refuses(
      'a variable of 5,000 lists',
      () =>
        post(`{"query":"query ($q: Text!) { search(q: $q) { score } }","variables":{"q":${lists(5000)}}}`),
      /cannot represent a non string value/,
    )
  })

  describe('request bodies', () => {
    const spaces = (bytes: number): string => JSON.stringify({ query: '{ __typename }' }).padEnd(bytes)
    const chunked = (bytes: number): ReadableStream<Uint8Array> => {
      const body = Buffer.from(spaces(bytes))
      let sent = 0
      return new ReadableStream<Uint8Array>({
        pull: (controller) => {
          if (sent >= bytes) return controller.close()
          controller.enqueue(body.subarray(sent, sent + 1024))
          sent += 1024
        },
      })
    }

    it('200: a body of 16,384 bytes, chunked or not', async () => {
      expect((await post(spaces(16_384))).status).to.equal(200)
      expect((await post(chunked(16_384))).status).to.equal(200)
    })

    refuses('a body of 16,385 bytes', () => post(spaces(16_385)), /"message":"Request body too large"/, 413)
    refuses('a chunked body of 16,385 bytes', () => post(chunked(16_385)), /Request body too large/, 413)
    it('413: refuses a body before its end, and closes the connection', async () => {
      const { status, headers } = await post(chunked(4_194_304))
      expect(status).to.equal(413)
      expect(headers.get('connection')).to.equal('close')
    })

    refuses('a body that is no JSON', () => post('{'), /invalid JSON/)
    refuses('a body without a query', () => post('{}'), /Must provide query/)
    refuses('null', () => post('null'), /object/)
    refuses('a batch', () => post('[{"query":"{ __typename }"}]'), /Batching is not supported/)
    const listOfVariables = '{"query":"{ __typename }","variables":[1]}'
    refuses('variables that are no object', () => post(listOfVariables), /variables/)
    const cutVariables = '/graphql?query={a}&variables={'
    refuses('variables in an address that are no JSON', () => send(cutVariables), /must be JSON/)
    refuses('an address without a query', () => send('/graphql'), /Must provide query/)
    refuses('an address of 20,000 characters', () => send(`/graphql?query=${'x'.repeat(20_000)}`), /^$/, 431)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/graphql']) {
      const attack = () => post('query={__typename}', { 'content-type': type })
      refuses(`a ${type} body`, attack, /Content-Type/, 415)
    }
    refuses('PUT', () => send('/graphql', { method: 'PUT', body: '{}' }), /GET and POST/, 405)
    refuses('a preflight', () => send('/graphql', { method: 'OPTIONS' }), /GET and POST/, 405)

    it('400 for invalid queries from every kind of client', async () => {
      for (const accept of ['application/json', 'application/graphql-response+json', '*/*']) {
        for (const query of ['{', '{ nothing }', `{ ${PAGES}, first: 0) { path } }`]) {
          expect((await post(JSON.stringify({ query }), { accept })).status, `${accept} ${query}`).to.equal(
            400,
          )
        }
      }
    })

    it('no response has a CORS header', async () => {
      const response = await send('/graphql?query={__typename}', { headers: { origin: address() } })
      expect(response.status).to.equal(200)
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).to.deep.equal(
        [],
      )
    })

    const probes = ['/live', '/ready', '/metrics']
    /** The headers of Chromium for a page that was loaded over http: no Sec-Fetch-*. */
    const browser = { 'accept-language': 'en-US,en;q=0.9', 'user-agent': 'Mozilla/5.0', accept: '*/*' }
    const expectStatus = async (status: number, headers: Record<string, string>, paths = probes) => {
      for (const path of paths)
        expect(await statusWith(headers, path), `${path} ${JSON.stringify(headers)}`).to.equal(status)
    }
    const graphql = ['/graphql?query={__typename}']

    it('200: probes and Prometheus, under any host name', async () => {
      readiness = async () => {}
      const clients: Record<string, string>[] = [
        { 'user-agent': 'kube-probe/1.31', accept: '*/*', connection: 'close' },
        { 'user-agent': 'Prometheus/2.53.1', 'x-prometheus-scrape-timeout-seconds': '10' },
        {},
      ]
      for (const host of ['10.1.2.3:3001', '[fd00::7]:3001', 'lectern.internal:3001', 'lectern.svc.example'])
        for (const client of clients) await expectStatus(200, { host, ...client })
    })

    it('200: a browser, by IP address, short name or configured name', async () => {
      for (const host of ['127.0.0.1:3001', 'localhost:3001', 'lectern:3001', 'wiki.example:3001']) {
        await expectStatus(200, { host, ...browser, 'sec-fetch-site': 'none' })
        await expectStatus(200, { host, ...browser, origin: `http://${host}` })
      }
      for (const host of ['10.1.2.3:80', '[::1]:3001', 'lectern', 'Wiki.Example'])
        await expectStatus(200, { host }, graphql)
    })

    it('403: pages of other sites, also on another port of this machine', async () => {
      const foreign: Record<string, string>[] = [
        ...['https://evil.example', 'http://127.0.0.1:9', 'null', `${address()}.evil.example`].map(
          (origin) => ({ origin }),
        ),
        ...['cross-site', 'same-site'].map((site) => ({ 'sec-fetch-site': site })),
      ]
      for (const headers of foreign) {
        await expectStatus(403, headers, [...probes, ...graphql])
        await expectStatus(403, { ...browser, ...headers })
      }
      await expectStatus(200, { 'sec-fetch-site': 'same-origin', origin: address() }, graphql)
    })

    it('403: a page that uses DNS rebinding', async () => {
      for (const host of ['evil.example', 'evil.example:3001', '127.0.0.1.evil.example', 'a/b']) {
        await expectStatus(403, { host }, graphql)
        await expectStatus(403, { host, origin: `http://${host}` }, [...probes, ...graphql])
        await expectStatus(403, { host, ...browser })
        await expectStatus(403, { host, 'accept-language': '' })
        await expectStatus(403, { host, referer: `http://${host}/` })
        await expectStatus(403, { host, 'sec-fetch-site': 'same-origin' })
      }
    })
  })

  describe('errors', () => {
    it('an unexpected error is logged, and the client gets "Internal error"', async () => {
      const response = await runQuery('{ wiki { name } }')
      expect(response.body.errors?.[0]).to.deep.include({
        message: 'Internal error',
        extensions: { code: 'internal' },
      })
      expect(response.text).not.to.include('hunter2')
      expect(logged).to.have.nested.property('[0][0].err.message', 'password=hunter2')
    })

    it('a value of the wrong type is an unexpected error, too', async () => {
      const response = await runQuery('{ page(locale: "en", path: "tea") { files { path } } }')
      expect(response.body.errors?.[0]).to.deep.include({
        message: 'Internal error',
        extensions: { code: 'internal' },
      })
      expect(logged).to.have.nested.property('[0][0].err.message').that.includes('Expected Iterable')
    })

    it('an expected error has its code; its cause goes only to the log', async () => {
      const response = await runQuery('{ category(locale: "en", key: "tea") { name } }')
      expect(response.body.errors?.[0]).to.deep.include({
        message: 'The wiki rests.',
        extensions: { code: 'unavailable' },
      })
      expect(response.text).not.to.include('db1')
      expect(logged).to.have.nested.property('[0][0].err.message', 'host db1 is down')
    })
  })

  describe('error codes', () => {
    const codesOf = ({ body }: Answer) => body.errors?.map(({ extensions }) => extensions?.code)

    it('GRAPHQL_PARSE_FAILED for every syntax error, whatever finds it first', async () => {
      const queries = [
        '{ page',
        '{ % }',
        '{ "text',
        '\u0000',
        '',
        '{ page(path: 1.) }',
        '{ page(path: "\\u12") }',
      ]
      for (const query of queries) {
        expect(codesOf(await runQuery(query)), query).to.deep.equal(['GRAPHQL_PARSE_FAILED'])
        if (query === '') continue
        const got = await send(`/graphql?query=${encodeURIComponent(query)}`)
        expect(codesOf(got), query).to.deep.equal(['GRAPHQL_PARSE_FAILED'])
        expect(got.status, query).to.equal(400)
      }
    })

    it('GRAPHQL_VALIDATION_FAILED for fields, arguments, variables and operations that the schema does not have', async () => {
      const queries = [
        '{ nothing }',
        '{ page(locale: "en", path: 5) { path } }',
        'query Q($path: Text!) { page(locale: "en", path: $path) { path } }',
        'mutation { x }',
      ]
      for (const query of queries)
        expect(codesOf(await runQuery(query)), query).to.deep.equal(['GRAPHQL_VALIDATION_FAILED'])
    })

    it('tells clients of persisted queries to send the query itself, as in the protocol of Apollo', async () => {
      const extensions = { persistedQuery: { version: 1, sha256Hash: 'ecf4edb46db40b5132295c0291d62fb6' } }
      const inAddress = encodeURIComponent(JSON.stringify(extensions))
      for (const response of [
        await post(JSON.stringify({ extensions })),
        await post(JSON.stringify({ operationName: 'Q', variables: {}, query: '', extensions })),
        await post(JSON.stringify({ query: null, extensions })),
        await send(`/graphql?extensions=${inAddress}`),
        await send(`/graphql?operationName=Q&variables=%7B%7D&extensions=${inAddress}`),
      ]) {
        expect(response.body.errors).to.deep.equal([
          { message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } },
        ])
        expect(response.status).to.equal(400)
      }
      const withQuery = await post(JSON.stringify({ query: '{ __typename }', extensions }))
      expect(withQuery.body).to.deep.equal({ data: { __typename: 'Query' } })
    })
  })

  describe('GraphiQL', () => {
    const open = () =>
      send('/graphql', { headers: { accept: 'text/html,*/*;q=0.8', 'sec-fetch-site': 'cross-site' } })

    it('runs only its own script, and connects only to its own origin', async () => {
      const { headers, text } = await open()
      const script = /<script>(.*)<\/script>/s.exec(text)?.[1] ?? ''
      const hash = createHash('sha256').update(script).digest('base64')
      const policy = headers.get('content-security-policy')?.split('; ')
      expect(policy).to.include.members([
        "default-src 'none'",
        `script-src 'sha256-${hash}' blob:`,
        "connect-src 'self'",
      ])
      expect(script).not.to.match(/<\/script|\r|\0/i)
    })
  })

  describe('/live and /ready', () => {
    it('200: live', async () => {
      expect((await send('/live')).body).to.deep.equal({ status: 'live' })
    })

    it('200 or 503 by readiness, with the error of the database, without its passwords', async () => {
      readiness = async () => {}
      const ready = await send('/ready')
      expect(ready).to.deep.include({ status: 200, body: { status: 'ready' } })
      servers = [
        { name: 'primary', health: 'lost' },
        { name: 'replica 1', health: 'up' },
        { name: 'replica 2', health: 'behind' },
      ]
      const down = { primary: 'lost', 'replica 2': 'behind' }
      expect(await send('/ready')).to.deep.include({ status: 200, body: { status: 'ready', servers: down } })
      readiness = async () => {
        throw new Error('postgres://wiki:hunter2@db1/wiki refused')
      }
      const unready = await send('/ready')
      const reason = 'postgres://…@db1/wiki refused'
      expect(unready).to.deep.include({ status: 503, body: { status: 'unavailable', reason } })
      expect(logged).to.have.nested.property('[0][0].reason', reason)
      readiness = async () => {
        throw new Unavailable(undefined, 1, new SchemaMismatch('Run `lectern migrate`.'))
      }
      expect((await send('/ready')).body).to.deep.equal({
        status: 'unavailable',
        reason: 'Run `lectern migrate`.',
      })
    })

    it('405: methods other than GET and HEAD, from everywhere', async () => {
      for (const path of ['/live', '/ready', '/metrics']) {
        expect(await statusWith({ origin: 'https://evil.example' }, path, 'OPTIONS'), path).to.equal(405)
        const response = await send(path, { method: 'POST', body: '' })
        expect(response.status).to.equal(405)
        expect(response.headers.get('allow')).to.equal('GET, HEAD')
        expect((await send(path, { method: 'HEAD' })).status).to.be.oneOf([200, 503])
      }
    })

    it('404: other URLs, with the error body of the API', async () => {
      for (const path of ['/', '/health', '/graphql/', '/GRAPHQL', '/x/graphql', '//graphql']) {
        const response = await send(path, { headers: { accept: 'text/html' } })
        expect(response.status, path).to.equal(404)
        expect(response.body).to.have.nested.property('error.code', 'not_found')
        expect(response.body).to.have.nested.property('error.message')
      }
    })
  })
})
