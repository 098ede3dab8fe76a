import { LOST_PART } from '@lectern/wiki/dialects/directives'
import { expect } from 'chai'
import { exchangeOne } from '../support/raw.ts'
import { withService, withWorld } from '../support/service.ts'
import { importOrder } from '../support/world.ts'

const WORLD = {
  locales: ['en', 'ru', 'pt-br', 'zh-tw'],
  default_locale: 'en',
  categories: [
    { locale: 'en', key: 'tea', name: 'Tea' },
    { locale: 'ru', key: 'tea', name: 'Чай' },
  ],
  pages: [
    {
      path: 'tea',
      translation_group: 'tea',
      revisions: [{ title: 'Tea', markdown: `Sencha.\n\n${LOST_PART}`, categories: [{ key: 'tea' }] }],
    },
    {
      path: 'tea',
      locale: 'ru',
      translation_group: 'tea',
      revisions: [
        {
          title: 'Чай',
          markdown: 'Sencha. [a](/en/tea#x) [b](/en/no&1.pdf%2F) [c](/ru/tea)',
          categories: [{ key: 'tea' }],
        },
      ],
    },
    { path: 'tea', locale: 'pt-br', translation_group: 'tea', revisions: [{ title: 'Chá' }] },
  ],
}

describe('languages', () => {
  describe('one host for each language', () => {
    const test = withService({ baseUrl: undefined })
    withWorld(test, WORLD)
    const at = (host: string, path: string) => test.get(path, { headers: { Host: host } })

    it('the requested host decides the default locale', async () => {
      for (const [host, locale, title] of [
        ['en.wiki.example', 'en', 'Tea'],
        ['ru.wiki.example', 'ru', 'Чай'],
        ['RU.Wiki.Example', 'ru', 'Чай'],
        ['ru.wiki.example:443', 'ru', 'Чай'],
        ['ru.wiki.example:', 'ru', 'Чай'],
      ] as const) {
        expect((await at(host, '/')).body.locale, host).to.equal(locale)
        expect((await at(host, '/pages')).body.items[0].title, host).to.equal(title)
        expect((await at(host, '/pages/tea')).body.title, host).to.equal(title)
        expect((await at(host, '/pages/tea/history')).headers['content-language'], host).to.equal(locale)
        expect((await at(host, '/categories/tea')).body.category.name, host).to.equal(title)
        expect((await at(host, '/search?q=sencha')).body.items[0].locale, host).to.equal(locale)
      }
    })

    it('an unknown host gets the default locale of the wiki', async () => {
      const hosts = 'localhost evil.example ru.wiki.example.evil ru.wiki.example:8443 xru.wiki.example'
      for (const host of hosts.split(' ')) {
        const { body, headers } = await at(host, '/pages/tea')
        expect(body.locale, host).to.equal('en')
        expect(headers['content-language']).to.equal('en')
      }
    })

    it('the parameter locale overrides the host', async () => {
      expect((await at('ru.wiki.example', '/pages/tea?locale=en')).body.title).to.equal('Tea')
    })

    it('the host of a target in absolute form overrides the Host header', async () => {
      const { body } = await exchangeOne(
        test.service.listeningUrl,
        'GET http://ru.wiki.example/api/v1/pages/tea HTTP/1.1\r\nHost: en.wiki.example\r\nConnection: close\r\n\r\n',
      )
      expect(JSON.parse(body).locale).to.equal('ru')
    })

    it('links to this API begin with the requested host', async () => {
      for (const host of ['en.wiki.example', 'ru.wiki.example']) {
        const base = `https://${host}/api/v1`
        const wiki = (await at(host, '/')).body
        expect(wiki.url).to.equal(`https://${host}`)
        expect(wiki.openapi).to.equal(`${base}/openapi.json`)
        expect(wiki.endpoints.recent).to.equal(
          `${base}/recent{?locale,author,ns,limit,before,since,until,include}`,
        )
        const recent = await at(host, '/recent?limit=1')
        expect(recent.body.items[0].url).to.match(new RegExp(`^${base}/revisions/[0-9a-f-]{36}$`))
        expect(recent.headers.link).to.include(`<${base}/recent?limit=1&before=`)
        expect((await at(host, '/openapi.json')).body.servers[0].url).to.equal(base)
      }
    })

    it('a host that is not configured does not change any link', async () => {
      const { text, headers } = await at('evil.example', '/recent?limit=1')
      expect(text + JSON.stringify(headers)).not.to.include('evil.example')
      expect((await at('evil.example', '/')).text).not.to.include('evil.example')
      expect((await at('evil.example', '/nothing')).text).not.to.include('evil.example')
    })
  })

  describe('URLs and language codes', () => {
    const test = withService()
    withWorld(test, WORLD)

    it('the url of a page is that of its own language, whatever host is requested', async () => {
      const { body } = await test.get('/pages/tea?locale=ru')
      expect(body.url).to.equal('https://ru.wiki.example/tea')
      expect(body.categories[0].url).to.equal('https://ru.wiki.example/category:tea')
      const [english, brazilian] = [body.translations[0], body.translations[1]].sort((a, b) =>
        a.locale < b.locale ? -1 : 1,
      )
      expect(english.url).to.equal('https://en.wiki.example/tea')
      expect(brazilian.url).to.equal(`${new URL(test.service.url).origin}/wiki/pt-br/tea`)
      const recent = (await test.get('/recent')).body.items
      expect(
        recent.map((item: { page: { locale: string; url: string } }) => item.page.url),
      ).to.include.members(['https://en.wiki.example/tea', 'https://ru.wiki.example/tea'])
      const hits = (await test.get('/search?q=sencha&all=true')).body.items
      expect(hits.map((hit: { url: string }) => hit.url)).to.have.members([
        'https://en.wiki.example/tea',
        'https://ru.wiki.example/tea',
      ])
    })

    it('language codes are case-insensitive, and returned in lower case', async () => {
      for (const code of ['pt-br', 'pt-BR', 'PT-Br']) {
        const { body, headers } = await test.get(`/pages/tea?locale=${code}`)
        expect(body.locale, code).to.equal('pt-br')
        expect(body.title).to.equal('Chá')
        expect(headers['content-language']).to.equal('pt-br')
      }
    })

    it('a language without pages exists', async () => {
      expect((await test.get('/pages?locale=zh-TW')).body).to.deep.equal({ items: [], next: '' })
      expect((await test.get('/pages/tea?locale=zh-tw')).status).to.equal(404)
    })

    it('400: an invalid or unknown language code; the message lists the languages, and names a similar one', async () => {
      const similar: Record<string, string> = { pt: 'pt-br', 'pt-pt': 'pt-br', en_GB: 'en', 'en-': 'en' }
      const codes = ['de', 'pt', 'pt-pt', 'e', 'english', 'en_GB', 'en-', '-en', '', '*', 'en,ru', 'e n']
      for (const code of [...codes, 'x'.repeat(99)]) {
        for (const path of '/pages /pages/tea /pages/tea/history /search /recent /categories/tea'.split(
          ' ',
        )) {
          const { status, body } = await test.get(`${path}?locale=${encodeURIComponent(code)}`)
          expect(status, path + code).to.equal(400)
          expect(body.error.code).to.equal('bad_parameter')
          const hint = similar[code] ? `. Did you mean ${similar[code]}?` : ''
          expect(body.error.message).to.match(/^locale: .*: en, pt-br, ru, zh-tw/)
          expect(body.error.message.split(', zh-tw')[1], code).to.equal(hint)
        }
      }
    })
  })

  describe('one host for several languages, or for a language that the wiki does not have', () => {
    const test = withService({
      baseUrl: undefined,
      wikiAddresses: {
        en: 'https://wiki.example/en',
        ru: 'https://wiki.example/ru',
        de: 'https://de.wiki.example',
      },
    })
    withWorld(test, { ...WORLD, default_locale: 'ru' })

    it('gets the default locale of the wiki', async () => {
      for (const host of ['wiki.example', 'de.wiki.example']) {
        expect((await test.get('/', { headers: { Host: host } })).body.locale, host).to.equal('ru')
      }
    })

    it('keeps the path of a wiki URL in the urls of pages', async () => {
      expect((await test.get('/pages/tea?locale=en')).body.url).to.equal('https://wiki.example/en/tea')
    })

    it('is followed by the path of a page on its site, in urls and in links of HTML', async () => {
      await importOrder({ path: 'tea', sitePath: '/docs/a&b/' })
      test.service.invalidate()
      const url = 'https://wiki.example/en/docs/a&b/'
      expect((await test.get('/pages?locale=en')).body.items[0].url).to.equal(url)
      const { body } = await test.get('/pages/tea?locale=ru&include=html&translations=true')
      expect(body.url).to.equal('https://wiki.example/ru/tea')
      expect(body.translations.find((one: { locale: string }) => one.locale === 'en').url).to.equal(url)
      const links = body.html.match(/href="[^"]*"/g)
      expect(links).to.deep.equal([
        'href="https://wiki.example/en/docs/a&amp;b/#x"',
        'href="https://wiki.example/en/no&amp;1.pdf%2F"',
        'href="https://wiki.example/ru/tea"',
      ])
      const { html } = (await test.get('/pages/tea?locale=en&include=html')).body
      expect(html).to.include(
        '<a href="https://wiki.example/en/docs/a&amp;b/" rel="external">the original site</a>',
      )
    })
  })
})
