import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import type { LoadRequest } from './load.ts'
import type { Server } from './servers.ts'

/** What a server answered: status, and body where there is one. */
export interface PeerResponse {
  status: number
  etag: string | undefined
  body: unknown
}

/** Requests of a workload whose answers are compared: spread over the list. */
const COMPARED = 100
const ANSWER_TIMEOUT = 20_000

/** Not by `fetch`, which adds a `Cache-Control: no-cache` to a conditional request. */
export const requestPeer = async (
  { origin }: Server,
  { method = 'GET', path, headers = {}, body }: LoadRequest,
): Promise<PeerResponse> => {
  const sent = request(origin + path, { method, headers, timeout: ANSWER_TIMEOUT })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const bytes = await buffer(response)
  return {
    status: response.statusCode!,
    etag: response.headers.etag,
    body: bytes.length === 0 ? undefined : JSON.parse(bytes.toString()),
  }
}

/** Some of a list, its first and last among them. */
export const someOf = <Item>(items: readonly Item[], count = COMPARED): Item[] => {
  const step = Math.max(1, items.length / count)
  return Array.from({ length: Math.min(count, items.length) }, (_, i) => items[Math.floor(i * step)]!)
}

export class DifferentAnswer extends Error {
  override name = 'DifferentAnswer'
}

/** @throws DifferentAnswer showing both, when a peer answers otherwise than Lectern */
export const compareAnswers = (
  peer: string,
  path: string,
  lectern: PeerResponse,
  other: PeerResponse,
): void => {
  const bodies = lectern.status === 404 ? [] : [lectern.body, other.body]
  if (lectern.status === other.status && isDeepStrictEqual(bodies[0], bodies[1])) return
  const show = ({ status, body }: PeerResponse) => `${status} ${JSON.stringify(body)?.slice(0, 1500)}`
  throw new DifferentAnswer(`${path}\n  lectern: ${show(lectern)}\n  ${peer}: ${show(other)}`)
}
