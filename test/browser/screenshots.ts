/**
 * `npm run screenshots` writes `docs/screenshots/`: each page of the documentation site of the sample wiki, in each look.
 * Run it on a machine with fonts for Latin, Cyrillic and Japanese (Debian: fonts-noto-core, fonts-wqy-microhei). (D52)
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { packagePath } from '../../src/paths.ts'
import { mochaGlobalSetup, mochaGlobalTeardown } from '../support/database.ts'
import { WRITTEN_FOR } from '../support/guide.ts'
import { serveSample } from '../support/sample.ts'
import { inNewContext, launchBrowser } from './support/browser.ts'
import { type Look, SCREENS, SITE, serveFiles, settled } from './support/site.ts'

const PAGES: Record<string, string> = {
  landing: SITE.landing,
  guide: `${SITE.guide}#search`,
  reference: `${SITE.reference}#getPage`,
  reader: `${SITE.reader}?page=sencha&locale=en`,
  'reader-search': `${SITE.reader}?q=steamed+leaves&locale=en`,
  'not-found': '/nothing',
}

const LOOKS: readonly Look[] = (['light', 'dark'] as const).flatMap((colours) =>
  (['desktop', 'phone'] as const).map((screen) => ({ colours, screen })),
)

/** Of WebP, percent. Text is sharp, and all pictures together stay below 1.5 MB. */
const QUALITY = 72

const FOLDER = packagePath('docs', 'screenshots')

const takeScreenshot = (browser: Browser, origin: string, name: string, { colours, screen }: Look) =>
  inNewContext(
    { browser },
    async (context) => {
      await serveFiles(context, origin)
      const page = await context.newPage()
      await page.goto(PAGES[name]!)
      await page.reload() // with the fonts in the cache: a page whose fonts are late has those of the system
      if (name.startsWith('reader')) await settled(page)
      await page.evaluate('document.fonts.ready')
      await page.evaluate(
        "Promise.all([...document.images].filter((one) => one.loading !== 'lazy').map((one) => one.decode()))",
      )
      const session = await context.newCDPSession(page)
      const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
      await writeFile(join(FOLDER, `${name}-${screen}-${colours}.webp`), Buffer.from(data, 'base64'))
    },
    { baseURL: origin, colorScheme: colours, viewport: SCREENS[screen], reducedMotion: 'reduce' },
  )

await rm(FOLDER, { recursive: true, force: true })
await mkdir(FOLDER, { recursive: true })
mochaGlobalSetup()
const sample = await serveSample(WRITTEN_FOR, { rateLimit: 0 })
const browser = await launchBrowser()
for (const name of Object.keys(PAGES))
  for (const look of LOOKS) await takeScreenshot(browser, sample.origin, name, look)
await browser.close()
await sample.stop()
await mochaGlobalTeardown()
