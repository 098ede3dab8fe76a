import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { packagePath } from '../../src/paths.ts'
import { routes } from '../../src/rest/routes/index.ts'
import { document } from '../support/openapi-check.ts'
import { withService, withWorld } from '../support/service.ts'
import { clearWorld, makeWorld } from '../support/world.ts'

/** The URI template of each operation of openapi.json, except that of the document, by the name of the file of its route. */
const documentedEndpoints = (): Record<string, string> => {
  const queryOf = (path: string) =>
    (document.paths![path]!.get!.parameters as { in: string; name: string }[])
      .filter((parameter) => parameter.in === 'query')
      .map(({ name }) => name)
      .join(',')
  return Object.fromEntries(
    routes.map(({ name, path }) => [
      name,
      `http://localhost:3000/api/v1${path}${queryOf(path) && `{?${queryOf(path)}}`}`,
    ]),
  )
}

describe('GET /', () => {
  describe('a wiki in two languages', () => {
    const test = withService({ rateLimit: 600 })
    withWorld(test, { name: 'Tea Wiki', license: 'https://license.example/by-sa', locales: ['en', 'ru'] })

    it('returns the wiki and the URLs of the endpoints', async () => {
      const { status, body } = await test.get('/')
      expect(status).to.equal(200)
      expect(body).to.deep.equal({
        name: 'Tea Wiki',
        version: '1',
        url: 'https://en.wiki.example',
        locale: 'en',
        locales: [
          { locale: 'en', name: 'EN', url: 'https://en.wiki.example' },
          { locale: 'ru', name: 'RU', url: 'https://ru.wiki.example' },
        ],
        namespaces: [
          { ns: 'main', prefix: '' },
          { ns: 'template', prefix: 'template:' },
          { ns: 'page_template', prefix: 'page_template:' },
          { ns: 'module', prefix: 'module:' },
        ],
        license: 'https://license.example/by-sa',
        attribution: 'Credit Tea Wiki and link the page (its url).',
        software: { name: 'Lectern', version: body.software.version },
        limits: {
          requests_per_minute: 600,
          list_limit_max: 200,
          search_limit_max: 50,
          cache_seconds: 60,
          list_bytes_max: 4_194_304,
          streams_max: 2000,
        },
        endpoints: {
          ...documentedEndpoints(),
          wiki: 'http://localhost:3000/api/v1/',
          pages: 'http://localhost:3000/api/v1/pages{?ns,locale,prefix,limit,after,include,path*,position}',
          history:
            'http://localhost:3000/api/v1/pages/{path}/history{?locale,limit,before,since,until,order,after,include}',
          page: 'http://localhost:3000/api/v1/pages/{path}{?locale,format,section,include}',
          diff: 'http://localhost:3000/api/v1/revisions/{id}/diff{?from,format}',
          revision: 'http://localhost:3000/api/v1/revisions/{id}{?format}',
          search:
            'http://localhost:3000/api/v1/search{?q,locale,all,ns,category,prefix,limit,offset,include}',
          suggest: 'http://localhost:3000/api/v1/suggest{?q,locale,limit}',
          recent: 'http://localhost:3000/api/v1/recent{?locale,author,ns,limit,before,since,until,include}',
          atom: 'http://localhost:3000/api/v1/recent.atom{?locale,author,ns}',
          file: 'http://localhost:3000/api/v1/files/{path}{?locale,after}',
          files: 'http://localhost:3000/api/v1/files{?prefix,type,limit,after}',
          categories: 'http://localhost:3000/api/v1/categories{?locale,limit,after}',
          category: 'http://localhost:3000/api/v1/categories/{key}{?locale,limit,after,include}',
          links: 'http://localhost:3000/api/v1/links{?to,from,locale,ns,limit,after}',
          changes: 'http://localhost:3000/api/v1/changes{?after,locale,ns,limit,include}',
        },
        openapi: 'http://localhost:3000/api/v1/openapi.json',
        docs: 'http://localhost:3000/api/v1/docs',
      })
    })

    it('software names the version of package.json', async () => {
      const { version } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8'))
      expect((await test.get('/')).body.software.version).to.equal(version)
    })

    it('works with and without the slash', async () => {
      const [bare, slash] = [await test.get(''), await test.get('/')]
      expect(bare.status).to.equal(200)
      expect(bare.text).to.equal(slash.text)
    })

    it('ignores all parameters', async () => {
      const { status } = await test.get('/?locale=xx&limit=0&limit=1')
      expect(status).to.equal(200)
    })

    it('every listed URL responds', async () => {
      const { body } = await test.get('/')
      for (const template of Object.values<string>(body.endpoints)) {
        const path = template
          .replace('http://localhost:3000/api/v1', '')
          .replace(/\{\?.*\}/, '')
          .replace('{path}', 'tea')
          .replace('{key}', 'tea')
          .replace('{id}', '00000000-0000-4000-8000-000000000001')
        const { status, text } = await test.get(path)
        expect(status === 200 || !text.includes('This URL does not exist'), template).to.equal(true)
      }
      for (const address of [body.openapi, body.docs]) {
        expect((await test.call(new URL(address).pathname)).status, address).to.equal(200)
      }
    })

    it('a URL that is like one of them is a 404 that names it', async () => {
      for (const [path, meant] of Object.entries({
        '/revisions/': 'revisions/{id}',
        '/page/tea/histories': 'pages/{path}/history',
        '/serch?q=tea': 'search{?q,locale',
        '/search/tea': 'search{?q,locale',
        '/history/tea': 'pages/{path}/history',
        '/diff': 'revisions/{id}/diff',
        '/category/tea': 'categories/{key}',
        '/Articles': 'pages',
        '/feed': 'recent.atom',
        '/recent-changes': 'recent{?',
        '/api/v1/pages/tea': 'pages/{path}{?',
      })) {
        const { message } = (await test.get(path)).body.error
        expect(message, path).to.include(`. Did you mean http://localhost:3000/api/v1/${meant}`)
      }
    })
  })

  describe('the license', () => {
    const test = withService()
    const configured = withService({
      licenseUrl: 'https://license.example/chosen',
      attribution: 'This is a fan wiki.',
    })

    it('a license that nobody named is a text of this API that says so, and never the wiki', async () => {
      await makeWorld({ license: null, pages: [{ path: 'tea', revisions: [{}] }] })
      test.service.invalidate()
      const { body, headers } = await test.get('/')
      const url = 'http://localhost:3000/api/v1/docs/guide#an-unknown-license'
      expect(body.license).to.equal(url)
      // It is no license: neither headers nor the feed name it as one.
      expect(headers.link).to.not.include('license')
      for (const path of ['/pages', '/pages/tea', '/recent.atom', '/search?q=x']) {
        const { status, headers, text } = await test.get(path)
        expect(status, path).to.equal(200)
        expect(headers, path).to.not.have.property('link')
        expect(text, path).to.not.include('rel="license"')
      }
      const markdown = await test.get('/pages/tea', { headers: { Accept: 'text/markdown' } })
      expect(markdown.headers.link).to.match(/^<[^>]+>; rel="canonical"$/)
      expect(readFileSync(packagePath('site', 'guide.md'), 'utf8')).to.include('\n### An unknown license\n')
    })

    it('ATTRIBUTION and LICENSE_URL override what the wiki says, and the default', async () => {
      await makeWorld({ license: 'https://license.example/own' })
      configured.service.invalidate()
      const { body, headers } = await configured.get('/')
      expect(body.license).to.equal('https://license.example/chosen')
      expect(body.attribution).to.equal('This is a fan wiki.')
      expect(headers.link).to.include('<https://license.example/chosen>; rel="license"')
    })

    it('a license URL with any characters is returned in ASCII', async () => {
      await makeWorld({ license: 'https://license.example/лицензия' })
      test.service.invalidate()
      const { status, body } = await test.get('/')
      expect(status).to.equal(200)
      expect(body.license).to.equal(
        'https://license.example/%D0%BB%D0%B8%D1%86%D0%B5%D0%BD%D0%B7%D0%B8%D1%8F',
      )
    })
  })

  describe('before the first import', () => {
    const test = withService()
    before(clearWorld)

    it('responds, and lists are empty', async () => {
      test.service.invalidate()
      expect((await test.get('/')).status).to.equal(200)
      for (const path of ['/pages', '/recent', '/search?q=tea']) {
        expect((await test.get(path)).body, path).to.deep.equal({ items: [], next: '' })
      }
      expect((await test.get('/pages/tea')).status).to.equal(404)
    })
  })
})
