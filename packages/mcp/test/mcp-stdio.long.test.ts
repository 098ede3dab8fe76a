import { once } from 'node:events'
import type { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect } from 'chai'
import { makeRemoteWiki, remoteBase } from '../../../src/agents/remote-wiki.ts'
import { CLI, environmentOf, lectern } from '../../../test/support/cli.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { callEveryTool, callTool, makeMcpClient, REVISIONS } from '../../../test/support/mcp.ts'
import { withService, withWorld } from '../../../test/support/service.ts'
import { importRecords, recordsOf } from '../../../test/support/world.ts'

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})
const SEARCH =
  '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{"query":"tea"}}}'

describe('lectern mcp', () => {
  const test = withService({ mcp: true })
  withWorld(test, {
    pages: [{ path: 'tea' }, { path: 'leaves', revisions: [{ markdown: 'Leaves of [tea](tea).' }] }],
  })
  const environment = async () => environmentOf((await testDatabase()).place)
  let client: Client
  afterEach(() => client?.close())

  it('a client of the SDK uses every tool of the configured database', async () => {
    client = makeMcpClient('2025-11-25')
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [CLI, 'mcp'],
      env: { ...(await environment()), WIKI_ADDRESSES: 'en=https://en.wiki.example' },
      stderr: 'ignore',
    })
    await client.connect(transport)
    await callEveryTool(client)
    const { text } = await callTool(client, 'read_page', { path: 'tea' })
    expect(text).to.include('url: https://en.wiki.example/tea\n')
  })

  it('a client of the SDK uses every tool of a wiki at a URL; SIGTERM ends it with status 0', async () => {
    client = makeMcpClient('2026-07-28')
    const args = [CLI, 'mcp', `${test.service.listeningUrl}/api/v1/`]
    const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' })
    await client.connect(transport)
    await callEveryTool(client)
    const { _process: child } = transport as unknown as {
      _process: import('node:child_process').ChildProcess
    }
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended).to.deep.equal([0, null])
  })

  for (const revision of [...REVISIONS].reverse())
    it(`tells a client of revision ${revision} that a page changed to which it subscribed, and of no other`, async () => {
      client = makeMcpClient(revision)
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [CLI, 'mcp'],
        env: await environment(),
        stderr: 'ignore',
      })
      await client.connect(transport)
      const updated: string[] = []
      const told = new Promise<void>((resolve) => {
        client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
          updated.push(params.uri)
          resolve()
        })
      })
      const uri = 'wiki://en/l%65aves'
      if (revision === '2026-07-28') await client.listen({ resourceSubscriptions: [uri] })
      else await client.subscribeResource({ uri })
      const edits = ['tea', 'leaves'].map((path) => ({
        path,
        revisions: [{ created_at: `${revision}T00:00:00Z`, markdown: `New, ${revision}.` }],
      }))
      await importRecords(recordsOf({ pages: edits }))
      await told
      expect(updated).to.deep.equal([uri])
      const { contents } = await client.readResource({ uri })
      expect(contents).to.have.nested.property('0.text', `New, ${revision}.`)
    })

  it('answers every request before it ends with its input, and prints the protocol alone', async () => {
    const { status, stdout } = await lectern(
      ['mcp', test.service.listeningUrl],
      {},
      { input: `${INITIALIZE}\nnot JSON\n${SEARCH}\n` },
    )
    expect(status).to.equal(0)
    const messages = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(messages.map(({ id }) => id).sort()).to.deep.equal([1, 2])
  })

  it('ends with a message if a request is too long', async () => {
    const { status, stderr } = await lectern(
      ['mcp', test.service.listeningUrl],
      {},
      { input: `${INITIALIZE}\n${SEARCH.replace('tea', 'tea'.repeat(400_000))}\n` },
    )
    expect(stderr).to.include('A message is longer than 1 MiB.')
    expect(status).to.equal(1)
  })

  it('tells the agent if the wiki cannot be reached, and starts nevertheless', async () => {
    const { status, stdout } = await lectern(
      ['mcp', 'http://127.0.0.1:1/api/v1'],
      {},
      { input: `${INITIALIZE}\n${SEARCH}\n` },
    )
    expect(status).to.equal(0)
    expect(stdout).to.include('This server reads a wiki.')
    expect(stdout)
      .to.match(/cannot be reached \([\w ]+\)\. Try again later\./)
      .and.include('"isError":true')
  })

  it('refuses what is not a URL of a wiki', async () => {
    const { status, stderr } = await lectern(['mcp', 'wiki'])
    expect(status).to.equal(1)
    expect(stderr).to.include('"wiki" is not a URL of a Lectern')
  })
})

describe('MCP: a wiki over HTTP', () => {
  const BASE = 'https://wiki.example/api/v1'
  /** A wiki that gives these responses, one after the other. */
  const wikiOf = (responses: Response[]) => {
    const urls: string[] = []
    const wiki = makeRemoteWiki(BASE, '1.0.0', async (url) => {
      urls.push(String(url))
      return responses.shift() ?? Response.error()
    })
    return { wiki, urls }
  }
  const refusal = (status: number, seconds: string) =>
    new Response('{"error":{"message":"wait"}}', { status, headers: { 'Retry-After': seconds } })

  it('takes the base URL with or without the path of the API', () => {
    for (const text of ['https://wiki.example', 'https://wiki.example/', BASE, `${BASE}/`])
      expect(remoteBase(text)).to.equal(BASE)
    expect(remoteBase('https://example.org/wiki/api/v1?x#y')).to.equal('https://example.org/wiki/api/v1')
  })

  it('waits as long as a 429 or 503 asks, then asks again', async () => {
    const { wiki, urls } = wikiOf([refusal(429, '1'), Response.json({ a: 1 })])
    const startedAt = performance.now()
    expect((await wiki('/pages')).body).to.deep.equal({ a: 1 })
    expect(performance.now() - startedAt).to.be.at.least(990)
    expect(urls).to.deep.equal([`${BASE}/pages`, `${BASE}/pages`])
  })

  it('does not wait longer than an agent would, but hands on the refusal', async () => {
    const { wiki, urls } = wikiOf([refusal(429, '60')])
    const answer = await wiki('/pages')
    expect([answer.status, answer.retryAfter, urls.length]).to.deep.equal([429, '60', 1])
  })

  it('keeps a response as long as the service allows', async () => {
    const headers = { 'Cache-Control': 'public, max-age=60' }
    const { wiki, urls } = wikiOf([
      Response.json({ a: 1 }, { headers }),
      Response.json({ a: 2 }),
      Response.json({ a: 3 }),
    ])
    for (const [url, a] of [
      ['/1', 1],
      ['/1', 1],
      ['/2', 2],
      ['/2', 3],
    ] as const)
      expect((await wiki(url)).body, url).to.deep.equal({ a })
    expect(urls).to.have.length(3)
  })

  it('names that a URL cannot contain do not lead to another endpoint', async () => {
    const { wiki, urls } = wikiOf([])
    for (const url of ['/pages/..', '/pages/.?format=text', '/pages/../history', '/categories/..?limit=1'])
      expect((await wiki(url)).status, url).to.equal(404)
    expect(urls).to.deep.equal([])
    const { wiki: other, urls: others } = wikiOf([Response.json({}), Response.json({})])
    await other('/pages/a%2F..')
    await other('/pages/...?after=..')
    expect(others).to.have.length(2)
  })

  it('refuses what is not the API of a Lectern', async () => {
    const { wiki } = wikiOf([new Response('<html>')])
    const error = await wiki('/').catch((one: Error) => one)
    expect((error as Error).message).to.include('does not answer as a Lectern does')
  })
})
