import { expect } from 'chai'
import { packageVersion } from '../src/paths.ts'
import { exchangeOne } from './support/raw.ts'
import { type TestService, withService, withWorld } from './support/service.ts'

const PAGES = ['/', '/api/v1/docs', '/api/v1/docs/guide', '/api/v1/docs/reader']

/** Addresses in HTML, in a style sheet and in a module, as they are written there. */
const addressesIn = (text: string, type: string): string[] => {
  if (type.startsWith('text/html'))
    return [...text.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, one]) => one!)
  if (type.startsWith('text/css')) return [...text.matchAll(/url\("?([^")]*)"?\)/g)].map(([, one]) => one!)
  return [...text.matchAll(/^import (?:[^'\n]* from )?'(\.[^']*)'/gm)].map(([, one]) => one!)
}

/** Everything that a page loads, by its path on the listener. @param from the page as a browser calls it */
const loadedBy = async (test: TestService, from: string, prefix: string): Promise<string[]> => {
  const seen = new Set<string>()
  const visit = async (path: string): Promise<void> => {
    const { status, text, headers } = await test.call(path.slice(prefix.length))
    expect(status, path).to.equal(200)
    const type = headers['content-type']!
    if (path.includes('/swagger-ui') || path.endsWith('/diff.js')) return
    for (const address of addressesIn(text, type)) {
      const isLoaded = type.startsWith('text/html')
        ? address.includes('/assets/')
        : !address.startsWith('data:')
      if (!isLoaded) continue
      const url = new URL(address, `http://proxy.example${path}`)
      expect(url.origin, `${address} in ${path}`).to.equal('http://proxy.example')
      expect(url.pathname, `${address} in ${path}`).to.match(new RegExp(`^${prefix}/api/v1/docs/assets/`))
      if (seen.has(url.pathname)) continue
      seen.add(url.pathname)
      await visit(url.pathname)
    }
  }
  await visit(from)
  return [...seen]
}

describe('pages for people', () => {
  const test = withService()
  withWorld(test, { name: 'Tea & <Leaves> "x" {{root}} $&' })
  const assets = new Set<string>()

  before(async () => {
    for (const page of PAGES) for (const path of await loadedBy(test, page, '')) assets.add(path)
  })

  it('are a landing page, a reference, a guide and a reader, each under its address and with a slash after it', async () => {
    const titles = {
      '/': 'Read-only API',
      '/api/v1/docs': 'Reference',
      '/api/v1/docs/guide': 'Guide',
      '/api/v1/docs/reader': 'Reader',
    }
    for (const [path, title] of Object.entries(titles)) {
      for (const called of path === '/' ? [path] : [path, `${path}/`, `${path}?x=1`]) {
        const { status, headers, text } = await test.call(called)
        expect(status, called).to.equal(200)
        expect(headers['content-type'], called).to.equal('text/html; charset=utf-8')
        expect(text, called).to.include(`<title>${title} · `)
      }
    }
  })

  it('nothing runs in them but files of their own origin, and nobody may frame them', async () => {
    for (const path of PAGES) {
      const policy = (await test.call(path)).headers['content-security-policy']
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ]) {
        expect(policy, path).to.include(part)
      }
      expect(policy, path).not.to.include('unsafe')
    }
  })

  it("the wiki's name is text, whatever is in it", async () => {
    for (const path of PAGES) {
      const { text } = await test.call(path)
      expect(text, path).to.include('Tea &#38; &#60;Leaves&#62; &#34;x&#34; {{root}} $&#38;')
      expect(text, path).not.to.include('<Leaves>')
    }
  })

  it('may be kept as long as answers, HEAD is the same without a body, If-None-Match gets 304', async () => {
    for (const path of PAGES) {
      test.service.invalidate()
      const { headers, text } = await test.call(path)
      expect(headers['cache-control'], path).to.equal('public, max-age=60')
      const head = await test.call(path, { method: 'HEAD' })
      expect(head.headers['content-length'], path).to.equal(String(Buffer.byteLength(text)))
      expect(head.text, path).to.equal('')
      const again = await test.call(path, { headers: { 'If-None-Match': headers.etag! } })
      expect(again.status, path).to.equal(304)
    }
  })

  it('the guide is written for the address of this API', async () => {
    const { text } = await test.call('/api/v1/docs/guide')
    expect(text).to.include('http://localhost:3000/api/v1/pages?limit=2')
    expect(text)
      .to.match(/<h2 id="limits">/)
      .and.include('<a href="#limits">Limits</a>')
  })

  it('what they load is theirs, and is there, behind a proxy that puts a path before it too', async () => {
    for (const page of PAGES) {
      for (const called of page === '/' ? [page] : [page, `${page}/`]) {
        const loaded = await loadedBy(test, `/some/where${called}`, '/some/where')
        expect(
          loaded.some((path) => path.endsWith('/site.css')),
          called,
        ).to.equal(true)
      }
    }
    expect([...assets].map((path) => path.split('/').at(-1))).to.include.members([
      'swagger-ui-bundle.js',
      'swagger-ui.css',
      'reference.js',
      'guide.js',
      'main.js',
      'icon.svg',
    ])
  })

  it('files have their types, are kept for a year under a name that changes with them, and come compressed', async () => {
    const types = {
      css: 'text/css; charset=utf-8',
      js: 'text/javascript; charset=utf-8',
      svg: 'image/svg+xml',
    }
    for (const path of assets) {
      const { headers, text } = await test.call(path, { headers: { 'Accept-Encoding': 'br' } })
      expect(headers['content-type'], path).to.equal(types[path.split('.').at(-1) as keyof typeof types])
      expect(headers['cache-control'], path).to.equal('public, max-age=31536000, immutable')
      expect(path).to.match(/\/assets\/[0-9a-f]{16}\//)
      if (text.length > 1024) expect(headers['content-encoding'], path).to.equal('br')
      const head = await test.call(path, { method: 'HEAD', headers: { 'Accept-Encoding': 'br' } })
      expect(head.headers['content-length'], path).to.equal(headers['content-length'])
      expect(head.text, path).to.equal('')
      const again = await test.call(path, { headers: { 'If-None-Match': headers.etag! } })
      expect(again.status, path).to.equal(304)
    }
  })

  it('404 for every other file, version or way to a file: nothing is looked for on the disk', async () => {
    const folder = [...assets][0]!.split('/').slice(0, -1).join('/').replace('/reader', '')
    for (const name of [
      '',
      'none.js',
      'site.css/',
      'SITE.css',
      '../../../../package.json',
      '%2e%2e/%2e%2e/package.json',
      '..%2fpackage.json',
      '..%5cpackage.json',
      '%00',
      'reader',
      '/site.css',
      './site.css',
      'site%2ecss',
      'toString',
      '__proto__',
    ]) {
      const { status, body, headers } = await test.call(`${folder}/${name}`)
      expect(status, name).to.equal(404)
      expect(body.error.code, name).to.equal('not_found')
      expect(JSON.stringify(body), name).not.to.include(packageVersion())
      expect(headers['cache-control'], name).not.to.include('immutable')
    }
    for (const path of [
      `/api/v1/docs/assets/0000000000000000/site.css`,
      '/api/v1/docs/assets/site.css',
      '/api/v1/docs/assets',
      '/api/v1/docs/nothing',
      '/api/v1/docsx',
      '/site/pages/layout.html',
    ]) {
      expect((await test.call(path)).status, path).to.equal(404)
    }
  })

  it('nothing is written or deleted there either: 405', async () => {
    for (const path of [...PAGES, [...assets][0]!]) {
      expect((await test.call(path, { method: 'POST' })).status, path).to.equal(405)
    }
  })
})

describe('what pages for people cost', () => {
  const test = withService({ rateLimit: 3 })
  withWorld(test, {})

  it("none of a client's requests to the API: they have a limit of their own", async () => {
    for (const page of PAGES) {
      for (const path of [page, ...(await loadedBy(test, page, ''))]) {
        const { status, headers } = await test.call(path)
        expect(status, path).to.equal(200)
        expect(headers['ratelimit-policy'], path).to.equal('"site";q=600;w=60')
      }
    }
    expect((await test.get('/')).headers.ratelimit).to.match(/^"default";r=2;/)
  })

  it('429 after 600 in a minute', async () => {
    let last = await test.call('/api/v1/docs', { method: 'HEAD' })
    for (let i = 0; i < 600 && last.status === 200; i++)
      last = await test.call('/api/v1/docs', { method: 'HEAD' })
    expect(last.status).to.equal(429)
    expect(last.headers['retry-after']).to.match(/^([1-9]|[1-5]\d|60)$/)
    expect(last.headers.ratelimit).to.match(/^"site";r=0;/)
  })

  it('an absolute target is counted as a request to the API: it is no browser that sends it', async () => {
    const answer = await exchangeOne(
      test.service.listeningUrl,
      'GET http://x.example/api/v1/docs HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    )
    expect(answer.headers['ratelimit-policy']).to.equal('"default";q=3;w=60')
  })
})

describe('pages for people where there is no limit of requests', () => {
  const test = withService({ rateLimit: 0 })
  withWorld(test, {})

  it('have none either, and say so', async () => {
    const { headers, text } = await test.call('/')
    expect(headers).not.to.have.property('ratelimit')
    expect(text).to.include('No limit of requests.')
  })
})
