import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { packagePath } from '../../../src/paths.ts'
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

/** How a visitor looks at a page. */
export interface Look {
  colours: 'light' | 'dark'
  screen: 'desktop' | 'phone'
}

/** Two of the four, since no place of anything depends on its colour. */
export const LOOKS: readonly Look[] = [
  { colours: 'light', screen: 'desktop' },
  { colours: 'dark', screen: 'phone' },
]

/** Shows a page that is open by another look. */
export const lookAt = async (page: Page, { colours, screen }: Look): Promise<void> => {
  await page.emulateMedia({ colorScheme: colours })
  await page.setViewportSize(SCREENS[screen])
}

const SCREENS = { desktop: { width: 1280, height: 860 }, phone: { width: 375, height: 740 } }

/** The sample wiki as a first start serves it, for the tests of a `describe`; called by another address than its BASE_URL. */
export const withSample = (): Awaited<ReturnType<typeof serveSample>> => {
  const started = {} as Awaited<ReturnType<typeof serveSample>>
  before(async () => {
    // Each visit loads all files anew, a dozen or more: a fast machine passes the limit of a minute.
    Object.assign(started, await serveSample(WRITTEN_FOR, { rateLimit: 0 }))
  })
  after(() => started.stop?.())
  return started
}

export interface Visit extends WatchedPage {
  context: BrowserContext
}

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180"><rect width="320" height="180" fill="#8aa68f"/></svg>'

/**
 * A visit of a site: every request to another origin is a fault, but for pictures of the wiki, which are given.
 * @param origin the site's
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
      await context.route('http://localhost:3000/wiki/**/*.jpg', (route) =>
        route.fulfill({ contentType: 'image/svg+xml', body: PICTURE }),
      )
      return use({ context, ...watched })
    },
    { baseURL: origin, colorScheme: 'light', viewport: SCREENS.desktop, reducedMotion: 'reduce' },
  )

/** Opens a place of the reader, and waits until it is there. @param query without `?` */
export const openReader = async (page: Page, query = ''): Promise<void> => {
  await page.goto(`${SITE.reader}?${query}`)
  await settled(page)
}

/** The reader shows what was asked for, or why not. */
export const settled = async (page: Page): Promise<void> => {
  await page.locator('main:not([aria-busy]) h1').waitFor()
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeViolation {
  id: string
  nodes: { html: string; any: { message: string }[] }[]
}

/** What axe finds wrong, by all its rules, a line each. */
export const violations = async (page: Page): Promise<string[]> => {
  await page.evaluate(AXE)
  // `preload` would copy style sheets into elements, which the policy forbids.
  const { violations: found } = (await page.evaluate('axe.run(document, { preload: false })')) as {
    violations: AxeViolation[]
  }
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html.slice(0, 200)} ${any[0]?.message ?? ''}`),
  )
}

/** Keeps a picture of the whole page for people to look at, in `.screenshots/`. */
export const keepPicture = async (page: Page, name: string): Promise<void> => {
  const path = packagePath('.screenshots', `${name}.png`)
  mkdirSync(dirname(path), { recursive: true })
  await page.screenshot({ path, fullPage: true })
}

/** Chromium writes every answer with an error's status on the console; a page that asks for one does nothing wrong. */
export const withoutRefusals = (faults: readonly string[]): string[] =>
  faults.filter((fault) => !fault.startsWith('console: Failed to load resource'))
