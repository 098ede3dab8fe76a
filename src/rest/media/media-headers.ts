import type { HeaderList } from '../transport/responses.ts'
import { CORS_HEADERS } from '../transport/send.ts'

/** Kinds of files that browsers show. All others are saved. */
const SHOWN = /^(?:image|audio|video)\/|^application\/pdf$/

/**
 * No file runs a script, asks for anything or sends a form, wherever it is opened. A drawing may have styles and pictures
 * in its own text.
 */
const CONTENT_SECURITY_POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'"

const EXPOSED_HEADERS = `Accept-Ranges, Content-Range, ${CORS_HEADERS['Access-Control-Expose-Headers']}`

export const etagOf = (sha256: string): string => `"${sha256}"`

/** Headers of every response with a file, also of a 304. @param maxAge how long caches may store it, seconds */
export const fileHeaders = (sha256: string, maxAge: number): HeaderList => [
  ...['ETag', etagOf(sha256)],
  // Not `immutable`, because a file that is withdrawn must go from caches, too.
  ...['Cache-Control', `public, max-age=${maxAge}`],
  ...['Access-Control-Allow-Origin', '*'],
  ...['Access-Control-Expose-Headers', EXPOSED_HEADERS],
  ...['Cross-Origin-Resource-Policy', 'cross-origin'],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Content-Security-Policy', CONTENT_SECURITY_POLICY],
]

/** Headers of the bytes of a file. */
export const contentHeaders = (mediaType: string): HeaderList => [
  ...['Content-Type', mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType],
  ...['Accept-Ranges', 'bytes'],
  ...(SHOWN.test(mediaType) ? [] : ['Content-Disposition', 'attachment']),
]
