import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { withService, withWorld } from '../support/service.ts'
import { withBrowser } from './support/browser.ts'
import { callsOf, heading, openReader, violations, visitsOf } from './support/site.ts'

describe('reader: differences', () => {
  const browser = withBrowser()
  const wiki = withService({ rateLimit: 0 })
  const visits = visitsOf(browser, () => wiki.service.listeningUrl)
  const numbered = (count: number, word: string): string =>
    Array.from({ length: count }, (_, i) => `${word} ${i % 100}\n`).join('')
  const texts: Record<string, [locale: string, ...markdowns: string[]]> = {
    rtl: ['ar', 'شاي أخضر ساخن\n', 'شاي أسود ساخن\n'],
    hostile: ['en', 'A cup of <b>tea</b>\n', 'A cup of <script>alert(1)</script>\n'],
    end: ['en', 'first\nlast', 'first\nlast\n'],
    title: ['en', 'same\n', 'same\n'],
    blank: ['en', 'one\ntwo\n', 'one\n\ntwo\n'],
    long: ['en', numbered(4_900, 'green tea'), numbered(4_900, 'black tea')],
    longer: ['en', `Tea\n${numbered(5_100, 'green tea')}`, `Tea\n${numbered(5_100, 'black tea')}`],
  }
  withWorld(wiki, {
    name: 'Tea',
    locales: ['en', 'ar'],
    pages: Object.entries(texts).map(([path, [locale, ...markdowns]]) => ({
      path,
      locale,
      revisions: markdowns.map((markdown, i) => ({
        markdown,
        title: `Tea ${i}`,
        created_at: `2024-01-0${i + 1}T00:00:00.000000Z`,
      })),
    })),
  })

  /** Opens what the newest edit of a page changed. */
  const openNewest = async (page: Page, path: string): Promise<string> => {
    const [locale] = texts[path]!
    const { id } = (await wiki.get(`/pages/${path}/history?locale=${locale}`)).body.items[0]
    await openReader(page, `to=${id}&locale=${locale}`)
    await heading(page, path === 'rtl' ? 'التغييرات في «Tea 1»' : 'Changes to Tea 1').waitFor()
    return id
  }

  visits('a list shows the paths of pages that have the same title', async ({ page }) => {
    await openReader(page, 'pages=all&locale=en')
    const paths = Object.keys(texts).filter((path) => path !== 'rtl')
    expect(await page.locator('.crumbs').allInnerTexts()).to.deep.equal(paths.sort())
    await openReader(page, 'pages=all&locale=ar')
    expect(await page.locator('.crumbs').count()).to.equal(0)
  })

  visits('asks the API what the edit changed, and shows lines from right to left', async ({ page }) => {
    const calls = callsOf(page)
    const id = await openNewest(page, 'rtl')
    expect(calls.filter((call) => call.includes('/diff'))).to.deep.equal([`/api/v1/revisions/${id}/diff`])
    const difference = page.locator('.difference')
    expect(await difference.getAttribute('dir')).to.equal('rtl')
    expect(await difference.getAttribute('lang')).to.equal('ar')
    expect(await page.locator('mark').allInnerTexts()).to.deep.equal(['أخضر', 'أسود'])
    await page.getByText('الأسطر المضافة: 1. الأسطر المحذوفة: 1.').waitFor()
    expect(await violations(page)).to.deep.equal([])
  })

  visits('says that the wiki has no categories, also without scripts', async ({ page }) => {
    await openReader(page, 'categories=all&locale=en')
    await page.getByText('There are no categories.').waitFor()
    expect(await (await page.request.get(page.url())).text()).to.include('<p>There are no categories.</p>')
  })

  visits('where there is room, shows the two texts beside each other', async ({ page }) => {
    await openNewest(page, 'hostile')
    const placeOf = async (part: string) => (await page.locator(`.difference ${part}`).boundingBox())!
    const box = page.getByRole('radio', { name: 'Side by side' })
    expect((await placeOf('ins')).x).to.equal((await placeOf('del')).x)
    await page.getByText('Side by side').click()
    const [removed, added] = await Promise.all(['del', 'ins'].map(placeOf))
    expect([added!.y, added!.x > removed!.x + removed!.width]).to.deep.equal([removed!.y, true])
    await page.getByRole('link', { name: 'Older edit' }).click()
    await page.waitForURL(/to=/)
    await page.locator('.difference del').waitFor({ state: 'detached' })
    expect(await box.isChecked(), 'also in the next comparison').to.equal(true)
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await box.isVisible()).to.equal(false)
  })

  visits(
    'side by side, lines of both texts have both numbers, and what one lacks is a gap',
    async ({ page }) => {
      await openNewest(page, 'blank')
      const boxes = (part: string) => page.locator(`.difference ${part}`).filter({ visible: true })
      expect(await boxes('.older, .gap').count()).to.equal(0)
      await page.getByText('Side by side').click()
      const numbers = (part: string) =>
        boxes(`${part} .line`).evaluateAll((lines) => lines.map((line) => line.getAttribute('data-line')))
      expect(await numbers('.older')).to.deep.equal(['1', '2'])
      expect(await numbers('.same:not(.older)')).to.deep.equal(['1', '3'])
      const [gap, added] = await Promise.all(['.gap', 'ins'].map((part) => boxes(part).boundingBox()))
      expect([gap!.y, gap!.height]).to.deep.equal([added!.y, added!.height])
      expect(gap!.x + gap!.width).to.be.below(added!.x)
      expect(await violations(page)).to.deep.equal([])
    },
  )

  visits('shows lines as text, never as markup', async ({ page }) => {
    await openNewest(page, 'hostile')
    expect(await page.locator('ins').textContent()).to.equal('Added: A cup of <script>alert(1)</script>\n')
    expect(await page.locator('main :is(script, b)').count()).to.equal(0)
  })

  visits('says which line differs only in its line feed', async ({ page }) => {
    await openNewest(page, 'end')
    expect(await page.locator('del').innerText()).to.include('no line feed at the end')
    expect(await page.locator('ins').innerText()).not.to.include('no line feed')
  })

  visits('says if the texts are identical', async ({ page }) => {
    await openNewest(page, 'title')
    await page.getByText('The two texts are identical.').waitFor()
    expect(await page.locator('.difference').count()).to.equal(0)
  })

  visits('shows as many lines as the API lists, with few elements', async ({ page }) => {
    await openNewest(page, 'long')
    await page.getByText('Lines added: 4,900. Lines removed: 4,900.').waitFor()
    expect(await page.locator('main p').innerText()).to.match(
      /\+4,900 lines\s+−4,900 lines\s+Older edit\s+History\s+Current page$/,
    )
    expect((await page.locator('ins').textContent())?.match(/\n/g)).to.have.length(4_900)
    expect(await page.locator('.difference > *').count()).to.equal(3)
  })

  visits('says if the API does not list the lines, and leads to both edits', async ({ page }) => {
    await openNewest(page, 'longer')
    await page.getByText('The changes are too many or too long to show. They begin at line 2.').waitFor()
    expect(await page.locator('.difference').count()).to.equal(0)
    expect(await page.getByRole('link', { name: 'View this version' }).count()).to.equal(2)
    expect(await violations(page)).to.deep.equal([])
  })

  visits.refused('404: names the edit that does not exist', async ({ page }) => {
    const none = '00000000-0000-4000-8000-000000000000'
    await openReader(page, `to=${none}`)
    await heading(page, 'There is no such edit').waitFor()
    expect(await page.locator('main').getByText('There is no such').count()).to.equal(1)
  })

  visits.refused('503: shows the waiting time, and retries after Retry-After', async ({ page }) => {
    let refused = 0
    await page.route('**/api/v1/revisions/*/diff', async (route) => {
      refused += 1
      if (refused > 1) return route.continue()
      await route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: { error: {} } })
    })
    await openNewest(page, 'title')
    expect(refused).to.equal(2)
  })
})
