import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Frame, Page } from 'playwright-core'
import { until } from '../../support/until.ts'

/** A separate site, which has nothing to do with the API. */
export interface OtherSite {
  /** For example `http://127.0.0.1:40124`. Its page `/isolated` is cross-origin isolated. */
  origin: string
}

const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

/** Starts the site before the tests of a `describe` and ends it after them. */
export const withOtherSite = (): OtherSite => {
  const site = {} as OtherSite
  let server: Server
  before(async () => {
    server = createServer(({ url }, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html', ...(url === '/isolated' ? ISOLATED : {}) })
      response.end('<!doctype html><title>other site</title><link rel="icon" href="data:,">')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    site.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server?.close()
    server?.closeAllConnections()
  })
  return site
}

/** What a script can see of a response. `refused` if the browser hides it from the script. */
export interface BrowserResponse {
  refused?: string
  status: number
  /** The headers that the script may read, by lower-case name. */
  headers: Record<string, string>
  text: string
}

/** Sends a request as a script of a page does. */
export const callFrom = (page: Page | Frame, url: string, init: RequestInit = {}): Promise<BrowserResponse> =>
  page.evaluate(
    ({ url, init }) =>
      fetch(url, init).then(
        async (response) => ({
          status: response.status,
          headers: Object.fromEntries(response.headers as unknown as Iterable<[string, string]>),
          text: await response.text(),
        }),
        (error: Error) => ({ refused: error.name, status: 0, headers: {}, text: '' }),
      ),
    { url, init },
  )

/** A request on the wire. */
export interface WireRequest {
  method: string
  url: string
  /** Headers by lower-case name. */
  headers: Record<string, string>
  /** Status of the response; 0 until it is known. */
  status: number
}

/**
 * Opens a page, and records its requests on the wire from then on, including preflights and 304s. It reads them from
 * the network events of Chromium. To intercept requests would turn off the cache of the browser and its preflights.
 * @param last a URL that no other code requests
 * @returns `requests` requests `last`, and returns the requests before it
 */
export const openPage = async (
  context: BrowserContext,
  address: string,
  last: () => string,
): Promise<{ page: Page; requests(): Promise<WireRequest[]> }> => {
  const page = await context.newPage()
  await page.goto(address)
  const wire: WireRequest[] = []
  const byId = new Map<string, WireRequest>()
  // The events of the browser and of its network arrive in either order.
  const requestOf = (id: string): WireRequest => {
    const request = byId.get(id) ?? { method: '', url: '', headers: {}, status: 0 }
    byId.set(id, request)
    return request
  }
  const network = await context.newCDPSession(page)
  network.on('Network.requestWillBeSent', ({ requestId, request: { method, url } }) => {
    Object.assign(requestOf(requestId), { method, url })
  })
  network.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) => {
    for (const [name, value] of Object.entries(headers))
      requestOf(requestId).headers[name.toLowerCase()] = value
    wire.push(requestOf(requestId))
  })
  network.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => {
    requestOf(requestId).status = statusCode
  })
  await network.send('Network.enable')
  const requests = async (): Promise<WireRequest[]> => {
    const end = last()
    await callFrom(page, end)
    await until('the network reports the last request', () => {
      const hasEnded = wire.some(({ url }) => url === end)
      return hasEnded && wire.every(({ method, status }) => method !== '' && status > 0)
    })
    return wire.filter(({ url }) => url !== end)
  }
  return { page, requests }
}
