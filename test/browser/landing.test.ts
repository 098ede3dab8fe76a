import { expect } from 'chai'
import { withBrowser } from './support/browser.ts'
import { SCREENS, SITE, visitsOf, withSample } from './support/site.ts'

/** The title of a card, and its request: one of each row, then the first one again. */
const CARDS = [
  [/^History/, '/pages/assam/history?limit=3'],
  [/^Changes/, '/changes?limit=2'],
  [/^History/, '/pages/assam/history?limit=3'],
] as const

describe('landing page in a browser', () => {
  const browser = withBrowser()
  const sample = withSample()
  const visits = visitsOf(browser, () => sample.origin)

  visits(
    'shows a response from its beginning before any script, and other ones below their cards',
    async ({ page }) => {
      await page.addInitScript(`
      window.shifts = 0
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries()) window.shifts += hadRecentInput ? 0 : value
      }).observe({ type: 'layout-shift', buffered: true })`)
      await page.goto(SITE.landing)
      const answer = page.locator('#live-body')
      const first = JSON.parse((await answer.textContent())!)
      expect(first).to.have.all.keys('path', 'title', 'url', 'text')
      expect(await page.evaluate("document.querySelector('#live-body').scrollTop")).to.equal(0)
      await page.locator('.hero').getByRole('tab', { name: 'Python' }).click()
      expect(await page.locator('#live-python').textContent()).to.include('urllib.request')
      for (const [name, target] of CARDS) {
        const card = page.getByRole('link', { name })
        await card.click()
        await page.locator('#asked-python').getByText(target).waitFor()
        await page
          .locator('.asked .answer[data-outcome]:not([aria-busy]) .status')
          .getByText(' ms ')
          .waitFor()
        const response = (await page.locator('.asked').boundingBox())!
        expect((await card.boundingBox())!.y).to.be.above(50)
        expect(response.y + response.height).to.be.at.most(SCREENS.desktop.height)
        const { body } = await sample.get(target)
        expect(JSON.parse((await page.locator('#asked-body').textContent())!)).to.deep.equal(body)
      }
      expect(JSON.parse((await answer.textContent())!)).to.deep.equal(first)
      expect(await page.evaluate('window.shifts')).to.be.at.most(0.01)
      // In a new tab, a card is the endpoint with this request.
      await page.goto((await page.getByRole('link', { name: CARDS[0][0] }).getAttribute('href'))!)
      expect(await page.locator('#listPageHistory .target').inputValue()).to.equal(CARDS[0][1])
    },
  )

  visits('a response is shown from its beginning, and code in full or with a fade', async ({ page }) => {
    await page.goto(SITE.landing)
    await page.locator('.hero .send').click()
    await page.locator('.hero .answer:not([aria-busy]) .status').getByText(' ms ').waitFor()
    expect(await page.evaluate("document.querySelector('#live-body').scrollTop")).to.equal(0)
    for (const [name, language] of [
      ['Python', 'python'],
      ['Go', 'go'],
    ]) {
      await page.locator('.hero').getByRole('tab', { name }).click()
      const code = page.locator(`#live-${language}`)
      const hidden = await code.evaluate((one) => one.scrollHeight - one.clientHeight)
      expect(hidden > 0, name).to.equal(language === 'go')
      expect(await code.evaluate((one) => getComputedStyle(one, '::after').position)).to.equal('sticky')
    }
  })

  visits('on a phone, all tabs of languages are whole, beside their buttons or above', async ({ page }) => {
    for (const [width, path] of [
      [375, SITE.landing],
      [320, SITE.landing],
      [375, `${SITE.reference}#searchPages`],
    ] as const) {
      await page.setViewportSize({ ...SCREENS.phone, width })
      await page.goto(path)
      const bar = page.locator('.bar:visible', { has: page.getByRole('tab', { name: 'Go' }) }).first()
      const [go, button] = [bar.getByRole('tab', { name: 'Go' }), bar.locator('.actions button').first()]
      const [tab, after, box] = [await go.boundingBox(), await button.boundingBox(), await bar.boundingBox()]
      expect(tab!.x + tab!.width).to.be.at.most(box!.x + box!.width)
      const isBeside = after!.x >= tab!.x + tab!.width
      const isBelow = after!.y >= tab!.y + tab!.height
      expect(isBeside || isBelow, `${path} ${width}`).to.equal(true)
      expect(after!.y + after!.height).to.be.at.most(box!.y + box!.height - 4)
    }
  })

  visits('names the last edit of all languages, whose pages it counts', async ({ page }) => {
    const [last] = (await sample.get('/recent?limit=1')).body.items
    await page.goto(SITE.landing)
    const link = page.locator('.numbers a')
    expect(await link.innerText()).to.equal(last.page.title)
    expect(await link.getAttribute('lang')).to.equal(last.page.locale)
    expect(last.page.locale).not.to.equal('en')
  })

  visits('shows the promise at its place before the rest of the page has arrived', async ({ page }) => {
    await page.goto(SITE.landing)
    const title = page.getByRole('heading', { level: 1 })
    const place = await title.boundingBox()
    await page.evaluate(`document.querySelector('.live').replaceChildren()`)
    expect(await title.boundingBox()).to.deep.equal(place)
  })
})
