import type { Express, Request, Response } from 'express'
import { API_PATH } from '../../src/paths.ts'
import type { Body, Reads } from './reads.ts'

/** Sends a response with status 200. `locale` sets `Content-Language`; absent: no such header. */
export type SendBody = (request: Request, response: Response, body: Body, locale?: string) => void

class HttpError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

const textParameter = (request: Request, name: string, fallback = ''): string => {
  const value = request.query[name] ?? fallback
  if (typeof value !== 'string') throw new HttpError(400, 'bad_parameter', `${name}: must be given once`)
  return value
}

const integerParameter = (
  request: Request,
  name: string,
  fallback: number,
  min: number,
  max: number,
): number => {
  const value = Number(textParameter(request, name, String(fallback)))
  if (!(Number.isInteger(value) && value >= min && value <= max)) {
    throw new HttpError(400, 'bad_parameter', `${name}: must be an integer from ${min} to ${max}`)
  }
  return value
}

const limitParameter = (request: Request) => integerParameter(request, 'limit', 50, 1, 200)

const orNotFound = (body: Body | undefined, resource: string): Body => {
  if (!body) throw new HttpError(404, 'not_found', `There is no such ${resource}.`)
  return body
}

/** Adds the endpoints of the API to an express app, as a hand-written server would. */
export const addEndpoints = (app: Express, reads: Reads, send: SendBody): void => {
  app.get(`${API_PATH}/pages`, async (request, response) => {
    const locale = textParameter(request, 'locale', 'en')
    const ns = textParameter(request, 'ns', 'main')
    const body = await reads.pages(locale, ns, textParameter(request, 'after'), limitParameter(request))
    send(request, response, body, locale)
  })
  app.get(`${API_PATH}/pages/:path/history`, async (request, response) => {
    const locale = textParameter(request, 'locale', 'en')
    const before = textParameter(request, 'before')
    const body = orNotFound(
      await reads.history(locale, request.params.path, before, limitParameter(request)),
      'page',
    )
    send(request, response, body, locale)
  })
  app.get(`${API_PATH}/pages/:path`, async (request, response) => {
    const locale = textParameter(request, 'locale', 'en')
    const body = orNotFound(
      await reads.page(locale, request.params.path, textParameter(request, 'format', 'markdown')),
      `page in this language (${locale})`,
    )
    send(request, response, body, locale)
  })
  app.get(`${API_PATH}/revisions/:id`, async (request, response) => {
    const body = orNotFound(
      await reads.revision(request.params.id, textParameter(request, 'format', 'markdown')),
      'revision',
    )
    send(request, response, body, (body.page as { locale: string }).locale)
  })
  app.get(`${API_PATH}/recent`, async (request, response) => {
    send(request, response, await reads.recent(textParameter(request, 'before'), limitParameter(request)))
  })
  app.get(`${API_PATH}/categories/:key`, async (request, response) => {
    const locale = textParameter(request, 'locale', 'en')
    const after = textParameter(request, 'after')
    const body = orNotFound(
      await reads.category(locale, request.params.key, after, limitParameter(request)),
      'category',
    )
    send(request, response, body, locale)
  })
  app.get(`${API_PATH}/search`, async (request, response) => {
    const locale = textParameter(request, 'locale', 'en')
    const offset = integerParameter(request, 'offset', 0, 0, 2 ** 31 - 1)
    const limit = integerParameter(request, 'limit', 20, 1, 50)
    send(request, response, await reads.search(locale, textParameter(request, 'q'), offset, limit), locale)
  })
  app.use((error: unknown, _: Request, response: Response, __: unknown) => {
    const httpError = error instanceof HttpError ? error : new HttpError(500, 'internal', 'Internal error.')
    response.status(httpError.status).json({ error: { code: httpError.code, message: httpError.message } })
  })
}

/** The headers that all responses of the API share. */
export const commonHeaders = (license: string, cacheSeconds: number): Record<string, string> => ({
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Link, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id',
  'Cache-Control': `public, max-age=${cacheSeconds}`,
  Link: `<${license}>; rel="license"`,
  Vary: 'Accept-Encoding',
})
