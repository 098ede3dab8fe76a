import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { until } from '../support/until.ts'
import { withBrowser } from './support/browser.ts'
import {
  LOOKS,
  type Look,
  layoutShift,
  lookAt,
  openReader,
  SCREENS,
  SITE,
  settled,
  takeScreenshot,
  type Visit,
  violations,
  visit,
  withoutRefusals,
  withSample,
} from './support/site.ts'

/** An edit that replaces a line. */
const ABOUT_STORAGE = '997af8ab-cf2d-402c-94a8-148ce615e5e6'
const OLDEST_OF_SENCHA = 'afe1e852-00c1-469c-8b3e-2fa21444bf7d'

const reader =
  (query: string) =>
  ({ page }: Visit) =>
    openReader(page, query)

const refused = async ({ page }: Visit): Promise<void> => {
  await page.route('**/api/v1/pages/**', (route) =>
    route.fulfill({
      status: 503,
      headers: { 'Retry-After': '60' },
      json: { error: { code: 'x', message: 'x' } },
    }),
  )
  await openReader(page, 'page=sencha')
}

/** The fonts of the site by the names in their files. */
const SERIF = 'STIX Two Text'
const SANS = 'Public Sans Thin'

/** The names of the fonts that a browser took for the text of an element. */
const fontsOf = async (page: Page, selector: string): Promise<string[]> => {
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const { root } = await session.send('DOM.getDocument')
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector })
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId })
  await session.detach()
  return fonts.map(({ familyName, isCustomFont }) => `${isCustomFont ? '' : 'system: '}${familyName}`)
}

/** The pages of the documentation site in every state, with the function that opens each. */
const STATES: Record<string, (visit: Visit) => Promise<unknown>> = {
  'landing, sent': async ({ page }) => {
    await page.goto(SITE.landing)
    await page.getByRole('link', { name: /^History/ }).click()
    await page.locator('.asked .status').getByText(' ms ').waitFor()
  },
  'not found': ({ page }) => page.goto('/nothing'),
  guide: ({ page }) => page.goto(SITE.guide),
  'guide, search': async ({ page }) => {
    await page.goto(SITE.guide)
    await page.keyboard.press('/')
    await page.keyboard.type('rate limit')
    await page
      .getByRole('dialog')
      .getByText(/sections\.$/)
      .waitFor()
  },
  reference: async ({ page }) => {
    await page.goto(`${SITE.reference}?lmit=1#listPages`)
    await page.locator('#listPages .send').click()
    await page.locator('.answer[data-outcome]:not([aria-busy])').waitFor()
    await page.locator('#listPages details').first().click()
  },
  'reader, home': reader(''),
  'reader, search': reader('q=steamed+leaves'),
  'reader, nothing found': reader('q=motorcycle'),
  'reader, page': reader('page=sencha'),
  'reader, page in Arabic': reader('page=سنشا&locale=ar'),
  'reader, requests': async ({ page }) => {
    await openReader(page, 'page=sencha')
    await page.getByRole('button', { name: /API requests/ }).click()
  },
  'reader, history': reader('history=sencha'),
  'reader, difference': reader(`to=${ABOUT_STORAGE}`),
  'reader, edit': reader(`edit=${OLDEST_OF_SENCHA}`),
  'reader, page in a folder': reader('page=brewing/gongfu'),
  'reader, recent edits': reader('recent=all'),
  'reader, category': reader('category=green-tea'),
  'reader, categories': reader('categories=all'),
  'reader, no such page': reader('page=coffee'),
  'reader, bad language': reader('page=sencha&locale=tlh'),
  'reader, busy': refused,
  'reader, offline': async ({ page, context }) => {
    await openReader(page, 'pages=all')
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Sencha', exact: true }).first().click()
    await page.getByRole('heading', { name: 'No connection' }).waitFor()
    await settled(page)
  },
}

/** States whose parts other states have in both looks: axe, which needs most of the time, looks at them in one. */
const AUDITED_ON: Record<string, Look['screen']> = {
  'reader, nothing found': 'desktop',
  'reader, page in Arabic': 'phone',
  'reader, edit': 'desktop',
  'reader, page in a folder': 'phone',
  'reader, recent edits': 'desktop',
  'reader, category': 'phone',
  'reader, categories': 'desktop',
  'reader, no such page': 'phone',
  'reader, bad language': 'desktop',
  'reader, busy': 'phone',
  'reader, offline': 'desktop',
}

describe('appearance of the documentation site', () => {
  const browser = withBrowser()
  const sample = withSample()

  it('in every state: no axe violations, nothing wider than the screen, no errors', () =>
    visit(browser, sample.origin, async (visited) => {
      const { page } = visited
      for (const [name, bring] of Object.entries(STATES)) {
        if (page.url() !== 'about:blank') await page.evaluate('localStorage.clear(); sessionStorage.clear()')
        await page.unrouteAll()
        await lookAt(page, LOOKS[0]!)
        await bring(visited)
        if (name.startsWith('reader')) expect(await layoutShift(page), name).to.be.at.most(0.05)
        for (const look of LOOKS) {
          const lookName = `${name}, ${look.colours}-${look.screen}`
          await lookAt(page, look)
          await page.evaluate('document.fonts.ready')
          const [whole, visible] = (await page.evaluate(
            '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
          )) as [number, number]
          await takeScreenshot(page, lookName.replaceAll(/[, ]+/g, '-'))
          if ((AUDITED_ON[name] ?? look.screen) === look.screen)
            expect(await violations(page), lookName).to.deep.equal([])
          expect(whole, lookName).to.be.at.most(visible)
        }
        expect(withoutRefusals(visited.faults), name).to.deep.equal([])
      }
    }))

  it('no code in a table is broken within a word', () =>
    visit(browser, sample.origin, async ({ page }) => {
      for (const path of [SITE.guide, SITE.reference]) {
        await page.goto(path)
        for (const width of [1280, 900, 700, 375, 360, 320]) {
          await page.setViewportSize({ width, height: 800 })
          const broken = `[...document.querySelectorAll('td code')]
            .filter((code) => [...code.childNodes].some((part) => {
              const word = new Range()
              word.selectNodeContents(part)
              return /^[^ -]+$/.test(part.data) && word.getClientRects().length > 1
            }))
            .map((code) => code.textContent)`
          expect(await page.evaluate(broken), `${path} at ${width}`).to.deep.equal([])
          expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).to.equal(true)
        }
      }
    }))

  it('the fonts are those of the site, from its origin and of at most 60 kB, and little moves if they come late', () =>
    visit(browser, sample.origin, async ({ page, context, faults }) => {
      const sizes = new Map<string, number>()
      page.on('response', async (response) => {
        if (response.request().resourceType() === 'font')
          sizes.set(response.url(), (await response.body()).length)
      })
      for (const path of [SITE.landing, SITE.guide, SITE.reference]) {
        await page.goto(path, { waitUntil: 'networkidle' })
        await page.evaluate('document.fonts.ready')
        expect(await fontsOf(page, 'h1'), path).to.deep.equal([SERIF])
        expect(await fontsOf(page, 'main p:not(:has(*))'), path).to.deep.equal([SANS])
        expect(await layoutShift(page), path).to.be.at.most(0.05)
      }
      expect([...sizes.values()].reduce((sum, size) => sum + size)).to.be.at.most(60_000)
      // Italics, and letters such as "ō", are in files of their own.
      await openReader(page, 'page=sencha')
      await page.evaluate('document.fonts.ready')
      await until('the italics are there', () =>
        page.evaluate(
          "[...document.fonts].some((font) => font.style === 'italic' && font.status === 'loaded')",
        ),
      )
      expect(await fontsOf(page, 'article h2'), 'reader').to.deep.equal([SERIF])
      await openReader(page, 'page=sencha&locale=ja')
      expect(await fontsOf(page, 'article li'), 'digits in Japanese').not.to.include(SERIF)
      expect([...sizes.keys()].filter((url) => new URL(url).origin !== sample.origin)).to.deep.equal([])

      const session = await context.newCDPSession(page)
      await session.send('Network.setCacheDisabled', { cacheDisabled: true })
      await page.route('**/*.woff2', async (route) => {
        await page.evaluate(`new Promise((done) =>
          new PerformanceObserver(done).observe({ type: 'paint', buffered: true }))`)
        await route.continue()
      })
      for (const path of [SITE.landing, SITE.guide, SITE.reference]) {
        await page.goto(path, { waitUntil: 'networkidle' })
        await page.evaluate('document.fonts.ready')
        expect(await fontsOf(page, 'h1'), 'late').to.deep.equal([SERIF])
        expect(await layoutShift(page), path).to.be.at.most(0.05)
      }
      expect(faults).to.deep.equal([])
    }))

  it('a theme that the visitor chooses: on every page, and in other tabs', () =>
    visit(browser, sample.origin, async ({ page, context, faults }) => {
      const paper = (of: Page) => of.evaluate('getComputedStyle(document.body).backgroundColor')
      await page.goto(SITE.landing)
      const light = await paper(page)
      const menu = page.getByLabel('Theme')
      await menu.selectOption('dark')
      const dark = await paper(page)
      expect(dark).not.to.equal(light)
      for (const path of [...Object.values(SITE), '/nothing']) {
        await page.goto(path)
        expect([await paper(page), await menu.inputValue()], path).to.deep.equal([dark, 'dark'])
      }
      const other = await context.newPage()
      await other.goto(SITE.guide)
      expect(await paper(other)).to.equal(dark)
      await menu.selectOption('system')
      await until('the other tab has the choice', () =>
        other.evaluate(`document.querySelector('.theme select').value === 'system'`),
      )
      expect(await paper(other)).to.equal(light)
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await paper(page)).to.equal(dark)
      await menu.selectOption('light')
      expect(await paper(page)).to.equal(light)
      expect(withoutRefusals(faults)).to.deep.equal(['popup: about:blank']) // the other tab
    }))

  it('the header has the same places on all pages, and beside the text are its contents', () =>
    visit(browser, sample.origin, async ({ page }) => {
      const boxOf = async (part: string) => (await page.locator(part).first().boundingBox())!
      const places = new Set<string>()
      for (const path of [SITE.landing, SITE.guide, SITE.reference, '/nothing', '/wiki/en/sencha']) {
        await page.goto(path)
        for (const width of [1440, 1024]) {
          await page.setViewportSize({ width, height: 900 })
          const [brand, theme] = [await boxOf('.brand'), await boxOf('.theme')]
          places.add(`${width}: ${brand.x} ${theme.x}`)
          expect(brand.width, `${path}: as wide as its text`).to.be.below(150)
          if (path === SITE.guide || path === SITE.reference)
            expect(await page.locator('.sections a').first().isVisible(), path).to.equal(true)
          if (path === SITE.guide)
            expect((await boxOf('.prose p')).width, 'one right edge').to.equal(
              (await boxOf('.prose .box')).width,
            )
        }
      }
      expect([...places]).to.have.length(2)
    }))

  it('the header stays in sight, below it what a link leads to, and it takes little of a phone', () =>
    visit(browser, sample.origin, async ({ page }) => {
      const TARGETS = {
        [SITE.landing]: 'facts',
        [SITE.guide]: 'caching',
        [SITE.reference]: 'searchPages',
        '/wiki/en/sencha': 'see-also',
      }
      for (const screen of ['desktop', 'phone'] as const) {
        await page.setViewportSize({ ...SCREENS[screen], height: 500 })
        for (const [path, id] of Object.entries(TARGETS)) {
          await page.goto(`${path}#${id}`)
          const stuck = '.site-header, .sections, .reader .contents'
          // Readers of a wiki on a phone need its name and its search more than the documentation.
          const isReading = screen === 'phone' && path.startsWith('/wiki/')
          const stays = isReading ? '.brand' : '.site-header nav'
          await page.locator(`#${id}`).waitFor()
          await until('the page has scrolled', () => page.evaluate('scrollY > 0'))
          const [header, bottom, top] = (await page.evaluate(`(() => {
            const bottoms = [...document.querySelectorAll('${stuck}')]
              .map((one) => one.getBoundingClientRect())
              .filter(({ top, width }) => top < 150 && width > innerWidth / 2)
              .map(({ bottom }) => bottom)
            const { top } = document.getElementById('${id}').getBoundingClientRect()
            return [document.querySelector('${stays}').getBoundingClientRect().top, Math.max(...bottoms), top]
          })()`)) as [number, number, number]
          expect(header, `${path}, ${screen}`).to.be.within(0, 50)
          expect(top, `${path}, ${screen}`).to.be.at.least(bottom)
          expect(bottom, `${path}, ${screen}`).to.be.at.most(screen === 'phone' ? 90 : 120)
        }
      }
    }))

  it('where colors are forced, filled buttons have an edge, and what is current is marked', () =>
    visit(browser, sample.origin, async ({ page }) => {
      await page.emulateMedia({ forcedColors: 'active' })
      const styleOf = (selector: string, property: string) =>
        page
          .locator(selector)
          .first()
          .evaluate(
            (one: Parameters<typeof getComputedStyle>[0], name: string) =>
              getComputedStyle(one).getPropertyValue(name),
            property,
          )
      await page.goto(SITE.landing)
      expect(await styleOf('.site-header nav a', 'forced-color-adjust'), 'not current').to.equal('auto')
      for (const button of ['.primary', '.live .send'])
        expect(await styleOf(button, 'outline-style'), button).to.equal('solid')
      expect(await styleOf('[role=tab][aria-selected=true]', 'background-color')).not.to.equal(
        await styleOf('[role=tab][aria-selected=false]', 'background-color'),
      )
      const moon = await page.evaluate(
        "getComputedStyle(document.querySelector('.theme'), '::after').backgroundImage",
      )
      expect(moon).to.include(await styleOf('.theme select', 'color'))
      await page.goto(`${SITE.reference}#listPages`)
      await page.locator('.sections a[aria-current]').waitFor()
      await openReader(page, 'page=sencha')
      await page.locator('.tree a[aria-current]').waitFor()
      expect(await styleOf('.tree a[aria-current]', 'background-color')).not.to.equal(
        await styleOf('.tree a:not([aria-current])', 'background-color'),
      )
      await openReader(page, 'to=997af8ab-cf2d-402c-94a8-148ce615e5e6')
      expect(await styleOf('.layout label:has(:checked)', 'background-color')).not.to.equal(
        await styleOf('.layout label:not(:has(:checked))', 'background-color'),
      )
    }))

  it('printed pages have no empty bars, and no buttons', () =>
    visit(browser, sample.origin, async ({ page }) => {
      await page.emulateMedia({ media: 'print' })
      for (const path of [SITE.landing, SITE.guide, SITE.reference]) {
        await page.goto(path)
        const bars = await page
          .locator('.bar')
          .evaluateAll((all) =>
            (all as unknown as { innerText: string; offsetHeight: number }[])
              .filter(({ offsetHeight }) => offsetHeight > 0)
              .map(({ innerText }) => innerText.trim()),
          )
        expect(bars, path).to.not.include('')
        expect(await page.locator('.bar button:visible').count(), path).to.equal(0)
      }
    }))

  it('a printed page of the wiki has its address, also after the next one was opened', () =>
    visit(browser, sample.origin, async ({ page }) => {
      await page.goto('/wiki/en/sencha')
      await page.emulateMedia({ media: 'print' })
      const address = page.locator('.address')
      expect(await address.innerText()).to.match(/\/wiki\/en\/sencha$/)
      await page.emulateMedia({ media: 'screen' })
      expect(await address.isVisible()).to.equal(false)
      await page.getByRole('link', { name: 'History', exact: true }).click()
      await page.getByRole('heading', { name: 'History of Sencha' }).waitFor()
      await page.emulateMedia({ media: 'print' })
      await page.evaluate("dispatchEvent(new Event('beforeprint'))")
      expect(await address.innerText()).to.equal(page.url())
      // The public address is not the one that the browser has.
      await openReader(page, 'recent=all&locale=en')
      await page.evaluate("dispatchEvent(new Event('beforeprint'))")
      expect(await address.innerText()).to.match(/\/reader\?recent=all&locale=en$/)
    }))

  it('in a low window, nothing stays over the text', () =>
    visit(browser, sample.origin, async ({ page }) => {
      await page.setViewportSize({ width: 360, height: 225 })
      for (const path of [SITE.landing, SITE.guide, SITE.reference, '/wiki/en/sencha']) {
        await page.goto(path)
        await page.evaluate('scrollTo(0, 600)')
        const bottoms = (await page.evaluate(`
          [...document.querySelectorAll('.site-header, .sections, .reader .contents')]
            .map((part) => part.getBoundingClientRect().bottom)`)) as number[]
        for (const bottom of bottoms) expect(bottom, path).to.be.at.most(0)
      }
    }))
})
