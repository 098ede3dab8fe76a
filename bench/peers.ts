import { CORES } from './machine.ts'
import { findPrograms } from './mediawiki/packages.ts'
import { startMediawiki } from './mediawiki/start.ts'
import { startPostgraphile } from './postgraphile/start.ts'
import { takeSample } from './sample.ts'
import { type Server, startScript } from './servers.ts'
import { siteEnvironment } from './site.ts'
import type { World } from './world/world.ts'

/**
 * Servers that give the same responses as Lectern. `mediawiki` and `postgraphile` give the same content in their own
 * formats. (D32, D45, D117)
 */
export const PEER_NAMES = [
  'bare',
  'handwritten',
  'tuned',
  'sofa',
  'sofa-shared',
  'yoga',
  'yoga-shared',
  'postgraphile',
  'mediawiki',
] as const
export type PeerName = (typeof PEER_NAMES)[number]

/** Lectern with its response cache, Lectern without it, or a peer. */
export type ServerName = 'lectern' | 'lectern uncached' | PeerName

/** @param cores the cores that it may use */
export const startLecternServer = (
  databaseUrl: string,
  cacheSeconds: number,
  workers = 1,
  cores: string = CORES.server,
): Promise<Server> =>
  startScript(
    'src/cli.js',
    ['serve'],
    {
      ...siteEnvironment(databaseUrl),
      INTERNAL_PORT: '0',
      // The highest value: the rate limiter runs, but refuses nothing.
      RATE_LIMIT: '1000000',
      CACHE_SECONDS: String(cacheSeconds),
      LOG_LEVEL: 'warn',
      WORKERS: String(workers),
    },
    { cores },
  )

/** Servers, each started at its first use. */
export interface Servers {
  get(name: ServerName): Promise<Server>
  stop(): Promise<void>
}

export const makeServers = ({ databaseUrl, plan }: World): Servers => {
  const started = new Map<ServerName, Promise<Server>>()
  const start = async (name: ServerName): Promise<Server> => {
    if (name === 'lectern') return startLecternServer(databaseUrl, 60)
    if (name === 'lectern uncached') return startLecternServer(databaseUrl, 0)
    if (name === 'mediawiki') return startMediawiki(findPrograms()!, plan, takeSample(plan).pages)
    if (name === 'postgraphile') return startPostgraphile(databaseUrl)
    const lectern: Record<string, string> =
      name === 'bare' ? { BENCH_ORIGIN: (await get('lectern')).origin } : {}
    const [script, ...args] = name.split('-')
    return startScript(`bench/peers/${script}.js`, args, { ...siteEnvironment(databaseUrl), ...lectern })
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
