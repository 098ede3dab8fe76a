import { expect } from 'chai'
import { guideMarkdown } from '../../src/docs-site/guide/markdown.ts'
import { guideExamples, usesBrowser, WRITTEN_FOR } from '../support/guide.ts'
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
      // Two examples are only for browsers.
      expect(shown.filter((language) => language !== 'python')).to.deep.equal(['javascript', 'javascript'])
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
        const { target, headers, sendsEtag } = JSON.parse((await button.getAttribute('data-request'))!)
        await button.click()
        const box = page.locator('.example .box').filter({ has: button }).first()
        expect(await box.locator('.output:visible').count(), target).to.equal(0)
        const answer = page.locator(`#${await button.getAttribute('aria-controls')} .answer`)
        await answer.and(page.locator('[data-outcome]:not([aria-busy])')).waitFor()
        if (sendsEtag) expect(await answer.locator('.status').innerText()).to.match(/^304 /)
        if (sendsEtag) continue
        const expected = await (await fetch(`${sample.origin}/api/v1${target}`, { headers })).text()
        const shown = (await answer.locator('pre').first().textContent())!
        if (expected.startsWith('{')) expect(JSON.parse(shown), target).to.deep.equal(JSON.parse(expected))
        else expect(shown, target).to.equal(expected)
      }
      expect(await page.locator('.run').count()).to.be.at.least(15)
      expect(faults.filter((fault) => !fault.includes('Failed to load resource'))).to.deep.equal([])
    }))

  visits(
    'its search box suggests, searches, corrects a typo, and shows what a page contains as text',
    async ({ page }) => {
      const api = `${sample.origin}/api/v1`
      const box = guideExamples(await guideMarkdown()).find(usesBrowser)!
      const asked: string[] = []
      const text = (part: string) => page.locator(part).allInnerTexts()
      await page.goto(SITE.landing)
      await page.route(`${api}/**`, async (route) => {
        asked.push(route.request().url().slice(api.length))
        const hit = { url: 'x', title: '<img src=x onerror=alert(1)>', highlights: [[1, 4]] }
        if (asked.at(-1)!.includes('hostile')) await route.fulfill({ json: { items: [hit], next: '' } })
        else await route.continue()
      })
      await page.setContent('')
      await page.evaluate(box.code.replaceAll(WRITTEN_FOR, api))
      const field = page.getByRole('searchbox', { name: 'Search' })
      await page.evaluate(`for (const typed of ['s', 'se', 'senc']) {
        document.querySelector('input').value = typed
        document.querySelector('input').dispatchEvent(new Event('input'))
      }`)
      await page.locator('li a').first().waitFor()
      expect([await text('li a'), await text('mark')]).to.deep.equal([['Sencha'], ['Senc']])
      expect(asked).to.deep.equal(['/suggest?q=senc&limit=5'])
      await field.fill('gyokruo')
      await field.press('Enter')
      await page.getByRole('button', { name: 'gyokuro' }).click()
      await page.locator('p mark').first().waitFor()
      expect((await text('li a'))[0]).to.equal('Gyokuro')
      expect(await field.inputValue()).to.equal('Gyokuro')
      await field.fill('hostile')
      await page.getByRole('link', { name: '<img src=x onerror=alert(1)>' }).waitFor()
      expect(await text('mark')).to.deep.equal(['img'])
      expect(await page.locator('img').count()).to.equal(0)
      await field.fill('xyzzy')
      await page.getByText('Nothing found').waitFor()
    },
  )

  visits.refused('marks the section that one reads', async ({ page }) => {
    const current = page.locator('.sections [aria-current]')
    await page.goto(SITE.guide)
    expect(await current.innerText()).to.equal(await page.locator('.sections a').first().innerText())
    await page.goto(`${SITE.guide}#languages`)
    await page.locator('.sections a[href="#languages"][aria-current]').waitFor()
    expect(await current.count()).to.equal(1)
    await page.evaluate('scrollTo(0, 0)')
    const top = async () => (await page.locator('.sections').boundingBox())!.y
    const before = await top()
    await page.evaluate("document.querySelector('#errors').scrollIntoView()")
    await page.locator('.sections a[href="#errors"][aria-current]').waitFor()
    expect(await top(), 'the list stays').to.equal(before)
    await page.setViewportSize({ width: 375, height: 740 })
    await page.getByRole('button', { name: /^Contents/ }).click()
    expect((await page.locator('.sections p').allInnerTexts()).join(' ')).to.equal('Read Find Follow Operate')
    await page.locator('.sections').getByRole('link', { name: 'Search', exact: true }).click()
    await page.waitForURL(/#search$/)
    expect(await page.locator('.sections .list').isVisible()).to.equal(false)
  })

  visits(
    'without room beside the text, the list of sections lies over it: nothing moves',
    async ({ page }) => {
      const [opener, list] = [page.locator('.open-sections'), page.locator('.sections .list')]
      const bottom = async () => {
        const { y, height } = (await list.boundingBox())!
        return y + height
      }
      for (const [path, id, width] of [
        [SITE.guide, 'errors', 390],
        [SITE.guide, 'errors', 820],
        [SITE.reference, 'searchPages', 390],
      ] as const) {
        await page.setViewportSize({ width, height: 844 })
        await page.goto('about:blank')
        await page.goto(`${path}#${id}`)
        await page.locator(`.sections a[href="#${id}"][aria-current]`).waitFor({ state: 'attached' })
        await page.evaluate('document.fonts.ready')
        const place = async () => [
          Math.round((await page.locator(`#${id}`).boundingBox())!.y),
          await opener.innerText(),
        ]
        const before = await place()
        await opener.press('Enter')
        expect(await page.locator('.sections a[aria-current]').isVisible()).to.equal(true)
        expect(await bottom(), `${path} at ${width}`).to.be.at.most(844)
        expect(await place()).to.deep.equal(before)
        await page.keyboard.press('Escape')
        expect(await list.isVisible()).to.equal(false)
        expect(await place()).to.deep.equal(before)
        await opener.click()
        await page.locator('.theme select').focus()
        expect(await list.isVisible(), 'the focus has left').to.equal(false)
      }
      await page.evaluate('scrollTo(0, 0)')
      await opener.click()
      expect(await bottom(), 'below the whole header').to.be.at.most(844)
      await page.mouse.click(200, 835)
      expect(await list.isVisible(), 'a click beside it').to.equal(false)
    },
  )

  visits('the keyboard passes through the header without moving the text', async ({ page }) => {
    await page.goto(`${SITE.guide}#errors`)
    await page.locator('.sections a[href="#errors"][aria-current]').waitFor()
    const topOf = async () => Math.round((await page.locator('#errors').boundingBox())!.y)
    const before = await topOf()
    await page.evaluate("document.querySelector('.brand').focus({ preventScroll: true })")
    for (let i = 0; i < 5; i++) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate("document.activeElement.closest('.site-header') !== null")).to.equal(true)
      expect(await topOf()).to.equal(before)
    }
  })
})
