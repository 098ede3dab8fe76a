import { compareResponses, evenSample, requestPeer } from './compare-responses.ts'
import { type LoadRequest, runLoad } from './load.ts'
import { cpuSeconds, residentMb } from './machine.ts'
import type { PeerName, ServerName, Servers } from './peers.ts'
import type { Sample } from './sample.ts'
import { runSequential } from './sequential.ts'
import { translate } from './translate.ts'
import { hotPage, type Workload } from './workloads.ts'

/** The result of one load on one server. */
export interface Measurement {
  /** Responses with the expected status, per second. */
  perSecond: number
  /** Requests of the load, and those of them that failed: another status, or no response. */
  requests: number
  failed: number
  p50Ms: number
  p99Ms: number
  /** CPU seconds of the server per 1,000 responses with the expected status. */
  cpuPerThousand: number
  /** Resident memory after the load, MB. */
  memoryMb: number
}

export interface WorkloadResult {
  workload: Workload
  /** Measurements in the order of the rounds. The key of Lectern is `lectern`, with and without its cache. */
  measurements: Map<'lectern' | PeerName, Measurement[]>
  /** Requests per second of a bare server with one hot page, once per round: how much the machine itself varies. */
  noise: number[]
  /** Peers that cannot take part, with the reason. */
  absent: Map<PeerName, string>
}

export interface MeasureOptions {
  rounds: number
  seconds: number
  connections: number
}

/** Length of the warm-up load before the first round. In this time V8 compiles the hot code. */
const WARM_UP_SECONDS = 6

/** Length of the load on the bare server in each round, which shows the noise of the machine. */
const NOISE_SECONDS = 1

/** A server that takes part in a workload, with its own version of the requests. */
interface Candidate {
  name: 'lectern' | PeerName
  server: ServerName
  requests: LoadRequest[]
}

/**
 * Checks that all servers of a workload give the same responses, then measures them in alternation, round after
 * round. A peer whose responses differ, or that does not start, is absent; failed requests are counted.
 * @throws Error if Lectern does not respond
 */
export const measureWorkload = async (
  workload: Workload,
  peers: PeerName[],
  sample: Sample,
  servers: Servers,
  { rounds, seconds, connections: defaultConnections }: MeasureOptions,
): Promise<WorkloadResult> => {
  const connections = workload.connections ?? defaultConnections
  const lectern: ServerName = workload.isCached ? 'lectern' : 'lectern uncached'
  const requests = workload.requests(sample)
  const own: Candidate = {
    name: 'lectern',
    server: lectern,
    requests: await withConditionalHeaders(workload, lectern, servers, requests),
  }
  await measureRound(workload, own, servers, connections, WARM_UP_SECONDS)
  const candidates = new Map<'lectern' | PeerName, Candidate>([['lectern', own]])
  const absent: WorkloadResult['absent'] = new Map()
  for (const name of peers) {
    try {
      await comparePeer(name, lectern, servers, requests)
      const translated = requests.map((request) => translate(name, request))
      const candidate = {
        name,
        server: name,
        requests: await withConditionalHeaders(workload, name, servers, translated),
      }
      await measureRound(workload, candidate, servers, connections, WARM_UP_SECONDS)
      candidates.set(name, candidate)
    } catch (error) {
      absent.set(name, (error as Error).message)
    }
  }
  const measurements: WorkloadResult['measurements'] = new Map(
    [...candidates.keys()].map((name) => [name, []]),
  )
  const noise: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    noise.push(await measureNoise(servers, sample, connections))
    for (const candidate of candidates.values()) {
      const measurement = await measureRound(workload, candidate, servers, connections, seconds)
      measurements.get(candidate.name)!.push(measurement)
    }
  }
  return { workload, measurements, noise, absent }
}

const measureNoise = async (servers: Servers, sample: Sample, connections: number): Promise<number> => {
  const { origin } = await servers.get('bare')
  const load = { origin, requests: [hotPage(sample)], connections, seconds: NOISE_SECONDS }
  const { requests, seconds } = await runLoad(load)
  return requests / seconds
}

const identity = (body: unknown): unknown => body

const comparePeer = async (
  name: PeerName,
  lecternName: ServerName,
  servers: Servers,
  requests: LoadRequest[],
): Promise<void> => {
  const [lectern, peer] = [await servers.get(lecternName), await servers.get(name)]
  for (const request of evenSample([...new Set(requests)])) {
    const translated = translate(name, request)
    const expected = await requestPeer(lectern, request)
    const actual = await requestPeer(peer, translated)
    compareResponses(
      name,
      request.path,
      { ...expected, body: (translated.comparableBody ?? identity)(expected.body) },
      { ...actual, body: (translated.bodyAsRest ?? request.comparableBody ?? identity)(actual.body) },
    )
  }
}

/** For workloads that measure 304 responses: adds `If-None-Match` with the ETag of the same server to each request. */
const withConditionalHeaders = async (
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
      const revalidation = await requestPeer(server, { ...request, headers })
      if (revalidation.status !== 304)
        throw new Error(`${name}: ${request.path} returned status ${revalidation.status} instead of 304`)
      return { ...request, headers }
    }),
  )
}

const measureRound = async (
  { kind, status, name: workload }: Workload,
  { name, server, requests }: Candidate,
  servers: Servers,
  connections: number,
  seconds: number,
): Promise<Measurement> => {
  const { origin, pids } = await servers.get(server)
  const before = cpuSeconds(pids())
  const load = { origin, requests, connections, seconds }
  const result = await (kind === 'sequential' ? runSequential(load, status) : runLoad(load))
  const wrong = status >= 400 ? result.requests - result.httpErrors : result.httpErrors
  const good = result.requests - wrong
  if (good <= 0) throw new Error(`${workload} on ${name}: all requests failed`)
  return {
    requests: result.requests + result.networkErrors,
    failed: wrong + result.networkErrors,
    perSecond: good / result.seconds,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    cpuPerThousand: ((cpuSeconds(pids()) - before) / good) * 1000,
    memoryMb: residentMb(pids()),
  }
}
