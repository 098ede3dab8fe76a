import { expect } from 'chai'
import { until } from '../support/until.ts'
import { withBrowser } from './support/browser.ts'
import { callsOf, heading, openReader, violations, visitsOf, withSample } from './support/site.ts'

describe('reader: search', () => {
  const browser = withBrowser()
  const sample = withSample()
  const visits = visitsOf(browser, () => sample.origin)

  visits('searches, marks the matches, and opens a result', async ({ page }) => {
    await openReader(page)
    await page.getByLabel('Search Tea Wiki').fill('steamed leaves')
    await page.getByLabel('Search Tea Wiki').press('Enter')
    await heading(page, 'Search: steamed leaves').waitFor()
    expect(await page.locator('mark').allInnerTexts()).to.include.members(['steaming', 'steamed', 'leaves'])
    await page.locator('main').getByRole('link', { name: 'Sencha' }).click()
    await heading(page, 'Sencha').waitFor()
  })

  visits(
    'suggests pages while the user types, also with a typo: the keyboard chooses one, and Enter opens it',
    async ({ page }) => {
      await openReader(page)
      const field = page.getByRole('combobox', { name: 'Search Tea Wiki' })
      const suggestions = page.getByRole('listbox', { name: 'Suggestions' })
      const option = (name: string) => suggestions.getByRole('option', { name })
      await field.pressSequentially('senhc')
      await option('Sencha').waitFor()
      expect(await suggestions.getByRole('option').allInnerTexts()).to.deep.equal([
        'Sencha',
        'Search all texts for “senhc”',
      ])
      expect(await field.getAttribute('aria-expanded')).to.equal('true')
      expect(await field.getAttribute('aria-activedescendant')).to.equal(null)
      // They stay until there are others.
      const isHidden = await page.evaluate(
        "document.querySelector('#search-words').dispatchEvent(new Event('input')) && document.querySelector('#suggestions').hidden",
      )
      expect(isHidden).to.equal(false)
      await page
        .locator('form.search [role=status]', { hasText: 'Suggestions: 1' })
        .waitFor({ state: 'attached' })
      await page.keyboard.press('ArrowUp')
      expect(await option('Search all texts').getAttribute('aria-selected')).to.equal('true')
      await page.keyboard.press('Escape')
      expect(await field.getAttribute('aria-expanded')).to.equal('false')
      expect(await field.inputValue()).to.equal('senhc')
      await page.keyboard.press('ArrowDown')
      expect(await option('Sencha').getAttribute('id')).to.equal(
        await field.getAttribute('aria-activedescendant'),
      )
      await page.keyboard.press('Enter')
      await heading(page, 'Sencha').waitFor()
      expect(await page.getByRole('listbox').count()).to.equal(0)
    },
  )

  visits(
    'then suggests passages of texts, with one request at a time: Enter opens the section of the chosen one',
    async ({ page }) => {
      await openReader(page)
      await page.waitForLoadState('networkidle')
      const calls = callsOf(page)
      const count = async () => Number(await page.locator('.requests-button .count').textContent())
      const before = await count()
      // Without a response, until somebody goes on typing.
      await page.route('**/search?q=steam&**', () => {})
      const field = page.getByRole('combobox', { name: 'Search Tea Wiki' })
      await field.pressSequentially('steam')
      await page.waitForRequest('**/search?q=steam&**')
      const aborted = page.waitForEvent('requestfailed')
      await field.pressSequentially('ing')
      expect((await aborted).url()).to.include('/search?q=steam&')
      const texts = page.getByRole('group', { name: 'In texts' })
      const option = texts.getByRole('option', { name: 'Sencha › How it is made Steaming, usually' })
      await option.waitFor()
      expect(calls.slice(-4)).to.deep.equal([
        '/api/v1/suggest?q=steam&locale=en&limit=8',
        '/api/v1/search?q=steam&locale=en&ns=main&limit=10',
        '/api/v1/suggest?q=steaming&locale=en&limit=8',
        '/api/v1/search?q=steaming&locale=en&ns=main&limit=10',
      ])
      await page
        .locator('form.search [role=status]', { hasText: 'Suggestions: 4' })
        .waitFor({ state: 'attached' })
      expect(await violations(page)).to.deep.equal([])
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      expect(await option.getAttribute('aria-selected')).to.equal('true')
      const answered = page.waitForResponse('**/search?q=steame&**')
      await field.fill('steame')
      await answered
      await until('those of the same kind replace each other', async () => (await count()) === before + 2)
      await field.fill('steaming')
      await option.waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/wiki/en/sencha#how-it-is-made')
    },
  )

  visits('a passage begins near its match, which is in sight on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await openReader(page, 'q=steamed&locale=en')
    const passage = page.locator('.rows > li', { hasText: 'Pu-erh' }).locator('.passage').first()
    expect(await passage.innerText()).to.match(/^Raw and ripe … \S.*, then steamed and pressed/)
    const written = await (await page.request.get(page.url())).text()
    expect(written).to.match(/… [^<]*, then <mark>steamed/)
  })

  visits('neither results nor suggestions are templates, also without scripts', async ({ page }) => {
    await openReader(page, 'q=tea&locale=en')
    const written = await (await page.request.get(page.url())).text()
    for (const text of [await page.locator('main').innerHTML(), written])
      expect(text).not.to.include('New page about a tea')
    const field = page.getByRole('combobox', { name: 'Search Tea Wiki' })
    await field.fill('brew')
    await page.getByRole('option', { name: 'Brewing', exact: true }).waitFor()
    expect(await page.getByRole('option', { name: /Template/ }).count()).to.equal(0)
    await field.fill('template: brew')
    await page.getByRole('option', { name: 'Template: brewing table' }).waitFor()
  })

  visits('what somebody types before the scripts have loaded stays', async ({ page }) => {
    let load = () => {}
    const isWanted = new Promise<void>((resolve) => {
      load = resolve
    })
    await page.route('**/reader/main*.js', async (route) => {
      await isWanted
      await route.continue()
    })
    await page.goto('/api/v1/docs/reader', { waitUntil: 'commit' })
    const field = page.locator('#search-words')
    await field.waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('sen')
    load()
    await page.locator('[role=combobox]').waitFor()
    await field.pressSequentially('cha')
    // The view is complete when its title is announced.
    await page.locator('[role=status]', { hasText: /^Tea Wiki$/ }).waitFor({ state: 'attached' })
    expect(await field.inputValue()).to.equal('sencha')
  })

  visits(
    'without results: pages whose titles are near, other languages, the words of a phrase',
    async ({ page }) => {
      const cards = page.locator('main .cards li')
      await openReader(page, 'q="gyokruo brewig"&locale=en')
      await page.getByText('No results. Check the spelling, or try fewer or other words.').waitFor()
      const offered = [
        'Did you mean: Gyokuro',
        'Search all texts for “gyokruo brewig”',
        'Search in all languages',
        'All pages',
      ]
      expect(await cards.allInnerTexts()).to.deep.equal(offered)
      expect(await violations(page)).to.deep.equal([])
      const written = await (await page.request.get(page.url())).text()
      const [list] = /<ul class="cards">.*?<\/ul>/.exec(written)!
      expect(list.replace(/<[^>]*>/g, '')).to.equal(offered.join(''))
      // The beginning of a word can be right.
      await openReader(page, 'q=oxidtion&locale=en')
      expect((await cards.allInnerTexts()).slice(0, 1)).to.deep.equal(['Did you mean: 100% oxidised'])
      await openReader(page, 'q=急須&locale=en')
      await page.getByRole('link', { name: 'Search in all languages' }).click()
      await page.waitForURL(/&all=true&/)
      expect(await page.locator('.rows h2').first().innerText()).to.match(/ 日本語$/)
    },
  )

  visits('a passage names its section, but not the title of its page again', async ({ page }) => {
    await page.route('**/api/v1/search?**', async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      body.items[0].passages[0].heading = body.items[0].title
      body.items[1].passages[0].heading = 'Steaming'
      await route.fulfill({ response, json: body })
    })
    await openReader(page, 'q=tea&locale=en')
    const rows = page.locator('.rows > li')
    expect(await rows.nth(0).locator('.passage').first().locator('a').count()).to.equal(0)
    expect(await rows.nth(1).locator('.passage').first().locator('a').innerText()).to.equal('Steaming')
  })

  visits('a search tells how many results it has, and what somebody may have meant', async ({ page }) => {
    await openReader(page, 'q=tea&locale=en')
    await page.getByText('10+ results', { exact: true }).waitFor()
    await openReader(page, 'q=гёкуро&locale=ru')
    await page.getByText('3 результата', { exact: true }).waitFor()
    await openReader(page, 'q=senhca&locale=en')
    await page.getByText('Showing results for “Sencha”.').waitFor()
    expect(await page.locator('.rows h2').first().innerText()).to.equal('Sencha')
    expect(await page.getByText('Did you mean').count()).to.equal(0)
  })
})
