import { PassThrough, type Readable, type Writable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Logger } from 'pino'
import { z } from 'zod'
import { PageSubscriptions } from './resources.ts'
import { makeMcpServer } from './server.ts'
import type { ReadWiki } from './wiki-api.ts'

/**
 * The longest message, bytes; how long running requests may take after the input has ended, and between two requests
 * for what changed in pages to which the client has subscribed, milliseconds.
 */
const LIMITS = { messageBytes: 1024 * 1024, drainMs: 10_000, pollMs: 5_000 } as const

interface StdioOptions {
  wiki: ReadWiki
  /** Version of Lectern. */
  version: string
  logger: Logger
  /** Ends the service. */
  stop: AbortSignal
  input: Readable
  output: Writable
}

/**
 * Serves MCP until the input ends. The SDK drops the requests that run when its input ends. Here they get their
 * responses first, so that `lectern mcp < requests` works.
 */
export const serveMcpStdio = async ({
  wiki,
  version,
  logger,
  stop,
  input,
  output,
}: StdioOptions): Promise<void> => {
  const messages = new PassThrough()
  const transport = new StdioServerTransport(messages, output, { maxBufferSize: LIMITS.messageBytes })
  const ended = new Promise<void>((resolve) => {
    messages.once('close', resolve)
    stop.addEventListener('abort', () => resolve(), { once: true })
    if (stop.aborted) resolve()
  })
  const subscriptions = new PageSubscriptions(wiki, stop, LIMITS.pollMs)
  const service = serveStdio(() => makeMcpServer({ wiki, version, logger, subscriptions }), {
    transport,
    onerror: (err) => logger.debug({ err }, 'A message was refused'),
  })
  const settled = trackResponses(transport, subscriptions)
  const endInput = async () => {
    await Promise.race([settled(), sleep(LIMITS.drainMs, undefined, { ref: false })])
    messages.destroy()
  }
  input.once('end', endInput)
  input.once('error', endInput)
  output.once('error', () => messages.destroy())
  input.pipe(messages, { end: false })
  await ended
  input.unpipe(messages)
  input.pause()
  await service.close()
}

/** Passes on what clients subscribe to. @returns resolves when every request has its response */
const trackResponses = (
  transport: StdioServerTransport,
  subscriptions: PageSubscriptions,
): (() => Promise<void>) => {
  const pending = new Set<unknown>()
  let onSettled = () => {}
  const settle = (id: unknown) => {
    pending.delete(id)
    if (pending.size === 0) onSettled()
  }
  const receive = transport.onmessage
  transport.onmessage = (message) => {
    // A subscription ends with the connection, and a canceled request gets no response.
    if ('method' in message && message.method === 'subscriptions/listen') {
      const { data = [] } = listenedUris.safeParse(message.params?.notifications)
      void Promise.allSettled(data.map((uri) => subscriptions.add(uri))).then(() => receive?.(message))
      return
    }
    if ('method' in message && 'id' in message) pending.add(message.id)
    if (isCancellation(message)) settle(message.params?.requestId)
    receive?.(message)
  }
  const send = transport.send.bind(transport)
  transport.send = async (message) => {
    await send(message)
    if (!('method' in message)) settle(message.id)
  }
  return async () => {
    await nextTurn() // the last messages are still on their way through the stream
    if (pending.size === 0) return
    await new Promise<void>((resolve) => {
      onSettled = resolve
    })
  }
}

/** The pages whose changes a client asks for. What is malformed, the SDK refuses. */
const listenedUris = z
  .object({ resourceSubscriptions: z.array(z.string()) })
  .transform((notifications) => notifications.resourceSubscriptions)

const isCancellation = (
  message: JSONRPCMessage,
): message is JSONRPCMessage & { params?: { requestId?: unknown } } =>
  'method' in message && message.method === 'notifications/cancelled'
