import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { withService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { importRecords, makeWorld, recordsOf } from '../support/world.ts'
import { inNewContext, withBrowser } from './support/browser.ts'
import { callsOf, heading, openReader, settled, violations, visitsOf, withSample } from './support/site.ts'

interface DiffBody {
  added: number
  removed: number
  hunks: {
    to: { line: number }
    lines: { kind: string; text: string; highlights: [start: number, end: number][] }[]
  }[]
}

describe('reader: history', () => {
  const browser = withBrowser()
  const sample = withSample()
  const visits = visitsOf(browser, () => sample.origin)

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
    expect(await shown('.same:not(.older)')).to.deep.equal(linesOf('context'))
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
      await page.getByRole('link', { name: 'View this version' }).click()
      await page.getByText('This is an old edit of Sencha, from ').waitFor()
      const header = await page.locator('main header').innerText()
      expect(header.match(/2021/g), 'its date, once').to.have.length(1)
      expect(await page.getByRole('link', { name: 'Older edit' }).count()).to.equal(0)
      await page.getByRole('link', { name: 'Newer edit' }).waitFor()
      expect(await page.locator('article').innerText()).to.include('Sencha')
    },
  )

  visits(
    'the links of an edit are at the end of its row, and its summary has its own line',
    async ({ page }) => {
      for (const query of ['recent=all&locale=en', 'history=sencha&locale=en']) {
        await openReader(page, query)
        const [about, links, row] = await Promise.all(
          ['.entry > div', '.entry > p', '.rows'].map((part) => page.locator(part).first().boundingBox()),
        )
        expect(links!.x, query).to.be.at.least(about!.x + about!.width)
        expect(links!.x + links!.width, query).to.be.closeTo(row!.x + row!.width, 1)
      }
      for (const line of await page.locator('main .entry .parts:has(.comment)').all()) {
        const [author, comment] = [line.locator('.author'), line.locator('.comment')]
        expect((await comment.boundingBox())!.y).to.be.above((await author.boundingBox())!.y + 10)
      }
    },
  )

  visits(
    'the focus is never behind what stays in sight, nor a ring larger than its link',
    async ({ page }) => {
      for (const screen of [
        { width: 1280, height: 600 },
        { width: 360, height: 225 },
      ]) {
        await page.setViewportSize(screen)
        await openReader(page, 'history=sencha&locale=en')
        await page.locator('[name=from]').first().focus()
        for (let i = 0; i < 12; i++) {
          await page.keyboard.press('Tab')
          const [top, bottom, end, height] = (await page.evaluate(`(() => {
          const boxOf = (part) => part.getBoundingClientRect()
          const { top, bottom, height } = boxOf(document.activeElement)
          const bar = document.querySelector('.compare')
          return [top, bottom, bar.contains(document.activeElement) ? innerHeight : boxOf(bar).top, height]
        })()`)) as [number, number, number, number]
          expect(top).to.be.at.least(0)
          expect(bottom, `${screen.height}, ${i}`).to.be.at.most(end)
          expect(height).to.be.at.most(44)
        }
      }
    },
  )

  visits('a comparison leads to those of the edits before and after', async ({ page }) => {
    const ids = (await sample.get('/pages/sencha/history')).body.items.map(({ id }: { id: string }) => id)
    await openReader(page, `to=${ids[0]}`)
    const [older, newer] = ['Older edit', 'Newer edit'].map((name) => page.getByRole('link', { name }))
    await heading(page, 'Changes to Sencha').waitFor()
    expect(await newer!.count()).to.equal(0)
    for (const id of ids.slice(1)) {
      await older!.press('Enter')
      await page.waitForURL((url) => url.searchParams.get('to') === id)
      await settled(page)
    }
    expect(await older!.count()).to.equal(0)
    await newer!.click()
    await page.waitForURL((url) => url.searchParams.get('to') === ids.at(-2))
    await openReader(page, `from=${ids.at(-1)}&to=${ids[1]}`)
    expect(await newer!.getAttribute('href')).to.include(`to=${ids[0]}`)
    expect(await older!.getAttribute('href')).to.include(`to=${ids.at(-1)}`)
  })

  it('times name the zone of the visitor', () =>
    inNewContext(
      browser,
      async (context) => {
        const page = await context.newPage()
        await openReader(page, 'history=sencha&locale=en')
        const times = (await page.locator('main time').allInnerTexts()).map((time) =>
          time.replace(/\s/g, ' '),
        )
        expect(times[0]).to.match(/^[A-Z][a-z]{2} \d+, 2025, \d+:\d\d [AP]M GMT\+5:45$/)
        await openReader(page, 'recent=all&locale=ja')
        expect(await page.locator('main time').first().innerText()).to.match(/^\d+:\d\d GMT\+5:45$/)
      },
      { baseURL: sample.origin, timezoneId: 'Asia/Kathmandu' },
    ))

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
})

describe('reader: recent edits', () => {
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

  visits('the history of a page with one edit offers no comparison', async ({ page }) => {
    await openReader(page, 'history=tea')
    await heading(page, 'History of tea 1').waitFor()
    expect(await page.locator('main form li').count()).to.equal(1)
    expect(await page.locator('main form :is(input, .compare)').count()).to.equal(0)
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
