import { Unavailable } from '@lectern/wiki/errors'
import { expect } from 'chai'
import type { BrowserContext, Page } from 'playwright-core'
import { guideMarkdown } from '../../src/docs-site/guide/markdown.ts'
import { guideExamples, usesBrowser, WRITTEN_FOR } from '../support/guide.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { clearWorld, importRecords, recordsOf } from '../support/world.ts'
import { withBrowser } from './support/browser.ts'
import { withOtherSite } from './support/other-site.ts'

/** Reads the stream into `window.seen`: the type, path and cursor of each change. */
const COLLECT = (url: string): void => {
  const seen: string[][] = []
  // biome-ignore lint/suspicious/noExplicitAny: this runs in the browser
  const page = globalThis as any
  const source = new page.EventSource(url)
  const take = ({ type, data, lastEventId }: { type: string; data: string; lastEventId: string }) =>
    seen.push([type, JSON.parse(data).path, lastEventId])
  for (const type of ['upsert', 'gone']) source.addEventListener(type, take)
  Object.assign(page, { seen, source })
}

describe('EventSource on another site', () => {
  const test = withBrowser()
  const site = withOtherSite()
  const isLost = { now: false }
  /** `Last-Event-ID` of each request for the stream. */
  let requested: (string | undefined)[] = []
  let api: TestService
  let port = 0
  let context: BrowserContext
  let page: Page

  const start = async () => {
    api = await startService(
      { port, cacheSeconds: 0 },
      {
        wrap: (database) => ({
          ...database,
          query: async (statement, values) => {
            if (isLost.now) throw new Unavailable()
            return database.query(statement, values)
          },
        }),
      },
    )
    port = Number(new URL(api.service.listeningUrl).port)
  }
  beforeEach(async () => {
    isLost.now = false
    port = 0
    requested = []
    await clearWorld()
    await start()
    context = await test.browser.newContext()
    page = await context.newPage()
    page.on('request', async (request) => {
      if (request.url().includes('/changes')) requested.push((await request.allHeaders())['last-event-id'])
    })
    await page.goto(site.origin)
  })
  afterEach(async () => {
    await context?.close()
    await api.service.close()
  })

  const importPage = (path: string, more = {}) => importRecords(recordsOf({ pages: [{ path, ...more }] }))
  const url = () => `${api.service.listeningUrl}/api/v1/changes`
  const seen = () => page.evaluate<string[][]>('seen')
  const untilSeen = (count: number) =>
    until(`${count} changes are seen`, async () => (await seen()).length === count)

  it('gets what happens, and continues after the service was restarted, without a preflight', async () => {
    await importPage('tea')
    await page.evaluate(COLLECT, url())
    await untilSeen(1)
    await importPage('mate')
    await importPage('tea', { state: 'deleted' })
    await untilSeen(3)
    const [, , last] = (await seen()).at(-1)!
    await api.service.close()
    await importPage('cocoa')
    await start()
    await untilSeen(4)
    expect((await seen()).map(([type, path]) => `${type} ${path}`)).to.deep.equal([
      ...['upsert tea', 'upsert mate', 'gone tea', 'upsert cocoa'],
    ])
    expect(requested[0]).to.equal(undefined)
    expect(new Set(requested.slice(1))).to.deep.equal(new Set([last]))
  })

  it('gives up after a 503, and the example of the guide opens another one', async () => {
    isLost.now = true
    await page.evaluate(COLLECT, url())
    await until('the browser gives up', () => page.evaluate('source.readyState === EventSource.CLOSED'))
    const example = guideExamples(await guideMarkdown()).findLast(usesBrowser)!
    const printed: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'log') printed.push(message.text())
    })
    const before = requested.length
    await page.evaluate(example.code.replaceAll(WRITTEN_FOR, `${api.service.listeningUrl}/api/v1`))
    await until('the example was refused', () => requested.length > before)
    isLost.now = false
    for (const path of ['tea', 'mate']) await importPage(path)
    await importPage('tea', { state: 'deleted' })
    await until('the example has printed all', () => printed.includes('gone tea'))
    expect(printed).to.include('upsert mate')
  })
})
