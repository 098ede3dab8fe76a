import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { routes } from '../../src/rest/routes/index.ts'
import { WRITTEN_FOR } from '../support/guide.ts'
import { withService, withWorld } from '../support/service.ts'
import { until } from '../support/until.ts'
import { inNewContext, withBrowser } from './support/browser.ts'
import { holdScripts, layoutShift, SITE, violations, visit, visitsOf, withSample } from './support/site.ts'

const OPERATIONS = [...routes.map(({ operationId }) => operationId), 'getOpenapi']

/** Values to fill in, and the path of the request. An operation without an entry is called as its example says. */
const VALUES: Record<string, { fill: Record<string, string>; asks: string }> = {
  listPages: { fill: { limit: '3' }, asks: '/api/v1/pages?limit=3' },
  getPage: { fill: { path: 'is-it-tea?' }, asks: '/api/v1/pages/is-it-tea%3F' },
  listPageHistory: { fill: { path: 'brewing/cold' }, asks: '/api/v1/pages/brewing%2Fcold/history' },
  searchPages: {
    fill: { q: 'steamed leaves & "more"' },
    asks: '/search?q=steamed%20leaves%20%26%20%22more%22',
  },
  listCategoryPages: { fill: { key: 'green-tea' }, asks: '/api/v1/categories/green-tea' },
}

const operation = (page: Page, operationId: string) => {
  const section = page.locator(`#${operationId}`)
  return {
    section,
    field: (name: string) => section.locator(`[data-parameter="${name}"]`),
    line: section.locator('.target'),
    code: (language: string) => section.locator(`.samples [data-language="${language}"]`),
    status: section.locator('.status'),
    body: section.locator('.answer pre').first(),
    notice: section.locator('.notice'),
    send: async () => {
      // A section in sight is built at once, others when the browser has time.
      await section.scrollIntoViewIfNeeded()
      await section.getByRole('button', { name: 'Send' }).click()
    },
    sent: () => section.locator('.answer[data-outcome]:not([aria-busy])').waitFor(),
  }
}

describe('API reference', () => {
  const browser = withBrowser()
  const sample = withSample()
  const visits = visitsOf(browser, () => sample.origin)

  visits(
    'sends the request of every endpoint and shows its response, and nothing on the page moves',
    async ({ page }) => {
      await page.goto(SITE.reference)
      expect(await page.locator('.operation').count()).to.equal(OPERATIONS.length)
      await page
        .locator('.operation.ready')
        .nth(OPERATIONS.length - 1)
        .waitFor()
      const height = () => page.evaluate('document.documentElement.scrollHeight')
      const before = await height()
      for (const id of OPERATIONS) {
        const { field, line, body, status, send, sent } = operation(page, id)
        const { fill = {}, asks = '' } = VALUES[id] ?? {}
        for (const [name, value] of Object.entries(fill)) await field(name).fill(value)
        const pendingResponse = page.waitForResponse(
          (response) => response.request().resourceType() === 'fetch',
        )
        await send()
        const response = await pendingResponse
        expect(response.status(), id).to.equal(200)
        expect(response.url(), id).to.include(asks)
        expect(response.url().endsWith(await line.inputValue()), id).to.equal(true)
        await sent()
        expect(await status.innerText(), id).to.match(/^200 OK · \d+ ms · [\d.]+ k?B$/)
        const text = (await body.textContent())!
        if (response.headers()['content-type']!.startsWith('application/json'))
          expect(JSON.parse(text), id).to.deep.equal(await response.json())
        else expect(text, id).to.include('<feed')
      }
      expect(await height()).to.equal(before)
      expect(await layoutShift(page)).to.be.below(0.05)
    },
  )

  visits(
    'form, request line, code and the address of the page follow each other',
    async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.goto(SITE.reference)
      const one = operation(page, 'listPages')
      await one.field('ns').selectOption('template')
      await one.field('include').getByLabel('markdown').check()
      await one.field('include').getByLabel('summary').check()
      const target = '/pages?ns=template&limit=2&include=markdown,summary'
      expect(await one.line.inputValue()).to.equal(target)
      await one.section.getByRole('tab', { name: 'Go' }).click()
      expect(await one.code('go').textContent()).to.include(`"http://localhost:3000/api/v1${target}"`)
      await one.section.locator('.request .copy').click()
      expect(await page.evaluate('navigator.clipboard.readText()')).to.match(/^package main\n/)
      await one.line.fill('https://wiki.example/api/v1/pages?limit=7&locale=ja')
      expect(await one.field('limit').inputValue()).to.equal('7')
      expect(await one.field('ns').inputValue()).to.equal('')
      expect(await one.code('curl').textContent()).to.equal(
        "curl 'http://localhost:3000/api/v1/pages?limit=7&locale=ja'",
      )
      await one.section.getByRole('button', { name: 'Copy link' }).click()
      const shared = new URL((await page.evaluate('navigator.clipboard.readText()')) as string)
      expect(shared.search + shared.hash).to.equal('?locale=ja&limit=7#listPages')
      await page.goto('about:blank')
      await page.goto(shared.href)
      const again = operation(page, 'listPages')
      expect(await again.line.inputValue()).to.equal('/pages?locale=ja&limit=7')
      expect(await again.code('go').isVisible()).to.equal(true)
      await page.locator('.sections').getByRole('link', { name: 'One page' }).click()
      await page.waitForURL(/\/docs#getPage$/)
    },
  )

  visits(
    'header, sections and panels begin and end at the same lines; what wraps keeps its indent',
    async ({ page }) => {
      await page.goto(SITE.reference)
      for (const width of [1280, 1920]) {
        await page.setViewportSize({ width, height: 900 })
        const edges = async (selector: string) => {
          const { x, width: own } = (await page.locator(selector).first().boundingBox())!
          return { start: Math.round(x), end: Math.round(x + own) }
        }
        const { start } = await edges('.brand')
        const end = (await edges('.theme')).end - 12 // right of the half moon
        expect([(await edges('.sections')).start, (await edges('.try')).end], `${width}`).to.deep.equal([
          start,
          end,
        ])
        const places = (await page.evaluate(`[...document.querySelectorAll('.answer .tabs')]
          .map((tabs) => Math.round(tabs.getBoundingClientRect().right))`)) as number[]
        expect(new Set(places).size, 'places of tabs').to.equal(1)
      }
      const [shown, copied, begin, ...wrapped] = (await page.evaluate(`(() => {
      const code = document.querySelector('#getWiki .answer code')
      getSelection().selectAllChildren(code)
      const line = [...code.querySelectorAll('.code-line')].find((one) => one.textContent.includes('"search"'))
      const range = document.createRange()
      range.selectNodeContents(line.querySelector('.hljs-string'))
      const lefts = [line.querySelector('.hljs-attr'), range].flatMap((one) => [...one.getClientRects()])
      return [code.textContent, getSelection().toString(), ...lefts.map(({ left }) => left)]
    })()`)) as [string, string, number, ...number[]]
      expect(JSON.parse(shown)).to.include.keys('endpoints')
      expect(copied).to.equal(shown)
      expect(wrapped).to.have.length.above(1)
      for (const left of wrapped) expect(left).to.be.above(begin)
    },
  )

  visits(
    'a response that is too long for colors keeps its indent, and its lines break within URLs',
    async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto(SITE.reference)
      const { section, send, sent, body } = operation(page, 'getOpenapi')
      await send()
      await sent()
      const [tabs, text] = [await section.locator('.answer .tabs').boundingBox(), await body.boundingBox()]
      expect(text!.y).to.be.at.least(tabs!.y + tabs!.height)
      const [levels, breaks, left, deeper] = (await page.evaluate(`(() => {
      const code = document.querySelector('#getOpenapi .answer code')
      const count = (selector) => code.querySelectorAll(selector).length
      const lefts = [...code.querySelectorAll('.code-line')].slice(0, 2).map((one) => one.getBoundingClientRect().left)
      return [count('.deeper'), count('wbr'), ...lefts]
    })()`)) as number[]
      expect(JSON.parse((await body.textContent())!)).to.include.keys('openapi')
      expect(await body.locator('[class^="hljs"]').count()).to.equal(0)
      expect([levels, breaks].every((count) => count! > 100)).to.equal(true)
      expect(deeper).to.be.above(left!)
    },
  )

  visits('a parameter that can be repeated takes a value from each line', async ({ page }) => {
    await page.goto(SITE.reference)
    const one = operation(page, 'listPages')
    await one.field('path').fill('green-tea\n\nno page')
    expect(await one.line.inputValue()).to.equal('/pages?limit=2&path=green-tea&path=no%20page')
    await one.line.fill('/pages?path=a&limit=1&path=b')
    expect(await one.field('path').inputValue()).to.equal('a\nb')
    await one.send()
    await one.section.getByRole('button', { name: 'Next part' }).click()
    expect(await one.line.inputValue()).to.equal('/pages?limit=1&after=a&path=a&path=b')
  })

  visits.refused('goes on to the next part of a list', async ({ page }) => {
    await page.goto(`${SITE.reference}?limit=2#listCategories`)
    const { section, line, send, sent, body } = operation(page, 'listCategories')
    await send()
    await sent()
    const { next } = JSON.parse((await body.textContent())!)
    await section.getByRole('button', { name: 'Next part' }).click()
    await sent()
    expect(await line.inputValue()).to.equal(`/categories?limit=2&after=${next}`)
    await page.goto(`${SITE.reference}?path=sencha&limit=1&order=asc#listPageHistory`)
    const history = operation(page, 'listPageHistory')
    await history.send()
    await history.sent()
    await history.section.getByRole('button', { name: 'Next part' }).click()
    expect(await history.line.inputValue()).to.match(
      /^\/pages\/sencha\/history\?limit=1&order=asc&after=\d.+_.+$/,
    )
  })

  visits(
    'says that the API ignores a parameter that the endpoint does not have, and offers the one that was meant',
    async ({ page }) => {
      await page.goto(`${SITE.reference}?query=tea&limit=1#searchPages`)
      const { notice, section, field, line, body, send, sent } = operation(page, 'searchPages')
      await send()
      await sent()
      expect(JSON.parse((await body.textContent())!).items).to.deep.equal([])
      expect(await page.locator('#response-status').textContent()).to.equal(
        'Response with status 200. The API ignored query, which is not a parameter.',
      )
      expect(await notice.innerText()).to.include('query is not a parameter of this endpoint')
      await section.getByRole('button', { name: 'Use q' }).click()
      expect(await field('q').inputValue()).to.equal('tea')
      expect(await line.inputValue()).to.equal('/search?q=tea&limit=1')
      expect(await notice.isVisible()).to.equal(false)
      await line.fill('/search?q=tea&lmit=1&zzz=2')
      expect(await notice.locator('p').allInnerTexts()).to.have.length(2)
      expect(await notice.getByRole('button').allInnerTexts()).to.deep.equal(['Use limit'])
      await line.fill('/pages/sencha/history?limit=1')
      await notice.getByRole('link', { name: 'History of a page' }).click()
      expect(await operation(page, 'listPageHistory').field('path').inputValue()).to.equal('sencha')
    },
  )

  visits.refused(
    'shows an error of the API, and says that there is no connection',
    async ({ page, context }) => {
      await page.goto(SITE.reference)
      const { section, field, body, status, send, sent } = operation(page, 'getPage')
      await field('path').fill('')
      await send()
      expect(await page.evaluate("document.activeElement.matches('#getPage-path:invalid')")).to.equal(true)
      await field('path').fill('coffee')
      await send()
      await sent()
      expect(await status.innerText()).to.match(/^404 Not Found/)
      expect(await body.textContent()).to.include('There is no such page')
      expect((await section.locator('.answer').boundingBox())!.height).to.be.below(300)
      expect(await page.locator('#response-status').textContent()).to.equal('Response with status 404.')
      await section.getByRole('tab', { name: 'Headers' }).click()
      expect(await section.locator('.answer pre').nth(1).innerText()).to.match(/^X-Request-Id: \S/m)
      await context.setOffline(true)
      await send()
      await section.getByText('No response').waitFor()
      expect(await body.textContent()).to.include('This device is offline.')
    },
  )

  visits.refused(
    'an error stands at the field that it names, until one changes it; a response to another request than that of the form is marked; while a request runs, no older status is there',
    async ({ page }) => {
      await page.setViewportSize({ width: 1280, height: 600 })
      await page.goto(`${SITE.reference}?limit=500#listPages`)
      const { section, field, status, send, sent } = operation(page, 'listPages')
      const [answer, next] = [section.locator('.answer[data-stale]'), section.locator('.next')]
      expect(await answer.count(), 'an example').to.equal(0)
      await send()
      await sent()
      expect(
        await section.locator('.error').evaluate((one) => one.getBoundingClientRect().bottom),
      ).to.be.within(0, await page.evaluate('innerHeight'))
      const [message] = await section.locator('.error').allInnerTexts()
      expect(message).to.equal('Must be a whole number from 1 to 200.')
      expect(await field('limit').getAttribute('aria-errormessage')).to.equal('listPages-limit-error')
      await field('ns').selectOption('template')
      expect(await answer.count(), 'another field').to.equal(1)
      const mark = (one: Parameters<typeof getComputedStyle>[0]) => getComputedStyle(one, '::before').content
      expect(await status.evaluate(mark)).to.equal('"Earlier request: "')
      expect(await violations(page)).to.deep.equal([])
      await field('limit').fill('2')
      expect(await section.locator('.error, [aria-invalid]').count()).to.equal(0)
      await field('ns').selectOption('')
      let opacity: unknown
      await page.route('**/api/v1/pages?*', async (route) => {
        await status.getByText('Sending …').waitFor()
        opacity = await page.evaluate("getComputedStyle(document.querySelector('#listPages .send')).opacity")
        await route.continue()
      })
      await send()
      await sent()
      expect(opacity).to.equal('0.5')
      expect([await answer.count(), await next.isVisible()]).to.deep.equal([0, true])
      await field('limit').fill('3')
      expect([await answer.count(), await next.isVisible()]).to.deep.equal([1, false])
      await field('limit').fill('2')
      expect([await answer.count(), await next.isVisible()]).to.deep.equal([0, true])
    },
  )

  visits(
    'on a phone, the request of an endpoint comes after its description, and its field shows all of it',
    async ({ page }) => {
      await page.setViewportSize({ width: 375, height: 740 })
      await page.goto(`${SITE.reference}?q=${'first+flush+'.repeat(6)}tea#searchPages`)
      const { section, line } = operation(page, 'searchPages')
      const isWhole = (field: { scrollHeight: number; clientHeight: number }) =>
        field.scrollHeight <= field.clientHeight
      expect(await line.inputValue()).to.include('tea')
      expect(await line.evaluate(isWhole)).to.equal(true)
      expect((await line.boundingBox())!.height).to.be.above(60)
      const [title, request, parameters] = await Promise.all(
        ['h3', '.target', 'form'].map(async (part) => (await section.locator(part).first().boundingBox())!.y),
      )
      expect(title, 'the section of the address is at the top').to.be.within(0, 200)
      expect(request! - title!).to.be.within(0, 600)
      expect(parameters).to.be.above(request!)
    },
  )

  visits('a link to a section leads there at once, and nothing moves', async ({ page }) => {
    for (const [id, width] of [
      ['getPage', 1280],
      ['errors', 390],
    ] as const) {
      await page.setViewportSize({ width, height: 844 })
      const load = await holdScripts(page)
      await page.goto('about:blank')
      await page.goto(`${SITE.reference}#${id}`, { waitUntil: 'commit' })
      const topOf = async () => (await page.locator(`#${id}`).boundingBox())!.y
      await until(`${id} is at the top`, async () => (await topOf()) < 120)
      // On a busy machine, the fonts of the site come after the first paint.
      await page.evaluate('document.fonts.ready')
      const moved = await layoutShift(page)
      const before = await topOf()
      expect(await page.locator('.try').allInnerTexts()).to.not.match(/<div/)
      load()
      await page.locator('html:not(:has(.operation:not(.ready)))').waitFor()
      expect(await topOf()).to.be.closeTo(before, 1)
      expect(await layoutShift(page)).to.equal(moved)
    }
  })

  it('shows prose, parameters and code without scripts', () =>
    inNewContext(
      browser,
      async (context) => {
        const page = await context.newPage()
        await page.goto(SITE.reference)
        expect(await page.getByRole('heading', { level: 3 }).count()).to.equal(OPERATIONS.length)
        expect(await operation(page, 'searchPages').code('curl').isVisible()).to.equal(true)
        expect(await page.locator('main :is(input, select, textarea):visible').count()).to.equal(0)
        const examples = await page.locator('.operation .try').all()
        for (const [i, example] of examples.entries()) {
          const last = await example.locator('.box:visible').last().boundingBox()
          const next = await examples[i + 1]?.boundingBox()
          expect(last!.y + last!.height).to.be.at.most(next?.y ?? Number.POSITIVE_INFINITY)
        }
        await page.setViewportSize({ width: 375, height: 740 })
        const sections = page.locator('.sections a').first()
        expect(await sections.isVisible(), 'nothing lies over the text').to.equal(false)
        await page.locator('.open-sections').click()
        expect(await sections.isVisible()).to.equal(true)
        await page.goto(SITE.guide)
        const example = page.locator('.example').first()
        expect(await example.locator('.panel:visible').count()).to.equal(3)
        expect(await page.locator('.example .bar:visible').count()).to.equal(0)
        expect(await page.getByRole('button').count()).to.equal(1)
      },
      { baseURL: sample.origin, javaScriptEnabled: false },
    ))

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
        await page.goto(`/some/where${SITE.reference}`)
        const { body, send, sent } = operation(page, 'getWiki')
        const pendingRequest = page.waitForRequest((one) => one.resourceType() === 'fetch')
        await send()
        expect((await pendingRequest).url()).to.equal(`${origin}/some/where/api/v1/`)
        await sent()
        expect(await body.textContent()).to.include('"Tea Wiki"')
        await page.getByRole('link', { name: 'Reader', exact: true }).first().click()
        await page
          .getByRole('link', { name: /^Green tea \d+$/ })
          .first()
          .click()
        await page.getByRole('link', { name: 'Sencha', exact: true }).first().click()
        await page.getByRole('heading', { level: 1, name: 'Sencha' }).waitFor()
        expect(page.url()).to.equal(`${origin}/some/where/wiki/en/sencha`)
        await page.reload()
        await page.getByRole('link', { name: 'Gyokuro', exact: true }).first().click()
        await page.getByRole('heading', { level: 1, name: 'Gyokuro' }).waitFor()
        expect(page.url()).to.equal(`${origin}/some/where/wiki/en/gyokuro`)
        await page.goBack()
        await page.getByRole('heading', { level: 1, name: 'Sencha' }).waitFor()
        await page.locator('.brand').click()
        await page.waitForURL(`${origin}/some/where/wiki/en`)
        await page.locator('.site-header').getByRole('link', { name: 'API', exact: true }).click()
        await page.waitForURL(`${origin}/some/where${SITE.reference}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        expect(faults).to.deep.equal([])
      })
    } finally {
      proxy.closeAllConnections()
      proxy.close()
    }
  })
})

describe('API reference of another wiki', () => {
  const browser = withBrowser()
  const wiki = withService({ rateLimit: 0 })
  const visits = visitsOf(browser, () => wiki.service.listeningUrl)
  const revision = (title: string, markdown: string, day: string) => ({
    title,
    markdown,
    created_at: `2024-06-${day}T12:00:00.000000Z`,
    categories: [{ key: 'أخضر' }],
  })
  withWorld(wiki, {
    name: 'شاي',
    locales: ['ar', 'en'],
    default_locale: 'ar',
    categories: [{ key: 'أخضر', locale: 'ar', name: 'الأخضر' }],
    pages: [
      {
        path: "it's/شاي",
        locale: 'ar',
        revisions: [revision('شاي', 'قديم', '01'), revision('شاي', 'شراب [ماء](/ar/ماء) ساخن', '02')],
      },
      { path: 'ماء', locale: 'ar', revisions: [revision('ماء', 'سائل', '03')] },
    ],
  })

  visits('every request that is filled in succeeds, and its command asks for the same', async ({ page }) => {
    await page.goto(SITE.reference)
    // This wiki has no files, so that no path of one is filled in.
    const file = operation(page, 'getFile')
    expect(await file.line.inputValue()).to.equal('/files/{path}')
    expect(await file.code('curl').textContent()).to.equal(`curl '${WRITTEN_FOR}/files/{path}'`)
    await file.send()
    expect(await file.notice.innerText()).to.equal('Fill in path.')
    await file.field('path').fill('{a b}')
    expect(await file.line.inputValue()).to.equal('/files/%7Ba%20b%7D')
    expect(await file.notice.isVisible()).to.equal(false)
    await file.line.fill('/files/{path}')
    expect(await file.field('path').inputValue()).to.equal('')
    for (const id of OPERATIONS.filter((id) => id !== 'getFile')) {
      const { line, code } = operation(page, id)
      const target = await line.inputValue()
      expect(await code('curl').textContent(), id).to.equal(`curl '${WRITTEN_FOR}${target}'`)
      expect((await wiki.getServed(target)).status, `${id} ${target}`).to.equal(200)
    }
  })
})
