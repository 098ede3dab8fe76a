import { existsSync } from 'node:fs'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Response,
} from 'playwright-core'

/** The Chromium of the tests of a `describe`. */
export interface TestBrowser {
  browser: Browser
}

/** Chromium on Debian and other distributions, and Google Chrome. */
const WHOLE = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
/** Chromium without windows takes half the time. It has no viewer of PDFs. */
const SHELL = 'chromium-headless-shell'

const executable = (names: string[]): string => {
  const paths = names.map((name) => `/usr/bin/${name}`)
  const executable = process.env.LECTERN_TEST_CHROMIUM ?? paths.find((path) => existsSync(path))
  if (executable) return executable
  throw new Error('No Chromium is installed: install one, or name it in LECTERN_TEST_CHROMIUM')
}

/** @throws Error if this machine has no Chromium */
export const launchBrowser = ({ isWhole = false } = {}): Promise<Browser> => {
  // The sandbox of Chromium refuses to run as root, the user of containers that run tests.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath: executable(isWhole ? WHOLE : [SHELL, ...WHOLE]), args })
}

let shared: Promise<Browser> | undefined

/** The browser of all tests, which have contexts of their own. It starts before the first of them. */
export const withBrowser = (): TestBrowser => {
  const started = {} as TestBrowser
  before(async () => {
    shared ??= launchBrowser()
    started.browser = await shared
  })
  return started
}

export const mochaHooks = {
  async afterAll() {
    await (await shared)?.close()
    shared = undefined
  },
}

/** The root of a page whose module has started, or that has none. A page loads it after it has drawn the text. */
const STARTED = 'html:not([data-scripts="on"]), html:not(:has(script[data-module]))'

/** A page of which `goto` and `reload` also wait for its module, unless they only wait for the response. */
const startedPage = (page: Page): void => {
  for (const name of ['goto', 'reload'] as const) {
    const load = page[name].bind(page) as (...args: unknown[]) => Promise<Response | null>
    page[name] = async (...args: unknown[]) => {
      const response = await load(...args)
      const { waitUntil } = (args.at(-1) ?? {}) as { waitUntil?: string }
      if (waitUntil !== 'commit') await page.waitForSelector(STARTED, { state: 'attached' })
      return response
    }
  }
}

/** A new browser context: no cookies, empty cache. It is closed after `use`. */
export const inNewContext = async <Result>(
  { browser }: TestBrowser,
  use: (context: BrowserContext) => Promise<Result>,
  options: BrowserContextOptions = {},
): Promise<Result> => {
  const context = await browser.newContext(options)
  context.on('page', startedPage)
  try {
    return await use(context)
  } finally {
    await context.close()
  }
}
