/** The codes of all errors that clients can see, and their statuses. Any other error is a defect and gets 500. */
const STATUSES = {
  bad_parameter: 400,
  not_found: 404,
  method_not_allowed: 405,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const
type ErrorCode = keyof typeof STATUSES

/** An error whose message everyone may see: it contains no secret and no text of a hidden revision. */
export class PublicError extends Error {
  readonly code: ErrorCode
  readonly status: number
  /** Response headers of this error only, such as `Allow` or `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    message: string,
    options: { status?: number; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.name = new.target.name
    this.code = code
    this.status = options.status ?? STATUSES[code]
    this.headers = options.headers ?? {}
  }
}

export const INVALID_HEADER = 'Lectern-Invalid-Parameters'

/** A parameter is invalid: 400. The message begins with the parameter's name, and a header has it. */
export class BadParameter extends PublicError {
  constructor(parameter: string, expected: string) {
    super('bad_parameter', `${parameter}: ${expected}`, { headers: { [INVALID_HEADER]: parameter } })
  }
}

/** The request itself is malformed, not one of its parameters: 400, or a more exact 4xx. */
export class BadRequest extends PublicError {
  constructor(message: string, status = 400) {
    super('bad_parameter', message, { status })
  }
}

/** The page, revision, category or URL does not exist: 404. */
export class NotFound extends PublicError {
  constructor(message: string, headers?: Record<string, string>) {
    super('not_found', message, { headers })
  }
}

/** Methods of the public API, as the `Allow` header lists them. */
export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS'

/** A method that the URL does not have: 405. Default: any method except GET, HEAD and OPTIONS. */
export class MethodNotAllowed extends PublicError {
  constructor(allowed = ALLOWED_METHODS, message = 'This API is read-only. Use GET, HEAD or OPTIONS.') {
    super('method_not_allowed', message, { headers: { Allow: allowed } })
  }
}

/** Too many requests, or streams, of one IP address: 429. */
export class RateLimited extends PublicError {
  constructor(seconds: number, message = `Too many requests. Wait ${seconds} s, then slow down.`) {
    super('rate_limited', message, { headers: { 'Retry-After': String(seconds) } })
  }
}

/** The database is not available: 503. */
export class Unavailable extends PublicError {
  /** @param seconds when to retry: whole, at least 1 @param cause the error for the log */
  constructor(
    message = 'The wiki is temporarily unavailable. Try again in a few seconds.',
    seconds = 1,
    cause?: unknown,
  ) {
    super('unavailable', message, { headers: { 'Retry-After': String(seconds) }, cause })
  }
}

/** The wiki changed between two statements of a request, such as a revision that was withdrawn: 503, and a retry helps. */
export class WikiChanged extends Unavailable {
  constructor() {
    super('The wiki changed while Lectern read it. Try again.')
  }
}

/** The server sheds load: 503. The instances are reused, because a stack trace per refused request would add to the load. */
export class Overloaded extends Unavailable {
  constructor(seconds: number, message = 'The server is overloaded. Try again in a few seconds.') {
    super(message, seconds)
  }
}

/** An error that the user of the command line can fix. Printed without a stack; exit status 1. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Settings have wrong values or names, so every start fails: exit status 78. A file that cannot be read now is none. */
export class ConfigError extends UsageError {}

/** The database lacks migrations of this version, or rights that they grant. The message has no secret, so that `/ready` can tell it. */
export class SchemaMismatch extends UsageError {}

/** A record is invalid. The import is rolled back. */
export class ImportError extends UsageError {}

/** A file of a source is left out. The message is the reason, which the summary of the import counts: `too large`. */
export class FileLeftOut extends ImportError {}
