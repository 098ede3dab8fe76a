import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { packagePath } from '../../../src/paths.ts'
import { substitute } from '../../support/documents.ts'
import type { Host } from './network.ts'
import { freePort, ready, type ServerProcess, startServerProcess } from './server-process.ts'

/** HAProxy with deploy/haproxy.cfg, before two or more gateways. */
export interface Balancer {
  /** Start of the API's addresses, ending with /api/v1. */
  url: string
  /** Starts it again after it has been killed. */
  start(): Promise<void>
  kill(): Promise<void>
  stop(): Promise<void>
  /** What it has said since it was started. */
  printed(): string
}

export const portOfUrl = (url: string): number => Number(new URL(url).port)

/**
 * @param gateways where they listen, or will
 * @param options.tls where it speaks TLS too, and the file with its certificate and key
 * @param options.host where it runs
 */
export const startBalancer = async (
  gateways: readonly { address?: string; port: number; internalPort: number }[],
  { tls, host }: { tls?: { port: number; certificate: string }; host?: Host } = {},
): Promise<Balancer> => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-balancer-'))
  const port = await freePort()
  const listen = host?.address ?? '127.0.0.1'
  const url = `http://${listen}:${port}/api/v1`
  let config = readFileSync(packagePath('deploy', 'haproxy.cfg'), 'utf8')
    .replace('maxconn 4000', 'maxconn 200')
    .replace('bind :8080', `bind ${listen}:${port}`)
  for (const [i, { address = '127.0.0.1', port, internalPort }] of gateways.entries()) {
    const name = 'abc'[i]!
    const server = `server ${name} ${address}:${port} port ${internalPort}`
    const written = `server ${name} gateway-${name}:3000`
    config = config.includes(written) ? config.replaceAll(written, server) : `${config}  ${server}\n`
  }
  if (tls !== undefined)
    config = substitute(config, [
      ['# TLS: bind :8443 ', `bind 127.0.0.1:${tls.port} `],
      ['/etc/haproxy/certificate.pem', tls.certificate],
    ])
  if (config.includes('gateway-')) throw new Error('deploy/haproxy.cfg names its servers otherwise')
  writeFileSync(join(folder, 'haproxy.cfg'), config)
  const args = ['-db', '-f', join(folder, 'haproxy.cfg')]
  let server: ServerProcess
  const start = async () => {
    server = startServerProcess({ command: 'haproxy', args, through: host?.through })
    await ready(server, async () => {
      if (!(await fetch(`${url}/pages`)).ok) throw new Error('not yet')
    })
  }
  await start()
  return {
    url,
    start,
    kill: () => server.stop('SIGKILL'),
    printed: () => server.printed(),
    stop: async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Between two requests of a connection. Without, the load would take all processors from what happens meanwhile. */
const PAUSE_MS = 5

/** Statuses of requests that are made until told to stop; what failed counts as 0. */
export const load = (url: string, connections: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const statuses: number[] = []
  let isOver = false
  const one = () =>
    new Promise<void>((resolve) => {
      const request = get(`${url}/pages?limit=${1 + (statuses.length % 200)}`, { agent }, (response) => {
        response.resume()
        response.once('close', () => {
          statuses.push(response.complete ? response.statusCode! : 0)
          resolve()
        })
      })
      request.once('error', () => {
        statuses.push(0)
        resolve()
      })
    })
  const clients = Array.from({ length: connections }, async () => {
    while (!isOver) {
      await one()
      await pause(PAUSE_MS)
    }
  })
  return {
    made: () => statuses.length,
    stop: async () => {
      isOver = true
      await Promise.all(clients)
      agent.destroy()
      return statuses
    },
  }
}
