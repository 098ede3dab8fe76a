import { expect } from 'chai'
import { withBrowser } from './support/browser.ts'
import { SITE, visitsOf, withSample } from './support/site.ts'

describe('landing page in a browser', () => {
  const browser = withBrowser()
  const sample = withSample()
  const visits = visitsOf(browser, () => sample.origin)

  visits('shows a response before any script, sends other requests, and nothing moves', async ({ page }) => {
    await page.addInitScript(`
      window.shifts = 0
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.shifts += value
      }).observe({ type: 'layout-shift', buffered: true })`)
    await page.goto(SITE.landing)
    const answer = page.locator('#live-body')
    const first = JSON.parse((await answer.textContent())!)
    expect(first).to.include.keys('path', 'title', 'revision', 'text')
    await page.waitForFunction(`(() => {
      const body = document.querySelector('#live-body')
      const field = [...body.querySelectorAll('.hljs-attr')].find((one) => one.textContent === '"text"')
      return field.getBoundingClientRect().bottom < body.getBoundingClientRect().bottom - 48
    })()`)
    await page.getByRole('tab', { name: 'Python' }).click()
    expect(await page.locator('#live-python').textContent()).to.include('urllib.request')
    await page.getByRole('link', { name: /^Changes/ }).click()
    await page.locator('.answer .status').getByText(' ms ').waitFor()
    expect(await page.locator('#live-python').textContent()).to.include('/changes?limit=2')
    const { body } = await sample.get('/changes?limit=2')
    expect(JSON.parse((await answer.textContent())!)).to.deep.equal(body)
    expect(await page.evaluate('window.shifts')).to.be.at.most(0.01)
  })

  visits('shows the promise at its place before the rest of the page has arrived', async ({ page }) => {
    await page.goto(SITE.landing)
    const title = page.getByRole('heading', { level: 1 })
    const place = await title.boundingBox()
    await page.evaluate(`document.querySelector('.live').replaceChildren()`)
    expect(await title.boundingBox()).to.deep.equal(place)
  })
})
