import type { IncomingHttpHeaders } from 'node:http'
import {
  createMcpHandler,
  INVALID_REQUEST,
  isLegacyRequest,
  METHOD_NOT_FOUND,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Logger } from 'pino'
import { type McpContext, makeMcpServer } from './server.ts'
import type { ReadWiki } from './wiki-api.ts'

/** One request of the endpoint. */
export interface McpCall {
  headers: IncomingHttpHeaders
  body: Buffer
  /** Aborted when the client disconnects. */
  signal: AbortSignal
  /** Reads the wiki as the client of this request. */
  wiki: ReadWiki
  /** Counts further requests in the rate limit, if the body holds several. @throws RateLimited */
  countRequests(count: number): Promise<void>
}

export interface McpResponse {
  status: number
  headers: Readonly<Record<string, string>>
  body: Buffer
}

/**
 * MCP over streamable HTTP, without sessions: each request gets a server of its own. The SDK decides by the body
 * which revision of the protocol a request speaks. Responses are JSON, because no tool sends anything before its
 * result.
 * @param version of Lectern
 */
export const makeMcpResponder =
  (version: string, logger: Logger) =>
  async (call: McpCall): Promise<McpResponse> => {
    const message = parseBody(call.body)
    const context = { wiki: call.wiki, version, logger }
    const response = refusalOf(message, call.headers) ?? (await respond(call, message, context))
    return {
      status: response.status,
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
      body: Buffer.from(await response.arrayBuffer()),
    }
  }

const respond = async (call: McpCall, message: unknown, context: McpContext): Promise<Response> => {
  if (Array.isArray(message)) await call.countRequests(message.length - 1)
  const hasInstructions = isMethod(message, 'initialize') || isMethod(message, 'server/discover')
  const makeServer = () => makeMcpServer({ ...context, hasInstructions })
  // The SDK does not read the URL.
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: Object.entries(call.headers).map(([name, value]) => [name, String(value)]),
    body: new Uint8Array(call.body),
    signal: call.signal,
  })
  const parsed = { parsedBody: message }
  if (message === undefined || !(await isLegacyRequest(request, message)))
    return createMcpHandler(makeServer, { legacy: 'reject' }).fetch(request, parsed)
  const server = await makeServer()
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  try {
    await server.connect(transport)
    call.signal.addEventListener('abort', () => void server.close(), { once: true })
    return await transport.handleRequest(request, parsed)
  } finally {
    await server.close()
  }
}

/** Undefined for what is not JSON. The SDK refuses it. */
const parseBody = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

const isMethod = (message: unknown, method: string): message is { method: string; id?: unknown } =>
  (message as { method?: unknown } | null)?.method === method

/** The only revision of the protocol with batches. A client that speaks it may leave out the header. */
const BATCH_REVISION = '2025-03-26'
/** Messages in one batch. Each counts as a request of the rate limit. */
const BATCH_MAX = 20

const NO_BATCHES = 'This revision of the protocol has no batches. Send one message per request.'

/** Refuses what the SDK would accept, but this server does not offer. */
const refusalOf = (message: unknown, headers: IncomingHttpHeaders): Response | undefined => {
  const refuse = (status: number, code: number, text: string, id?: unknown) =>
    Response.json({ jsonrpc: '2.0', id, error: { code, message: text } }, { status })
  if (Array.isArray(message)) {
    const revision = headers['mcp-protocol-version'] ?? BATCH_REVISION
    if (revision !== BATCH_REVISION) return refuse(400, INVALID_REQUEST, NO_BATCHES)
    if (message.length > BATCH_MAX)
      return refuse(400, INVALID_REQUEST, `A batch must have at most ${BATCH_MAX} messages.`)
  }
  // Each request has a server of its own, so nothing stays that could tell a client of changes.
  if (isMethod(message, 'subscriptions/listen'))
    return refuse(404, METHOD_NOT_FOUND, 'This server has no subscriptions.', message.id)
  return undefined
}
