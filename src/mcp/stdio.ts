import { PassThrough, type Readable, type Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Logger } from 'pino'
import { makeWakeableSleep } from '../wakeable-sleep.ts'
import { MCP_STDIO } from './limits.ts'
import { makeMcpServer } from './server.ts'
import type { ReadWiki } from './wiki-reader.ts'

interface StdioOptions {
  wiki: ReadWiki
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
export const serveMcpStdio = async ({ wiki, logger, stop, input, output }: StdioOptions): Promise<void> => {
  const messages = new PassThrough()
  const transport = new StdioServerTransport(messages, output, { maxBufferSize: MCP_STDIO.messageBytes })
  const ended = new Promise<void>((resolve) => {
    messages.once('close', resolve)
    stop.addEventListener('abort', () => resolve(), { once: true })
    if (stop.aborted) resolve()
  })
  const service = serveStdio(() => makeMcpServer({ wiki, logger }), {
    transport,
    onerror: (err) => logger.debug({ err }, 'A message was refused'),
  })
  const responses = trackResponses(transport)
  const endInput = () => {
    responses.settled(MCP_STDIO.drainMs).then(() => messages.destroy())
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

/** Tracks which requests have no response yet. */
const trackResponses = (transport: StdioServerTransport) => {
  const pending = new Set<unknown>()
  const settling = makeWakeableSleep()
  const settle = (id: unknown) => {
    pending.delete(id)
    if (pending.size === 0) settling.wake()
  }
  const receive = transport.onmessage
  transport.onmessage = (message) => {
    // A subscription ends with the connection, and a canceled request gets no response.
    if ('method' in message && 'id' in message && message.method !== 'subscriptions/listen')
      pending.add(message.id)
    if (isCancellation(message)) settle(message.params?.requestId)
    receive?.(message)
  }
  const send = transport.send.bind(transport)
  transport.send = async (message) => {
    await send(message)
    if (!('method' in message)) settle(message.id)
  }
  return {
    /** Resolves when every request has its response. @param ms the longest wait, milliseconds */
    settled: async (ms: number): Promise<void> => {
      const deadline = performance.now() + ms
      await nextTurn() // the last messages are still on their way through the stream
      while (pending.size > 0 && performance.now() < deadline) {
        settling.reset()
        await settling.sleep(deadline - performance.now())
      }
    },
  }
}

const isCancellation = (
  message: JSONRPCMessage,
): message is JSONRPCMessage & { params?: { requestId?: unknown } } =>
  'method' in message && message.method === 'notifications/cancelled'
