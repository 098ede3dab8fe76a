import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Unavailable } from '@lectern/wiki/errors'
import { expect } from 'chai'
import { graphqlSchema } from '../src/graphql.ts'
import { makeInternalListener } from '../src/internal/listener.ts'

const SECRET = "It's a Secret to Everybody"

describe('POST /follow', () => {
  let secret: string | undefined
  let asked = 0
  let failure: Error | null = null
  let origin: string
  const server = createServer((request, response) =>
    makeInternalListener({
      schema: graphqlSchema(),
      context: () => ({}) as never,
      ready: async () => {},
      servers: () => [],
      metrics: async () => '',
      following: {
        sources: async () => [
          { name: 'main', checkedAgo: 12.4, failingFor: null, endedAgo: null },
          { name: 'old', checkedAgo: null, failingFor: 7.4, endedAgo: 5.4 },
        ],
        request: async () => {
          if (failure) throw failure
          asked += 1
        },
        secret,
      },
    })(request, response),
  )

  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => server.close())
  beforeEach(() => {
    secret = undefined
    asked = 0
    failure = null
  })

  const post = async (headers: Record<string, string> = {}, body: BodyInit = 'Hello, World!') => {
    const response = await fetch(`${origin}/follow`, { method: 'POST', headers, body })
    return { status: response.status, body: await response.json(), allow: response.headers.get('allow') }
  }

  it('202: asks the followers to check their sources', async () => {
    expect(await post()).to.deep.include({ status: 202, body: { status: 'accepted' } })
    expect(asked).to.equal(1)
  })

  // The example of GitHub's documentation of webhooks.
  const signature = '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
  const accepted: [string, Record<string, string>][] = [
    ['the signature of GitHub', { 'X-Hub-Signature-256': `sha256=${signature}` }],
    ['the signature of Gitea', { 'X-Gitea-Signature': signature }],
    ['the signature of Forgejo', { 'X-Forgejo-Signature': signature }],
    ['the token of GitLab', { 'X-Gitlab-Token': SECRET }],
    ['a bearer token', { Authorization: `Bearer ${SECRET}` }],
  ]
  for (const [what, headers] of accepted)
    it(`202: with a secret and ${what}`, async () => {
      secret = SECRET
      expect((await post(headers)).status).to.equal(202)
      expect(asked).to.equal(1)
    })

  const refused: [string, Record<string, string>][] = [
    ['nothing', {}],
    ['the signature of another text', { 'X-Hub-Signature-256': `sha256=${'0'.repeat(64)}` }],
    ['a signature without its algorithm', { 'X-Hub-Signature-256': signature }],
    [
      'the signature of another secret',
      { 'X-Gitea-Signature': createHmac('sha256', 'x').update('Hello, World!').digest('hex') },
    ],
    ['another token', { 'X-Gitlab-Token': `${SECRET}!` }],
    ['an empty token', { 'X-Gitlab-Token': '' }],
    ['another bearer token', { Authorization: `Bearer ${SECRET.slice(1)}` }],
  ]
  for (const [what, headers] of refused)
    it(`401: with a secret and ${what}`, async () => {
      secret = SECRET
      const { status, body } = await post(headers)
      expect(status).to.equal(401)
      expect(body.error.message).to.include('FOLLOW_SECRET')
      expect(asked).to.equal(0)
    })

  it('405: with another method', async () => {
    const response = await fetch(`${origin}/follow`)
    expect([response.status, response.headers.get('allow')]).to.deep.equal([405, 'POST'])
  })

  it('403: from a page of another site', async () => {
    expect((await post({ Origin: 'https://evil.example' })).status).to.equal(403)
    expect(asked).to.equal(0)
  })

  it('413: a body of more than 25 MB', async () => {
    expect((await post({}, new Uint8Array(26 * 1024 ** 2))).status).to.equal(413)
    expect(asked).to.equal(0)
  })

  it('503: if the database cannot be reached', async () => {
    failure = new Unavailable()
    expect((await post()).status).to.equal(503)
  })

  it('/ready lists the sources', async () => {
    const response = await fetch(`${origin}/ready`)
    expect(await response.json()).to.deep.equal({
      status: 'ready',
      sources: [
        { name: 'main', checked_seconds_ago: 12, failing_seconds: 0 },
        { name: 'old', checked_seconds_ago: null, failing_seconds: 7, ended_seconds_ago: 5 },
      ],
    })
  })
})
