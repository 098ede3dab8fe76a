import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { routes } from '../../src/rest/routes/index.ts'
import { withBrowser } from './support/browser.ts'
import { SITE, visit, withoutRefusals, withSample } from './support/site.ts'

/** Operations by tag and `operationId`, from which Swagger UI derives element ids. */
const OPERATIONS = [
  ...routes.map(({ tag, name, operationId, path }) => ({ tag, name, operationId, path })),
  { tag: 'Wiki', name: 'openapi', operationId: 'getOpenapi', path: '/openapi.json' },
]

/** Values to fill in, and the path of the request. An operation without an entry is called as its example says. */
const VALUES: Record<string, { fill?: Record<string, string>; asks: string }> = {
  pages: { fill: { limit: '3' }, asks: '/pages' },
  page: { fill: { path: 'is-it-tea?' }, asks: '/pages/is-it-tea%3F' },
  history: { fill: { path: 'brewing/cold' }, asks: '/pages/brewing%2Fcold/history' },
  revision: { asks: '/revisions/' },
  diff: { asks: '/revisions/' },
  search: { fill: { q: 'steamed leaves' }, asks: '/search' },
  recent: { fill: { limit: '2' }, asks: '/recent' },
  category: { fill: { key: 'green-tea' }, asks: '/categories/green-tea' },
}

const open = async (page: Page, start: string, of: { tag: string; operationId: string }) => {
  await page.goto(start + SITE.reference)
  const operation = page.locator(`#operations-${of.tag}-${of.operationId}`)
  await operation.locator('.opblock-summary-control').click()
  await operation.locator('.execute').waitFor()
  return operation
}

describe('API reference', () => {
  const browser = withBrowser()
  const sample = withSample()

  for (const one of OPERATIONS) {
    it(`GET ${one.path} can be tried, and shows the response`, () =>
      visit(browser, sample.origin, async ({ page, faults }) => {
        const operation = await open(page, '', one)
        const { fill = {}, asks } = VALUES[one.name] ?? { asks: one.path }
        for (const [name, value] of Object.entries(fill)) {
          await operation.locator(`tr[data-param-name="${name}"] input`).fill(value)
        }
        const pendingResponse = page.waitForResponse((response) => {
          const { pathname } = new URL(response.url())
          return asks === '/' ? pathname === '/api/v1/' : pathname.startsWith(`/api/v1${asks}`)
        })
        await operation.locator('.execute').click()
        const response = await pendingResponse
        expect(response.status()).to.equal(200)
        const table = operation.locator('.live-responses-table')
        expect(await table.locator('tbody .response-col_status').first().innerText()).to.match(/^200/)
        const text = await table.locator('.highlight-code code').first().textContent()
        if (response.headers()['content-type']!.startsWith('application/json'))
          expect(JSON.parse(text!)).to.deep.equal(await response.json())
        else expect(text).to.include('<feed')
        expect(faults).to.deep.equal([])
      }))
  }

  it('shows an error of the API', () =>
    visit(browser, sample.origin, async ({ page, faults }) => {
      const operation = await open(page, '', { tag: 'Pages', operationId: 'getPage' })
      await operation.locator('tr[data-param-name="path"] input').fill('coffee')
      await operation.locator('.execute').click()
      const table = operation.locator('.live-responses-table')
      expect(await table.innerText()).to.match(/404[\s\S]*"not_found"[\s\S]*There is no such page/)
      expect(await page.locator('[role=status]').textContent()).to.equal('Response with status 404.')
      expect(withoutRefusals(faults)).to.deep.equal([])
    }))

  it('shows an error if openapi.json fails to load', () =>
    visit(browser, sample.origin, async ({ page }) => {
      await page.route('**/openapi.json', (route) =>
        route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Not just now.' } } }),
      )
      await page.goto(SITE.reference)
      await page.getByText('The reference could not be loaded: Not just now.').waitFor()
    }))

  it('works behind a proxy that adds a path prefix, whatever BASE_URL is', async () => {
    const { port } = new URL(sample.origin)
    const proxy = createServer((incoming, response) => {
      if (!incoming.url!.startsWith('/some/where/')) {
        response.writeHead(404).end()
        return
      }
      request(
        { port, path: incoming.url!.slice('/some/where'.length), headers: incoming.headers },
        (upstream) => {
          response.writeHead(upstream.statusCode!, upstream.headers)
          upstream.pipe(response)
        },
      ).end()
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    try {
      await visit(browser, origin, async ({ page, faults }) => {
        const operation = await open(page, '/some/where', { tag: 'Wiki', operationId: 'getWiki' })
        await operation.locator('.execute').click()
        expect(await operation.locator('.request-url').innerText()).to.include(`${origin}/some/where/api/v1/`)
        expect(await operation.locator('.live-responses-table').innerText()).to.include('"Tea Wiki"')
        await page.getByRole('link', { name: 'Demo reader', exact: true }).click()
        await page.getByRole('link', { name: 'Sencha', exact: true }).first().click()
        await page.getByRole('heading', { level: 1, name: 'Sencha' }).waitFor()
        expect(page.url()).to.include(`${origin}/some/where/api/v1/docs/reader?`)
        await page.getByRole('link', { name: 'Tea Wiki API' }).click()
        await page.getByRole('heading', { name: 'Tea Wiki API' }).waitFor()
        expect(faults).to.deep.equal([])
      })
    } finally {
      proxy.closeAllConnections()
      proxy.close()
    }
  })
})
