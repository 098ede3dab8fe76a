import { Client, type Tool as RemoteTool, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect } from 'chai'

/** The current revision of the protocol, and the one before it. */
export const REVISIONS = ['2026-07-28', '2025-11-25'] as const

/** A client of the protocol's SDK that speaks one revision. */
export const makeMcpClient = (revision: (typeof REVISIONS)[number]): Client =>
  new Client(
    { name: 'test', version: '1.0.0' },
    {
      versionNegotiation: { mode: revision === '2026-07-28' ? { pin: revision } : 'legacy' },
    },
  )

/** Connects a client over HTTP. @param origin of the public listener */
export const connectOverHttp = async (
  origin: string,
  revision: (typeof REVISIONS)[number] = '2026-07-28',
): Promise<Client> => {
  const client = makeMcpClient(revision)
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin)))
  return client
}

interface Answer {
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read structured content of every shape
  structured: any
  isError: boolean
}

/** Calls a tool, and checks what all answers have in common. */
export const callTool = async (
  client: Client,
  name: string,
  values: Record<string, unknown> = {},
): Promise<Answer> => {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: values })
  expect(content, name).to.have.length(1)
  const [block] = content
  if (block?.type !== 'text') throw new Error('The answer is not text')
  const most = (values.max_characters as number | undefined) ?? 20_000
  expect(block.text.length, name).to.be.at.most(most)
  return { text: block.text, structured: structuredContent, isError: isError === true }
}

/** What an answer contains of the wiki, without its frame. */
export const contentOf = (text: string): string => {
  const framed = /^<wiki-content id="([0-9a-f]{12})">\n([\s\S]*)\n<\/wiki-content id="\1">$/m.exec(text)
  return framed?.[2] ?? ''
}

/** The call with which an answer says that it goes on. */
export const nextCallOf = (text: string): { name: string; values: Record<string, unknown> } | undefined => {
  const tail = text.slice(text.lastIndexOf('</wiki-content'))
  const call = /(?:^More|goes on): call (\w+) (\{.*\})$/m.exec(tail)
  return call ? { name: call[1]!, values: JSON.parse(call[2]!) } : undefined
}

/** Follows an answer to its end. @returns the answers */
export const followCalls = async (
  client: Client,
  name: string,
  values: Record<string, unknown>,
): Promise<Answer[]> => {
  const answers = [await callTool(client, name, values)]
  for (let next = nextCallOf(answers[0]!.text); next; next = nextCallOf(answers.at(-1)!.text)) {
    expect(answers.length).to.be.below(200)
    answers.push(await callTool(client, next.name, next.values))
  }
  return answers
}

/** Valid arguments for each tool in a wiki with the page `tea`. */
const ARGUMENTS: Record<string, Record<string, unknown>> = {
  search: { query: 'tea' },
  read_page: { path: 'tea' },
  page_history: { path: 'tea' },
  recent_changes: {},
  list_pages: {},
  links: { path: 'tea' },
  compare_revisions: {},
}

/** Calls every tool of a server once, each of which succeeds. @returns the tools */
export const callEveryTool = async (client: Client): Promise<RemoteTool[]> => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).sort()).to.deep.equal(Object.keys(ARGUMENTS).sort())
  const history = await callTool(client, 'page_history', { path: 'tea' })
  const { revision } = history.structured.items[0]
  for (const { name, outputSchema } of tools) {
    const values = name === 'compare_revisions' ? { to: revision } : ARGUMENTS[name]
    const answer = await callTool(client, name, values)
    expect(answer.isError, `${name}: ${answer.text}`).to.equal(false)
    expect(answer.text, name).to.include('https://license.example/')
    expect(answer.structured !== undefined, name).to.equal(outputSchema !== undefined)
  }
  return tools
}
