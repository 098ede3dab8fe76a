import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { withBrowser } from './support/browser.ts'
import { SITE, settled, visitsOf, withSample } from './support/site.ts'

interface Focused {
  name: string
  outlined: boolean
  seen: boolean
}

const FOCUSED = `(() => {
  const one = document.activeElement
  const { outlineStyle, outlineWidth } = getComputedStyle(one)
  const { top, bottom, width } = one.getBoundingClientRect()
  return {
    name: (one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent).trim(),
    outlined: outlineStyle !== 'none' && parseFloat(outlineWidth) > 0,
    seen: width > 0 && bottom > 0 && top < innerHeight,
  }
})()`

/** Presses Tab until the element with this name has the focus. Each focused element on the way must show its focus. */
const tabTo = async (page: Page, name: string | RegExp, key = 'Tab'): Promise<void> => {
  const passed: string[] = []
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press(key)
    const focused = (await page.evaluate(FOCUSED)) as Focused
    expect(focused.outlined, `an outline of “${focused.name}”`).to.equal(true)
    expect(focused.seen, `“${focused.name}” is in sight`).to.equal(true)
    if (typeof name === 'string' ? focused.name === name : name.test(focused.name)) return
    passed.push(focused.name)
  }
  throw new Error(`Tab never comes to ${name}; it passed ${passed.join(' | ')}`)
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

describe('keyboard', () => {
  const browser = withBrowser()
  const sample = withSample()
  const visits = visitsOf(browser, () => sample.origin)

  visits(
    'leads from the landing page through the reader to a comparison of two edits, and back',
    async ({ page }) => {
      await page.goto(SITE.landing)
      await tabTo(page, 'Skip to content')
      await tabTo(page, 'Reader')
      await page.keyboard.press('Enter')
      await heading(page, 'Tea Wiki').waitFor()
      await tabTo(page, 'Search Tea Wiki')
      await page.keyboard.type('sencha')
      await page.keyboard.press('Enter')
      await heading(page, 'Search: sencha').waitFor()
      await tabTo(page, 'Sencha')
      await page.keyboard.press('Enter')
      await heading(page, 'Sencha').waitFor()
      await tabTo(page, 'History')
      await page.keyboard.press('Enter')
      await heading(page, 'History of Sencha').waitFor()
      await tabTo(page, /^From: 2023/)
      await page.keyboard.press('ArrowDown')
      await tabTo(page, 'Compare the selected edits')
      await page.keyboard.press('Enter')
      await heading(page, 'Changes to Sencha').waitFor()
      expect(new URL(page.url()).searchParams.get('from')).to.match(/^e58b80ac-/)
      await page.goBack() // headless Chromium has no keyboard shortcut for it
      await heading(page, 'History of Sencha').waitFor()
    },
  )

  visits.refused('skips to the content of every page', async ({ page }) => {
    for (const path of Object.values(SITE)) {
      await page.goto(path)
      await tabTo(page, 'Skip to content')
      await page.keyboard.press('Enter')
      await page.waitForURL(/#main$/)
      // The reader replaces what comes with the page, also an element of it that has the focus.
      if (path === SITE.reader) await settled(page)
      else await page.locator('#main :is(a, button)').first().waitFor()
      await page.keyboard.press('Tab')
      expect(await page.evaluate("document.activeElement.closest('#main') !== null"), path).to.equal(true)
    }
  })

  visits('sends a request in the reference, and a screen reader announces the response', async ({ page }) => {
    await page.goto(SITE.reference)
    await tabTo(page, 'Send')
    await page.keyboard.press('Enter')
    await page.getByText('Response with status 200.').waitFor({ state: 'attached' })
    await tabTo(page, 'Body')
    await page.keyboard.press('ArrowRight')
    await tabTo(page, /^Headers of the response/)
    expect(await page.evaluate('document.activeElement.textContent')).to.match(/^ETag: /m)
  })

  visits('chooses the language of the examples in the guide', async ({ page }) => {
    await page.goto(SITE.guide)
    await tabTo(page, 'curl')
    await page.keyboard.press('ArrowLeft')
    const first = page.locator('.example').first()
    expect(await first.locator('[data-language="python"].panel').isVisible()).to.equal(true)
    expect(await first.locator('[data-language="curl"].panel').isVisible()).to.equal(false)
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Python')
    await page.keyboard.press('Home')
    expect(await first.getByRole('tab', { name: 'curl' }).getAttribute('aria-selected')).to.equal('true')
  })
})
