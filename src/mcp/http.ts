import type { IncomingHttpHeaders } from 'node:http'
import {
  createMcpHandler,
  INVALID_REQUEST,
  isLegacyRequest,
  METHOD_NOT_FOUND,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Logger } from 'pino'
import { API_PATH } from '../api-path.ts'
import type { PostCall, PostEndpoint } from '../rest/post-endpoint.ts'
import type { ApiResponse } from '../rest/responses.ts'
import { MCP_BATCH_MAX } from './limits.ts'
import { makeMcpServer } from './server.ts'
import { type ReadWiki, toWikiAnswer } from './wiki-reader.ts'

/**
 * MCP over streamable HTTP, without sessions: each request gets a server of its own. The SDK decides by the body
 * which revision of the protocol a request speaks. Responses are JSON, because no tool sends anything before its
 * result.
 */
export const makeMcpResponder = (logger: Logger): PostEndpoint['respond'] => {
  /** What the server of each request needs: the wiki as the client of the request reads it. */
  const options = new WeakMap<Request, { wiki: ReadWiki; hasInstructions: boolean }>()
  const modern = createMcpHandler(
    async ({ requestInfo }) => makeMcpServer({ ...options.get(requestInfo!)!, logger }),
    { legacy: 'reject' },
  )
  return async (call) => {
    const wiki: ReadWiki = async (url) => toWikiAnswer(await call.read(API_PATH + url))
    const message = parseBody(call.body)
    const refusal = refusalOf(message, call.headers)
    if (refusal) return refusal
    if (Array.isArray(message)) await call.countRequests(message.length - 1)
    const request = toRequest(call)
    const parsed = message === undefined ? {} : { parsedBody: message }
    if (message !== undefined && (await isLegacyRequest(request, message))) {
      const server = await makeMcpServer({ wiki, logger, hasInstructions: isMethod(message, 'initialize') })
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
      try {
        await server.connect(transport)
        call.signal.addEventListener('abort', () => void server.close(), { once: true })
        return await toApiResponse(await transport.handleRequest(request, parsed))
      } finally {
        await server.close()
      }
    }
    options.set(request, { wiki, hasInstructions: isMethod(message, 'server/discover') })
    return toApiResponse(await modern.fetch(request, parsed))
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

/** Refuses what the SDK would accept, but this server does not offer. */
const refusalOf = (message: unknown, headers: IncomingHttpHeaders): ApiResponse | undefined => {
  if (Array.isArray(message)) {
    const revision = headers['mcp-protocol-version'] ?? BATCH_REVISION
    if (revision !== BATCH_REVISION)
      return errorOf(
        400,
        INVALID_REQUEST,
        'This revision of the protocol has no batches. Send one message per request.',
      )
    if (message.length > MCP_BATCH_MAX)
      return errorOf(400, INVALID_REQUEST, `A batch must have at most ${MCP_BATCH_MAX} messages.`)
  }
  // The tools never change while the server runs, so a subscription would be an idle connection.
  if (isMethod(message, 'subscriptions/listen'))
    return errorOf(
      404,
      METHOD_NOT_FOUND,
      'This server has no subscriptions.',
      (message as { id?: unknown }).id,
    )
  return undefined
}

const errorOf = (status: number, code: number, message: string, id?: unknown): ApiResponse => ({
  status,
  headers: RESPONSE_HEADERS,
  body: Buffer.from(
    JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error: { code, message } }),
  ),
})

const JSON_TYPE = 'application/json'
const RESPONSE_HEADERS = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' }

/** The request as the SDK reads it. Its URL has no meaning there. */
const toRequest = ({ headers, body, signal }: PostCall): Request => {
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

const toApiResponse = async (response: Response): Promise<ApiResponse> => {
  const body = Buffer.from(await response.arrayBuffer())
  const type = response.headers.get('content-type') ?? JSON_TYPE
  const allow = response.headers.get('allow')
  return {
    status: response.status,
    headers: { ...RESPONSE_HEADERS, 'Content-Type': type, ...(allow === null ? {} : { Allow: allow }) },
    body,
  }
}
