import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UsageError } from '../errors.ts'
import { HEADER_BYTES_MAX, KEEP_ALIVE_MS, REQUEST_TIMEOUTS } from '../limits.ts'

/**
 * A server of node:http with bounds on the time and size of requests.
 * @param keepAliveTimeout after which node:http closes an idle connection, milliseconds; 0 if `trackConnections` alone
 * does, because node:http makes a timer for each response, which takes a tenth of the time of a cached response (D129)
 */
export const makeHttpServer = (keepAliveTimeout = KEEP_ALIVE_MS): Server =>
  createServer({
    // The listener responds to a missing Host header itself, as to every other error.
    requireHostHeader: false,
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: REQUEST_TIMEOUTS.headersMs,
    requestTimeout: REQUEST_TIMEOUTS.requestMs,
    connectionsCheckingInterval: REQUEST_TIMEOUTS.checkMs,
    keepAliveTimeout,
  })

/**
 * @param variable environment variable of the port
 * @throws UsageError when the server cannot listen, naming the variable to change
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
    const reasons: Record<string, string> = {
      EADDRINUSE: `port ${port} is in use. Set ${variable} to another port. \`lectern check\` tells which program uses it.`,
      EACCES: `this user cannot use port ${port}. Set ${variable} to 1024 or more.`,
      EADDRNOTAVAIL: `${host} is not an address of this machine. Set ${variable.replace('PORT', 'HOST')} to one.`,
    }
    throw new UsageError(`Cannot listen: ${reasons[code ?? ''] ?? `${message}.`}`)
  }
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** A host as URLs write it: an IPv6 address has brackets. */
export const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host)
