import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { expect } from 'chai'
import type { BrowserContext, Page, Request } from 'playwright-core'
import { WRITTEN_FOR } from '../../support/guide.ts'
import { serveSample } from '../../support/sample.ts'
import { inNewContext, type TestBrowser } from './browser.ts'
import { openWatchedPage, type WatchedPage } from './watched-page.ts'

/** Paths of the documentation site. */
export const SITE = {
  landing: '/',
  guide: '/api/v1/docs/guide',
  reference: '/api/v1/docs',
  reader: '/api/v1/docs/reader',
} as const

/** Color scheme and screen of a visitor. */
export interface Look {
  colours: 'light' | 'dark'
  screen: 'desktop' | 'phone'
}

/** Where screenshots go, if somebody wants to keep them. */
const KEPT_SCREENSHOTS = process.env.LECTERN_TEST_SCREENSHOTS

/** Two of the four combinations, because the layout does not depend on the colors; all for screenshots that are kept. */
export const LOOKS: readonly Look[] = [
  { colours: 'light', screen: 'desktop' },
  { colours: 'dark', screen: 'phone' },
  ...(KEPT_SCREENSHOTS === undefined
    ? []
    : ([
        { colours: 'dark', screen: 'desktop' },
        { colours: 'light', screen: 'phone' },
      ] as const)),
]

/** Changes the look of an open page. */
export const lookAt = async (page: Page, { colours, screen }: Look): Promise<void> => {
  await page.emulateMedia({ colorScheme: colours })
  await page.setViewportSize(SCREENS[screen])
}

/** Sizes of windows, CSS pixels. */
export const SCREENS = { desktop: { width: 1280, height: 860 }, phone: { width: 375, height: 740 } }

/** The sample wiki for the tests of a `describe`, at another URL than its BASE_URL. */
export const withSample = (): Awaited<ReturnType<typeof serveSample>> => {
  const started = {} as Awaited<ReturnType<typeof serveSample>>
  before(async () => {
    // Each visit loads a dozen files or more, so a fast machine exceeds the rate limit of a minute.
    Object.assign(started, await serveSample(WRITTEN_FOR, { rateLimit: 0 }))
  })
  after(() => started.stop?.())
  return started
}

export interface Visit extends WatchedPage {
  context: BrowserContext
}

const EMPTY = '<svg xmlns="http://www.w3.org/2000/svg"/>'

/** The site serves the files of the wiki, whose addresses begin with the base URL of the tests. */
export const serveFiles = (context: BrowserContext, origin: string): Promise<unknown> =>
  context.route('http://localhost:3000/media/**', async (route) => {
    const { pathname } = new URL(route.request().url())
    const response = await route.fetch({ url: `${origin}${pathname}` })
    // Behind a proxy that adds a prefix, these addresses have none.
    await route.fulfill(response.ok() ? { response } : { contentType: 'image/svg+xml', body: EMPTY })
  })

/**
 * Opens a page of a site in a new context. Every request to another origin is a fault, except files of the wiki.
 * @param origin origin of the site
 */
export const visit = <Result>(
  browser: TestBrowser,
  origin: string,
  use: (visit: Visit) => Promise<Result>,
): Promise<Result> =>
  inNewContext(
    browser,
    async (context) => {
      const watched = await openWatchedPage(context, [origin])
      await serveFiles(context, origin)
      return use({ context, ...watched })
    },
    { baseURL: origin, colorScheme: 'light', viewport: SCREENS.desktop, reducedMotion: 'reduce' },
  )

/**
 * Functions for the tests of a site in a browser, which fail with every fault of a page; after `visits.refused`, the
 * API may answer with errors.
 */
export const visitsOf = (browser: TestBrowser, origin: () => string) => {
  const visitsWith =
    (faultsOf: (faults: readonly string[]) => readonly string[]) =>
    (title: string, use: (visit: Visit) => Promise<unknown>): void => {
      it(title, () =>
        visit(browser, origin(), async (visited) => {
          await use(visited)
          expect(faultsOf(visited.faults)).to.deep.equal([])
        }),
      )
    }
  return Object.assign(
    visitsWith((faults) => faults),
    { refused: visitsWith(withoutRefusals) },
  )
}

/** Lets the reader or the reference wait for its scripts. @returns the function that lets them load */
export const holdScripts = async (page: Page): Promise<() => void> => {
  let load = (): void => {}
  const released = new Promise<void>((resolve) => {
    load = resolve
  })
  await page.route('**/{reader,reference}/main.js', async (route) => {
    await released
    await route.continue()
  })
  return load
}

/** Opens a view of the reader, and waits until it is shown. @param query without `?` */
export const openReader = async (page: Page, query = ''): Promise<void> => {
  await page.goto(`${SITE.reader}?${query}`)
  await settled(page)
}

/** Waits until the reader shows the requested view, or an error. */
export const settled = async (page: Page): Promise<void> => {
  await page.locator('main:not([aria-busy]) h1[tabindex]').waitFor()
}

/** The title of the view that the reader shows; the one that comes with the page does not count. */
export const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).and(page.locator('[tabindex]'))

/** The text of what has the focus. */
export const focused = (page: Page): Promise<unknown> => page.evaluate('document.activeElement.textContent')

/** Records the API requests from now on, with sorted query parameters. */
export const callsOf = (page: Page): string[] => {
  const calls: string[] = []
  page.on('request', (request: Request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/v1/') && !pathname.startsWith('/api/v1/docs')) calls.push(pathname + search)
  })
  return calls
}

/** How far content has moved that a visitor could see, as browsers measure it (CLS). */
export const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(`new Promise((done) => {
    const sum = (list) => list.getEntries().reduce((all, one) => all + (one.hadRecentInput ? 0 : one.value), 0)
    new PerformanceObserver((list) => done(sum(list))).observe({ type: 'layout-shift', buffered: true })
    setTimeout(done, 100, 0)
  })`)

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeViolation {
  id: string
  nodes: { html: string; any: { message: string }[] }[]
}

/**
 * Parts that repeat what stands before them: all but the first endpoint of each group of the reference, and the guide
 * after its first sections. axe needs seconds for some thousand elements.
 */
const REPEATED = [['.operation ~ .operation'], ['.prose h2:nth-of-type(n+4) ~ *']]

/** All violations that axe finds, one line each. */
export const violations = async (page: Page): Promise<string[]> => {
  await page.evaluate(AXE)
  // `preload` would copy style sheets into elements, which the policy forbids. What is right need not be described.
  const { violations: found } = (await page.evaluate(
    `axe.run({ exclude: ${JSON.stringify(REPEATED)} }, { preload: false, resultTypes: ['violations'] })`,
  )) as {
    violations: AxeViolation[]
  }
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html.slice(0, 200)} ${any[0]?.message ?? ''}`),
  )
}

/** A longer page takes seconds, and Chromium draws none above 16,384 pixels. */
const SCREENSHOT_HEIGHT_MAX = 5_000

/** Stores a screenshot of the page, or of its beginning, in the folder of `LECTERN_TEST_SCREENSHOTS`, if it is set. */
export const takeScreenshot = async (page: Page, name: string): Promise<void> => {
  if (KEPT_SCREENSHOTS === undefined) return
  const path = resolve(KEPT_SCREENSHOTS, `${name}.png`)
  mkdirSync(dirname(path), { recursive: true })
  const [width, height] = (await page.evaluate(
    '[document.documentElement.clientWidth, document.documentElement.scrollHeight]',
  )) as [number, number]
  const clip = { x: 0, y: 0, width, height: Math.min(height, SCREENSHOT_HEIGHT_MAX) }
  await page.screenshot({ path, fullPage: true, clip })
}

/** Removes faults that are no defects: Chromium logs every error response on the console. */
export const withoutRefusals = (faults: readonly string[]): string[] =>
  faults.filter((fault) => !fault.startsWith('console: Failed to load resource'))
