import { expect } from 'chai'
import type { Page, Route } from 'playwright-core'
import { withBrowser } from './support/browser.ts'
import {
  callsOf,
  heading,
  openReader,
  SITE,
  settled,
  violations,
  visit,
  visitsOf,
  withSample,
} from './support/site.ts'

const title = (page: Page): Promise<string> => page.title()

/** Answers the first request for a page, and lets the others through. @returns how many there were */
const refuseFirst = async (page: Page, answer: Parameters<Route['fulfill']>[0]): Promise<() => number> => {
  let requests = 0
  await page.route('**/api/v1/pages/sencha?**', (route) => {
    requests += 1
    return requests > 1 ? route.continue() : route.fulfill(answer)
  })
  return () => requests
}

describe('reader: errors', () => {
  const browser = withBrowser()
  const sample = withSample()
  const visits = visitsOf(browser, () => sample.origin)

  visits.refused('404: shows the error once, and offers a search', async ({ page }) => {
    for (const address of ['/wiki/en/iced-sencha', `${SITE.reader}?page=iced-sencha&locale=en`]) {
      const response = await page.goto(address)
      if (address.startsWith('/wiki/')) expect(response!.status()).to.equal(404)
      await heading(page, 'There is no such page').waitFor()
      expect(await page.locator('main').getByText('There is no such').count()).to.equal(1)
      await page.getByRole('link', { name: 'Search all texts for “iced sencha”' }).click()
      await heading(page, 'Search: iced sencha').waitFor()
    }
  })

  visits.refused(
    '404: names the path, the page that somebody may have meant, or in which language it exists',
    async ({ page }) => {
      await openReader(page, 'page=Gyokuru&locale=en')
      await heading(page, 'There is no such page').waitFor()
      expect(await title(page)).to.equal('There is no such page · Tea Wiki')
      expect(await page.locator('main .lead').innerText()).to.equal('Gyokuru')
      await page.getByText('Did you mean: ').getByRole('link', { name: 'Gyokuro', exact: true }).click()
      await heading(page, 'Gyokuro').waitFor()
      await openReader(page, 'page=brewing/clod&locale=en')
      await page.getByRole('link', { name: 'Search all texts for “clod”' }).waitFor()
      await page.getByText('Did you mean: ').getByRole('link', { name: 'Cold brewing' }).click()
      await heading(page, 'Cold brewing').waitFor()
      await openReader(page, `page=${encodeURIComponent('急須')}&locale=en`)
      const { title: ofPage } = (await sample.get(`/pages/${encodeURIComponent('急須')}?locale=ja`)).body
      await page.getByRole('link', { name: '日本語: 急須' }).click()
      await heading(page, ofPage).waitFor()
    },
  )

  visits.refused(
    '404: a link to another spelling of a path, or to a former one, leads to the page',
    async ({ page }) => {
      await page.goto('/wiki/en/gyokuro')
      await settled(page)
      await page.evaluate(`document.querySelector('article').insertAdjacentHTML('afterbegin',
      '<a id="spelling" href="./SENCHA#brewing">1</a>')`)
      await page.locator('#spelling').click()
      await heading(page, 'Sencha').waitFor()
      expect(new URL(page.url())).to.include({ pathname: '/wiki/en/sencha', hash: '#brewing' })
      await page.locator('.tree [aria-current=page]', { hasText: 'Sencha' }).waitFor()
      await page.goBack()
      await heading(page, 'Gyokuro').waitFor()
      const Link = '<https://tea.example/api/v1/pages/brewing%2Fgongfu?locale=en>; rel="successor-version"'
      const json = { error: { code: 'not_found', message: 'It moved.' } }
      await page.route('**/pages/old-gongfu?*', (route) =>
        route.fulfill({ status: 404, headers: { Link }, json }),
      )
      await page.evaluate(`document.querySelector('article').insertAdjacentHTML('afterbegin',
      '<a id="former" href="./old-gongfu">1</a>')`)
      await page.locator('#former').click()
      await page.waitForURL(/\/wiki\/en\/brewing\/gongfu$/)
      await page.locator('.tree [aria-current=page]', { hasText: 'Gongfu' }).waitFor()
    },
  )

  visits.refused('404: in the language of the wiki, not taller than the window', async ({ page }) => {
    await page.goto('/wiki/ja/coffee')
    await heading(page, 'このページは存在しません').waitFor()
    expect(await page.locator('html').getAttribute('lang')).to.equal('ja')
    await page.getByRole('contentinfo').waitFor()
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).to.equal(0)
  })

  visits.refused(
    '404: shows what the service has written without a request for the page',
    async ({ page }) => {
      const calls = callsOf(page)
      await page.goto('/wiki/en/iced-sencha')
      await settled(page)
      expect(calls.filter((call) => /iced|suggest/.test(call))).to.deep.equal([])
      expect(calls.length).to.be.below(5)
      // A link to it asks the API, which names in one response what else there is.
      await page.evaluate(`document.querySelector('main').insertAdjacentHTML('beforeend',
        '<a id="one" href="./急須">1</a><a id="other" href="./Gyokuru">2</a>')`)
      await page.locator('#one').click()
      await page.getByRole('link', { name: '日本語: 急須' }).waitFor()
      await page.goBack()
      await heading(page, 'There is no such page').waitFor()
      expect(calls.filter((call) => call.includes('locale=ja'))).to.deep.equal([])
    },
  )

  visits.refused(
    '404 of a language that the wiki does not have: in which the page exists',
    async ({ page }) => {
      await page.goto('/wiki/de/sencha')
      await heading(page, 'There is no such page').waitFor()
      expect(await page.locator('main .cards a').allInnerTexts()).to.include.members([
        'English: Sencha',
        'Español: Sencha',
        'All pages',
      ])
      expect(await violations(page)).to.deep.equal([])
      await page.getByRole('link', { name: 'English: Sencha' }).click()
      await heading(page, 'Sencha').waitFor()
      await page.goBack()
      await heading(page, 'There is no such page').waitFor()
      await page.getByLabel('Search Tea Wiki').fill('gyokuro')
      await page.keyboard.press('Enter')
      await heading(page, 'Search: gyokuro').waitFor()
      await page.locator('.rows').getByRole('link', { name: 'Gyokuro', exact: true }).first().waitFor()
    },
  )

  visits.refused('429: shows the waiting time, and retries after Retry-After', async ({ page }) => {
    await openReader(page, 'pages=all')
    const requests = await refuseFirst(page, {
      status: 429,
      headers: { 'Retry-After': '2' },
      json: { error: { code: 'x', message: 'x' } },
    })
    await page.getByRole('link', { name: 'Sencha', exact: true }).first().click()
    await heading(page, 'Too many requests').waitFor()
    await page.getByText(/^Next attempt: [12] seconds?$/).waitFor()
    await heading(page, 'Sencha').waitFor()
    expect(requests()).to.equal(2)
  })

  visits.refused(
    '503 of a proxy, without JSON and with a date in Retry-After: retries anyway',
    async ({ page }) => {
      await refuseFirst(page, {
        status: 503,
        headers: { 'Retry-After': 'Fri, 31 Dec 2100 23:59:59 GMT' },
        json: { message: 'Back soon' },
      })
      await openReader(page, 'page=sencha&locale=en')
      await heading(page, 'The wiki is busy').waitFor()
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
    await page.route('**/api/v1/pages/matcha?**', (route) => {
      requests += 1
      return route.fulfill({ status: 503, headers: { 'Retry-After': '30' }, json: { error: {} } })
    })
    await page.clock.install()
    await openReader(page, 'page=matcha&locale=en')
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
