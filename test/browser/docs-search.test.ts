import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { withBrowser } from './support/browser.ts'
import { holdScripts, openReader, SITE, visitsOf, withSample } from './support/site.ts'

/** Opens the search by a key, and types. */
const searchFor = async (page: Page, query: string, key = '/'): Promise<void> => {
  await page.keyboard.press(key)
  await page.getByRole('searchbox').fill(query)
}

const outcome = (page: Page) => page.getByRole('dialog').getByRole('status')

describe('search in the documentation', () => {
  const browser = withBrowser()
  const sample = withSample()
  const visits = visitsOf(browser, () => sample.origin)

  visits('on a phone, its button is as large as a finger, beside that of the theme', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(SITE.guide)
    const [find, theme] = await Promise.all(
      ['.find', '.theme select'].map(async (part) => (await page.locator(part).boundingBox())!),
    )
    expect([find!.width, find!.height, theme!.width, theme!.height]).to.deep.equal([44, 44, 44, 44])
    expect(find!.y).to.equal(theme!.y)
  })

  visits('opens by a key, finds sections of both pages, and leads to the first', async ({ page }) => {
    await page.goto(SITE.landing)
    await searchFor(page, 'rate lim')
    const first = page.getByRole('dialog').getByRole('link').first()
    await first.waitFor()
    expect(await first.locator('strong mark').allTextContents()).to.deep.equal(['Limits'])
    expect(new Set(await page.getByRole('dialog').locator('small').allTextContents())).to.have.keys(
      'Guide',
      'Reference',
    )
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/guide#limits')
  })

  visits(
    'finds an endpoint by its parameter; arrow keys lead to it, on the page itself',
    async ({ page }) => {
      await page.goto(SITE.reference)
      await searchFor(page, 'edits page', 'Control+k')
      await outcome(page).getByText('section').waitFor()
      await page.keyboard.press('ArrowDown')
      const found = await page.evaluate('document.activeElement.href')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL(found as string)
      expect(await page.getByRole('dialog').count()).to.equal(0)
    },
  )

  visits(
    'tells its keys; marks the result that Enter opens, forgives a typo, and its excerpts have whole words of separate cells; does not find the code of examples',
    async ({ page }) => {
      await page.goto(SITE.guide)
      await page.keyboard.press('/')
      await outcome(page).getByText('Press / or Ctrl+K on any').waitFor()
      await page.getByRole('searchbox').fill('rate limt')
      const results = page.getByRole('dialog').getByRole('link')
      await results.first().waitFor()
      expect(await results.first().locator('strong mark').allInnerTexts()).to.deep.equal(['Limits'])
      const colors: string[] = await results.evaluateAll((all) =>
        all.map((one) => getComputedStyle(one as never).backgroundColor),
      )
      expect(colors.indexOf(colors[0]!, 1)).to.equal(-1)
      await page.getByRole('searchbox').fill('method_not_allowed')
      const errors = results.filter({ hasText: '405 · method_not_allowed · The API' })
      const excerpt = await errors.locator('span').innerText()
      const docs = await page.request.get(SITE.reference)
      const words = new Set((await docs.text()).match(/\w+/g))
      const [, last = ''] = /(\w+) …$/.exec(excerpt) ?? []
      expect(words.has(last), last).to.equal(true)
      await page.getByRole('searchbox').fill('urllib')
      await outcome(page).getByText('Nothing found for “urllib”.').waitFor()
    },
  )

  visits(
    'finds what has the exact name first: an endpoint, a parameter, a header; what somebody types is never a pattern or HTML',
    async ({ page }) => {
      await page.goto(SITE.guide)
      for (const [query, name, title] of [
        ['GET /pages', 'Reference', 'Live pages by path'],
        ['include', 'Reference', 'Live pages by path'],
        ['etag', 'Reference', 'Headers'],
        ['getpage', 'Reference', 'One page'],
        ['errors', 'Guide', 'Errors'],
        ['api key', 'Guide', 'Guide'],
        ['webhook', 'Guide', 'Changes as they happen'],
        ['polling', 'Guide', 'Keep a copy'],
        ['sdk', 'Guide', 'Keep a copy with a client'],
        ['llms', 'Guide', 'Agents'],
        ['MCP', 'Guide', 'Agents'],
        ['user-agent', 'Guide', 'Limits'],
      ] as const) {
        await searchFor(page, query)
        const first = page.getByRole('dialog').getByRole('link').first()
        await first.filter({ hasText: title }).waitFor()
        expect(await first.locator('small').innerText(), query).to.equal(name)
        await page.keyboard.press('Escape')
      }
      for (const query of ['motorcycle', '<img src=x onerror=alert(1)> xyzzy', '$$ ((']) {
        await searchFor(page, query)
        await outcome(page).getByText(`Nothing found for “${query}”.`).waitFor()
        await page.keyboard.press('Escape')
      }
      await searchFor(page, 'a/b')
      expect(await page.getByRole('searchbox').inputValue()).to.equal('a/b')
    },
  )

  visits('tells that it loads, also for what one types before the scripts are there', async ({ page }) => {
    const load = await holdScripts(page)
    let answer = () => {}
    const isWanted = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.goto(SITE.reference, { waitUntil: 'commit' })
    await page.locator('footer').waitFor()
    await page.route(`**${SITE.guide}`, async (route) => {
      await isWanted
      await route.continue()
    })
    await page.keyboard.press('/')
    await page.keyboard.type('locale')
    load()
    await outcome(page).getByText('Loading …').waitFor()
    await page.keyboard.type('s')
    expect(await outcome(page).innerText()).to.equal('Loading …')
    answer()
    await page.getByRole('dialog').getByRole('link').first().waitFor()
    expect(await page.getByRole('searchbox').inputValue()).to.equal('locales')
  })

  visits('reads both pages when the pointer comes to its button', async ({ page }) => {
    await page.goto(SITE.landing)
    const pending = [SITE.guide, SITE.reference].map((path) => page.waitForRequest(`**${path}`))
    await page.getByRole('button', { name: 'Search' }).hover()
    await Promise.all(pending)
    expect(await page.getByRole('dialog').count()).to.equal(0)
  })

  visits.refused('tells a failure, and tries again', async ({ page }) => {
    await page.goto(SITE.guide)
    await page.route(`**${SITE.reference}`, (route) => route.fulfill({ status: 503 }))
    await searchFor(page, 'locale')
    await outcome(page).getByText('could not be read: Reference: status 503').waitFor()
    await page.unroute(`**${SITE.reference}`)
    await page.getByRole('searchbox').fill('locales')
    await page.getByRole('dialog').getByRole('link').first().waitFor()
  })

  visits('leaves the keys of the reader to the wiki', async ({ page }) => {
    await openReader(page)
    await page.locator('h1').click()
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.id')).to.equal('search-words')
    expect(await page.getByRole('dialog').count()).to.equal(0)
  })
})
