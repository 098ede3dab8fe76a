import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { statement } from '../src/db/statements.ts'
import { accentStyles, contrast, parseHex } from '../src/docs-site/branding.ts'
import { sitemapResponse } from '../src/docs-site/crawlers.ts'
import { guideMarkdown } from '../src/docs-site/guide/markdown.ts'
import { packagePath, packageVersion } from '../src/paths.ts'
import type { OwnApi } from '../src/rest/openapi/own-api.ts'
import type { RequestContext } from '../src/rest/route.ts'
import { writeClientArchives } from '../tools/client-archives.ts'
import { testDatabase } from './support/database.ts'
import { guideExamples, missingFor, runExamples, WRITTEN_FOR } from './support/guide.ts'
import { type TestService, withService, withWorld } from './support/service.ts'
import { until } from './support/until.ts'
import { importRecords, makeWorld, recordsOf, type WorldSpec } from './support/world.ts'

/** The parts of the guide whose programs contain texts of the wiki. */
const PARTS_WITH_TEXTS = ['Read a page', 'Search', 'Keep a copy']

const PROPERTIES = '<table>\n<tbody><tr>\n<td>a</td>\n</tr>\n</tbody></table>'
const FORMULA =
  '<math><semantics><msup><mi>x</mi><mn>2</mn></msup><annotation encoding="a">x^2</annotation></semantics></math>'
const PAGES = ['/', '/api/v1/docs', '/api/v1/docs/guide', '/api/v1/docs/reader']

/** A module that browsers load. */
const siteModule = (file: string) => import(pathToFileURL(packagePath('site', 'assets', file)).href)

/** The URLs in HTML, in a style sheet or in a module, as written there. */
const urlsIn = (text: string, type: string): string[] => {
  if (type.startsWith('text/html'))
    return [...text.matchAll(/(?:href|src|data-module)="([^"]*)"|url\(([^")]*)\)/g)].map(
      ([, link, url]) => (link ?? url)!,
    )
  if (type.startsWith('text/css')) return [...text.matchAll(/url\("?([^")]*)"?\)/g)].map(([, url]) => url!)
  return [...text.matchAll(/new URL\("([\w./]+\.css)",\s*import\.meta\.url\)/g)].map(([, url]) => url!)
}

/** The paths of all assets that a page loads. @param from the URL path at which a browser requests the page */
const assetsOf = async (test: TestService, from: string, prefix: string): Promise<string[]> => {
  const seen = new Set<string>()
  const visit = async (path: string): Promise<void> => {
    const { status, text, headers } = await test.call(path.slice(prefix.length))
    expect(status, path).to.equal(200)
    const type = headers['content-type']!
    for (const address of urlsIn(text, type)) {
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

describe('documentation site', () => {
  const test = withService()
  withWorld(test, { name: 'Tea & <Leaves> "x" {{root}} $&' })

  it('serves landing page, reference, guide and reader, each also with a slash after its path, and the name of the wiki as text', async () => {
    const titles = {
      '/': 'Read-only API',
      '/api/v1/docs': 'Reference',
      '/api/v1/docs/guide': 'Guide',
      '/api/v1/docs/reader': 'EN',
    }
    for (const [path, title] of Object.entries(titles)) {
      for (const requested of path === '/' ? [path] : [path, `${path}/`, `${path}?x=1`]) {
        const { status, headers, text } = await test.call(requested)
        expect(status, requested).to.equal(200)
        expect(headers['content-type'], requested).to.equal('text/html; charset=utf-8')
        expect(text, requested).to.include(`<title>${title} · `)
        expect(text, requested).not.to.match(/\bdemo\b/i)
        if (title !== 'EN')
          expect(text, requested).to.include(`rel="canonical" href="http://localhost:3000${path}"`)
        expect(text, requested).to.include('under <a href="https://license.example/">this license</a>')
        expect(text, requested).to.include('Tea &#38; &#60;Leaves&#62; &#34;x&#34; {{root}} $&#38;')
        expect(text, requested).not.to.include('<Leaves>')
      }
    }
    expect((await test.call('/')).text)
      .to.include(
        '<link rel="alternate" type="application/atom+xml" title="Recent edits" href="./api/v1/recent.atom">',
      )
      .and.include('href="./llms.txt"')
  })

  it('the reference names types as people do, and every error that a client can get', async () => {
    const { text } = await test.call('/api/v1/docs')
    const types = new Set([...text.matchAll(/class="type">([^<]*)/g)].map(([, type]) => type))
    expect([...types]).to.include.members([
      ...['array of arrays of integers', 'array of objects', 'string or null', 'integer or null'],
      ...['uuid or null', 'date-time or null', 'object or null'],
    ])
    expect(text).to.match(/"name">moved_to<\/code> <span class="type">object<\/span> <span[^>]*>optional</)
    expect([...types].join()).not.to.match(/any|ss\b|,\w+null/)
    const statuses = [...text.matchAll(/<th scope="row">(\d+)/g)].map(([, status]) => status)
    expect(statuses).to.deep.equal(['400', '404', '405', '429', '431', '500', '503'])
  })

  it('the reference lists the fields of each form that an item can have', async () => {
    const { text } = await test.call('/api/v1/docs')
    const variants = [
      ...text.matchAll(/<div class="variant" role="group" aria-label="([^"]*)">(.*?)<\/div>/gs),
    ]
    const fieldsOf = (label: string) => {
      const [, , html = ''] = variants.find(([, name]) => name === label) ?? []
      const names = [...html.matchAll(/class="name">(\w+)<.*?<\/p>/g)]
      return names.map(([field, name]) => (field.includes('optional') ? `${name}?` : name))
    }
    expect(fieldsOf('type: upsert').slice(0, 5)).to.deep.equal(['type', 'path', 'title', 'locale', 'ns'])
    expect(fieldsOf('type: upsert'))
      .to.include.members(['changed_at', 'markdown?'])
      .and.not.include('moved_to?')
    expect(fieldsOf('type: gone').slice(0, 6)).to.deep.equal([
      ...['type', 'path', 'locale', 'ns', 'changed_at', 'moved_to?'],
    ])
    expect(fieldsOf('missing: true').slice(0, 3)).to.deep.equal(['path', 'missing', 'moved_to?'])
    expect(fieldsOf('A page in a list.')).to.include('title')
  })

  it('Content-Security-Policy: pages run only scripts of their own origin, and cannot be framed', async () => {
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
    // What draws diagrams has no origin, and is in a frame of this site alone.
    const [, folder] = /"([^"]+\/assets\/\w+\/)/.exec((await test.call('/')).text)!
    const frame = await test.call(new URL(`${folder}diagrams/frame.html`, 'http://localhost/').pathname)
    expect(frame.headers['content-security-policy'])
      .to.include("default-src 'none'; script-src 'self';")
      .and.match(/frame-ancestors 'self'; sandbox allow-scripts$/)
  })

  it('/.well-known/api-catalog names the description and the documentation of the API, and so does the reference', async () => {
    const { status, headers, body, text } = await test.call('/.well-known/api-catalog')
    expect(status).to.equal(200)
    expect(headers['content-type']).to.match(/^application\/linkset\+json; profile="/)
    expect(headers['ratelimit-policy']).to.include('"site"')
    const base = 'http://localhost:3000/api/v1'
    expect(body ?? JSON.parse(text)).to.deep.equal({
      linkset: [
        {
          anchor: base,
          'service-desc': [{ href: `${base}/openapi.json`, type: 'application/json' }],
          'service-doc': [{ href: `${base}/docs`, type: 'text/html' }],
        },
      ],
    })
    expect((await test.call('/api/v1/docs')).text).to.include('href="../../api/v1/openapi.json"')
    expect((await test.call('/api/v1/docs/')).text).to.include('href="../../../api/v1/openapi.json"')
  })

  it('/api/v1/docs/guide.md is the guide as Markdown, with examples of this wiki; /llms.txt links to it', async () => {
    const { status, headers, text } = await test.call('/api/v1/docs/guide.md')
    expect(status).to.equal(200)
    expect(headers).to.include({ 'content-type': 'text/markdown; charset=utf-8' })
    expect(headers['ratelimit-policy']).to.include('"site"')
    expect(text)
      .to.match(/^# Guide\n/)
      .and.include('npm install http://localhost:3000/api/v1/docs/clients/')
    expect(text).not.to.match(/\{\{(base|origin|curl|program|intro|mcp)/)
    expect((await test.call('/llms.txt')).text).to.include('(http://localhost:3000/api/v1/docs/guide.md)')
  })

  it('serves the clients as archives for npm and pip, which equal files make again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-clients-'))
    writeClientArchives(folder)
    for (const name of ['javascript.tgz', 'python.tgz']) {
      const url = `/api/v1/docs/clients/${name}`
      const { status, headers } = await test.call(url, { headers: { 'Accept-Encoding': 'gzip, br' } })
      expect(status).to.equal(200)
      expect(headers).to.include({
        'content-type': 'application/gzip',
        'cache-control': 'public, max-age=60',
      })
      // It is compressed already.
      expect(headers).not.to.have.property('content-encoding')
      expect(headers['ratelimit-policy']).to.include('"site"')
      const bytes = Buffer.from(await (await fetch(test.service.listeningUrl + url)).arrayBuffer())
      expect(readFileSync(join(folder, name)).equals(bytes), name).to.equal(true)
    }
    const names = (text: string) => text.match(/^package\/[\w./-]+$/gm)
    const files = gunzipSync(readFileSync(join(folder, 'python.tgz')))
      .toString('latin1')
      .replaceAll('\0', '\n')
    expect(names(files)).to.include.members([
      'package/pyproject.toml',
      'package/src/lectern_client/__init__.py',
      'package/src/lectern_client/py.typed',
    ])
    const packed = execFileSync('npm', [
      'pack',
      '--dry-run',
      '--json',
      '--offline',
      join(folder, 'javascript.tgz'),
    ])
    const [{ id, files: ofPackage }] = JSON.parse(String(packed))
    expect(id).to.equal(`lectern-client@${packageVersion()}`)
    expect(ofPackage.map(({ path }: { path: string }) => path)).to.include.members([
      'README.md',
      'dist/index.d.ts',
      'dist/folder.js',
    ])
    rmSync(folder, { recursive: true })
    // Each spelling would have a place in the cache of responses.
    const others = [
      '',
      'x.tgz',
      'lectern.css',
      '..%2Fsite.css',
      'x/javascript.tgz',
      'javascript%2Etgz',
      'Python.tgz',
    ]
    for (const name of others) {
      const { status, text } = await test.call(`/api/v1/docs/clients/${name}`, {
        headers: { Accept: 'text/html' },
      })
      expect(status, name).to.equal(404)
      expect(text, name).to.match(/^<!doctype html>/i)
    }
  })

  it('/llms.txt tells agents what this is, with the addresses and the limits of this wiki', async () => {
    test.service.invalidate() // else it may be stored since another test, and have less than a minute left
    const { status, headers, text } = await test.call('/llms.txt')
    expect(status).to.equal(200)
    expect(headers).to.include({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
    })
    expect(headers['ratelimit-policy']).to.include('"site"')
    const [title, , summary] = text.split('\n')
    expect(title).to.equal('# Tea & <Leaves> "x" {{root}} $&')
    expect(summary).to.match(/^> The pages of Tea /)
    expect(text).to.include('1000000 requests per minute').and.include('https://license.example/')
    for (const part of [
      'search?q=',
      'format=text',
      'section=',
      'include=',
      '/changes',
      'recent.atom',
      'en (EN), ru (RU)',
    ])
      expect(text).to.include(part)
    expect(text).not.to.include('/mcp')
    const addresses = [...text.matchAll(/\]\(([^)]*)\)/g)].map(([, address]) => address!)
    expect(addresses).to.have.length.greaterThan(10)
    for (const address of addresses) expect(address).to.match(/^http:\/\/localhost:3000\/api\/v1/)
    const again = await test.call('/llms.txt', { headers: { 'If-None-Match': headers.etag! } })
    expect(again.status).to.equal(304)
  })

  it('caches pages as long as responses of the API, and supports HEAD and If-None-Match', async () => {
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
})

describe('assets of the documentation site', () => {
  // The tests load each several times: more requests than the rate limit of a minute.
  const test = withService({ rateLimit: 0 })
  withWorld(test, {})
  const assets = new Set<string>()

  before(async () => {
    for (const page of PAGES) for (const path of await assetsOf(test, page, '')) assets.add(path)
  })

  it('are all that a page loads, also behind a proxy that adds a path prefix', async () => {
    for (const page of PAGES) {
      for (const requested of page === '/' ? [page] : [page, `${page}/`]) {
        const loaded = await assetsOf(test, `/some/where${requested}`, '/some/where')
        expect(
          loaded.some((path) => path.endsWith('.woff2')),
          requested,
        ).to.equal(true)
      }
    }
    expect([...assets].map((path) => path.split('/').slice(6).join('/'))).to.have.members([
      ...['', '-extended', '-vietnamese'].map((part) => `fonts/public-sans${part}.woff2`),
      ...['', '-extended', '-italic', '-vietnamese'].map((part) => `fonts/stix-two-text${part}.woff2`),
      'guide.js',
      'icon.svg',
      'landing.js',
      'reader/main.js',
      'reader/views.css',
      'reference/main.js',
    ])
  })

  it('the landing page loads at most 120 kB with its fonts, and one script', async () => {
    // Browsers load fonts of letters that the page has.
    const named = await assetsOf(test, '/', '')
    const files = ['/', ...[...named].filter((path) => !/-(?:extended|italic|vietnamese)\.woff2$/.test(path))]
    const sizes = await Promise.all(
      files.map(async (path) => {
        const { headers, text } = await test.call(path, { headers: { 'Accept-Encoding': 'br' } })
        return Number(headers['content-length'] ?? Buffer.byteLength(text))
      }),
    )
    expect(sizes.reduce((sum, size) => sum + size)).to.be.lessThan(120_000)
    expect(files.filter((path) => path.endsWith('.js'))).to.have.length(1)
  })

  it('have content types, are compressed, and can be cached for a year under a versioned URL', async () => {
    const types = {
      css: 'text/css; charset=utf-8',
      js: 'text/javascript; charset=utf-8',
      svg: 'image/svg+xml',
      woff2: 'font/woff2',
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

  it('are there for each language in which the reader colors code', async () => {
    const path = packagePath('site', 'assets', 'reader', 'code-languages.js')
    const { CODE_LANGUAGES } = (await import(pathToFileURL(path).href)) as {
      CODE_LANGUAGES: Map<string, string>
    }
    const folder = [...assets].find((one) => one.endsWith('/icon.svg'))!.replace('icon.svg', 'highlightjs')
    const languages = [...new Set(CODE_LANGUAGES.values())].map((name) => `languages/${name}`)
    for (const name of ['core', ...languages]) {
      const { status, text } = await test.call(`${folder}/${name}.js`)
      expect(status, name).to.equal(200)
      expect(text, name).not.to.match(/^import/m)
    }
    expect(CODE_LANGUAGES.get('tsx')).to.equal('typescript')
  })

  it('a page has one heading: its title, or that with which its text begins', async () => {
    const { withoutHeading } = await siteModule('reader/headings.js')
    for (const [title, html, heading, body] of [
      ['Tea', '<p>Tea</p><h1>Tea</h1>', undefined, '<p>Tea</p><h2>Tea</h2>'],
      [
        'Tea',
        '\n<h2 id="tea">TEA!</h2><h3 id="a">A</h3><h4>B</h4>',
        undefined,
        '<h2 id="a">A</h2><h3>B</h3>',
      ],
      ['A - Tea', '<h2>Appendix A: <b>Tea</b></h2><h3>B</h3>', 'Appendix A: Tea', '<h2>B</h2>'],
      ['Home', '<h1>Q&amp;A</h1><h2>B</h2>', 'Q&amp;A', '<h2>B</h2>'],
      ['Home', `<h1>Q ${FORMULA}, ${FORMULA}</h1>`, 'Q x^2, x^2', ''],
      ['Home', '<div class="a"> <h1>Q</h1></div>', 'Q', '<div class="a"> </div>'],
      ['Home', '<h2>Q</h2><h3>B</h3>', undefined, '<h2>Q</h2><h3>B</h3>'],
      ['Home', '<h1>Q</h1><h1>B</h1>', undefined, '<h2>Q</h2><h2>B</h2>'],
      ['Tea', `${PROPERTIES}<h1>Tea</h1><h2>B</h2>`, undefined, `${PROPERTIES}<h2>B</h2>`],
      ['Tea', `${PROPERTIES}<h1>Q</h1>`, undefined, `${PROPERTIES}<h2>Q</h2>`],
      ['Home', '<h1><img src="a"> Q</h1><h6>B</h6>', undefined, '<h2><img src="a"> Q</h2><h6>B</h6>'],
    ] as const) {
      const found = withoutHeading(title, html)
      expect([found.heading, found.body], html).to.deep.equal([heading, body])
    }
    expect(withoutHeading('Tea', '<h1 id="tea">Tea</h1>').id).to.equal('tea')
    const hostile = `<h1>${'<semantics>'.repeat(100_000)}</h1>`
    expect(withoutHeading('Tea', hostile).body).to.equal(hostile.replaceAll('h1', 'h2'))
  })

  it('the main page is the one that has a usual path, or else one that differs in case and spaces', async () => {
    const { mainPathOf } = await siteModule('reader/names.js')
    for (const [paths, main] of [
      [['INDEX', 'index', 'tea'], 'index'],
      [['INDEX', 'tea'], 'INDEX'],
      [['index', 'main page'], 'main page'],
      [['tea'], undefined],
    ] as const)
      expect(mainPathOf([...paths], 'en', (text: string) => text)).to.equal(main)
  })

  it('say all that views and pages need in each language, and no other words', () => {
    const [header, ...rows] = readFileSync(packagePath('site', 'words.tsv'), 'utf8').trimEnd().split('\n')
    const languages = header!.split('\t').slice(1)
    expect(languages).to.have.length(15)
    const keys = rows.map((row) => row.split('\t')[0]!)
    for (const row of rows) {
      const [key, ...words] = row.split('\t')
      expect(words, key).to.have.length(languages.length)
      for (const word of words) {
        expect(word, key).to.match(/\S/)
        expect(word.match(/\{\d\}/g)?.sort(), word).to.deep.equal(key!.match(/\{\d\}/g)?.sort())
      }
      if (!key!.includes('plural')) continue
      for (const [i, word] of words.entries()) {
        const { pluralCategories } = new Intl.PluralRules(languages[i]!).resolvedOptions()
        const forms = [...word.matchAll(/(\w+) \{[^}]+\}/g)].map(([, category]) => category!)
        expect(pluralCategories, languages[i]).to.include.members(forms)
        expect(forms.at(-1), languages[i]).to.equal('other')
      }
    }
    const names = (where: string[], type: string) =>
      readdirSync(packagePath(...where), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith(type))
        .map((name) => packagePath(...where, name))
    const files = [
      ...names(['site', 'assets', 'reader'], '.js'),
      ...names(['site', 'pages'], '.html'),
      packagePath('src', 'docs-site', 'pages.ts'),
    ]
    const code = files.map((file) => readFileSync(file, 'utf8')).join('\n')
    expect(keys.filter((key) => !code.includes(`'${key}'`) && !code.includes(`{{=${key}}}`))).to.deep.equal(
      [],
    )
    const said = [...code.matchAll(/\bsay\(\s*'([^'\n]+)'|\{\{=([^}]+)\}\}/g)].map(([, a, b]) => (a ?? b)!)
    expect(said.filter((text) => !keys.includes(text))).to.deep.equal([])
  })

  it('404 for every other name, version or spelling of a path', async () => {
    const folder = [...assets][0]!.split('/').slice(0, -1).join('/').replace('/reader', '')
    for (const name of [
      '',
      'none.js',
      'icon.svg/',
      'ICON.svg',
      '../../../../package.json',
      '%2e%2e/%2e%2e/package.json',
      '..%2fpackage.json',
      '..%5cpackage.json',
      '%00',
      'reader',
      '/icon.svg',
      './icon.svg',
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
      `/api/v1/docs/assets/0000000000000000/icon.svg`,
      '/api/v1/docs/assets/icon.svg',
      '/api/v1/docs/assets',
      '/api/v1/docs/nothing',
      '/api/v1/docsx',
      '/site/pages/layout.html',
    ]) {
      expect((await test.call(path)).status, path).to.equal(404)
    }
  })
})

/** A wiki with one page, whose path and title need quotes and escapes everywhere. */
const POTS = {
  pages: [
    {
      path: "it's/a `pot`",
      revisions: [
        {
          created_at: '2024-05-01T12:00:00.000000Z',
          title: "It's <a> pot",
          markdown: 'Porcelain and clay hold the heat.\n',
        },
        {
          created_at: '2024-05-02T12:00:00.000000Z',
          title: "It's <a> pot",
          markdown: 'Porcelain, clay and iron hold the heat.\n',
        },
      ],
    },
    { path: 'hidden', revisions: [{ status: 'pending', markdown: 'Secret words.\n' }] },
  ],
} satisfies WorldSpec

describe('documentation site of a wiki', () => {
  const logo = join(mkdtempSync(join(tmpdir(), 'lectern-test-')), 'logo.svg')
  writeFileSync(
    logo,
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 30"><script>alert(1)</script></svg>',
  )
  const siteStyles = join(logo, '..', 'own.css')
  writeFileSync(siteStyles, 'body::after {\r\n  content: url(data:,); }')
  const test = withService({
    ...{ siteName: 'Pots & <Cups>', siteLogo: logo, siteAccentColor: '#ffee00', siteStyles },
  })
  after(() => rmSync(join(logo, '..'), { recursive: true }))
  /** Asks again while the service is too busy to read its own API, and says by `max-age=0` that it will show more. */
  const text = async (path: string, options = {}) => {
    let shown = ''
    await until(`${path} is complete`, async () => {
      test.service.invalidate()
      const { text, headers } = await test.call(path, options)
      shown = text
      return !/max-age=0|no-cache/.test(headers['cache-control'] ?? '')
    })
    return shown
  }

  it('shows pages, words and edits of this wiki, and counts its pages', async () => {
    await makeWorld(POTS)
    const landing = await text('/')
    expect(landing).to.include('/pages/it%27s/a%20%60pot%60?').and.include('Porcelain, clay and iron')
    expect(landing).to.include('<dt>page</dt><dd>1</dd>').and.include('>May 2, 2024</time>')
    const guide = await text('/api/v1/docs/guide')
    expect(guide).to.match(/It(&#39;|&#x27;|')s (&#60;|&lt;)a(&#62;|&gt;) pot/)
    for (const path of ['/', '/llms.txt', '/api/v1/docs', '/api/v1/docs/guide', '/api/v1/openapi.json']) {
      const shown = await text(path)
      expect(shown, path).to.not.match(/secret words|"hidden"|pages\/hidden/i)
      // The guide has no categories to show, so this part is about the sample wiki.
      if (path !== '/api/v1/docs/guide') expect(shown, path).to.not.match(/sencha/i)
      expect(shown, `${path}: a placeholder`).to.not.include('{{')
    }
    const { body } = await test.call('/api/v1/openapi.json')
    const [path] = body.paths['/pages/{path}'].get.parameters
    expect(path.example).to.equal("it's/a `pot`")
  })

  it('the programs of its guide print what it says, for a page with letters that need quotes', async () => {
    await makeWorld(POTS)
    test.service.invalidate()
    const base = `${test.service.listeningUrl}/api/v1`
    const read = async (url: string) => {
      const { status, text: body, headers } = await test.get(url)
      return { status, text: body, link: String(headers.link ?? '') }
    }
    const { path, title, revision } = (await test.get('/pages?limit=1')).body.items[0]
    const values = {
      ...{ locale: 'en', otherLocale: 'en', pageLocale: 'en', missingLocale: 'tlh', missingPath: 'none' },
      ...{ page: { path, title }, shortPath: path, revision: revision.id, edit: revision.id },
      ...{ before: revision.created_at, words: title, prefix: 'It' },
    }
    const sections = (await guideMarkdown({ base: WRITTEN_FOR, values, read })).split(/^(?=## )/m)
    const own = sections.filter((section) => !section.includes('*This wiki has nothing'))
    expect(own).to.have.length.greaterThan(12)
    const examples = guideExamples(own.join('')).filter(
      (example) => PARTS_WITH_TEXTS.includes(example.part) && missingFor(example).length === 0,
    )
    expect(examples.map(({ part }) => part)).to.include.members(PARTS_WITH_TEXTS)
    for (const language of ['sh', 'js', 'python'] as const) {
      const some = examples.filter((example) => example.language === language)
      if (some.length > 0)
        expect(await runExamples(some, base)).to.deep.equal(some.map(({ prints }) => prints))
    }
  })

  it('in an address on the landing page, letters of other scripts are isolated', async () => {
    await makeWorld({ pages: [{ path: 'תה-ירוק' }] })
    expect(await text('/')).to.include('<bdi>תה-ירוק</bdi>')
  })

  it('an empty wiki has a landing page, and the guide of the sample wiki', async () => {
    await makeWorld({ pages: [] })
    expect(await text('/'))
      .to.include('<dt>pages</dt><dd>0</dd>')
      .and.include('data-target="/"')
    expect(await text('/api/v1/docs/guide'))
      .to.include('sample wiki about tea')
      .and.include('Sencha')
    const values = { locale: 'en', otherLocale: 'en', missingPath: 'none', missingLocale: 'tlh' }
    const nothing = '{"items":[],"locales":[],"endpoints":{},"error":{}}'
    const read = async () => ({ status: 200, text: nothing, link: '' })
    const guide = await guideMarkdown({ base: 'https://pots.example/api/v1', values, read })
    expect(guide).to.include('https://pots.example/api/v1/pages/sencha').and.not.include('localhost:3000')
    expect((await test.call('/api/v1/openapi.json')).status).to.equal(200)
    expect(await text('/llms.txt')).to.include('search?q=WORDS')
  })

  it('a wiki whose pages have no headings has a guide with all sections, those that it cannot fill whole', async () => {
    await makeWorld({ pages: [{ path: 'pot', revisions: [{ markdown: 'A pot.\n' }] }] })
    const guide = await text('/api/v1/docs/guide')
    const titles = (html: string) =>
      [...html.matchAll(/<h2 id="[^"]*">(.*?)<\/h2>/g)].map(([, title]) => title)
    const template = readFileSync(packagePath('site', 'guide.md'), 'utf8')
    expect(titles(guide)).to.deep.equal([...template.matchAll(/^## (.*)/gm)].map(([, title]) => title))
    const partOf = (html: string) =>
      html.slice(html.lastIndexOf('>Read a part of a page<'), html.lastIndexOf('>Pagination<'))
    expect(partOf(guide)).to.include('This wiki has nothing').and.include('2 Brewing (brewing)')
    const cup = { path: 'a/cup', revisions: [{ markdown: '## Handle\n\nHot.\n' }] }
    await makeWorld({ pages: [{ path: 'pot', revisions: [{ markdown: 'A pot.\n' }] }, cup] })
    const own = partOf(await text('/api/v1/docs/guide'))
    expect(own).to.include('2 Handle (handle)').and.include('/pages/a%2Fcup?section=handle')
    expect(own).to.not.include('This wiki has nothing')
    expect(await text('/')).to.include('/pages/a/cup?format=text&#38;section=handle')
  })

  it('SITE_NAME, SITE_LOGO, SITE_ACCENT_COLOR, and SITE_STYLES last: in its header, its icon and its styles', async () => {
    const landing = await text('/')
    expect(landing).to.include('Pots &#38; &#60;Cups&#62;<span> API</span>')
    const [, src] = /<img src="\.([^"]*)" width="64" height="32" alt="">/.exec(landing)!
    expect(landing).to.include(`<link rel="icon" href=".${src}">`)
    const image = await test.call(src!)
    expect(image.headers).to.include({ 'content-type': 'image/svg+xml' })
    expect(image.headers['content-security-policy']).to.include("default-src 'none'").and.include('sandbox')
    expect((await text('/llms.txt')).startsWith('# Pots & <Cups>\n')).to.equal(true)
    const reader = await text('/api/v1/docs/reader?pages=all')
    expect(reader).to.match(/<title>[^<]* · Pots &#38; &#60;Cups&#62;</)
    expect(reader).to.include('data-name="Pots &#38; &#60;Cups&#62;"')
    expect((await test.call('/api/v1/')).body.name).to.not.include('Pots')
    const [, styles] =
      /<style>([^<]*:root \{ --accent: light-dark\(#[^<]*\nbody::after \{\n {2}content: url\(data:,\); \})<\/style>/.exec(
        landing,
      )!
    const { headers } = await test.call('/')
    expect(headers['content-security-policy']).to.include(`'sha256-${hash('sha256', styles!, 'base64')}'`)
  })

  it('beside the API, a browser gets a page where nothing is, and a program JSON', async () => {
    const Accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    const page = await test.call('/nothing/here', { headers: { Accept } })
    expect(page.status).to.equal(404)
    expect(page.headers['content-type']).to.equal('text/html; charset=utf-8')
    expect(page.headers.vary).to.match(/\bAccept\b/)
    expect(page.text).to.include('There is no such page').and.include('href="../"')
    const besideGuide = await test.call('/api/v1/docs/nothing', { headers: { Accept } })
    expect([besideGuide.status, besideGuide.text.includes('There is no such page')]).to.deep.equal([
      404,
      true,
    ])
    for (const [path, headers] of [
      ['/nothing', {}],
      ['/api/v1/docs/nothing', {}],
      ['/api/v1/nothing', { Accept }],
    ] as const) {
      const { status, body } = await test.call(path, { headers })
      expect([status, body.error.code], path).to.deep.equal([404, 'not_found'])
    }
  })
})

describe('the first view of a site with an order', () => {
  it('has it in the tree and in the cards, also if its folders have many pages', async () => {
    const names = ['Fern', 'Elm', 'Daisy', 'Cedar', 'Birch', 'Aspen']
    const all = names.flatMap((name, i) =>
      Array.from({ length: 250 }, (_, n) => ({ path: `${name}/${n}`, title: `${n}`, position: i })),
    )
    const pages = all.toSorted((a, b) => (a.path < b.path ? -1 : 1))
    const get = async (_: string, query: { after?: string; position?: string }) => {
      const items = query.position ? pages.filter(({ path }) => path > (query.after ?? '')).slice(0, 200) : []
      return { items, next: items.length < 200 ? '' : items.at(-1)!.path }
    }
    const { Navigation } = await siteModule('reader/navigation.js')
    const [say, urlOf] = [(text: string) => text, () => '']
    const navigation = new Navigation({ locale: 'en', path: '' }, { get, say, urlOf })
    const titlesIn = (html: string) => Array.from(html.matchAll(/>(\w+)<\/a>/g), ([, title]) => title)
    expect(titlesIn((await navigation.parts()).tree)).to.deep.equal(names)
    expect(titlesIn((await navigation.folder()).article)).to.deep.equal(names)
  })
})

describe('accent color', () => {
  const papers = { light: ['#fcfbf8', '#f3f1ea'], dark: ['#161a18', '#1f2522'] }

  it('can be read in light and dark mode, whatever the operator chooses', () => {
    for (let i = 0; i < 500; i++) {
      const accent = `#${((i * 0x9e3779b1) % 0x1000000).toString(16).padStart(6, '0')}`
      const pairs = [...accentStyles(accent).matchAll(/light-dark\((#\w+), (#\w+)\)/g)]
      expect(pairs).to.have.length(2)
      const [colors, inks] = pairs
      for (const [j, backgrounds] of [papers.light, papers.dark].entries()) {
        const [color, ink] = [colors![j + 1]!, inks![j + 1]!]
        for (const other of [...backgrounds, ink])
          expect(contrast(parseHex(color), parseHex(other)), `${accent} ${other}`).to.be.at.least(4.5)
      }
    }
  })

  it('stays as it is where it can be read', () => {
    expect(accentStyles('#1b6149')).to.equal(
      ':root { --accent: light-dark(#1b6149, #649483); --accent-ink: light-dark(#ffffff, #000000); }\n',
    )
  })
})

describe('a wiki without a website', () => {
  const test = withService({ baseUrl: 'https://wiki.example/tea/api/v1', wikiAddresses: {} })
  const paths = ['home', 'tea', 'tea/green', 'a/b', 'a//b/', "100% 'é' & <b>?#+", 'чай', 'history', 'wiki/en']
  withWorld(test, {
    license: null,
    locales: ['en', 'pt-br'],
    categories: [{ key: 'green tea', locale: 'en', name: 'Green tea' }],
    pages: [
      ...paths.map((path) => ({
        path,
        ...(path.includes('<b>') && { translation_group: 'b' }),
        revisions: [
          {
            categories: [{ key: 'green tea' }],
            ...(path.includes('<b>') && {
              title: 'A <b> & "title"',
              markdown: 'Text of `</title>` "quotes"\nand more.',
            }),
          },
        ],
      })),
      { path: 'chá', locale: 'pt-br', translation_group: 'b' },
    ],
  })

  /** Opens the URL of a page, as a browser does through a proxy that removes `/tea`. */
  const open = async (url: string) => {
    expect(url).to.match(/^https:\/\/wiki\.example\/tea\/wiki\//)
    const response = await test.call(url.replace('https://wiki.example/tea', ''))
    expect(response.headers['ratelimit-policy'], url).to.include('"site"')
    return response
  }

  it('the footer says that the wiki names no license', async () => {
    const { text } = await test.call('/')
    expect(text).to.include('names no license').and.include('/docs/guide#an-unknown-license">Ask before')
  })

  it('the guide does not name an unknown license in what the program for attribution prints', async () => {
    const { text } = await test.call('/api/v1/docs/guide.md')
    expect(text).to.match(/^“.*” by the authors of .*, https:\/\/wiki\.example\/tea\/wiki\/\S+$/m)
  })

  it('the url of every page, category and language is the reader, beside the BASE_URL', async () => {
    const { body } = await test.get('/pages?include=categories')
    expect(body.items).to.have.length(paths.length)
    const { locales } = (await test.get('/')).body
    const urls = [...body.items, body.items[0].categories[0], ...locales].map(({ url }) => url)
    for (const url of urls) {
      const { status, headers, text } = await open(url)
      expect(status, url).to.equal(200)
      expect(headers, url).to.include({ 'cache-control': 'public, max-age=60' })
      const again = await test.call(url.replace('https://wiki.example/tea', ''), {
        headers: { 'If-None-Match': headers.etag! },
      })
      expect(again.status, url).to.equal(304)
      expect(text, url).to.include('data-locales="en pt-br"')
      const shown = url.replaceAll('&', '&#38;').replaceAll("'", '&#39;')
      expect(text, url).to.include(`<link rel="canonical" href="${shown}">`)
      expect(text, url).to.include(`<meta property="og:url" content="${shown}">`)
      for (const address of urlsIn(text, 'text/html').filter((one) => one.includes('docs/')))
        expect(new URL(address, url).pathname, url).to.match(/^\/tea\/api\/v1\/docs\//)
    }
    for (const path of ['/wiki/EN/tea/', '/wiki/en/tea?x=1', '/wiki/en/t%65a'])
      expect((await test.call(path)).text, path).to.include(
        'rel="canonical" href="https://wiki.example/tea/wiki/en/tea"',
      )
  })

  it('the head describes the page for search engines and previews, with its translations; all is escaped', async () => {
    const { text, headers } = await test.call("/wiki/en/100%25%20'%C3%A9'%20&%20%3Cb%3E%3F%23+")
    expect(text).to.include('<title>A &#60;b&#62; &#38; &#34;title&#34; · Test Wiki</title>')
    expect(text).to.include(
      '<meta name="description" content="Text of &#60;/title&#62; &#34;quotes&#34; and more.">',
    )
    for (const [property, content] of [
      ['type', 'article'],
      ['site_name', 'Test Wiki'],
      ['title', 'A &#60;b&#62; &#38; &#34;title&#34; · Test Wiki'],
      ['description', 'Text of &#60;/title&#62; &#34;quotes&#34; and more.'],
      ['locale', 'en'],
    ])
      expect(text).to.include(`<meta property="og:${property}" content="${content}">`)
    const alternates = (html: string) =>
      [...html.matchAll(/<link rel="alternate" hreflang="([^"]*)" href="([^"]*)">/g)].map(
        ([, locale, url]) => `${locale} ${url}`,
      )
    const start = 'https://wiki.example/tea/wiki'
    expect(alternates(text)).to.deep.equal([
      `en ${start}/en/100%25%20%27%C3%A9%27%20&#38;%20%3Cb%3E%3F%23+`,
      `pt-br ${start}/pt-br/ch%C3%A1`,
    ])
    expect(headers['content-security-policy']).to.include("script-src 'self'").and.not.include('unsafe')
    const brazilian = (await test.call('/wiki/pt-br')).text
    expect(brazilian).to.include('<meta property="og:locale" content="pt_BR">')
    expect(brazilian).to.include('<title>PT-BR · Test Wiki</title>')
    expect(alternates(brazilian)).to.deep.equal([`en ${start}/en`, `pt-br ${start}/pt-br`])
    const nested = (await test.call('/wiki/en/a/b')).text
    expect(alternates(nested)).to.deep.equal([`en ${start}/en/a/b`])
    expect(nested, 'its logo leads to the main page').to.include('<a class="brand" href="../../../wiki/en">')
  })

  it('the text of a page is there without scripts, in its language, also in what is around it', async () => {
    const { text, headers } = await test.call('/wiki/pt-br/ch%C3%A1')
    expect(headers['content-language']).to.equal('pt-br')
    expect(text).to.match(/<html lang="pt-br" dir="ltr">[\s\S]*<body lang="pt" dir="ltr">/)
    expect(text).to.match(/<h1 lang="pt-br" dir="ltr">[^<]+<\/h1>/)
    expect(text).to.match(/<article lang="pt-br" dir="ltr"[^>]*>\s*<p>/)
    expect(text).to.include('&#34;History&#34;:&#34;Histórico&#34;')
    expect(text).to.include('>Ir para o conteúdo</a>').and.include('placeholder="Pesquisar em Test Wiki"')
    const folder = (await test.call('/wiki/en/a/b')).text
    expect(folder).to.include('<ol><li><a href="../../../wiki/en/a">A</a></li></ol>')
    expect(folder, 'the tree, open down to the page').to.match(
      /<div class="tree"><ul lang="en" dir="ltr">.*<li class="branch"><a href="..\/..\/..\/wiki\/en\/a" class="fold open">A<\/a><ul lang="en" dir="ltr">.*<li><a href="[./]*\/wiki\/en\/a\/b" aria-current="page">/,
    )
    const below = (await test.call('/wiki/en/tea/green')).text
    expect(below).to.match(/<ol><li><a href="..\/..\/..\/wiki\/en\/tea">tea<\/a><\/li><\/ol>/i)
    const missing = (await test.call('/wiki/pt-br/nada')).text
    expect(missing).to.include('<html lang="pt-br"').and.include('class="skeleton"')
    expect((await test.call('/api/v1/docs/reader?locale=PT-BR')).text).to.include('<html lang="pt-br"')
    for (const path of ['/api/v1/docs/reader', '/api/v1/docs/reader?locale=xx', '/api/v1/docs?locale=pt-br'])
      expect((await test.call(path)).text, path).to.include('<html lang="en" dir="ltr">')
  })

  it('the address of a language shows its main page, without scripts too', async () => {
    const home = (await test.call('/wiki/en')).text
    expect(home).to.match(/<article lang="en" dir="ltr"[^>]*>\s*<p>/)
    expect(home).to.include('<link rel="canonical" href="https://wiki.example/tea/wiki/en">')
    expect(home).to.include('hreflang="pt-br" href="https://wiki.example/tea/wiki/pt-br"')
    // Without one, what is in the wiki.
    expect((await test.call('/wiki/pt-br')).text).to.match(
      /<ul class="cards"><li><a href="..\/wiki\/pt-br\/ch%C3%A1">[^<]+<\/a><p>/,
    )
  })

  it('an overloaded service has no view, which would be kept', async () => {
    const { firstView } = await siteModule('reader/first-view.js')
    const read = async () => {
      throw Object.assign(new Error('busy'), { status: 503 })
    }
    const urls = { base: '', reader: 'reader', pages: 'wiki/', shownLocales: ['en'] }
    const site = { ...urls, read, name: 'Tea', locales: [], say: (text: string) => text }
    for (const view of ['home', 'page', 'search']) {
      const shown = await firstView({ view, path: 'tea', q: 'tea', locale: 'en' }, site).catch(String)
      expect(shown, view).to.equal('Error: busy')
    }
  })

  it('the tree of a large wiki takes at most 16 requests, and shows what they tell', async () => {
    const { Navigation } = await siteModule('reader/navigation.js')
    for (const levels of [1, 3, 12]) {
      const names = Array.from({ length: 1_000 }, (_, i) => String(1_000 + i))
      const folders = Array.from({ length: levels }, (_, level) => '1500/'.repeat(level))
      const paths = folders.flatMap((folder) => names.map((name) => folder + name)).sort()
      let requests = 0
      const get = async (_: string, { prefix, after }: { prefix: string; after: string }) => {
        requests += 1
        const items = paths.filter((path) => path.startsWith(prefix) && path > after).slice(0, 201)
        const next = items.length > 200 ? items[199] : ''
        return { items: items.slice(0, 200).map((path) => ({ path, title: path })), next }
      }
      const path = `${folders.at(-1)}1500`
      const options = { get, say: (text: string) => text, urlOf: ({ path }: { path: string }) => path }
      const { tree, trail } = await new Navigation({ locale: 'en', path }, options).parts()
      expect(requests).to.be.at.most(16)
      expect(tree).to.include('>1500</a>')
      expect(trail.split('<li>')).to.have.length(levels)
      if (levels < 4) expect(tree).to.include(`href="${path}" aria-current="page"`).and.include('"1520"')
    }
  })

  it('the tree has the groups of the site, which call folders that have a group of their own', async () => {
    const { Navigation } = await siteModule('reader/navigation.js')
    const groups: Record<string, string | null> = {
      ...{
        a: 'Kinds',
        b: 'Kinds',
        'first_steps/c': 'Start',
        'first_steps/d': 'Start',
        'first_steps/e': null,
      },
      ...{ 'mixed_up/f': 'F', 'mixed_up/g': 'G', 'one/h': 'Shared', 'other/i': 'Shared', 'tea/j': 'Teas' },
      ...{ tea: 'Teas', FAQ: 'Questions', 'faq/k': 'Questions', use: 'Using', 'use/l': 'L', 'use/m': 'M' },
      ...{
        guide: 'First',
        'guide/n': 'First',
        'guide/o': 'More',
        learn: 'Lessons',
        'api/q': 'P',
        'api/r': 'Q',
      },
      ...{ 'learn/s': 'Lessons', 'learn/t': 'T', 'learn/u': 'Lessons', new: 'Next', 'new/v': 'Later' },
    }
    const pages = Object.entries(groups).map(([path, group_title], i) => ({ path, group_title, position: i }))
    let titled: { path: string }[] = pages.map((page) => ({
      ...page,
      title: page.path === 'tea' ? 'Overview' : page.path,
    }))
    const itemsOf = () => titled.sort((a, b) => (a.path < b.path ? -1 : 1))
    const get = async (_: string, { prefix }: { prefix: string }) => ({
      items: itemsOf().filter(({ path }) => path.startsWith(prefix)),
      next: '',
    })
    const options = { get, say: (text: string) => text, urlOf: ({ path }: { path: string }) => path }
    const shown = async (path: string) => {
      const { tree, trail } = await new Navigation({ locale: 'en', path }, options).parts()
      const lines = tree.replace(/<(\/?)ul[^>]*>/g, (_: string, end: string) => (end ? ' )' : ' ('))
      return [lines, trail].map((html) =>
        html
          .replace(/<[^>]*>/g, ' ')
          .replace(/\s+/g, ' ')
          .trim(),
      )
    }
    const around = (folder: string) =>
      `( Kinds ( a b ) ${folder} Mixed up Shared ( One Other ) Teas FAQ Questions Using guide Lessons Api new )`
    expect(await shown('first_steps/c')).to.deep.equal([
      around('Start ( first_steps/c first_steps/d first_steps/e )'),
      'Start',
    ])
    expect((await shown('mixed_up/f'))[0]).to.include('Mixed up ( F ( mixed_up/f ) G ( mixed_up/g ) ) Shared')
    const nested = {
      a: 'Top',
      ...{
        b: 'Top/In',
        'c/d': 'Top/In',
        'e/f': 'Top/Deep',
        'k/l': 'Top',
        'm/n': 'Top/One',
        'm/o': 'Top/One',
        ...{ 'm/p/q': 'Top/Two', 'r/s': 'More', 't/u': 'More', 't/v/w': 'More/V' },
        'e/g': 'Top/Deep',
        'api/h': 'Ref/X',
        'api/i': 'Ref/Y',
      },
    }
    titled = Object.entries(nested).map(([path, around], position) => {
      const group_titles = around.split('/')
      return {
        path,
        position,
        title: 'Long',
        nav_title: path,
        group_titles,
        group_title: group_titles.at(-1),
      }
    })
    expect((await shown('c/d'))[0]).to.equal('( Top ( a In ( b C ( c/d ) ) Deep K M ) More ( R T ) Ref )')
    expect((await shown('api/i'))[0]).to.equal(
      '( Top ( a In ( b C ) Deep K M ) More ( R T ) Ref ( X ( api/h ) Y ( api/i ) ) )',
    )
    const { tree } = await new Navigation({ locale: 'en', path: 'c/d' }, options).parts()
    expect(tree).to.match(/<details open><summary class="fold">In</)
    const only = { index: undefined, a: 'Start', b: 'Start', 'c/d': 'More' }
    titled = Object.entries(only).map(([path, group_title], position) => ({
      path,
      position,
      title: path,
      group_title,
    }))
    expect((await shown('a'))[0]).to.equal('( index Start ( a b ) More )')
  })

  it('other spellings of the address of a page do not fill the cache', async () => {
    const misses = async () => {
      const text = await (await fetch(`${test.service.internalUrl}/metrics`)).text()
      return Number(/^lectern_response_cache_misses_total (\d+)$/m.exec(text)![1])
    }
    const read = async (paths: string[]) => {
      const before = await misses()
      for (const path of paths) expect((await test.call(path)).status, path).to.equal(200)
      return (await misses()) - before
    }
    const [shown, ...others] = [
      '/wiki/en/tea',
      '/wiki/en/tea?x=1',
      '/wiki/en/t%65a',
      '/wiki/EN/tea',
      '/wiki/en/tea/',
    ]
    test.service.invalidate()
    await read([shown!, ...others])
    expect(await read([shown!, others[0]!])).to.equal(0)
    expect(await read(others.slice(1))).to.equal(3)
  })

  it('404 for a page or a category that does not exist: the reader, which offers a search', async () => {
    for (const path of ['/wiki/en/none', '/wiki/en/category:none', '/wiki/pt-br/tea', '/wiki/en/%00']) {
      const { status, headers, text } = await test.call(path)
      expect(status, path).to.equal(404)
      expect(headers, path).to.include({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'public, max-age=10',
      })
      expect(text, path).to.include('data-api="../../api/v1"')
    }
  })

  it('301 from the former address of a page that moved, also behind a proxy', async () => {
    const revisions = [{ id: '11111111-1111-4111-8111-111111111111' }]
    await importRecords(recordsOf({ locales: ['en', 'pt-br'], pages: [{ path: 'old/mate', revisions }] }))
    const moved = { path: 'new/yerba mate', formerPaths: [{ locale: 'en', path: 'old/mate' }] }
    const records = recordsOf({ locales: ['en', 'pt-br'], pages: [{ path: moved.path, revisions }] })
    await importRecords(
      records.map((record) => (record.type === 'page' ? { ...record, ...moved } : record)),
      'changes',
    )
    test.service.invalidate()
    const { status, headers } = await test.call('/wiki/en/old/mate')
    expect(status).to.equal(301)
    expect(headers).to.include({
      location: '../../../wiki/en/new/yerba%20mate',
      'cache-control': 'public, max-age=60',
    })
    expect((await test.call('/wiki/en/new/yerba%20mate')).status).to.equal(200)
    const view = await test.call('/api/v1/docs/reader?page=old%2Fmate&locale=en')
    expect([view.status, view.headers.location]).to.deep.equal([301, '../../../wiki/en/new/yerba%20mate'])
  })

  it('301 from an address that differs from that of a page in case, or has _ for a space', async () => {
    for (const [address, location] of [
      ['/wiki/en/TEA/Green', '../../../wiki/en/tea/green'],
      ['/api/v1/docs/reader?page=Home&locale=en', '../../../wiki/en/home'],
      ['/wiki/en/%D0%A7%D0%B0%D0%B9', '../../wiki/en/%D1%87%D0%B0%D0%B9'],
      [
        "/wiki/en/100%25_'%C3%A9'_&_%3Cb%3E%3F%23+",
        '../../wiki/en/100%25%20%27%C3%A9%27%20&%20%3Cb%3E%3F%23+',
      ],
    ] as const) {
      const { status, headers } = await test.call(address)
      expect([status, headers.location], address).to.deep.equal([301, location])
    }
    for (const path of ['/wiki/en/Teaa', '/wiki/pt-br/Tea', '/wiki/en/green'])
      expect((await test.call(path)).status, path).to.equal(404)
  })

  it('robots.txt names the sitemap index, this one sitemap for each language, and these all its live pages', async () => {
    const start = 'https://wiki.example/tea'
    const robots = await test.call('/robots.txt')
    expect(robots.headers).to.include({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=60',
    })
    expect(robots.headers['ratelimit-policy']).to.include('"site"')
    expect(robots.text).to.equal(
      `User-agent: *\nDisallow: /api/v1/docs/reader?\n\nSitemap: ${start}/sitemap.xml\n`,
    )
    const index = await test.call('/sitemap.xml')
    expect(index.headers).to.include({ 'content-type': 'application/xml; charset=utf-8' })
    expect(index.headers['ratelimit-policy']).to.include('"site"')
    const locations = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url)
    expect(locations(index.text)).to.deep.equal([`${start}/sitemap-en.xml`, `${start}/sitemap-pt-br.xml`])
    const english = await test.call('/sitemap-en.xml')
    const { items } = (await test.get('/pages?limit=200')).body
    expect(locations(english.text)).to.deep.equal(
      items.map(({ url }: { url: string }) => url.replaceAll('&', '&#38;').replaceAll("'", '&#39;')),
    )
    expect(english.text).to.include('/wiki/en/tea</loc><lastmod>2024-01-01T00:00:00.000000Z</lastmod></url>')
    expect(locations((await test.call('/sitemap-pt-br.xml')).text)).to.deep.equal([
      `${start}/wiki/pt-br/ch%C3%A1`,
    ])
    for (const path of ['/sitemap-xx.xml', '/sitemap-.xml', '/sitemapen.xml', '/sitemap-en.xml/x'])
      expect((await test.call(path)).status, path).to.equal(404)
    const again = await test.call('/sitemap-en.xml', { headers: { 'If-None-Match': english.headers.etag! } })
    expect(again.status).to.equal(304)
  })

  it('a sitemap has all pages of a list with several parts; each part of a long list has one of its own, without gaps, also if the last part is full', async () => {
    const pages = Array.from({ length: 450 }, (_, i) => ({ path: `page-${i}` }))
    await importRecords(recordsOf({ locales: ['en', 'pt-br'], pages }))
    test.service.invalidate()
    const { reader } = await testDatabase()
    const startsOf = async (size: number) =>
      (await reader.query(statement('page_starts'), [['en'], [size]])).map(({ path }) => path as string)
    const { text } = await test.call('/sitemap-en.xml')
    expect(new Set(text.match(/\/page-\d+</g))).to.have.property('size', 450)
    const all = text.match(/<url>.*/g)!
    expect(await startsOf(all.length)).to.deep.equal([])
    expect(await startsOf(all.length - 1)).to.have.length(1)
    const starts = await startsOf(200)
    const context = {
      ...{ base: 'https://wiki.example/tea/api/v1', pagesRoot: 'https://wiki.example/tea/wiki/' },
      wiki: { locales: [{ locale: 'en', url: 'https://wiki.example/tea/wiki/en' }] },
      settings: { cacheSeconds: 60 },
    } as unknown as RequestContext
    const pagesAfter = async (_: string, after: string) =>
      (await test.get(`/pages?limit=200&after=${encodeURIComponent(after)}`)).body.items
    const api = { pageStarts: async () => starts, pagesAfter } as unknown as OwnApi
    const bodyOf = async (path: string) =>
      String((await sitemapResponse(path, context, api, 200)).body).match(/<url>.*|<loc>.*?<\/loc>/g)!
    const files = (await bodyOf('/sitemap.xml')).map((loc) => /\/sitemap-[^<]*/.exec(loc)![0])
    expect(files).to.deep.equal(['/sitemap-en.xml', '/sitemap-en.2.xml', '/sitemap-en.3.xml'])
    const parts = await Promise.all(files.map(bodyOf))
    expect(parts.slice(0, 2).map(({ length }) => length)).to.deep.equal([200, 200])
    expect(parts.flat()).to.deep.equal(all)
    for (const path of ['/sitemap-en.1.xml', '/sitemap-en.2.xml', '/sitemap-en.02.xml', '/sitemap-en.x.xml'])
      expect((await test.call(path)).status, path).to.equal(404)
  })

  it('short addresses lead to the pages', async () => {
    for (const [path, location] of [
      ['/docs', './api/v1/docs'],
      ['/docs/guide', '../api/v1/docs/guide'],
      ['/docs/reader?page=tea', '../api/v1/docs/reader'],
      ['/wiki', './wiki/en'],
      ['/wiki/', '../wiki/en'],
    ]) {
      const { status, headers } = await test.call(path!)
      expect([status, headers.location], path).to.deep.equal([302, location])
      expect(headers['ratelimit-policy'], path).to.include('"site"')
    }
  })

  it('404 for a language that the wiki does not have, and for a path that is not UTF-8', async () => {
    for (const path of ['/wiki/xx/tea', '/wiki/en/%ff', '/wiki/%ff']) {
      const { status, headers } = await test.call(path)
      expect([status, headers['content-type']], path).to.deep.equal([404, 'text/html; charset=utf-8'])
    }
  })

  it('a language that the wiki does not have leads to those that have the page', async () => {
    const { text } = await test.call('/wiki/xx/tea/green')
    expect(text)
      .to.match(/<h1[^>]*>There is no such page</)
      .and.include('<bdi>xx/tea/green</bdi>')
    expect(text).to.match(/data-missing><li><a href="[^"]*\/wiki\/en\/tea\/green"/)
    expect((await test.call('/wiki/xx')).text, 'without a page').to.include('<title>Not found ')
    expect((await test.call('/wiki/xx/none')).text).to.include('Search all texts for “none”')
  })

  it('the address of a folder without a page is found, and of one without pages it is not', async () => {
    const { status, text } = await test.call('/wiki/en/a')
    expect([status, /<title>.*/.exec(text)![0]]).to.deep.equal([200, '<title>A · Test Wiki</title>'])
    expect((await test.call('/wiki/en/a/b/c')).status).to.equal(404)
  })

  it('a language that differs in its region only leads to that of the wiki', async () => {
    for (const [path, location] of [
      ['/wiki/EN-gb/100%25', '../../wiki/en/100%25'],
      ['/wiki/en-us', '../wiki/en'],
    ]) {
      const { status, headers } = await test.call(path!)
      expect([status, headers.location], path).to.deep.equal([302, location])
    }
  })
})

describe('a wiki with a website', () => {
  const test = withService({ wikiAddresses: { en: 'https://en.wiki.example' } })
  withWorld(test, { locales: ['en', 'ru'], pages: [{ path: 'tea' }, { path: 'чай', locale: 'ru' }] })

  it('addresses beside the API lead to the reader, and no sitemap has its pages', async () => {
    for (const [path, location] of [
      ['/wiki/en/tea?x=%0d%0aSet-Cookie:a', '../../api/v1/docs/reader?page=tea&locale=en'],
      ['/wiki/en', '../api/v1/docs/reader?locale=en'],
      ['/wiki/en/category:green%20tea', '../../api/v1/docs/reader?category=green+tea&locale=en'],
    ]) {
      const { status, headers } = await test.call(path!)
      expect([status, headers.location], path).to.deep.equal([302, location])
    }
    expect((await test.call('/api/v1/docs/reader')).text).to.include('data-locales="ru"')
    expect((await test.call('/sitemap-en.xml')).status).to.equal(404)
    expect((await test.call('/sitemap.xml')).text)
      .to.include('-ru.xml')
      .and.not.include('-en.xml')
    expect((await test.call('/wiki/ru/%D1%87%D0%B0%D0%B9')).status).to.equal(200)
  })
})

describe('a wiki with a website in each language', () => {
  const test = withService({ siteHome: 'wiki' })
  withWorld(test, { pages: [{ path: 'tea' }] })

  it('has no robots.txt and no sitemap', async () => {
    for (const path of ['/robots.txt', '/sitemap.xml', '/sitemap-en.xml'])
      expect((await test.call(path)).status, path).to.equal(404)
  })

  it('with SITE_HOME=wiki, / leads to the reader', async () => {
    const { status, headers } = await test.call('/')
    expect([status, headers.location]).to.deep.equal([302, './wiki/en'])
  })
})

describe('rate limit of the documentation site', () => {
  const test = withService({ rateLimit: 3 })
  withWorld(test, {})

  it('is separate from the rate limit of the API', async () => {
    for (const page of PAGES) {
      for (const path of [page, ...(await assetsOf(test, page, ''))]) {
        const { status, headers } = await test.call(path)
        expect(status, path).to.equal(200)
        expect(headers['ratelimit-policy'], path).to.equal('"site";q=600;w=60')
      }
    }
    expect((await test.get('/')).headers.ratelimit).to.match(/^"default";r=2;/)
  })

  it('refuses the request after 600 in a minute with 429', async () => {
    let last = await test.call('/api/v1/docs', { method: 'HEAD' })
    for (let i = 0; i < 600 && last.status === 200; i++)
      last = await test.call('/api/v1/docs', { method: 'HEAD' })
    expect(last.status).to.equal(429)
    expect(last.headers['retry-after']).to.match(/^([1-9]|[1-5]\d|60)$/)
    expect(last.headers.ratelimit).to.match(/^"site";r=0;/)
  })
})

describe('documentation site with RATE_LIMIT=0', () => {
  const test = withService({ rateLimit: 0 })
  withWorld(test, {})

  it('has no rate limit, and the landing page says so', async () => {
    const { headers, text } = await test.call('/')
    expect(headers).not.to.have.property('ratelimit')
    expect(text).to.include('<dd>No limit</dd>')
  })
})
