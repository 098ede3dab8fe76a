/**
 * Every error that a person or a client may be told of. Anything else is a defect, and answers 500.
 * @see DECISIONS.md, D5 for the codes
 */
type ErrorCode =
  | 'bad_parameter'
  | 'not_found'
  | 'method_not_allowed'
  | 'rate_limited'
  | 'internal'
  | 'unavailable'

const statuses: Record<ErrorCode, number> = {
  bad_parameter: 400,
  not_found: 404,
  method_not_allowed: 405,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
}

/** An error whose message may be shown to anyone: it holds no secret and no text of a hidden edit. */
export class PublicError extends Error {
  readonly code: ErrorCode
  readonly status: number
  /** Headers that belong to this error alone, such as `Allow` or `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    message: string,
    options: { status?: number; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.name = new.target.name
    this.code = code
    this.status = options.status ?? statuses[code]
    this.headers = options.headers ?? {}
  }
}

/** A parameter is wrong: 400. The message begins with the parameter's name. */
export class BadParameter extends PublicError {
  constructor(parameter: string, expected: string) {
    super('bad_parameter', `${parameter}: ${expected}`)
  }
}

/** The request itself cannot be read (not a parameter of it): 400, or the more exact 4xx given. */
export class BadRequest extends PublicError {
  constructor(message: string, status = 400) {
    super('bad_parameter', message, { status })
  }
}

/** No such page, revision, category or address: 404. */
export class NotFound extends PublicError {
  constructor(message: string) {
    super('not_found', message)
  }
}

/** What the public API takes, as `Allow` lists it. */
export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS'

/** Anything but GET, HEAD and OPTIONS: 405. */
export class MethodNotAllowed extends PublicError {
  constructor() {
    super('method_not_allowed', 'This API is read-only: use GET, HEAD or OPTIONS.', {
      headers: { Allow: ALLOWED_METHODS },
    })
  }
}

/** Too many requests from one address: 429. */
export class RateLimited extends PublicError {
  /** @param seconds how long to wait: whole, at least 1 */
  constructor(seconds: number) {
    super('rate_limited', `Too many requests: wait ${seconds} s, then go on more slowly.`, {
      headers: { 'Retry-After': String(seconds) },
    })
  }
}

/** The database does not answer: 503. */
export class Unavailable extends PublicError {
  /**
   * @param seconds when to come again: whole, at least 1
   * @param cause what the log should say
   */
  constructor(
    message = 'The wiki cannot be read just now: try again in a moment.',
    seconds = 1,
    cause?: unknown,
  ) {
    super('unavailable', message, { headers: { 'Retry-After': String(seconds) }, cause })
  }
}

/**
 * More is asked than can be answered in time: 503, at once, before anything is done. There are only a few, made
 * beforehand: a stack for each refusal would add to the load.
 */
export class Overloaded extends Unavailable {
  /** @param seconds when to come again: whole, at least 1 */
  constructor(seconds: number, message = 'Too many requests are being answered just now.') {
    super(message, seconds)
  }
}

/** Something that the person at the terminal can mend. Printed without a stack; exit status 1. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** A record that an import cannot take; nothing of the import is kept. */
export class ImportError extends UsageError {
  override name = 'ImportError'
}
