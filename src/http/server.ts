import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UsageError } from '../errors.ts'
import { HEADER_BYTES_MAX, KEEP_ALIVE_MS, REQUEST_TIMEOUTS } from '../limits.ts'

/** A server of node:http with bounds on the time and size of requests. */
export const makeHttpServer = (): Server =>
  createServer({
    // The listener responds to a missing Host header itself, as to every other error.
    requireHostHeader: false,
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: REQUEST_TIMEOUTS.headersMs,
    requestTimeout: REQUEST_TIMEOUTS.requestMs,
    connectionsCheckingInterval: REQUEST_TIMEOUTS.checkMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
  })

/**
 * @param variable environment variable of the port
 * @throws UsageError when the server cannot listen, naming the variable if the port is in use
 */
export const listen = async (
  server: Server,
  port: number,
  host: string | undefined,
  variable: string,
): Promise<void> => {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'EADDRINUSE' ? `port ${port} is in use. Set ${variable} to another port` : message
    throw new UsageError(`Cannot listen: ${reason}.`)
  }
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** A host as URLs write it: an IPv6 address has brackets. */
export const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host)
