import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'

/** A Chromium for the tests of a `describe`. */
export interface TestBrowser {
  browser: Browser
}

/** Where Debian, other distributions and Google put it. */
const PLACES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
)

const executable = (): string => {
  const found = process.env.LECTERN_TEST_CHROMIUM ?? PLACES.find((path) => existsSync(path))
  if (found) return found
  throw new Error('No Chromium is installed: install one, or name it in LECTERN_TEST_CHROMIUM')
}

/** Starts one browser before the tests of a `describe` and ends it after them. */
export const withBrowser = (): TestBrowser => {
  const started = {} as TestBrowser
  before(async () => {
    // Chromium's sandbox refuses to run as root, as which containers run tests.
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    started.browser = await chromium.launch({ executablePath: executable(), args })
  })
  after(() => started.browser?.close())
  return started
}

/** A context of its own, as a reader's browser has: no cookies, nothing kept. Closed after `use`. */
export const inNewContext = async <Result>(
  { browser }: TestBrowser,
  use: (context: BrowserContext) => Promise<Result>,
  options: BrowserContextOptions = {},
): Promise<Result> => {
  const context = await browser.newContext(options)
  try {
    return await use(context)
  } finally {
    await context.close()
  }
}
