import { compareResponses, evenSample, requestPeer } from './compare-responses.ts'
import { type LoadRequest, type LoadResult, runLoad } from './load.ts'
import { cpuSeconds, residentMb } from './machine.ts'
import type { PeerName, ServerName, Servers } from './peers.ts'
import type { Sample } from './sample.ts'
import { runSequential } from './sequential.ts'
import { translate } from './translate.ts'
import type { Workload } from './workloads.ts'

/** The result of one load on one server. */
export interface Measurement {
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** CPU seconds of the server per 1,000 requests. */
  cpuPerThousand: number
  /** Resident memory after the load, MB. */
  memoryMb: number
}

export interface WorkloadResult {
  workload: Workload
  /** Measurements in the order of the rounds. The key of Lectern is `lectern`, with and without its cache. */
  measurements: Map<'lectern' | PeerName, Measurement[]>
}

export interface MeasureOptions {
  rounds: number
  seconds: number
  connections: number
}

/** Length of the warm-up load before the first round. In this time V8 compiles the hot code. */
const WARM_UP_SECONDS = 2

/** A server that takes part in a workload, with its own version of the requests. */
interface Candidate {
  name: 'lectern' | PeerName
  server: ServerName
  requests: LoadRequest[]
}

/**
 * Checks that all servers of a workload give the same responses, then measures them in alternation, round after
 * round.
 * @throws ResponseMismatch if a peer's response differs from Lectern's
 * @throws Error if a load gets a status that the workload does not expect, or no response
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
  const candidates: Candidate[] = [
    {
      name: 'lectern',
      server: lectern,
      requests: await withConditionalHeaders(workload, lectern, servers, requests),
    },
  ]
  for (const name of peers) {
    await comparePeer(name, lectern, servers, requests)
    const translated = requests.map((request) => translate(name, request))
    candidates.push({
      name,
      server: name,
      requests: await withConditionalHeaders(workload, name, servers, translated),
    })
  }
  const measurements: WorkloadResult['measurements'] = new Map(candidates.map(({ name }) => [name, []]))
  for (const candidate of candidates)
    await measureRound(workload, candidate, servers, connections, WARM_UP_SECONDS)
  for (let round = 0; round < rounds; round += 1) {
    for (const candidate of candidates) {
      const measurement = await measureRound(workload, candidate, servers, connections, seconds)
      measurements.get(candidate.name)!.push(measurement)
    }
  }
  return { workload, measurements }
}

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
    const identity = (body: unknown) => body
    compareResponses(
      name,
      request.path,
      { ...expected, body: (translated.comparableBody ?? identity)(expected.body) },
      { ...actual, body: (translated.bodyAsRest ?? identity)(actual.body) },
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
  checkLoad(result, status, `${workload} on ${name}`)
  return {
    perSecond: result.requests / result.seconds,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    cpuPerThousand: ((cpuSeconds(pids()) - before) / result.requests) * 1000,
    memoryMb: residentMb(pids()),
  }
}

const checkLoad = (
  { requests, httpErrors, networkErrors }: LoadResult,
  status: number,
  what: string,
): void => {
  const expected = status >= 400 ? requests : 0
  if (requests === 0 || httpErrors !== expected || networkErrors > 0) {
    throw new Error(
      `${what}: ${requests} requests gave ${httpErrors} error responses and ${networkErrors} network errors; expected were ${expected} error responses and no network errors`,
    )
  }
}
