import type { Express, Request, Response } from 'express'
import { API_PATH } from '../../src/api-path.ts'
import type { Body, Reads } from './reads.ts'

/** Sends a 200; its language where it has one. */
export type SendBody = (request: Request, response: Response, body: Body, locale?: string) => void

class Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

const query = (request: Request, name: string, standard = ''): string => {
  const value = request.query[name] ?? standard
  if (typeof value !== 'string') throw new Refusal(400, 'bad_parameter', `${name}: takes one value`)
  return value
}

const whole = (request: Request, name: string, standard: number, min: number, max: number): number => {
  const value = Number(query(request, name, String(standard)))
  if (!(Number.isInteger(value) && value >= min && value <= max)) {
    throw new Refusal(400, 'bad_parameter', `${name}: must be a whole number from ${min} to ${max}`)
  }
  return value
}

const limitOf = (request: Request) => whole(request, 'limit', 50, 1, 200)

const found = (body: Body | undefined, what: string): Body => {
  if (!body) throw new Refusal(404, 'not_found', `There is no such ${what}.`)
  return body
}

/** The API's endpoints as a hand-written express server has them. */
export const addEndpoints = (app: Express, reads: Reads, send: SendBody): void => {
  app.get(`${API_PATH}/pages`, async (request, response) => {
    const locale = query(request, 'locale', 'en')
    const ns = query(request, 'ns', 'main')
    const body = await reads.pages(locale, ns, query(request, 'after'), limitOf(request))
    send(request, response, body, locale)
  })
  app.get(`${API_PATH}/pages/:path/history`, async (request, response) => {
    const locale = query(request, 'locale', 'en')
    const before = query(request, 'before')
    const body = found(await reads.history(locale, request.params.path, before, limitOf(request)), 'page')
    send(request, response, body, locale)
  })
  app.get(`${API_PATH}/pages/:path`, async (request, response) => {
    const locale = query(request, 'locale', 'en')
    const body = found(
      await reads.page(locale, request.params.path, query(request, 'format', 'markdown')),
      `page in this language (${locale})`,
    )
    send(request, response, body, locale)
  })
  app.get(`${API_PATH}/revisions/:id`, async (request, response) => {
    const body = found(
      await reads.revision(request.params.id, query(request, 'format', 'markdown')),
      'revision',
    )
    send(request, response, body, (body.page as { locale: string }).locale)
  })
  app.get(`${API_PATH}/recent`, async (request, response) => {
    send(request, response, await reads.recent(query(request, 'before'), limitOf(request)))
  })
  app.get(`${API_PATH}/categories/:key`, async (request, response) => {
    const locale = query(request, 'locale', 'en')
    const after = query(request, 'after')
    const body = found(await reads.category(locale, request.params.key, after, limitOf(request)), 'category')
    send(request, response, body, locale)
  })
  app.get(`${API_PATH}/search`, async (request, response) => {
    const locale = query(request, 'locale', 'en')
    const offset = whole(request, 'offset', 0, 0, 2 ** 31 - 1)
    const limit = whole(request, 'limit', 20, 1, 50)
    send(request, response, await reads.search(locale, query(request, 'q'), offset, limit), locale)
  })
  app.use((error: unknown, _: Request, response: Response, __: unknown) => {
    const told = error instanceof Refusal ? error : new Refusal(500, 'internal', 'Something went wrong.')
    response.status(told.status).json({ error: { code: told.code, message: told.message } })
  })
}

/** What every answer of the API says besides its body. */
export const commonHeaders = (license: string, cacheSeconds: number): Record<string, string> => ({
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Link, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id',
  'Cache-Control': `public, max-age=${cacheSeconds}`,
  Link: `<${license}>; rel="license"`,
  Vary: 'Accept-Encoding',
})
