import { compareAnswers, requestPeer, someOf } from './check.ts'
import { type LoadRequest, type LoadResult, runLoad } from './load.ts'
import { runLone } from './lone.ts'
import { cpuSeconds, residentMb } from './machine.ts'
import type { PeerName, ServerName, Servers } from './peers.ts'
import type { Sample } from './sample.ts'
import { translate } from './translate.ts'
import type { Workload } from './workloads.ts'

/** One load of one server. */
export interface Reading {
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** CPU seconds of the server for a thousand requests. */
  cpuPerThousand: number
  /** Resident memory after the load, MB. */
  memoryMb: number
}

export interface Measured {
  workload: Workload
  /** Readings in order of the rounds. Lectern is called `lectern`, cached or not. */
  readings: Map<'lectern' | PeerName, Reading[]>
}

export interface MeasureOptions {
  rounds: number
  seconds: number
  connections: number
}

/** Length of the load before the first round, which lets V8 compile what is hot. */
const WARM_SECONDS = 2

interface Contestant {
  name: 'lectern' | PeerName
  server: ServerName
  requests: LoadRequest[]
}

/**
 * Drives each server of a workload in turn, round after round, once their answers are known to be the same.
 * @throws DifferentAnswer, or an Error when a load met other answers than it should
 */
export const measure = async (
  workload: Workload,
  peers: PeerName[],
  sample: Sample,
  servers: Servers,
  { rounds, seconds, connections: usual }: MeasureOptions,
): Promise<Measured> => {
  const connections = workload.connections ?? usual
  const own: ServerName = workload.cached ? 'lectern' : 'lectern uncached'
  const requests = workload.requests(sample)
  const contestants: Contestant[] = [
    { name: 'lectern', server: own, requests: await conditional(workload, own, servers, requests) },
  ]
  for (const name of peers) {
    await compare(name, own, servers, requests)
    const asked = requests.map((request) => translate(name, request))
    contestants.push({ name, server: name, requests: await conditional(workload, name, servers, asked) })
  }
  const readings: Measured['readings'] = new Map(contestants.map(({ name }) => [name, []]))
  for (const contestant of contestants) await load(workload, contestant, servers, connections, WARM_SECONDS)
  for (let round = 0; round < rounds; round += 1) {
    for (const contestant of contestants) {
      const reading = await load(workload, contestant, servers, connections, seconds)
      readings.get(contestant.name)!.push(reading)
    }
  }
  return { workload, readings }
}

const compare = async (
  name: PeerName,
  lecternName: ServerName,
  servers: Servers,
  requests: LoadRequest[],
): Promise<void> => {
  const [lectern, peer] = [await servers.get(lecternName), await servers.get(name)]
  for (const request of someOf([...new Set(requests)])) {
    const asked = translate(name, request)
    const [own, other] = [await requestPeer(lectern, request), await requestPeer(peer, asked)]
    const same = (body: unknown) => body
    compareAnswers(
      name,
      request.path,
      { ...own, body: (asked.compared ?? same)(own.body) },
      { ...other, body: (asked.bodyAsRest ?? same)(other.body) },
    )
  }
}

/** Where 304s are wanted, each request names the ETag that its own server gave. */
const conditional = async (
  { status }: Workload,
  name: ServerName,
  servers: Servers,
  requests: LoadRequest[],
): Promise<LoadRequest[]> => {
  if (status !== 304) return requests
  const server = await servers.get(name)
  return Promise.all(
    requests.map(async (request) => {
      const headers = { ...request.headers, 'If-None-Match': (await requestPeer(server, request)).etag ?? '' }
      const again = await requestPeer(server, { ...request, headers })
      if (again.status !== 304) throw new Error(`${name}: ${request.path} answered ${again.status}, not 304`)
      return { ...request, headers }
    }),
  )
}

const load = async (
  { kind, status, name: workload }: Workload,
  { name, server, requests }: Contestant,
  servers: Servers,
  connections: number,
  seconds: number,
): Promise<Reading> => {
  const { origin, pids } = await servers.get(server)
  const before = cpuSeconds(pids())
  const asked = { origin, requests, connections, seconds }
  const result = await (kind === 'lone' ? runLone(asked, status) : runLoad(asked))
  check(result, status, `${workload} on ${name}`)
  return {
    perSecond: result.requests / result.seconds,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    cpuPerThousand: ((cpuSeconds(pids()) - before) / result.requests) * 1000,
    memoryMb: residentMb(pids()),
  }
}

const check = ({ requests, refused, failed }: LoadResult, status: number, what: string): void => {
  const expected = status >= 400 ? requests : 0
  if (requests === 0 || refused !== expected || failed > 0) {
    throw new Error(`${what}: of ${requests} answers ${refused} were errors, ${failed} requests failed`)
  }
}
