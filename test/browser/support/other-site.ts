import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Frame, Page } from 'playwright-core'
import { until } from '../../support/until.ts'

/** A site of its own, which has nothing to do with the API. */
export interface OtherSite {
  /** Such as `http://127.0.0.1:40124`; at `/isolated` is a page that is cross-origin isolated. */
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

/** What a script gets to see of an answer; `refused` where the browser keeps it from the script. */
export interface BrowserResponse {
  refused?: string
  status: number
  /** By lower-case name: those alone that the script may read. */
  headers: Record<string, string>
  text: string
}

/** Calls an address as a script of a page does. */
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

/** A request as it went over the wire. */
export interface OnWire {
  method: string
  url: string
  /** By lower-case name. */
  sent: Record<string, string>
  /** 0 until it is known. */
  status: number
}

/**
 * Opens a page, and lists what goes over the wire for it from then on, preflights and 304s too, as the network
 * tells it. No request is intercepted: that would turn off the browser's cache and its preflights.
 * @param last an address that nothing else asks for
 * @returns `sent` asks for `last`, and answers what went before it
 */
export const openPage = async (
  context: BrowserContext,
  address: string,
  last: () => string,
): Promise<{ page: Page; sent(): Promise<OnWire[]> }> => {
  const page = await context.newPage()
  await page.goto(address)
  const wire: OnWire[] = []
  const byId = new Map<string, OnWire>()
  // The browser and its network tell of a request in either order.
  const known = (id: string): OnWire => {
    const request = byId.get(id) ?? { method: '', url: '', sent: {}, status: 0 }
    byId.set(id, request)
    return request
  }
  const network = await context.newCDPSession(page)
  network.on('Network.requestWillBeSent', ({ requestId, request: { method, url } }) => {
    Object.assign(known(requestId), { method, url })
  })
  network.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) => {
    for (const [name, value] of Object.entries(headers)) known(requestId).sent[name.toLowerCase()] = value
    wire.push(known(requestId))
  })
  network.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => {
    known(requestId).status = statusCode
  })
  await network.send('Network.enable')
  const sent = async (): Promise<OnWire[]> => {
    const end = last()
    await callFrom(page, end)
    await until('the network tells of the last request', () => {
      const hasEnded = wire.some(({ url }) => url === end)
      return hasEnded && wire.every(({ method, status }) => method !== '' && status > 0)
    })
    return wire.filter(({ url }) => url !== end)
  }
  return { page, sent }
}
