import { isTemporary, retryAfterOf } from './requests.ts'

/** What to do if the answer is not that of a Lectern. */
export const CHECK_BASE = 'Check the URL of the API: that of a Lectern ends with /api/v1'

/** The service answered that a request is wrong. Sending it again does not help. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  /** Such as `bad_parameter`. Empty if the response is not one of the API. */
  readonly code: string
  readonly headers: Headers

  constructor(status: number, code: string, message: string, headers: Headers = new Headers()) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }

  /** What the operator of the service finds the request by. */
  get requestId(): string | undefined {
    return this.headers.get('X-Request-Id') ?? undefined
  }

  /** Seconds to wait before the next request, if the service says so. */
  get retryAfter(): number | undefined {
    return retryAfterOf(this.headers)
  }

  /** With a 404: the URL in the API of the page at its new path, if it moved. */
  get movedTo(): string | undefined {
    return /<([^>]*)>;\s*rel="successor-version"/.exec(this.headers.get('Link') ?? '')?.[1]
  }

  /** With a 400: the names of the parameters that are invalid. */
  get invalidParameters(): string[] {
    return this.headers.get('Lectern-Invalid-Parameters')?.split(/,\s*/) ?? []
  }
}

/**
 * The service does not know the cursor: its database is another one, or was restored from a backup. Begin again
 * without a cursor, and at the end remove what did not come.
 */
export class UnknownCursor extends ApiError {
  override name = 'UnknownCursor'
}

/** A response with status 200 that is not what was asked for, such as the page of a proxy. */
export class UnexpectedResponse extends Error {
  override name = 'UnexpectedResponse'
  readonly headers: Headers
  readonly text: string

  constructor({ url, headers }: Response, text: string) {
    const type = headers.get('Content-Type') ?? 'a response without Content-Type'
    super(`${url}: did not expect ${type}: ${JSON.stringify(text.slice(0, 100))}. ${CHECK_BASE}`)
    this.headers = headers
    this.text = text
  }
}

/**
 * The error that a response is.
 * @param body what it contains: the `error` of `wiki.GET()`; a text if something between you and the service answered
 */
export const toApiError = (
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  body: unknown,
): ApiError => {
  const hint = status >= 400 && !isTemporary(status) ? `. ${CHECK_BASE}` : ''
  const { code = '', message = `status ${status}${hint}` } =
    (body as { error?: { code?: unknown; message?: unknown } } | null | undefined)?.error ?? {}
  const isCursor = status === 400 && /^after\b/.test(String(message))
  return new (isCursor ? UnknownCursor : ApiError)(status, String(code), String(message), headers)
}
