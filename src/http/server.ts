import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Server as NetServer } from 'node:net'
import { UsageError } from '@lectern/wiki/errors'
import { HEADER_BYTES_MAX, KEEP_ALIVE_MS, REQUEST_TIMEOUTS } from '../limits/service.ts'

/**
 * A server of node:http with bounds on the time and size of requests.
 * @param keepAliveTimeout after which node:http closes an idle connection, milliseconds; 0 if `trackConnections` alone
 * does, because node:http makes a timer for each response, which takes a tenth of the time of a cached response (D22)
 */
export const makeHttpServer = (keepAliveTimeout = KEEP_ALIVE_MS): Server => {
  const server = createServer({
    // The listener responds to a missing Host header itself, as to every other error.
    requireHostHeader: false,
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: REQUEST_TIMEOUTS.headersMs,
    requestTimeout: REQUEST_TIMEOUTS.requestMs,
    connectionsCheckingInterval: REQUEST_TIMEOUTS.checkMs,
    keepAliveTimeout,
  })
  return server.on('checkContinue', (request, response) => {
    if (response.socket !== null) response.writeContinue()
    // Behind another response, node:http would write `100 Continue` between head and body. Without it, it closes the
    // connection after the response, because it cannot know whether the client sends its body.
    else response.shouldKeepAlive = false
    server.emit('request', request, response)
  })
}

/**
 * The start has tried the port, so this fails only if another program took it meanwhile.
 * @param variable environment variable of the port
 * @throws UsageError when the server cannot listen, naming the variable
 */
export const listen = async (server: NetServer, port: number, host: string | undefined, variable: string) => {
  server.listen(port, host)
  await once(server, 'listening').catch(({ message }: Error) => {
    throw new UsageError(`${variable}: it is not possible to listen (${message}). Run \`lectern check\`.`)
  })
}

/** @param otherwise the port, if another process listens for the server */
export const portOf = (server: NetServer, otherwise?: number): number =>
  (server.address() as AddressInfo | null)?.port ?? otherwise!

/** The origin of a server that listens on this host, or on all of the machine, as URLs on this machine begin. */
export const originOf = (port: number, host = '::'): string =>
  `http://${host === '::' || host === '0.0.0.0' ? 'localhost' : urlHost(host)}:${port}`

/** A host as URLs write it: an IPv6 address has brackets. */
export const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host)
