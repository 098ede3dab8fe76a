import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { withService, withWorld } from '../support/service.ts'
import { until } from '../support/until.ts'
import { withBrowser } from './support/browser.ts'
import {
  focused,
  heading,
  holdScripts,
  openReader,
  SCREENS,
  SITE,
  settled,
  violations,
  visitsOf,
  withSample,
} from './support/site.ts'

const title = (page: Page): Promise<string> => page.title()

describe('reader', () => {
  const browser = withBrowser()
  const sample = withSample()
  const visits = visitsOf(browser, () => sample.origin)

  visits(
    'shows its requests in a drawer, as JSON and for curl; Escape closes it, and the button has the focus',
    async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await openReader(page, 'page=sencha&locale=en')
      const button = page.getByRole('button', { name: /API requests/ })
      await button.getByText('5', { exact: true }).waitFor()
      await button.press('Enter')
      const drawer = page.getByRole('dialog', { name: 'Requests of this view' })
      expect(await focused(page)).to.equal('Requests of this view')
      expect(await drawer.locator('.call').count()).to.equal(5)
      const url = `${sample.origin}/api/v1/pages/sencha?locale=en&format=html&include=summary%2Clinks`
      expect(await drawer.locator('.curl').allInnerTexts()).to.include(`curl '${url}'`)
      await drawer.getByRole('button', { name: 'Copy curl' }).click()
      await drawer.getByRole('button', { name: 'Copied' }).waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(`curl '${url}'`)
      await drawer.getByText('"title": "Sencha"').first().waitFor()
      const html: string = (await sample.get('/pages/sencha?locale=en&format=html')).body.html
      expect(await drawer.getByText(JSON.stringify(html)).isVisible()).to.equal(false)
      await drawer.getByText('"html": ').click()
      expect(await drawer.getByText(JSON.stringify(html)).isVisible()).to.equal(true)
      await page.locator('article').getByRole('link', { name: 'matcha' }).first().click()
      await heading(page, 'Matcha').waitFor()
      expect(await drawer.locator('.curl').first().innerText()).to.include('/pages/matcha?')
      await button.getByText('2', { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      expect(await drawer.count()).to.equal(0)
      expect(await button.getAttribute('aria-expanded')).to.equal('false')
      // A dialog tells that it was closed in a later task.
      await page.locator('.requests-button:focus').waitFor()
    },
  )

  visits(
    'each page has its own address, and the home view shows the main page of each language',
    async ({ page }) => {
      const { url } = (await sample.get('/pages/brewing%2Fgongfu')).body
      await page.goto(`${new URL(url).pathname}#schedule`)
      await heading(page, 'Gongfu brewing').waitFor()
      expect(page.url()).to.equal(`${sample.origin}/wiki/en/brewing/gongfu#schedule`)
      await page.goto('/wiki/ja')
      await heading(page, 'お茶ウィキ').waitFor()
      await page.locator('article').getByRole('heading', { level: 2 }).first().waitFor()
      expect(await page.locator('article').getAttribute('lang')).to.equal('ja')
      // The name of the wiki in this language.
      expect(await page.locator('.brand').innerText()).to.equal('お茶ウィキ')
      expect(await (await page.request.get(page.url())).text()).to.include('<title>お茶ウィキ</title>')
      await page.getByRole('link', { name: 'すべてのページ' }).click()
      await heading(page, 'すべてのページ').waitFor()
      const shell = page.locator('body')
      expect(await shell.getAttribute('lang')).to.equal('ja')
      expect(await page.getByRole('combobox', { name: 'お茶ウィキ を検索' }).count()).to.equal(1)
      await page.locator('main').getByRole('link', { name: '煎茶', exact: true }).waitFor()
    },
  )

  visits(
    'on the address of a page, links, history, languages and search lead to other views, and back',
    async ({ page }) => {
      await page.goto('/wiki/en/brewing/gongfu')
      await heading(page, 'Gongfu brewing').waitFor()
      expect(await page.locator('[rel=canonical]').count()).to.equal(1)
      await page.getByRole('link', { name: 'History', exact: true }).click()
      await heading(page, 'History of Gongfu brewing').waitFor()
      expect(page.url()).to.equal(`${sample.origin}${SITE.reader}?history=brewing%2Fgongfu&locale=en`)
      expect(await page.locator('[rel=canonical]').count()).to.equal(0)
      await page.goBack()
      await heading(page, 'Gongfu brewing').waitFor()
      await page.getByLabel('Search Tea Wiki').fill('sencha')
      await page.getByLabel('Search Tea Wiki').press('Enter')
      await page.getByRole('link', { name: 'Sencha', exact: true }).first().click()
      await heading(page, 'Sencha').waitFor()
      expect(page.url()).to.equal(`${sample.origin}/wiki/en/sencha`)
      const japanese = page.getByRole('link', { name: '日本語: 煎茶' })
      expect(await japanese.getAttribute('lang')).to.equal('ja')
      await japanese.click()
      await heading(page, '煎茶').waitFor()
      await settled(page)
      expect(await page.locator('article').getAttribute('lang')).to.equal('ja')
      expect(page.url()).to.equal(`${sample.origin}/wiki/ja/sencha`)
      // The name of the wiki leads to the main page in this language, the menu to the same page in another one.
      await page.locator('.brand').click()
      await heading(page, 'お茶ウィキ').waitFor()
      await page.goBack()
      await heading(page, '煎茶').waitFor()
      await page.locator('.languages summary').click()
      await page.getByRole('link', { name: 'English Sencha' }).click()
      await heading(page, 'Sencha').waitFor()
      await page.getByRole('link', { name: 'Green tea', exact: true }).last().click()
      await heading(page, 'Green tea').waitFor()
      expect(page.url()).to.equal(`${sample.origin}/wiki/en/category:green-tea`)
      await page.locator('main').getByRole('link', { name: 'Gyokuro' }).waitFor()
      await page.locator('main').getByRole('link', { name: 'Categories' }).click()
      await heading(page, 'Categories').waitFor()
      await page.goBack()
      await page.reload()
      await heading(page, 'Green tea').waitFor()
      await page.goBack()
      await heading(page, 'Sencha').waitFor()
      // The navigation is relative to the address with which a visit begins.
      await page.goto('/wiki/en')
      await page.locator('main').getByRole('link', { name: 'Matcha' }).first().click()
      await heading(page, 'Matcha').waitFor()
      await page.locator('.site-header').getByRole('link', { name: 'API', exact: true }).click()
      await page.waitForURL(`${sample.origin}/api/v1/docs`)
    },
  )

  visits('the address of each page is that which the API writes', async ({ page }) => {
    await openReader(page, 'pages=all&locale=en')
    const { items } = (await sample.get('/pages?limit=200')).body
    const hrefs = await page
      .locator('.rows a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(hrefs).to.have.length.above(10)
    expect(hrefs).to.have.members(items.map(({ url }: { url: string }) => new URL(url).pathname))
    const titles = await page.locator('.rows a').allInnerTexts()
    expect(titles).to.deep.equal(titles.toSorted(new Intl.Collator('en', { numeric: true }).compare))
  })

  visits('a page in another language is loaded with all that is around it', async ({ page }) => {
    const around = async () =>
      page.evaluate(`[document.documentElement.lang, document.documentElement.dir, document.body.lang,
        document.querySelector('.skip').textContent, document.querySelector('#search-words').placeholder]`)
    await page.goto('/wiki/en/sencha')
    await settled(page)
    expect(await around()).to.deep.equal(['en', 'ltr', 'en', 'Skip to content', 'Search Tea Wiki'])
    await page.locator('.languages summary').click()
    await page.setViewportSize({ width: 360, height: 740 })
    const boxes = (await page.evaluate(
      "[...document.querySelectorAll('.languages :is(.menu, li)')].map((one) => one.getBoundingClientRect().toJSON())",
    )) as DOMRect[]
    for (const { left, right } of boxes) expect([left >= 0, right <= 360]).to.deep.equal([true, true])
    expect(boxes[2]!.top, 'a language in its own line').to.be.at.least(boxes[1]!.bottom)
    await page.locator('.languages').getByRole('link', { name: 'سنشا' }).click()
    await page.setViewportSize(SCREENS.desktop)
    await heading(page, 'سنشا').waitFor()
    await settled(page)
    expect(await page.locator('.tree a').first().innerText()).to.equal('ويكي الشاي')
    expect(await around()).to.deep.equal(['ar', 'rtl', 'ar', 'تخطَّ إلى المحتوى', 'البحث في ويكي الشاي'])
    await page.getByRole('link', { name: 'التغييرات' }).click()
    await heading(page, /سنشا/).waitFor()
    await page.reload()
    await settled(page)
    expect(await around()).to.include('تخطَّ إلى المحتوى')
    await page.goBack()
    await page.goBack()
    await heading(page, 'Sencha').waitFor()
    expect(await around()).to.include('Skip to content')
  })

  visits(
    'shows the text of a page before its modules are there, and nothing moves when they are',
    async ({ page }) => {
      const load = await holdScripts(page)
      await page.goto('/wiki/en/brewing/gongfu', { waitUntil: 'commit' })
      await page.getByRole('heading', { level: 1, name: 'Gongfu brewing' }).waitFor()
      const places = () =>
        page.evaluate(`[...document.querySelectorAll('h1, article, article :is(h2, p, table, img)')].map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect()
        return [one.localName, x, y, width, height].map(String).join(' ')
      })`)
      await page.evaluate('document.fonts.ready')
      const before = (await places()) as string[]
      expect(before).to.have.length.above(5)
      const history = page.getByRole('link', { name: 'History', exact: true })
      const historyPlace = await history.boundingBox()
      load()
      await settled(page)
      expect(await places()).to.deep.equal(before)
      expect(await history.boundingBox()).to.deep.equal(historyPlace)
    },
  )

  visits(
    'text and right column are at the same places, with and without contents; on a phone, the links about a page are large enough for a finger',
    async ({ page }) => {
      const places = async (query: string) => {
        await openReader(page, query)
        const [text, about] = await Promise.all(
          ['article', 'aside'].map((part) => page.locator(part).first().boundingBox()),
        )
        return [text!.x, text!.y, about!.x, about!.width]
      }
      const withContents = await places('page=sencha&locale=en')
      expect(await page.getByRole('navigation', { name: 'Contents' }).count()).to.equal(1)
      expect(await places('page=sencha&locale=es')).to.deep.equal(withContents)
      expect(await page.getByRole('navigation', { name: 'Contents' }).count()).to.equal(0)
      await page.setViewportSize(SCREENS.phone)
      const links = await page.locator('aside a').all()
      expect(links).to.have.length.above(6)
      for (const link of links)
        expect((await link.boundingBox())!.height, await link.innerText()).to.be.at.least(30)
    },
  )

  visits(
    'contents without room beside the text open and close: click, key, tap',
    async ({ page, context }) => {
      const summary = page.locator('.contents summary')
      const opened = async (): Promise<number> => {
        // What follows the size of the page has done so after two frames.
        await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
        return page.locator('.contents details[open]').count()
      }
      const touch = await context.newCDPSession(page)
      for (const width of [390, 820, 1024]) {
        await page.setViewportSize({ width, height: 800 })
        await openReader(page, 'page=sencha')
        expect(await opened(), `${width}`).to.equal(0)
        await summary.click()
        expect(await opened(), `${width}, click`).to.equal(1)
        await summary.press('Enter')
        expect(await opened(), `${width}, key`).to.equal(0)
        const { x, y } = (await summary.boundingBox())!
        const touchPoints = [{ x: x + 10, y: y + 10 }]
        await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
        await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
        await page.locator('.contents details[open]').waitFor()
        expect(await opened(), `${width}, tap`).to.equal(1)
      }
      // A page that is never shown at a width does not follow it.
      await page.setViewportSize({ width: 1440, height: 800 })
      expect(await opened(), 'beside the text').to.equal(1)
      await page.setViewportSize({ width: 390, height: 800 })
      expect(await opened(), 'narrow again').to.equal(0)
    },
  )

  visits('lists the pages that link to a page: the first ones beside it', async ({ page }) => {
    await openReader(page, 'page=sencha&locale=en')
    const beside = page.locator('aside section', {
      has: page.getByRole('heading', { name: 'Pages that link here' }),
    })
    await beside.getByRole('link', { name: 'More' }).waitFor()
    expect(await beside.locator('li').count()).to.equal(5)
    await page.getByRole('link', { name: 'Pages that link here' }).click()
    await heading(page, 'Pages that link to Sencha').waitFor()
    await page.locator('main').getByRole('link', { name: 'Gyokuro' }).click()
    await heading(page, 'Gyokuro').waitFor()
  })

  visits(
    'opens links to pages in the reader; back and forward restore page, title and scroll position',
    async ({ page }) => {
      await openReader(page, 'page=sencha&locale=en')
      const link = page.locator('article').getByRole('link', { name: 'matcha' }).first()
      await link.scrollIntoViewIfNeeded()
      const position = await page.evaluate<number>('scrollY')
      expect(position).to.be.above(200)
      await link.click()
      await heading(page, 'Matcha').waitFor()
      expect(page.url()).to.equal(`${sample.origin}/wiki/en/matcha`)
      expect(await title(page)).to.equal('Matcha · Tea Wiki')
      expect(await focused(page)).to.equal('Matcha')
      expect(await page.evaluate('scrollY')).to.equal(0)
      await page.goBack()
      await heading(page, 'Sencha').waitFor()
      expect(await title(page)).to.equal('Sencha · Tea Wiki')
      expect(await page.evaluate('scrollY')).to.be.within(position - 100, position + 100)
      await page.goForward()
      await heading(page, 'Matcha').waitFor()
      expect(await title(page)).to.equal('Matcha · Tea Wiki')
    },
  )

  visits('an image that loads late does not move the text', async ({ page }) => {
    let arrived = (): void => {}
    const isAwaited = new Promise<void>((done) => {
      arrived = done
    })
    await page.route('**/*.jpg', async (route) => {
      await isAwaited
      await route.fallback()
    })
    // The page is loaded when its first picture is.
    await page.goto(`${SITE.reader}?page=sencha&locale=en`, { waitUntil: 'commit' })
    await settled(page)
    const topOf = (): Promise<unknown> =>
      page.evaluate("document.querySelector('article h2').getBoundingClientRect().top")
    const before = await topOf()
    arrived()
    await until('the image is there', () =>
      page.evaluate<boolean>("document.querySelector('article img').complete"),
    )
    expect(await page.evaluate("document.querySelector('article img').naturalWidth")).to.equal(640)
    expect(await topOf()).to.equal(before)
  })

  visits(
    'a link in a text shows what its page is about, while the pointer is on either, or until Escape',
    async ({ page }) => {
      const asked: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('summary%2Cfiles')) asked.push(request.url())
      })
      await page.goto('/wiki/en')
      await settled(page)
      const link = page.locator('article').getByRole('link', { name: 'Brewing', exact: true })
      const card = page.getByRole('tooltip')
      await page.route('**/pages/brewing?*format=html*', async (route) => {
        const response = await route.fetch()
        const body = await response.json()
        const html = body.html.replace(/knobs|tea/g, '<a id="main" href="/"><code>$&</code></a>')
        await route.fulfill({ response, json: { ...body, html } })
      })
      await link.hover()
      await card.getByText('There are four knobs').waitFor()
      expect(await card.locator('code').allInnerTexts()).to.deep.equal(['knobs', 'tea'])
      expect(await card.locator('a, [id]').count()).to.equal(0)
      expect(await card.locator('img').count()).to.equal(1)
      expect(await link.getAttribute('aria-describedby')).to.equal(await card.getAttribute('id'))
      const [box, line] = [(await card.boundingBox())!, (await link.boundingBox())!]
      expect(box.y).to.be.at.least(line.y + line.height)
      expect(await violations(page)).to.deep.equal([])
      // From the card back to the link.
      await card.hover()
      await link.hover()
      expect(await card.isVisible()).to.equal(true)
      await page.mouse.move(1, 1)
      await card.waitFor({ state: 'detached' })
      await link.hover()
      await card.waitFor()
      await page.keyboard.press('Escape')
      expect(await card.count()).to.equal(0)
      await page.locator('article').getByRole('link', { name: 'hojicha' }).focus()
      await card.getByText('is a Japanese').waitFor()
      await page.mouse.wheel(0, 40)
      await card.waitFor({ state: 'detached' })
      expect(asked.length, 'each page once, and none that the pointer passes').to.equal(2)
      const leading = (hash: string) =>
        link.evaluate((of, hash) => {
          ;(of as unknown as { hash: string }).hash = hash
        }, hash)
      await leading('#nothing')
      await link.hover()
      await card.getByText('There are four knobs').waitFor()
      await page.mouse.move(1, 1)
      await card.waitFor({ state: 'detached' })
      await leading('#without-a-thermometer')
      await link.hover()
      await card.getByText('Without a thermometer', { exact: true }).waitFor()
    },
  )

  visits('links to pages that do not exist look different, but not those to categories', async ({ page }) => {
    await page.route('**/api/v1/pages/is-it-tea**', async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      for (const link of body.links.items) link.exists = !/^(iced tea|category:.*)$/.test(link.path)
      await route.fulfill({ response, json: body })
    })
    await openReader(page, `page=${encodeURIComponent('is-it-tea?')}`)
    expect(await page.locator('article a.unwritten').allInnerTexts()).to.deep.equal(['Iced tea'])
    await page.getByTitle('There is no such page').waitFor()
    const colors = (await page.evaluate(
      "[...document.querySelectorAll('article a')].map((one) => getComputedStyle(one).color)",
    )) as string[]
    expect(new Set(colors).size).to.be.above(1)
  })
})

describe('reader: an empty wiki, whose name is long', () => {
  const browser = withBrowser()
  const wiki = withService({ rateLimit: 0 })
  const visits = visitsOf(browser, () => wiki.service.listeningUrl)
  withWorld(wiki, { name: 'All about tea and all that one drinks instead', locales: ['en', 'ar'], pages: [] })

  visits('says that there are no pages, and has the search where the text begins', async ({ page }) => {
    await page.goto('/wiki/en')
    await settled(page)
    await page.locator('main').getByText('No pages yet').waitFor()
    expect(await page.locator('main h2').count()).to.equal(0)
    const [field, main] = await Promise.all(
      ['.search', 'main'].map((part) => page.locator(part).boundingBox()),
    )
    expect(field!.x).to.be.closeTo(main!.x, 1)
    await openReader(page, 'pages=all&locale=en')
    await page.locator('main').getByText('No pages yet').waitFor()
  })
})
