import type { IncomingMessage } from 'node:http'

/** What node:http knows of a request under names that are not public. */
type InternalRequest = IncomingMessage & {
  _readableState: { ended: boolean; endEmitted: boolean }
  /** Whether node:http has discarded what nobody read. */
  _dumped?: boolean
}

/**
 * Ends a GET or HEAD request without a body. It is a stream that nobody reads, and node:http would run it through all
 * states of a stream after the response, which takes an eighth of the time of a cached response. The request then
 * emits neither `end` nor `close`. (D132)
 *
 * Node 24 has the option `optimizeEmptyRequests` for it, which applies to all methods: nobody could wait for the end of
 * a POST without a body. In a version that does not know these names, nothing changes.
 */
export const endEmptyRequest = (request: IncomingMessage): void => {
  const { method, headers } = request
  if (method !== 'GET' && method !== 'HEAD') return
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return
  const internal = request as InternalRequest
  internal._readableState.ended = true
  internal._readableState.endEmitted = true
  internal._dumped = true
}
