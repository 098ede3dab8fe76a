import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BadRequest, PublicError } from '../errors.ts'

/** The longest body of a webhook, bytes. Code hosts send at most 25 MB. */
const BODY_BYTES_MAX = 25 * 1024 ** 2

/**
 * Reads the request of a webhook, and checks that it knows the secret: by the signature of its body, as GitHub, Gitea
 * and Forgejo send it, by the token of GitLab, or by `Authorization: Bearer`. The body is not stored.
 * @param secret absent: every request that reaches the internal listener may ask
 * @throws BadRequest with status 401 if it does not, with status 413 for a long body
 */
export const checkWebhook = async (request: IncomingMessage, secret: string | undefined): Promise<void> => {
  const hmac = createHmac('sha256', secret ?? '')
  let bytes = 0
  // Without destroying the connection, so that the response can be sent.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) throw tooLong()
    hmac.update(chunk)
  }
  if (secret === undefined) return
  const signature = hmac.digest('hex')
  const accepted: [string | undefined, string][] = [
    [headerOf(request, 'x-hub-signature-256'), `sha256=${signature}`],
    [headerOf(request, 'x-gitea-signature'), signature],
    [headerOf(request, 'x-forgejo-signature'), signature],
    [headerOf(request, 'x-gitlab-token'), secret],
    [headerOf(request, 'authorization'), `Bearer ${secret}`],
  ]
  if (!accepted.some(([actual, expected]) => actual !== undefined && isEqual(actual, expected)))
    throw new BadRequest(
      'The request has no valid signature. Give the webhook the secret that FOLLOW_SECRET contains.',
      401,
    )
}

const tooLong = (): PublicError =>
  new PublicError('bad_parameter', 'The body is too long.', { status: 413, headers: { Connection: 'close' } })

const headerOf = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

/** Compares without revealing by its time how much is equal. */
const isEqual = (actual: string, expected: string): boolean => {
  const [a, b] = [actual, expected].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(a!, b!)
}
