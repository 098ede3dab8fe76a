import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import type { BrowserContext, Frame, Page } from 'playwright-core'
import { packagePath } from '../../src/paths.ts'
import { makeWorldWithFiles, png } from '../support/files.ts'
import { testId } from '../support/ids.ts'
import { document } from '../support/openapi-check.ts'
import { withService } from '../support/service.ts'
import { until } from '../support/until.ts'
import type { WorldSpec } from '../support/world.ts'
import { launchBrowser, withBrowser } from './support/browser.ts'
import { callFrom, openPage, type WireRequest, withOtherSite } from './support/other-site.ts'

/** Paths of the operations that need parameters, by their path in openapi.json. */
const PATHS: Record<string, string> = {
  '/pages': '/pages?limit=1',
  '/pages/{path}': '/pages/tea%2Fgreen?format=both',
  '/pages/{path}/history': '/pages/tea/green/history',
  '/revisions/{id}': `/revisions/${testId(1)}`,
  '/revisions/{id}/diff': `/revisions/${testId(1)}/diff`,
  '/search': '/search?q=leaves',
  '/recent': '/recent?limit=1',
  '/categories/{key}': '/categories/green',
  '/links': '/links?to=water',
  '/files/{path}': '/files/cup.png',
  '/suggest': '/suggest?q=wat',
}

/** A drawing that tries to run a script. */
const LEAF = `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="9"><script>document.documentElement.id = 'run'</script></svg>`

const CHART = readFileSync(packagePath('sample', 'tea-wiki.files', 'files', 'brewing-chart.pdf'))

/** Headers of every response. */
const ALWAYS = ['cache-control', 'ratelimit', 'ratelimit-policy', 'x-request-id']

describe('a script on another site', () => {
  const test = withBrowser()
  const site = withOtherSite()
  let failure: Error | undefined
  const api = withService(
    {},
    {
      wrap: (database) => ({
        ...database,
        query: async (statement, values) => {
          if (failure) throw failure
          return database.query(statement, values)
        },
      }),
    },
  )
  const limited = withService({ rateLimit: 1 })
  const world: WorldSpec = {
    categories: [{ key: 'green', locale: 'en', name: 'Green' }],
    pages: [
      {
        path: 'tea/green',
        revisions: [
          { id: testId(1), markdown: 'Steamed leaves.', categories: [{ key: 'green' }] },
          { id: testId(2), markdown: 'Leaves, **steamed**. '.repeat(200), categories: [{ key: 'green' }] },
        ],
      },
      { path: 'water', revisions: [{ markdown: '![A cup](cup.png) ![](leaf.svg) [Chart](chart.pdf)' }] },
    ],
  }
  before(async () => {
    await makeWorldWithFiles(world, [
      { path: 'cup.png', data: png(4, 3) },
      { path: 'leaf.svg', data: LEAF },
      { path: 'chart.pdf', data: CHART },
    ])
    api.service.invalidate()
  })

  let context: BrowserContext
  let page: Page
  let requests: () => Promise<WireRequest[]>
  beforeEach(async () => {
    failure = undefined
    context = await test.browser.newContext()
    const opened = await openPage(context, `${site.origin}/`, () => at('/the/last'))
    page = opened.page
    requests = opened.requests
  })
  afterEach(() => context?.close())

  const at = (path: string, service = api) => `${service.service.listeningUrl}/api/v1${path}`
  /** With the addresses of files at which this service can be reached. */
  const reachable = (text: string) =>
    text.replaceAll('http://localhost:3000/media/', `${api.service.listeningUrl}/media/`)
  const call = (path: string, init?: RequestInit) => callFrom(page, at(path), init)
  const wire = async () => (await requests()).map(({ method, status }) => `${method} ${status}`)
  const codeOf = (text: string) => JSON.parse(text).error.code

  /** Reads everything that a script needs of the API, from a page that may have no origin. */
  const expectToRead = async (from: Page | Frame) => {
    const { status, headers, text } = await callFrom(from, at('/pages/tea/green'))
    expect({ status, path: JSON.parse(text).path }).to.deep.equal({ status: 200, path: 'tea/green' })
    expect(headers).to.include.keys('etag', 'link', 'content-language', ...ALWAYS)
    const own = { headers: { 'If-None-Match': headers.etag!, 'X-Request-Id': 'mine' } }
    const again = await callFrom(from, at('/pages/tea/green'), own)
    expect(again).to.deep.include({ status: 304, text: '' })
    expect(again.headers).to.include({ 'x-request-id': 'mine', etag: headers.etag })
    expect(codeOf((await callFrom(from, at('/pages/never'))).text)).to.equal('not_found')
    await callFrom(from, at('/', limited))
    const refused = await callFrom(from, at('/recent', limited), own)
    expect(refused.status).to.equal(429)
    expect(refused.headers).to.include.keys('retry-after', ...ALWAYS)
  }

  for (const path of ['/', '/isolated'])
    it(`shows the pictures of a page, and reads their bytes, on ${path}`, async () => {
      await page.goto(site.origin + path)
      const html = reachable(JSON.parse((await call('/pages/water?format=html')).text).html)
      const sizes = await page.evaluate(async (html) => {
        const { body, images } = globalThis.document
        body.innerHTML = html
        const pictures = [...images]
        await Promise.all(pictures.map((picture) => picture.decode()))
        return pictures.map(({ naturalWidth, naturalHeight }) => [naturalWidth, naturalHeight])
      }, html)
      expect(sizes).to.deep.equal([
        [4, 3],
        [8, 9],
      ])
      const read = await page.evaluate(async () => {
        const response = await fetch(globalThis.document.images[0]!.src, { headers: { Range: 'bytes=1-3' } })
        return [await response.text(), response.headers.get('content-range')]
      })
      expect(read).to.deep.equal(['PNG', `bytes 1-3/${png(4, 3).length}`])
    })

  it('opens a drawing without running its script', async () => {
    const { url } = JSON.parse((await call('/files/leaf.svg')).text)
    await page.goto(reachable(url))
    const root = await page.evaluate(() => {
      const { tagName, id } = globalThis.document.documentElement
      return [tagName, id]
    })
    expect(root).to.deep.equal(['svg', ''])
  })

  it('opens a PDF in the viewer of the browser', async () => {
    const url = reachable(JSON.parse((await call('/files/chart.pdf')).text).url)
    const browser = await launchBrowser({ isWhole: true })
    try {
      const page = await browser.newPage()
      await page.goto(url)
      // The page itself, and the frame of the viewer in which the document is drawn.
      await until('the PDF is drawn', () => page.frames().filter((frame) => frame.url() === url).length === 2)
    } finally {
      await browser.close()
    }
  })

  it('reads every operation, the same as on the same site, and every documented header of the response', async () => {
    const templates = Object.keys(document.paths!)
    for (const template of templates) {
      const result = await call(PATHS[template] ?? template)
      const { text, headers } = await api.get(PATHS[template] ?? template)
      expect(result.status, template).to.equal(200)
      expect(result.text).to.equal(text)
      const documented = Object.keys(document.components!.headers!)
        .map((name) => name.toLowerCase())
        .filter((name) => name in headers && !/^(access-control-|vary$)/.test(name))
      expect(Object.keys(result.headers)).to.include.members(documented).and.include.members(ALWAYS)
      for (const name of ['etag', 'link', 'content-language', 'content-type']) {
        expect(result.headers[name], name).to.equal(headers[name])
      }
    }
    expect(await wire()).to.deep.equal(templates.map(() => 'GET 200'))
    for (const { headers } of await requests()) expect(headers.origin).to.equal(site.origin)
  })

  describe('errors', () => {
    it('405, with Allow: a POST of text, and of JSON, which needs a preflight', async () => {
      for (const type of ['text/plain', 'application/json']) {
        const headers = { 'Content-Type': type }
        const result = await call('/pages', { method: 'POST', body: '{}', headers })
        expect({ status: result.status, code: codeOf(result.text) }).to.deep.equal({
          status: 405,
          code: 'method_not_allowed',
        })
        expect(result.headers)
          .to.include({ allow: 'GET, HEAD, OPTIONS' })
          .and.include.keys(...ALWAYS)
      }
      expect(await wire()).to.deep.equal(['POST 405', 'OPTIONS 204', 'POST 405'])
    })

    it('PUT, PATCH and DELETE: the preflight does not allow them, and the browser sends nothing else', async () => {
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        expect((await call('/pages', { method })).refused, method).to.equal('TypeError')
      }
      expect(new Set(await wire())).to.deep.equal(new Set(['OPTIONS 204']))
    })

    it('500', async () => {
      failure = new Error('a defect')
      const { status, headers, text } = await call('/recent?limit=4')
      expect({ status, code: codeOf(text) }).to.deep.equal({ status: 500, code: 'internal' })
      expect(headers).to.include.keys(...ALWAYS)
    })
  })

  describe('with custom headers', () => {
    it('sends one preflight for each URL, because the browser caches it', async () => {
      const headers = { 'X-Request-Id': 'mine', Authorization: 'Bearer none', 'X-Any.Thing': '1' }
      for (const _ of [1, 2, 3]) {
        const result = await call('/pages?limit=0', { headers })
        expect(result.headers['x-request-id']).to.equal('mine')
      }
      expect(await wire()).to.deep.equal(['OPTIONS 204', 'GET 400', 'GET 400', 'GET 400'])
      expect((await requests())[0]!.headers).to.include({
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,x-any.thing,x-request-id',
      })
    })
  })

  describe('with the cache of the browser', () => {
    it('sends no second request within a minute', async () => {
      const [first, second] = [await call('/pages/tea/green'), await call('/pages/tea/green')]
      expect(second).to.deep.equal(first)
      expect(await wire()).to.deep.equal(['GET 200'])
    })

    it('a revalidation by the browser is a 304 on the wire, and a 200 for the script', async () => {
      const first = await call('/pages/tea/green')
      const second = await call('/pages/tea/green', { cache: 'no-cache' })
      expect(second).to.deep.include({ status: 200, text: first.text })
      expect(await wire()).to.deep.equal(['GET 200', 'GET 304'])
      expect((await requests())[1]!.headers['if-none-match']).to.equal(first.headers.etag)
      expect(second.headers['x-request-id']).not.to.equal(first.headers['x-request-id'])
    })
  })

  describe('without an origin', () => {
    const framed = async (attributes: Record<string, string>): Promise<Frame> => {
      await page.evaluate((attributes) => {
        const frame = globalThis.document.createElement('iframe')
        for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value)
        return new Promise((loaded) => {
          frame.onload = loaded
          globalThis.document.body.append(frame)
        })
      }, attributes)
      return page.mainFrame().childFrames()[0]!
    }

    it('in a sandboxed frame: reads responses, errors, 304 and 429', async () => {
      const frame = await framed({ sandbox: 'allow-scripts', srcdoc: 'sandboxed' })
      expect(await frame.evaluate('origin')).to.equal('null')
      await expectToRead(frame)
    })

    it('in a file: the same', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'lectern-page-'))
      try {
        await writeFile(join(folder, 'page.html'), '<!doctype html><title>a file</title>')
        await page.goto(pathToFileURL(join(folder, 'page.html')).href)
        expect(await page.evaluate('origin')).to.equal('null')
        await expectToRead(page)
      } finally {
        await rm(folder, { recursive: true })
      }
    })
  })

  it('in a page that is cross-origin isolated: the same', async () => {
    await page.goto(`${site.origin}/isolated`)
    expect(await page.evaluate('crossOriginIsolated')).to.equal(true)
    await expectToRead(page)
  })
})
