import type { IncomingHttpHeaders } from 'node:http'
import {
  createMcpHandler,
  INVALID_REQUEST,
  isLegacyRequest,
  METHOD_NOT_FOUND,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Logger } from 'pino'
import { makeMcpServer } from './server.ts'
import type { ReadWiki } from './wiki-api.ts'

/** One request of the endpoint. */
export interface McpCall {
  headers: IncomingHttpHeaders
  body: Buffer
  /** Aborted when the client disconnects. */
  signal: AbortSignal
  /** Reads the wiki as the client of this request. */
  wiki: ReadWiki
  /**
   * Counts further requests in the rate limit, if the body holds several.
   * @throws RateLimited
   */
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
    const refusal = refusalOf(message, call.headers)
    if (refusal) return refusal
    if (Array.isArray(message)) await call.countRequests(message.length - 1)
    const hasInstructions = isMethod(message, 'initialize') || isMethod(message, 'server/discover')
    const makeServer = () => makeMcpServer({ wiki: call.wiki, version, logger, hasInstructions })
    const request = toRequest(call)
    const parsed = message === undefined ? {} : { parsedBody: message }
    if (message === undefined || !(await isLegacyRequest(request, message)))
      return toMcpResponse(await createMcpHandler(makeServer, { legacy: 'reject' }).fetch(request, parsed))
    const server = await makeServer()
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    try {
      await server.connect(transport)
      call.signal.addEventListener('abort', () => void server.close(), { once: true })
      return await toMcpResponse(await transport.handleRequest(request, parsed))
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

const isMethod = (message: unknown, method: string): boolean =>
  (message as { method?: unknown } | null)?.method === method

/** The only revision of the protocol with batches. A client that speaks it may leave out the header. */
const BATCH_REVISION = '2025-03-26'

/** Messages in one batch. Each counts as a request of the rate limit. */
const BATCH_MAX = 20

/** Refuses what the SDK would accept, but this server does not offer. */
const refusalOf = (message: unknown, headers: IncomingHttpHeaders): McpResponse | undefined => {
  if (Array.isArray(message)) {
    const revision = headers['mcp-protocol-version'] ?? BATCH_REVISION
    if (revision !== BATCH_REVISION)
      return errorOf(
        400,
        INVALID_REQUEST,
        'This revision of the protocol has no batches. Send one message per request.',
      )
    if (message.length > BATCH_MAX)
      return errorOf(400, INVALID_REQUEST, `A batch must have at most ${BATCH_MAX} messages.`)
  }
  // Each request has a server of its own, so nothing stays that could tell a client of changes.
  if (isMethod(message, 'subscriptions/listen'))
    return errorOf(
      404,
      METHOD_NOT_FOUND,
      'This server has no subscriptions.',
      (message as { id?: unknown }).id,
    )
  return undefined
}

const errorOf = (status: number, code: number, message: string, id?: unknown): McpResponse => ({
  status,
  headers: RESPONSE_HEADERS,
  body: Buffer.from(
    JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error: { code, message } }),
  ),
})

const JSON_TYPE = 'application/json'
const RESPONSE_HEADERS = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' }

/** The request as the SDK reads it. Its URL has no meaning there. */
const toRequest = ({ headers, body, signal }: McpCall): Request => {
  const init = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) init.set(name, Array.isArray(value) ? value.join(', ') : value)
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: init,
    body: new Uint8Array(body),
    signal,
  })
}

const toMcpResponse = async (response: Response): Promise<McpResponse> => {
  const body = Buffer.from(await response.arrayBuffer())
  const type = response.headers.get('content-type') ?? JSON_TYPE
  const allow = response.headers.get('allow')
  return {
    status: response.status,
    headers: { ...RESPONSE_HEADERS, 'Content-Type': type, ...(allow === null ? {} : { Allow: allow }) },
    body,
  }
}
