import type { Lectern } from './lectern.ts'

/** What the response to a request says of the rate limit. */
export interface RateResponse {
  status: number
  ms: number
  /** Requests that are left in the window, and seconds until it ends. */
  requestsLeft: number
  secondsLeft: number
  /** Null if the response has no Retry-After. */
  retryAfter: number | null
}

/** A request of a client, through the one trusted proxy, which adds the last address. */
export const callAs = async (client: string, { url }: Lectern): Promise<RateResponse> => {
  const began = performance.now()
  const response = await fetch(`${url}/pages/sencha`, {
    headers: { 'X-Forwarded-For': `203.0.113.66, ${client}` },
    signal: AbortSignal.timeout(120_000),
  })
  await response.arrayBuffer()
  const { status, headers } = response
  const [, requests, seconds] = /r=(\d+);t=(\d+)/.exec(String(headers.get('ratelimit'))) ?? []
  return {
    status,
    ms: performance.now() - began,
    requestsLeft: Number(requests),
    secondsLeft: Number(seconds),
    retryAfter: headers.has('retry-after') ? Number(headers.get('retry-after')) : null,
  }
}

export const granted = (responses: RateResponse[]): number =>
  responses.filter(({ status }) => status === 200).length

/** Redis may add 100 ms to a request. This bound is for a whole request on a shared machine. */
export const SOON_MS = 400
