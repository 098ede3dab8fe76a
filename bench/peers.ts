import { type Server, startScript } from './servers.ts'
import { siteEnvironment } from './site.ts'
import type { World } from './world/world.ts'

/** Servers that give the same responses as Lectern. */
export const PEER_NAMES = ['bare', 'handwritten', 'tuned', 'sofa'] as const
export type PeerName = (typeof PEER_NAMES)[number]

/** Lectern with its response cache, Lectern without it, or a peer. */
export type ServerName = 'lectern' | 'lectern uncached' | PeerName

const startLectern = (databaseUrl: string, cacheSeconds: number): Promise<Server> =>
  startScript('src/cli.js', ['serve'], {
    ...siteEnvironment(databaseUrl),
    INTERNAL_PORT: '0',
    // The highest value: the rate limiter runs, but refuses nothing. One server answers 60,000 hot pages a second.
    RATE_LIMIT: '100000000',
    CACHE_SECONDS: String(cacheSeconds),
    LOG_LEVEL: 'warn',
  })

/** Servers, each started at its first use. */
export interface Servers {
  get(name: ServerName): Promise<Server>
  stop(): Promise<void>
}

export const makeServers = ({ databaseUrl }: World): Servers => {
  const started = new Map<ServerName, Promise<Server>>()
  const start = async (name: ServerName): Promise<Server> => {
    if (name === 'lectern') return startLectern(databaseUrl, 60)
    if (name === 'lectern uncached') return startLectern(databaseUrl, 0)
    const lectern: Record<string, string> =
      name === 'bare' ? { BENCH_ORIGIN: (await get('lectern')).origin } : {}
    return startScript(`bench/peers/${name}.js`, [], { ...siteEnvironment(databaseUrl), ...lectern })
  }
  const get = (name: ServerName): Promise<Server> => {
    const server = started.get(name) ?? start(name)
    started.set(name, server)
    return server
  }
  return {
    get,
    stop: async () => {
      const results = await Promise.allSettled(started.values())
      await Promise.all(
        results.map((result) => (result.status === 'fulfilled' ? result.value.stop() : undefined)),
      )
    },
  }
}
