import { EventEmitter, once } from 'node:events'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from '@lectern/wiki/errors'
import { isSpecType } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { PageSubscriptions } from './resources.ts'
import { type McpContext, makeMcpServer } from './server.ts'

/** The longest message, bytes; how long running requests may take after the input has ended, milliseconds. */
const LIMITS = { messageBytes: 1024 * 1024, drainMs: 10_000 } as const

interface StdioOptions extends McpContext {
  /** Ends the service. */
  stop: AbortSignal
  input: Readable
  output: Writable
}

/**
 * Serves MCP until the input ends. The SDK drops the requests that run when its input ends. Here they get their
 * responses first, so that `lectern mcp < requests` works.
 * @throws UsageError if a message is too long: then the SDK has closed the connection
 */
export const serveMcpStdio = async ({ stop, input, output, ...context }: StdioOptions): Promise<void> => {
  const messages = new PassThrough()
  const ended = once(messages, 'close', { signal: stop }).catch((error: unknown) => {
    if (error instanceof UsageError) throw error
  })
  const transport = new StdioServerTransport(messages, output, { maxBufferSize: LIMITS.messageBytes })
  const subscriptions = new PageSubscriptions(context.wiki, stop)
  const service = serveStdio(() => makeMcpServer({ ...context, subscriptions }), {
    transport,
    onerror: (err) => context.logger.debug({ err }, 'A message was refused'),
  })
  const answered = trackResponses(transport, subscriptions)
  const endInput = async () => {
    await Promise.race([answered(), sleep(LIMITS.drainMs, undefined, { ref: false })])
    messages.destroy()
  }
  input.once('end', endInput)
  input.once('error', endInput)
  output.once('error', () => messages.destroy())
  const close = transport.onclose
  transport.onclose = () => {
    messages.destroy(stop.aborted ? undefined : new UsageError('A message is longer than 1 MiB.'))
    close?.()
  }
  input.pipe(messages, { end: false })
  await ended
  input.unpipe(messages)
  input.pause()
  await service.close()
}

/** Passes on what clients subscribe to. @returns resolves when every request has its response */
const trackResponses = (transport: StdioServerTransport, subscriptions: PageSubscriptions) => {
  const pending = new Set<unknown>()
  const requests = new EventEmitter()
  const settle = (id: unknown) => {
    pending.delete(id)
    requests.emit('settled')
  }
  const receive = transport.onmessage
  transport.onmessage = (message) => {
    if ('method' in message) {
      const { method, params } = message
      // A subscription ends with the connection, and a canceled request gets no response.
      if (method === 'subscriptions/listen') {
        const filter = params?.notifications
        // The SDK refuses what is malformed.
        const uris = isSpecType.SubscriptionFilter(filter) ? (filter.resourceSubscriptions ?? []) : []
        void Promise.allSettled(uris.map((uri) => subscriptions.add(uri))).then(() => receive?.(message))
        return
      }
      if ('id' in message) pending.add(message.id)
      if (method === 'notifications/cancelled') settle(params?.requestId)
    }
    receive?.(message)
  }
  const send = transport.send.bind(transport)
  transport.send = async (message) => {
    await send(message)
    if (!('method' in message)) settle(message.id)
  }
  return async () => {
    await nextTurn() // the last messages are still on their way through the stream
    while (pending.size > 0) await once(requests, 'settled')
  }
}
