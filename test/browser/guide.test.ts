import { expect } from 'chai'
import { withBrowser } from './support/browser.ts'
import { SITE, visit, visitsOf, withSample } from './support/site.ts'

describe('guide in a browser', () => {
  const browser = withBrowser()
  const sample = withSample()
  const visits = visitsOf(browser, () => sample.origin)

  visits(
    'shows all examples in the chosen language, remembers it, and keeps in place what one looks at',
    async ({ page }) => {
      await page.goto(`${SITE.guide}#caching`)
      const example = page.locator('#caching ~ .example').first()
      const tab = example.getByRole('tab', { name: 'Python' })
      const topOf = async () => Math.round((await tab.boundingBox())!.y)
      const before = await topOf()
      await tab.click()
      expect(await topOf()).to.be.closeTo(before, 2)
      await page.reload()
      const shown = await page
        .locator('.panel:visible')
        .evaluateAll((panels) =>
          (panels as unknown as { dataset: { language: string } }[]).map(({ dataset }) => dataset.language),
        )
      // One example is only for browsers.
      expect(shown.filter((language) => language !== 'python')).to.deep.equal(['javascript'])
      expect(shown).to.have.length(await page.locator('.example').count())
      // An example that does not exist in a language shows its first one.
      await page.evaluate("localStorage.setItem('lectern-language', 'go')")
      await page.reload()
      expect(await page.locator('.panel:visible').count()).to.equal(shown.length)
    },
  )

  it('runs an example in place, and shows what this service returns', () =>
    visit(browser, sample.origin, async ({ page, faults }) => {
      await page.goto(SITE.guide)
      for (const button of await page.locator('.run').all()) {
        const { target, headers } = JSON.parse((await button.getAttribute('data-request'))!)
        await button.click()
        const box = page.locator('.example .box').filter({ has: button }).first()
        expect(await box.locator('.output:visible').count(), target).to.equal(0)
        const answer = page.locator(`#${await button.getAttribute('aria-controls')} .answer`)
        await answer.and(page.locator('[data-outcome]:not([aria-busy])')).waitFor()
        const expected = await (await fetch(`${sample.origin}/api/v1${target}`, { headers })).text()
        const shown = (await answer.locator('pre').first().textContent())!
        if (expected.startsWith('{')) expect(JSON.parse(shown), target).to.deep.equal(JSON.parse(expected))
        else expect(shown, target).to.equal(expected)
      }
      expect(await page.locator('.run').count()).to.be.at.least(15)
      expect(faults.filter((fault) => !fault.includes('Failed to load resource'))).to.deep.equal([])
    }))

  visits.refused('marks the section that one reads', async ({ page }) => {
    const current = page.locator('.sections [aria-current]')
    await page.goto(SITE.guide)
    expect(await current.innerText()).to.equal(await page.locator('.sections a').first().innerText())
    await page.goto(`${SITE.guide}#languages`)
    await page.locator('.sections a[href="#languages"][aria-current]').waitFor()
    expect(await current.count()).to.equal(1)
    await page.locator('#errors').scrollIntoViewIfNeeded()
    await page.evaluate("document.querySelector('#errors').scrollIntoView()")
    await page.locator('.sections a[href="#errors"][aria-current]').waitFor()
    await page.setViewportSize({ width: 375, height: 740 })
    await page.getByRole('button', { name: /^Contents/ }).click()
    await page.locator('.sections').getByRole('link', { name: 'Search', exact: true }).click()
    await page.waitForURL(/#search$/)
    expect(await page.locator('.sections .list').isVisible()).to.equal(false)
  })
})
