import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { withService, withWorld } from '../support/service.ts'
import { until } from '../support/until.ts'
import { importOrder, importRecords, makeWorld, recordsOf } from '../support/world.ts'
import { withBrowser } from './support/browser.ts'
import {
  callsOf,
  heading,
  holdScripts,
  openReader,
  SCREENS,
  SITE,
  settled,
  violations,
  visit,
  visitsOf,
  withSample,
} from './support/site.ts'

const title = (page: Page): Promise<string> => page.title()
const focused = (page: Page): Promise<unknown> => page.evaluate('document.activeElement.textContent')

interface Place {
  top: number
  bottom: number
}

interface DiffBody {
  added: number
  removed: number
  hunks: {
    to: { line: number }
    lines: { kind: string; text: string; highlights: [start: number, end: number][] }[]
  }[]
}

describe('demo reader', () => {
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
      expect(await violations(page)).to.deep.equal([])
      await page.keyboard.press('Enter')
      await heading(page, 'Sencha').waitFor()
      expect(await page.getByRole('listbox').count()).to.equal(0)
    },
  )

  visits(
    'shows its requests in a drawer, as JSON and for curl; Escape closes it, and the button has the focus',
    async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await openReader(page, 'page=sencha&locale=en')
      const button = page.getByRole('button', { name: /API requests/ })
      await button.getByText('4', { exact: true }).waitFor()
      await button.press('Enter')
      const drawer = page.getByRole('dialog', { name: 'Requests of this view' })
      expect(await focused(page)).to.equal('Requests of this view')
      expect(await drawer.locator('.call').count()).to.equal(4)
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
      expect(await violations(page)).to.deep.equal([])
      await page.locator('article').getByRole('link', { name: 'matcha' }).first().click()
      await heading(page, 'Matcha').waitFor()
      expect(await drawer.locator('.curl').first().innerText()).to.include('/pages/matcha?')
      await button.getByText('1', { exact: true }).waitFor()
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
      await page.getByRole('link', { name: 'すべてのページ' }).click()
      await heading(page, 'すべてのページ').waitFor()
      const shell = page.locator('body')
      expect(await shell.getAttribute('lang')).to.equal('ja')
      expect(await page.getByLabel('Tea Wiki を検索').getAttribute('placeholder')).to.equal('Tea Wiki を検索')
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
      await page.getByRole('link', { name: '日本語: 煎茶' }).click()
      await heading(page, '煎茶').waitFor()
      expect(page.url()).to.equal(`${sample.origin}/wiki/ja/sencha`)
      await page.locator('.languages summary').click()
      await page.getByRole('link', { name: 'English Sencha' }).click()
      await heading(page, 'Sencha').waitFor()
      await page.getByRole('link', { name: 'Green tea', exact: true }).last().click()
      await heading(page, 'Green tea').waitFor()
      expect(page.url()).to.equal(`${sample.origin}/wiki/en/category:green-tea`)
      await page.reload()
      await heading(page, 'Green tea').waitFor()
      await page.goBack()
      await heading(page, 'Sencha').waitFor()
      // The navigation is relative to the address with which a visit begins.
      await page.goto('/wiki/en')
      await page.locator('main').getByRole('link', { name: 'Matcha' }).first().click()
      await heading(page, 'Matcha').waitFor()
      await page.locator('.site-header').getByRole('link', { name: 'API', exact: true }).click()
      await page.waitForURL(`${sample.origin}/`)
    },
  )

  visits('the address of each page is that which the API writes', async ({ page }) => {
    await openReader(page, 'pages=all&locale=en')
    const { items } = (await sample.get('/pages?limit=200')).body
    const hrefs = await page
      .locator('.rows a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(hrefs).to.have.length.above(10)
    expect(hrefs).to.deep.equal(items.map(({ url }: { url: string }) => new URL(url).pathname))
  })

  visits.refused('404 on the address of a page: shows the error, and offers a search', async ({ page }) => {
    const response = await page.goto('/wiki/en/iced-sencha')
    expect(response!.status()).to.equal(404)
    await page.getByRole('link', { name: 'Search all texts for “iced sencha”' }).click()
    await heading(page, 'Search: iced sencha').waitFor()
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
    expect(await around()).to.deep.equal(['ar', 'rtl', 'ar', 'تخطَّ إلى المحتوى', 'البحث في Tea Wiki'])
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
      load()
      await settled(page)
      expect(await places()).to.deep.equal(before)
    },
  )

  visits('text and right column are at the same places, with and without contents', async ({ page }) => {
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
  })

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
      await page.setViewportSize({ width: 1440, height: 800 })
      await page.setViewportSize({ width: 390, height: 800 })
      await page.locator('.contents details:not([open])').waitFor({ state: 'attached' })
    },
  )

  visits('lists the pages that link to a page', async ({ page }) => {
    await openReader(page, 'page=sencha&locale=en')
    await page.getByRole('link', { name: 'Pages that link here' }).click()
    await heading(page, 'Pages that link to Sencha').waitFor()
    await page.locator('main').getByRole('link', { name: 'Gyokuro' }).click()
    await heading(page, 'Gyokuro').waitFor()
  })

  visits(
    'opens links to pages in the demo reader; back and forward restore page, title and scroll position',
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
    await openReader(page, 'page=sencha&locale=en')
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

  visits('shows categories and translations of a page, with the language of each text', async ({ page }) => {
    await openReader(page, 'page=sencha&locale=en')
    const japanese = page.getByRole('link', { name: '日本語: 煎茶' })
    expect(await japanese.getAttribute('lang')).to.equal('ja')
    await japanese.click()
    await heading(page, '煎茶').waitFor()
    await settled(page)
    expect(await page.locator('article').getAttribute('lang')).to.equal('ja')
    expect(await page.locator('article').getAttribute('dir')).to.equal('ltr')
    // The name of the wiki leads to the main page in this language, the menu to the same page in another one.
    await page.locator('.brand').click()
    await heading(page, 'お茶ウィキ').waitFor()
    expect(await page.locator('article').getAttribute('lang')).to.equal('ja')
    await page.goBack()
    await heading(page, '煎茶').waitFor()
    await page.locator('.languages summary').click()
    expect(await page.locator('.languages summary').innerText()).to.include('日本語')
    await page.getByRole('link', { name: 'English Sencha' }).click()
    await heading(page, 'Sencha').waitFor()
    await page.getByRole('link', { name: 'Green tea' }).last().click()
    await heading(page, 'Green tea').waitFor()
    await page.locator('main').getByRole('link', { name: 'Gyokuro' }).waitFor()
    await page.locator('main').getByRole('link', { name: 'Categories' }).click()
    await heading(page, 'Categories').waitFor()
  })

  visits('compares any two edits of a history, word by word, as the API does', async ({ page }) => {
    const [from, to] = ['47bb4c5a-0947-48dd-a91f-a1574a6e1c38', '997af8ab-cf2d-402c-94a8-148ce615e5e6']
    await openReader(page, 'history=pu-erh&locale=en')
    await page.locator(`input[name=from][value='${from}']`).check()
    await page.locator(`input[name=to][value='${to}']`).check()
    const calls = callsOf(page)
    await page.getByRole('button', { name: 'Compare the selected edits' }).click()
    await heading(page, 'Changes to Pu-erh').waitFor()
    const path = `/revisions/${to}/diff?from=${from}`
    expect(calls[0]).to.equal(`/api/v1${path}`)
    const diff: DiffBody = (await sample.get(path)).body
    const linesOf = (kind: string): string[] =>
      diff.hunks.flatMap(({ lines }) => lines.filter((line) => line.kind === kind).map(({ text }) => text))
    const shown = async (selector: string, prefix = ''): Promise<string[]> =>
      (await page.locator(`.difference ${selector}`).allTextContents()).flatMap((text) => {
        expect(text).to.match(new RegExp(`^${prefix}`))
        expect(text).to.match(/\n$/)
        return text.slice(prefix.length, -1).split('\n')
      })
    expect(await shown('ins', 'Added: ')).to.deep.equal(linesOf('added'))
    expect(await shown('del', 'Removed: ')).to.deep.equal(linesOf('removed'))
    expect(await shown('.same')).to.deep.equal(linesOf('context'))
    const marks = diff.hunks.flatMap(({ lines }) =>
      lines.flatMap(({ text, highlights }) => highlights.map(([start, end]) => text.slice(start, end))),
    )
    expect(marks).not.to.have.length(0)
    expect(await page.locator('.difference mark').allTextContents()).to.deep.equal(marks)
    const numbers = await page
      .locator('.difference :is(del, ins) .line')
      .evaluateAll((lines) => lines.map((line) => line.getAttribute('data-line')))
    expect(numbers).to.deep.equal(['10', '10', '11', '12', '13', '14'])
    expect(await page.locator('.difference h2').allTextContents()).to.deep.equal(
      diff.hunks.map(({ to: { line } }) => `Line ${line}`),
    )
    expect([diff.added, diff.removed]).to.deep.equal([5, 1])
    await page.getByText('Lines added: 5. Lines removed: 1.').waitFor()
  })

  visits(
    'compares the first edit of a page with an empty page; shows the page after an edit',
    async ({ page }) => {
      await openReader(page, 'to=afe1e852-00c1-469c-8b3e-2fa21444bf7d')
      await page.getByText('an empty page: this is the first edit').waitFor()
      await page.getByText(/^Lines added: \d+\. Lines removed: 0\.$/).waitFor()
      expect(await page.locator('del, mark, .same').count()).to.equal(0)
      await page.getByRole('link', { name: 'This edit' }).click()
      await page.locator('header .quiet').getByText('This edit').waitFor()
      await page.getByText('This is an old edit of Sencha, from ').waitFor()
      expect(await page.getByRole('link', { name: 'Older edit' }).count()).to.equal(0)
      await page.getByRole('link', { name: 'Newer edit' }).waitFor()
      expect(await page.locator('article').innerText()).to.include('Sencha')
    },
  )

  visits('compares from the older edit, in whichever order somebody selects two', async ({ page }) => {
    await openReader(page, 'history=sencha&locale=en')
    await page.setViewportSize({ width: 800, height: 400 })
    const button = (await page.getByRole('button', { name: 'Compare the selected edits' }).boundingBox())!
    expect(button.y + button.height, 'in sight').to.be.at.most(400)
    const rows = page.locator('.edit')
    expect(await rows.nth(0).innerText()).to.include('2,252 bytes (+461)')
    await rows.nth(2).locator('[name=to]').check()
    await rows.nth(0).locator('[name=from]').check()
    const [newer, older] = [rows.nth(0), rows.nth(2)].map((row) =>
      row.locator('[name=to]').getAttribute('value'),
    )
    await page.getByRole('button', { name: 'Compare the selected edits' }).click()
    await heading(page, 'Changes to Sencha').waitFor()
    const { searchParams } = new URL(page.url())
    expect([searchParams.get('from'), searchParams.get('to')]).to.deep.equal([await older, await newer])
  })

  visits.refused('404: shows the error once, and offers a search', async ({ page }) => {
    await openReader(page, 'page=iced-sencha&locale=en')
    await heading(page, 'There is no such page').waitFor()
    expect(await page.locator('main').getByText('There is no such').count()).to.equal(1)
    await page.getByRole('link', { name: 'Search all texts for “iced sencha”' }).click()
    await heading(page, 'Search: iced sencha').waitFor()
  })

  visits.refused('404: names the path, and the page that somebody may have meant', async ({ page }) => {
    await openReader(page, 'page=SENCHA&locale=en')
    await heading(page, 'There is no such page').waitFor()
    expect(await title(page)).to.equal('There is no such page · Tea Wiki')
    expect(await page.locator('main .lead').innerText()).to.equal('SENCHA')
    await page.getByText('Did you mean: ').getByRole('link', { name: 'sencha' }).click()
    await heading(page, 'Sencha').waitFor()
    await openReader(page, 'page=Gyokuru&locale=en')
    await page.getByText('Did you mean: ').getByRole('link', { name: 'Gyokuro' }).click()
    await heading(page, 'Gyokuro').waitFor()
    await openReader(page, 'page=brewing/clod&locale=en')
    await page.getByRole('link', { name: 'Search all texts for “clod”' }).waitFor()
    await page.getByText('Did you mean: ').getByRole('link', { name: 'Cold brewing' }).click()
    await heading(page, 'Cold brewing').waitFor()
  })

  visits.refused('404: in the language of the wiki, not taller than the window', async ({ page }) => {
    await page.goto('/wiki/ja/coffee')
    await heading(page, 'このページは存在しません').waitFor()
    expect(await page.locator('html').getAttribute('lang')).to.equal('ja')
    await page.getByRole('contentinfo').waitFor()
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).to.equal(0)
  })

  visits('a search tells how many results it has, and what somebody may have meant', async ({ page }) => {
    await openReader(page, 'q=tea&locale=en')
    await page.getByText('Results: 10+', { exact: true }).waitFor()
    await openReader(page, 'q=senhca&locale=en')
    await page.getByText('Showing results for “Sencha”.').waitFor()
    expect(await page.locator('.rows h2').first().innerText()).to.equal('Sencha')
    expect(await page.getByText('Did you mean').count()).to.equal(0)
  })

  visits('links to pages that do not exist look different, but not those to categories', async ({ page }) => {
    await page.route('**/api/v1/pages/is-it-tea**', async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      for (const link of body.links.items) link.exists = !/^(iced tea|category:.*)$/.test(link.path)
      await route.fulfill({ response, json: body })
    })
    await openReader(page, `page=${encodeURIComponent('is-it-tea?')}`)
    expect(await page.locator('article a.unwritten').allInnerTexts()).to.deep.equal(['Iced tea'])
    const colors = (await page.evaluate(
      "[...document.querySelectorAll('article a')].map((one) => getComputedStyle(one).color)",
    )) as string[]
    expect(new Set(colors).size).to.be.above(1)
  })

  visits.refused('404: offers the page in other languages', async ({ page }) => {
    await openReader(page, `page=${encodeURIComponent('急須')}&locale=en`)
    await heading(page, 'There is no such page').waitFor()
    const { title } = (await sample.get(`/pages/${encodeURIComponent('急須')}?locale=ja`)).body
    await page.getByRole('link', { name: `日本語: ${title}` }).click()
    await heading(page, title).waitFor()
  })

  for (const [status, says] of [
    [429, 'Too many requests'],
    [503, 'The wiki is busy'],
  ] as const) {
    visits.refused(`${status}: shows the waiting time, and retries after Retry-After`, async ({ page }) => {
      await openReader(page, 'pages=all')
      let refused = 0
      await page.route('**/api/v1/pages/sencha?**', async (route) => {
        refused += 1
        if (refused > 1) return route.continue()
        await route.fulfill({
          status,
          headers: { 'Retry-After': '2' },
          json: { error: { code: 'x', message: 'x' } },
        })
      })
      await page.getByRole('link', { name: 'Sencha', exact: true }).first().click()
      await heading(page, says).waitFor()
      await page.getByText(/^Next attempt: [12] seconds?$/).waitFor()
      await heading(page, 'Sencha').waitFor()
      expect(refused).to.equal(2)
    })
  }

  visits.refused(
    '503 of a proxy, without JSON and with a date in Retry-After: retries anyway',
    async ({ page }) => {
      let refused = 0
      await page.route('**/api/v1/pages/sencha?**', async (route) => {
        refused += 1
        if (refused > 1) return route.continue()
        await route.fulfill({
          status: 503,
          headers: { 'Retry-After': 'Fri, 31 Dec 2100 23:59:59 GMT' },
          json: { message: 'Back soon' },
        })
      })
      await openReader(page, 'page=sencha&locale=en')
      await page.getByText(/^Next attempt: [1-5] seconds?$/).waitFor()
      await heading(page, 'Sencha').waitFor()
    },
  )

  it('a defect of its own: shows an error, and reports it to the console', () =>
    visit(browser, sample.origin, async ({ page, faults }) => {
      await page.route('**/api/v1/pages/sencha?**', (route) => route.fulfill({ json: {} }))
      await openReader(page, 'page=sencha&locale=en')
      await heading(page, 'Something went wrong').waitFor()
      expect(faults).to.have.length(1)
      expect(faults[0]).to.include('exception: ')
    }))

  visits.refused('does not return to a failed view after the user opened another one', async ({ page }) => {
    let requests = 0
    await page.route('**/api/v1/pages/coffee?**', (route) => {
      requests += 1
      return route.fulfill({ status: 503, headers: { 'Retry-After': '30' }, json: { error: {} } })
    })
    await page.clock.install()
    await openReader(page, 'page=coffee&locale=en')
    await heading(page, 'The wiki is busy').waitFor()
    const before = requests
    await page.locator('.brand').click()
    await heading(page, 'Tea Wiki').waitFor()
    await page.clock.runFor('01:00')
    expect(requests).to.equal(before)
    expect(await title(page)).to.equal('Tea Wiki')
  })

  visits.refused(
    'offline: shows that, and continues when the connection is back',
    async ({ page, context }) => {
      await openReader(page)
      await context.setOffline(true)
      await page.getByRole('link', { name: 'Matcha' }).first().click()
      await heading(page, 'No connection').waitFor()
      await page.getByText('This device is offline.').waitFor()
      await context.setOffline(false)
      await heading(page, 'Matcha').waitFor()
    },
  )
})

describe('demo reader: recent edits', () => {
  const browser = withBrowser()
  const wiki = withService({ rateLimit: 0, cacheSeconds: 0, trustedProxies: 1 })
  const visits = visitsOf(browser, () => wiki.service.listeningUrl)
  let edits = 0
  const edit = async (...paths: string[]) => {
    edits += 1
    const created_at = new Date(Date.UTC(2025, 0, edits)).toISOString()
    const revisions = (path: string) => [{ title: `${path} ${edits}`, created_at }]
    const pages = paths.map((path) => ({ path, translation_group: path, revisions: revisions(path) }))
    await importRecords(recordsOf({ pages }))
  }
  const titles = (page: Page) =>
    page.locator('section', { hasText: 'Recent edits' }).locator('li > a').allInnerTexts()
  const openStreams = async () => {
    const response = await fetch(`${wiki.service.internalUrl}/metrics`)
    return Number(/^lectern_http_streams (\d+)$/m.exec(await response.text())![1])
  }
  /** As a browser does when its user looks at another tab. */
  const setHidden = (page: Page, isHidden: boolean) =>
    page.evaluate(
      `Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
       document.dispatchEvent(new Event('visibilitychange'))`,
    )
  beforeEach(async () => {
    edits = 0
    await makeWorld({ locales: ['en', 'ru'], pages: [] })
    await edit('tea')
  })

  visits('shows what happens while it is visible, and tells how much', async ({ page }) => {
    await openReader(page)
    await until('the stream is open', async () => (await openStreams()) === 1)
    const before = await page.evaluate('[scrollY, document.activeElement.localName]')
    await edit('mate', 'cocoa')
    await page.locator('[aria-live=polite]', { hasText: 'New edits: 2' }).waitFor({ state: 'attached' })
    expect((await titles(page)).toSorted()).to.deep.equal(['cocoa 2', 'mate 2', 'tea 1'])
    await edit('tea')
    await page.locator('[aria-live=polite]', { hasText: 'New edits: 1' }).waitFor({ state: 'attached' })
    expect((await titles(page))[0]).to.equal('tea 3')
    // A page changes, but nobody edited it.
    await importRecords(recordsOf({ pages: [{ path: 'чай', locale: 'ru', translation_group: 'cocoa' }] }))
    await edit('water')
    await until('the next edit is there', async () => (await titles(page))[0] === 'water 4')
    expect(await titles(page)).to.have.length(5)
    expect(await page.evaluate('[scrollY, document.activeElement.localName]')).to.deep.equal(before)
    expect(await violations(page)).to.deep.equal([])
  })

  visits('closes the stream while it is hidden, and when another view opens', async ({ page }) => {
    await openReader(page)
    await until('the stream is open', async () => (await openStreams()) === 1)
    await setHidden(page, true)
    await until('no stream is open', async () => (await openStreams()) === 0)
    await edit('mate')
    await setHidden(page, false)
    await until('the edit is there', async () => (await titles(page))[0] === 'mate 2')
    await page
      .getByRole('link', { name: 'All pages' })
      .or(page.getByRole('link', { name: 'tea 1' }))
      .first()
      .click()
    await until('no stream is open', async () => (await openStreams()) === 0)
  })

  visits.refused('keeps its list where there is no stream', async ({ page }) => {
    await page.route('**/api/v1/changes?*after=*', (route) => route.fulfill({ status: 503, json: {} }))
    await openReader(page)
    expect(await titles(page)).to.deep.equal(['tea 1'])
  })
})

describe('demo reader: an empty wiki, whose name is long', () => {
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

describe('demo reader: folders', () => {
  const browser = withBrowser()
  const wiki = withService({ rateLimit: 0 })
  const visits = visitsOf(browser, () => wiki.service.listeningUrl)
  const paths = [
    ...['flat', 'guide', 'guide/chapter-10', 'guide/chapter-2', 'guide/chapter-9', 'lone/only', 'دليل/شاي'],
    ...['0/docs/pages', '0/docs/pages/a', '0/docs/pages/b/c'],
    ...['guide/deep/leaf', 'guide/deep/er/leaf', '08-green-tea', '08-green-tea/cup'],
    ...Array.from({ length: 400 }, (_, i) => `posts/post-${i + 100}`),
    ...[...'abcdefghijklmnopqrstuvwxyz'].flatMap((a) => [...'abcdefgilmnorstu'].map((b) => `كلمة/${a}${b}`)),
  ]
  const TITLES: Record<string, string> = { '08-green-tea': '`Green` Tea!' }
  withWorld(wiki, {
    name: 'Tea',
    locales: ['en', 'ar', 'de'],
    pages: paths.map((path) => ({
      path,
      locale: /^[دك]|^08/.test(path) ? 'ar' : path[0] === '0' ? 'de' : 'en',
      revisions: [
        { title: TITLES[path] ?? path, markdown: path === 'guide' ? '# guide\n' : 'Tea. '.repeat(20) },
      ],
    })),
  })
  /** The tree that opens: that of the service has no buttons. */
  const tree = (page: Page, name = 'Pages') =>
    page.getByRole('navigation', { name, exact: true }).locator('.tree:has(button)')
  const turns = (page: Page) => page.locator('.turns a').allInnerTexts()
  /** Each entry that is in sight, with the depth of its folder. */
  const entries = (page: Page) =>
    page.evaluate(`[...document.querySelectorAll('.tree :is(a, .fold:first-child)')]
      .filter((one) => one.checkVisibility())
      .map((one) => {
        let depth = -1
        for (let list = one; list; list = list.parentElement.closest('.tree ul')) depth += 1
        return '  '.repeat(depth - 1) + one.textContent
      })`)

  visits(
    'shows the tree of folders and pages, open down to the page, and the pages before and after',
    async ({ page }) => {
      await page.goto('/wiki/en/guide/chapter-9')
      await settled(page)
      await tree(page).locator('[aria-current=page]').waitFor()
      expect(await entries(page)).to.deep.equal([
        'flat',
        'guide',
        ...['chapter-2', 'chapter-9', 'chapter-10'].map((name) => `  guide/${name}`),
        '  Deep',
        'Lone',
        'Posts',
      ])
      expect(await turns(page)).to.deep.equal(['guide/chapter-2', 'guide/chapter-10'])
      await tree(page).getByRole('button', { name: 'Deep' }).click()
      await tree(page).getByRole('button', { name: 'Er' }).press('Enter')
      await tree(page).getByRole('link', { name: 'guide/deep/er/leaf' }).waitFor()
      expect(await violations(page)).to.deep.equal([])
      await tree(page).getByRole('button', { name: 'Pages in guide' }).click()
      expect(await entries(page)).to.deep.equal(['flat', 'guide', 'Lone', 'Posts'])
      const trail = page.getByRole('navigation', { name: 'Path' })
      await trail.locator('a:not([href*="pages="])').click()
      await heading(page, /^guide$/).waitFor()
      await tree(page)
        .locator('[aria-current=page]', { hasText: /^guide$/ })
        .waitFor()
      await tree(page).getByRole('link', { name: 'guide/chapter-2' }).waitFor()
      expect(await page.locator('.trail').count()).to.equal(0)
    },
  )

  describe('of a site with an order', () => {
    before(async () => {
      const order = ['posts/post-7', 'lone/only', 'guide', 'guide/deep/leaf', 'guide/deep/er/leaf']
      await importOrder(...order, 'guide/chapter-9', 'guide/chapter-10', 'flat')
      wiki.service.invalidate()
    })
    after(async () => {
      await importOrder()
      wiki.service.invalidate()
    })

    visits('the tree and the links to the next pages follow it, over all folders', async ({ page }) => {
      await page.goto('/wiki/en/guide/chapter-9')
      await settled(page)
      await tree(page).locator('[aria-current=page]').waitFor()
      expect(await entries(page)).to.deep.equal([
        ...['Lone', 'guide', '  Deep'],
        // Without a place: by name, at the end.
        ...['chapter-9', 'chapter-10', 'chapter-2'].map((name) => `  guide/${name}`),
        ...['flat', 'Posts'],
      ])
      const turn = async (rel: 'next' | 'prev', ...titles: string[]) => {
        for (const title of titles) {
          const name = new RegExp(`^${title}$`)
          await page.locator(`.turns a[rel=${rel}]`).filter({ hasText: name }).click()
          await heading(page, name).waitFor()
        }
      }
      await turn('next', 'guide/chapter-10', 'guide/chapter-2')
      await page.goto('/wiki/en/flat')
      await turn('next', 'posts/post-100')
      await page.goto('/wiki/en/lone/only')
      await turn('next', 'guide', 'guide/deep/leaf', 'guide/deep/er/leaf', 'guide/chapter-9')
      await turn('prev', 'guide/deep/er/leaf', 'guide/deep/leaf', 'guide', 'lone/only')
    })

    visits('without a main page, the first page is shown', async ({ page }) => {
      await page.goto('/wiki/en')
      await heading(page, 'lone/only').waitFor()
      await tree(page).locator('[aria-current=page]', { hasText: 'lone/only' }).waitFor()
    })
  })

  visits('without a main page, it shows what is in the wiki', async ({ page }) => {
    await page.goto('/wiki/en')
    await heading(page, 'Tea').waitFor()
    expect(await page.locator('.cards a').allInnerTexts()).to.deep.equal(['flat', 'guide', 'Lone', 'Posts'])
    expect(await violations(page)).to.deep.equal([])
  })

  visits(
    'tree and path begin where more than one folder is, whose page is the main page',
    async ({ page }) => {
      await page.goto('/wiki/de')
      await heading(page, '0/docs/pages').waitFor()
      await tree(page, 'Seiten').locator('[aria-current=page]').waitFor()
      expect(await entries(page)).to.deep.equal(['0/docs/pages', '0/docs/pages/a', 'B'])
      await page.goto('/wiki/de/0/docs/pages/b/c')
      await settled(page)
      expect(await page.locator('.trail').innerText()).to.equal('B')
    },
  )

  visits('the tree marks the page of a history, a comparison and an edit', async ({ page }) => {
    await page.goto('/wiki/en/guide')
    await tree(page).getByRole('link', { name: 'guide/chapter-9' }).click()
    await heading(page, 'guide/chapter-9').waitFor()
    await page.locator('main').getByRole('link', { name: 'History' }).click()
    await heading(page, /^History of/).waitFor()
    const marked = tree(page).locator('[aria-current=page]', { hasText: 'guide/chapter-9' })
    await marked.waitFor()
    for (const name of ['What changed', 'This edit']) {
      await page.locator('main').getByRole('link', { name }).first().click()
      await marked.waitFor()
      expect(await tree(page).locator('[aria-current=page]').count(), name).to.equal(1)
    }
    expect(await page.evaluate("document.querySelector('[rel=icon]').href")).to.match(/\d\/api\/v1\/docs\//)
    expect(await page.evaluate("document.querySelector('[type*=atom]').href")).to.match(
      /\d\/api\/v1\/recent\.atom$/,
    )
  })

  visits.refused('where a page does not exist, the folders above it are open', async ({ page }) => {
    await page.goto('/wiki/en/guide/deep/nope')
    await tree(page).getByRole('link', { name: 'guide/deep/leaf' }).waitFor()
    expect(await tree(page).locator('[aria-current=page]').count()).to.equal(0)
  })

  visits('where there is no room, a button shows the tree in a dialog', async ({ page }) => {
    await page.setViewportSize(SCREENS.phone)
    await page.goto('/wiki/en/guide/chapter-9')
    await settled(page)
    expect(await tree(page).count()).to.equal(0)
    const button = page.getByRole('button', { name: 'Pages', exact: true })
    await button.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Pages' })
    await dialog.locator('[aria-current=page]:focus').waitFor()
    expect(await violations(page)).to.deep.equal([])
    await page.keyboard.press('Escape')
    await page.locator('.open-tree[aria-expanded=false]:focus').waitFor()
    await button.click()
    await dialog.getByRole('link', { name: 'flat' }).click()
    await heading(page, 'flat').waitFor()
    expect(await page.getByRole('dialog').count()).to.equal(0)
    await button.click()
    await page.setViewportSize(SCREENS.desktop)
    await dialog.waitFor({ state: 'hidden' })
    await tree(page).getByRole('link', { name: 'flat' }).waitFor()
  })

  visits('a large folder takes few requests', async ({ page }) => {
    const calls = callsOf(page)
    await page.goto('/wiki/en/flat')
    await settled(page)
    await tree(page).getByRole('button', { name: 'Posts' }).waitFor()
    expect(calls.filter((call) => call.includes('/pages?'))).to.have.length(2)
  })

  visits('a folder that is no page leads to the list of its pages', async ({ page }) => {
    await page.goto('/wiki/en/guide/deep/er/leaf')
    await settled(page)
    await page.locator('.trail').getByRole('link', { name: 'deep' }).click()
    await heading(page, 'Deep').waitFor()
    expect(await page.locator('.cards li').allInnerTexts()).to.deep.equal([
      'Er\n\nguide/deep/er/leaf',
      `guide/deep/leaf\n\n${'Tea. '.repeat(20).trim()}`,
    ])
    expect(await violations(page)).to.deep.equal([])
    await page.reload()
    await heading(page, 'Deep').waitFor()
    await page.locator('.trail').getByRole('link', { name: 'guide' }).click()
    await heading(page, 'guide').waitFor()
  })

  visits('of a large folder, it shows what is around the page', async ({ page }) => {
    await page.goto('/wiki/en/posts/post-444')
    await settled(page)
    await tree(page).locator('[aria-current=page]').waitFor()
    expect(await tree(page).locator('ul ul li').count()).to.equal(101)
    expect(await turns(page)).to.deep.equal(['posts/post-443', 'posts/post-445'])
    await tree(page).getByRole('link', { name: 'All pages' }).click()
    await heading(page, /^Posts$/).waitFor()
    expect(await page.locator('.rows li').count()).to.equal(90)
  })

  visits('of a large folder, it lists every page, after those before it', async ({ page }) => {
    for (const [name, ...beside] of [
      ['ls', 'lr', 'lt'],
      ['zu', 'zt'],
      ['na', 'mu', 'nb'],
    ]) {
      await page.goto(`/wiki/ar/${encodeURI('كلمة')}/${name}`)
      await settled(page)
      await page.locator('.tree:has(button) [aria-current=page]').waitFor()
      const names = await page.locator('.tree ul ul li').allInnerTexts()
      expect(names.indexOf(`كلمة/${name}`), name).to.be.above(20)
      expect(names[0]).to.equal('كل الصفحات')
      expect(await turns(page)).to.deep.equal(beside.map((one) => `كلمة/${one}`))
    }
  })

  visits(
    'beside a short page, the tree has the height of the window, and scrolls with the lists below it',
    async ({ page }) => {
      await page.setViewportSize({ width: 1024, height: 800 })
      await page.goto('/wiki/en/posts/post-444')
      await settled(page)
      await tree(page).locator('[aria-current=page]').waitFor()
      const places = () =>
        page.evaluate(`['.shelf', '.shelf [aria-current]', '.tree + ul'].map((part) => {
          const { top, bottom } = document.querySelector(part).getBoundingClientRect()
          return { top, bottom }
        })`) as Promise<[Place, Place, Place]>
      const [shelf, current, lists] = await places()
      expect(shelf.bottom).to.equal(800)
      expect(current.top).to.be.above(shelf.top + 32)
      expect(current.bottom).to.be.below(shelf.bottom - 32)
      expect(lists.top).to.be.above(shelf.bottom)
      await page.getByRole('link', { name: 'Recent edits' }).scrollIntoViewIfNeeded()
      expect((await places())[2].bottom).to.be.below(shelf.bottom)
      expect(await page.evaluate('scrollY')).to.equal(0)
    },
  )

  visits('a page without text lists what is in its folder', async ({ page }) => {
    await page.goto('/wiki/en/guide')
    await settled(page)
    const below = page.locator('article').getByRole('navigation', { name: 'Pages in guide' })
    expect(await below.getByRole('link').allInnerTexts()).to.deep.equal([
      ...['guide/chapter-2', 'guide/chapter-9', 'guide/chapter-10', 'Deep'],
    ])
    expect(await violations(page)).to.deep.equal([])
    await below.getByRole('link', { name: 'guide/chapter-9' }).click()
    await heading(page, 'guide/chapter-9').waitFor()
    expect(await below.count()).to.equal(0)
  })

  visits.refused('the address of a folder that is no page shows the list of its pages', async ({ page }) => {
    await page.goto('/wiki/en/guide/deep/er')
    await heading(page, 'Er').waitFor()
    await page.locator('main').getByRole('link', { name: 'guide/deep/er/leaf' }).waitFor()
    expect(await violations(page)).to.deep.equal([])
    await page.goto('/wiki/en/guide/deep/nope')
    await heading(page, 'There is no such page').waitFor()
  })

  visits('a folder with a number has the title of its page', async ({ page }) => {
    await page.goto('/wiki/ar/08-green-tea/cup')
    await settled(page)
    await page.locator('.tree a', { hasText: /^Green Tea!$/ }).waitFor()
    expect(await page.locator('.trail').innerText()).to.equal('Green Tea!')
  })

  visits('from right to left', async ({ page }) => {
    await page.goto(`/wiki/ar/${encodeURI('دليل/شاي')}`)
    await settled(page)
    const [trail, title] = await Promise.all(
      ['.trail li', 'h1'].map((part) => page.locator(part).first().boundingBox()),
    )
    expect(trail!.x + trail!.width).to.be.closeTo(title!.x + title!.width, 2)
  })

  visits('lists all recent edits by day', async ({ page }) => {
    await openReader(page, 'locale=en')
    await page.getByRole('link', { name: 'Recent edits' }).click()
    await heading(page, 'Recent edits').waitFor()
    expect(await page.locator('.rows li').count()).to.equal(50)
    const days = await page.locator('.rows h2').count()
    await page.getByRole('button', { name: 'More' }).click()
    await page.locator('.rows li').nth(99).waitFor()
    expect(days).to.be.within(1, 50)
    expect(await violations(page)).to.deep.equal([])
  })
})
