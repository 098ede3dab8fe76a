import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import type { LoadRequest } from './load.ts'
import type { Server } from './servers.ts'

/** A server's response. The body is undefined if it is empty. */
export interface PeerResponse {
  status: number
  etag: string | undefined
  body: unknown
}

/** How many requests of a workload are compared. They are spread evenly over the list. */
const COMPARED_REQUESTS = 100
const RESPONSE_TIMEOUT = 20_000

/** Sends one request. `fetch` cannot be used: it adds `Cache-Control: no-cache` to a conditional request. */
export const requestPeer = async (
  { origin }: Server,
  { method = 'GET', path, headers = {}, body }: LoadRequest,
): Promise<PeerResponse> => {
  const outgoing = request(origin + path, { method, headers, timeout: RESPONSE_TIMEOUT })
  outgoing.end(body)
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  const bytes = await buffer(response)
  return {
    status: response.statusCode!,
    etag: response.headers.etag,
    body: bytes.length === 0 ? undefined : JSON.parse(bytes.toString()),
  }
}

/** At most `count` items, spread evenly over a list. The first item is among them. */
export const evenSample = <Item>(items: readonly Item[], count = COMPARED_REQUESTS): Item[] => {
  const step = Math.max(1, items.length / count)
  return Array.from({ length: Math.min(count, items.length) }, (_, i) => items[Math.floor(i * step)]!)
}

export class ResponseMismatch extends Error {
  override name = 'ResponseMismatch'
}

/** @throws ResponseMismatch with both responses, if the peer's response differs from Lectern's */
export const compareResponses = (
  peer: string,
  path: string,
  lectern: PeerResponse,
  peerResponse: PeerResponse,
): void => {
  const bodies = lectern.status === 404 ? [] : [lectern.body, peerResponse.body]
  if (lectern.status === peerResponse.status && isDeepStrictEqual(bodies[0], bodies[1])) return
  const describe = ({ status, body }: PeerResponse) => `${status} ${JSON.stringify(body)?.slice(0, 1500)}`
  throw new ResponseMismatch(`${path}\n  lectern: ${describe(lectern)}\n  ${peer}: ${describe(peerResponse)}`)
}
