import { expect } from 'chai'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { inNewContext, withBrowser } from './support/browser.ts'
import { holdScripts, SCREENS, SITE, serveFiles, violations, withSample } from './support/site.ts'

describe('reader without scripts', () => {
  const browser = withBrowser()
  const sample = withSample()

  const visits = (
    title: string,
    use: (page: Page) => Promise<unknown>,
    options: BrowserContextOptions = {},
  ) =>
    it(title, () =>
      inNewContext(
        browser,
        async (context) => {
          await serveFiles(context, sample.origin)
          await use(await context.newPage())
        },
        { baseURL: sample.origin, javaScriptEnabled: false, viewport: SCREENS.desktop, ...options },
      ),
    )
  const title = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
  /** The page has no violations of accessibility, and is not wider than its screen. Without scripts, axe has no timers. */
  const expectSound = async (page: Page): Promise<void> => {
    const wider = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
    expect(wider, page.url()).to.equal(false)
    const body = (await page.content()).replace(/<script\b.*?<\/script>|<\/?noscript>/gs, '')
    await inNewContext(browser, async (context) => {
      const copy = await context.newPage()
      await copy.route(page.url(), (route) => route.fulfill({ contentType: 'text/html', body }))
      await copy.goto(page.url())
      expect(await violations(copy), page.url()).to.deep.equal([])
    })
  }

  visits('a search shows results, with matches marked; each part leads to the next one', async (page) => {
    await page.goto('/wiki/en/sencha')
    await page.getByRole('combobox').fill('tea')
    await page.keyboard.press('Enter')
    await title(page, 'Search: tea').waitFor()
    const results = page.locator('main h2 a')
    const first = await results.allInnerTexts()
    expect(first).to.have.length(10)
    expect(await page.locator('main .quiet').innerText()).to.equal('10+ results')
    expect(await page.getByRole('combobox').inputValue()).to.equal('tea')
    expect(await page.locator('main mark').count()).to.be.above(9)
    await expectSound(page)
    await page.getByRole('link', { name: 'More', exact: true }).click()
    await page.waitForURL(/&next=10$/)
    expect(await results.count()).to.be.above(0)
    expect(first).not.to.include.any.members(await results.allInnerTexts())
    await page.goBack()
    const [name] = first
    await results.first().click()
    await title(page, name!).waitFor()
    await page.goto(`${SITE.reader}?q=gyokuor&locale=en`)
    await page.locator('main p').getByRole('link', { name: 'Gyokuro' }).waitFor()
  })

  visits('a page has its contents, its languages, and links to what is about it', async (page) => {
    await page.goto('/wiki/en/sencha')
    expect(await page.locator('.contents summary').isVisible(), 'nothing to fold').to.equal(false)
    await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Brewing' }).click()
    expect(page.url()).to.equal(`${sample.origin}/wiki/en/sencha#brewing`)
    await expectSound(page)
    expect(await page.getByRole('complementary').innerText()).to.include('Other languages')
    await page.getByRole('complementary').getByRole('link', { name: 'Español: Sencha' }).waitFor()
    await page.locator('.languages summary').click()
    await page.locator('.languages').getByRole('link', { name: '日本語' }).click()
    await title(page, '煎茶').waitFor()
    expect(page.url()).to.equal(`${sample.origin}/wiki/ja/sencha`)
    await page.getByRole('link', { name: '履歴' }).click()
    await title(page, '「煎茶」の履歴').waitFor()
    expect(await page.locator('html').getAttribute('lang')).to.equal('ja')
  })

  visits('a history leads to each edit, and to what it changed', async (page) => {
    await page.goto('/wiki/en/sencha')
    await page.getByRole('link', { name: 'History', exact: true }).click()
    await title(page, 'History of Sencha').waitFor()
    const { items } = (await sample.get('/pages/sencha/history?limit=50')).body
    const edits = page.locator('main .rows > li')
    expect(await edits.count()).to.equal(items.length)
    const newest = await edits.first().innerText()
    expect(newest).to.include(items[0].author.name).and.include(items[0].comment).and.include('2025')
    const growth = items[0].size - items[1].size
    expect(newest).to.include(
      `${items[0].size.toLocaleString('en')} bytes (${growth > 0 ? '+' : ''}${growth.toLocaleString('en')})`,
    )
    const [author, comment] = await Promise.all(
      ['.author', '.comment'].map((part) => edits.first().locator(part).boundingBox()),
    )
    expect(comment!.y, 'a line of its own').to.be.at.least(author!.y + author!.height)
    await expectSound(page)
    await edits.first().getByRole('link', { name: 'What changed' }).click()
    await title(page, 'Changes to Sencha').waitFor()
    expect(await page.locator('main ins').count()).to.be.above(0)
    const numbers = await page.locator('main .line[data-line]').count()
    expect(numbers).to.equal(await page.locator('main .line').count())
    expect(await page.locator('main dd').first().innerText()).to.include(items[1].comment)
    await expectSound(page)
    expect(await page.getByRole('link', { name: 'Newer edit' }).count()).to.equal(0)
    await page.getByRole('link', { name: 'Older edit' }).click()
    expect(page.url()).to.include(`to=${items[1].id}`)
    await page.getByRole('link', { name: 'Newer edit' }).click()
    expect(page.url()).to.include(`to=${items[0].id}`)
    await page.goto(`${SITE.reader}?history=sencha&locale=en`)
    await edits.last().getByRole('link', { name: 'View this version' }).click()
    await title(page, 'Sencha').waitFor()
    expect(await page.title()).to.match(/^Sencha \(/)
    expect(await page.getByRole('navigation', { name: 'Contents' }).count()).to.equal(0)
    await page.goBack()
    await edits.nth(1).getByRole('link', { name: 'View this version' }).click()
    await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Brewing' }).waitFor()
    await expectSound(page)
  })

  visits('a history compares any two edits, from the older one', async (page) => {
    const { items } = (await sample.get('/pages/sencha/history?limit=50')).body
    await page.goto(`${SITE.reader}?history=sencha&locale=en`)
    const button = page.getByRole('button', { name: 'Compare the selected edits' })
    await button.click()
    await title(page, 'Changes to Sencha').waitFor()
    const query = Object.fromEntries(new URL(page.url()).searchParams)
    expect(query).to.deep.equal({ from: items[1].id, to: items[0].id, locale: 'en' })
    await page.goBack()
    await page.locator(`[name=from][value='${items[0].id}']`).check()
    await page.locator(`[name=to][value='${items[2].id}']`).check()
    await button.click()
    await title(page, 'Changes to Sencha').waitFor()
    const { added, removed } = (await sample.get(`/revisions/${items[0].id}/diff?from=${items[2].id}`)).body
    expect(added).not.to.equal(removed)
    expect(await page.locator('main').innerText()).to.include(
      `Lines added: ${added}. Lines removed: ${removed}.`,
    )
    await expectSound(page)
  })

  visits('all of the box of a category leads to it', async (page) => {
    await page.goto('/wiki/en/sencha')
    const chip = (await page.locator('.chips li', { hasText: 'Green tea' }).boundingBox())!
    await page.mouse.click(chip.x + 3, chip.y + chip.height / 2)
    await title(page, 'Green tea').waitFor()
  })

  visits('recent edits have the links that they have with scripts', async (page) => {
    await page.goto(`${SITE.reader}?recent=all&locale=en`)
    const links = page.locator('main .entry').first().locator('> .parts a')
    expect(await links.allInnerTexts()).to.deep.equal(['What changed', 'History'])
  })

  visits('lists of pages, of edits and of categories lead to what they name', async (page) => {
    for (const [list, link, name] of [
      ['All pages', 'Gyokuro', 'Gyokuro'],
      ['Recent edits', 'Sencha', 'Sencha'],
      ['Categories', 'Green tea', 'Green tea'],
    ] as const) {
      await page.goto('/wiki/en')
      await page.locator('.shelf').getByRole('link', { name: list }).click()
      await title(page, list).waitFor()
      expect(await page.locator('.shelf [aria-current=page]').allInnerTexts()).to.deep.equal([list])
      await page.locator('main').getByRole('link', { name: link, exact: true }).first().click()
      await title(page, name).waitFor()
    }
    await page.locator('main').getByRole('link', { name: 'Matcha', exact: true }).click()
    await title(page, 'Matcha').waitFor()
  })

  visits('where nothing is, a page names what is near, and offers a search', async (page) => {
    expect((await page.goto('/wiki/en/sencah'))!.status()).to.equal(404)
    await title(page, 'There is no such page').waitFor()
    await page.locator('main').getByRole('link', { name: 'Sencha', exact: true }).waitFor()
    await page.goto(`/wiki/en/${encodeURIComponent('急須')}`)
    await page.getByRole('link', { name: '日本語: 急須' }).waitFor()
    await page.goto('/wiki/en/guide/cold-brew')
    await expectSound(page)
    await page.getByRole('link', { name: 'Search all texts for “cold brew”' }).click()
    await title(page, 'Search: cold brew').waitFor()
  })

  visits(
    'on a phone, buttons open the tree and the contents, also from right to left',
    async (page) => {
      await page.goto('/wiki/en/sencha')
      const contents = page.getByRole('link', { name: 'Brewing' }).and(page.locator('.contents a'))
      expect(await contents.isVisible()).to.equal(false)
      await page.getByText('Contents', { exact: true }).click()
      expect(await contents.isVisible()).to.equal(true)
      for (const [path, button, name] of [
        ['/wiki/en/sencha', 'Pages', 'Gyokuro'],
        ['/wiki/ar', 'الصفحات', 'سنشا'],
      ] as const) {
        await page.goto(path)
        const link = page.locator('.shelf').getByRole('link', { name, exact: true })
        expect(await link.isVisible()).to.equal(false)
        await page.getByRole('button', { name: button }).click()
        expect(await link.isVisible()).to.equal(true)
        await expectSound(page)
        await link.click()
        await title(page, name).waitFor()
      }
    },
    { viewport: SCREENS.phone, colorScheme: 'dark' },
  )

  visits(
    'with scripts, what only browsers without them need is not shown, also before they start',
    async (page) => {
      await holdScripts(page)
      for (const path of ['/wiki/en/sencha', '/wiki/en/none']) {
        await page.goto(path, { waitUntil: 'commit' })
        await page.locator('footer').waitFor({ state: 'attached' }) // hidden until the scripts start
        expect(await page.locator('main noscript').first().isVisible(), path).to.equal(false)
      }
    },
    { javaScriptEnabled: true },
  )
})
