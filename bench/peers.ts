import { findPrograms } from './mediawiki/packages.ts'
import { startMediawiki } from './mediawiki/start.ts'
import { takeSample } from './sample.ts'
import { type Server, startPeer } from './servers.ts'
import { siteEnvironment } from './site.ts'
import type { World } from './world/world.ts'

/** Servers that answer the same; `mediawiki` the same content in a form of its own. */
export const PEER_NAMES = [
  'bare',
  'handwritten',
  'tuned',
  'sofa',
  'sofa-shared',
  'yoga',
  'yoga-shared',
  'mediawiki',
] as const
export type PeerName = (typeof PEER_NAMES)[number]

/** Lectern itself, with and without its cache, or a peer. */
export type ServerName = 'lectern' | 'lectern uncached' | PeerName

const startLectern = (databaseUrl: string, cacheSeconds: number): Promise<Server> =>
  startPeer('src/cli.js', ['serve'], {
    ...siteEnvironment(databaseUrl),
    INTERNAL_PORT: '0',
    // As high as it goes: the limiter runs, and lets all pass.
    RATE_LIMIT: '1000000',
    CACHE_SECONDS: String(cacheSeconds),
    LOG_LEVEL: 'warn',
  })

/** Servers, each started when it is first asked for. */
export interface Servers {
  get(name: ServerName): Promise<Server>
  stop(): Promise<void>
}

export const makeServers = ({ databaseUrl, plan }: World): Servers => {
  const started = new Map<ServerName, Promise<Server>>()
  const start = async (name: ServerName): Promise<Server> => {
    if (name === 'lectern') return startLectern(databaseUrl, 60)
    if (name === 'lectern uncached') return startLectern(databaseUrl, 0)
    if (name === 'mediawiki') return startMediawiki(findPrograms()!, plan, takeSample(plan).pages)
    const lectern: Record<string, string> =
      name === 'bare' ? { BENCH_ORIGIN: (await get('lectern')).origin } : {}
    const [script, ...args] = name.split('-')
    return startPeer(`bench/peers/${script}.js`, args, { ...siteEnvironment(databaseUrl), ...lectern })
  }
  const get = (name: ServerName): Promise<Server> => {
    const found = started.get(name) ?? start(name)
    started.set(name, found)
    return found
  }
  return {
    get,
    stop: async () => {
      const all = await Promise.allSettled(started.values())
      await Promise.all(all.map((one) => (one.status === 'fulfilled' ? one.value.stop() : undefined)))
    },
  }
}
