import { UsageError } from '@lectern/wiki/errors'
import {
  makeWikiAddresses,
  pageAt,
  pageUrl,
  siteUrl,
  wikiAddressOf,
  wikiFilesAddressOf,
} from '@lectern/wiki/links'
import { fileUrl, type LinkContext, linkTarget } from '@lectern/wiki/references'
import { rewriteSrcset } from '@lectern/wiki/srcset'
import { expect } from 'chai'
import fc from 'fast-check'

const addresses = makeWikiAddresses({
  byLocale: { en: 'https://en.wiki.example', ru: 'https://wiki.example/ru/' },
  fallback: 'http://localhost:3000/wiki/',
})
const locales = new Set(['en', 'ru', 'ja'])

describe('links: base URLs of the wiki', () => {
  it('uses the URL of the language, or the fallback URL followed by the locale', () => {
    expect(wikiAddressOf(addresses, 'en')).to.equal('https://en.wiki.example')
    expect(wikiAddressOf(addresses, 'ru')).to.equal('https://wiki.example/ru')
    expect(wikiAddressOf(addresses, 'ja')).to.equal('http://localhost:3000/wiki/ja')
  })

  it('the base URL of files has no locale at its end', () => {
    expect(wikiFilesAddressOf(addresses, 'en')).to.equal('https://en.wiki.example')
    expect(wikiFilesAddressOf(addresses, 'ru')).to.equal('https://wiki.example')
    expect(wikiFilesAddressOf(addresses, 'ja')).to.equal('http://localhost:3000/wiki')
    expect(
      wikiFilesAddressOf(makeWikiAddresses({ byLocale: { en: 'https://en' }, fallback: 'https://x' }), 'en'),
    ).to.equal('https://en')
  })

  for (const invalid of [
    'wiki.example',
    'ftp://wiki.example',
    'https://a:b@wiki.example',
    'https://w.example/?x',
    '',
  ]) {
    it(`refuses the base URL ${JSON.stringify(invalid)}`, () => {
      expect(() => makeWikiAddresses({ byLocale: { en: invalid }, fallback: 'https://x' })).to.throw(
        UsageError,
      )
      expect(() => makeWikiAddresses({ byLocale: {}, fallback: invalid })).to.throw(UsageError)
    })
  }
})

describe('links: URL of a page', () => {
  const cases: [path: string, url: string][] = [
    ['sencha', 'https://en.wiki.example/sencha'],
    ['guide/green tea', 'https://en.wiki.example/guide/green%20tea'],
    ['template:box', 'https://en.wiki.example/template:box'],
    ['C++/a=b&c;d,e@f$g!h*(i)~j', 'https://en.wiki.example/C++/a=b&c;d,e@f$g!h*(i)~j'],
    ['what?#100%', 'https://en.wiki.example/what%3F%23100%25'],
    [`it's "q"`, 'https://en.wiki.example/it%27s%20%22q%22'],
    ['чай', 'https://en.wiki.example/%D1%87%D0%B0%D0%B9'],
    ['a\\b', 'https://en.wiki.example/a%5Cb'],
    ['/a', 'https://en.wiki.example/%2Fa'],
    ['a//b', 'https://en.wiki.example/a%2F%2Fb'],
    ['a/../b', 'https://en.wiki.example/a%2F..%2Fb'],
    ['./a', 'https://en.wiki.example/.%2Fa'],
    ['', 'https://en.wiki.example/'],
    ['\ud800', 'https://en.wiki.example/%EF%BF%BD'],
  ]
  for (const [path, url] of cases) {
    it(`${JSON.stringify(path)} is ${url}, and a URL parser does not change it`, () => {
      expect(pageUrl(addresses, 'en', path)).to.equal(url)
      expect(new URL(url).href).to.equal(url)
    })
  }

  it('of a page on its site, an address that ends with the folder of the site does not double it', () => {
    const byLocale = { en: 'https://tea.example/x/docs', de: 'https://docs' }
    const urls = makeWikiAddresses({ byLocale, fallback: 'https://tea.example' })
    for (const [locale, path, sitePath, url] of [
      ['en', 'tea', '/docs/tea/', 'https://tea.example/x/docs/tea/'],
      ['en', 'index', '/docs', 'https://tea.example/x/docs'],
      ['en', 'docs/tea', '/docs/tea/', 'https://tea.example/x/docs/docs/tea/'],
      ['en', 'tea', '/docsy/tea', 'https://tea.example/x/docs/docsy/tea'],
      ['en', 'tea', '/', 'https://tea.example/x/docs/'],
      ['de', 'tea', '/docs/tea', 'https://docs/docs/tea'],
    ] as const)
      expect(siteUrl(urls, { locale, path }, sitePath)).to.equal(url)
  })

  it('the paths "." and ".." have no URL: a URL parser leads to the front page', () => {
    expect(pageUrl(addresses, 'en', '..')).to.equal('https://en.wiki.example/%2E%2E')
    expect(new URL(pageUrl(addresses, 'en', '..')).href).to.equal('https://en.wiki.example/')
  })

  it('any other path can be read from its URL, in any language', () => {
    const anyPath = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
      .map((path) => path.normalize('NFC'))
      .filter((path) => path !== '.' && path !== '..')
    fc.assert(
      fc.property(anyPath, fc.constantFrom('en', 'ru', 'ja'), (path, locale) => {
        const url = pageUrl(addresses, locale, path)
        expect(new URL(url).href).to.equal(url)
        expect(pageAt(addresses, new URL(url), locales)).to.deep.equal({ locale, path })
      }),
    )
  })
})

describe('links: page of a URL', () => {
  const cases: [url: string, page: { locale: string; path: string } | null][] = [
    ['https://en.wiki.example/guide/tea?x#y', { locale: 'en', path: 'guide/tea' }],
    ['http://en.wiki.example/guide/tea/', { locale: 'en', path: 'guide/tea' }],
    ['https://en.wiki.example', { locale: 'en', path: '' }],
    ['https://wiki.example/ru/x', { locale: 'ru', path: 'x' }],
    ['https://wiki.example/rubbish', null],
    ['http://localhost:3000/wiki/JA/x', { locale: 'ja', path: 'x' }],
    ['http://localhost:3000/wiki/en/x', { locale: 'en', path: 'x' }],
    ['http://localhost:3000/wiki/fr/x', null],
    ['http://localhost:3000/wiki', null],
    ['http://localhost:3001/wiki/ja/x', null],
    ['https://en.wiki.example.evil.example/x', null],
    ['https://en.wiki.example/%FF', null],
  ]
  for (const [url, page] of cases) {
    it(`${url} is ${page ? `${page.locale} ${JSON.stringify(page.path)}` : 'no page'}`, () => {
      expect(pageAt(addresses, new URL(url), locales)).to.deep.equal(page)
    })
  }

  it('uses the longest matching base URL', () => {
    const nested = makeWikiAddresses({
      byLocale: { en: 'https://w.example', ru: 'https://w.example/ru' },
      fallback: 'https://w.example',
    })
    expect(pageAt(nested, new URL('https://w.example/ru/x'), locales)).to.deep.equal({
      locale: 'ru',
      path: 'x',
    })
    expect(pageAt(nested, new URL('https://w.example/ja/x'), locales)).to.deep.equal({
      locale: 'ja',
      path: 'x',
    })
    expect(pageAt(nested, new URL('https://w.example/x'), locales)).to.deep.equal({ locale: 'en', path: 'x' })
  })
})

const contextOf = (locale: string, path: string): LinkContext => ({ addresses, locales, locale, path })

describe('links: links in a page', () => {
  const cases: [reference: string, href: string | null][] = [
    ['sencha', 'https://en.wiki.example/guide/sencha'],
    ['./sencha.md#brewing', 'https://en.wiki.example/guide/sencha#brewing'],
    ['../oolong.mdx?a=b#c', 'https://en.wiki.example/oolong?a=b#c'],
    ['../../../oolong', 'https://en.wiki.example/oolong'],
    ['..', 'https://en.wiki.example/'],
    ['/guide/water', 'https://en.wiki.example/guide/water'],
    ['/guide/', 'https://en.wiki.example/guide'],
    ['/guide/index.md', 'https://en.wiki.example/guide'],
    ['/guide/index', 'https://en.wiki.example/guide'],
    ['/index', 'https://en.wiki.example/index'],
    ['/.md', 'https://en.wiki.example/.md'],
    ['/', 'https://en.wiki.example/'],
    ['', 'https://en.wiki.example/guide/tea'],
    ['#steep', 'https://en.wiki.example/guide/tea#steep'],
    ['?all', 'https://en.wiki.example/guide/tea?all'],
    ['#чай', 'https://en.wiki.example/guide/tea#%D1%87%D0%B0%D0%B9'],
    ['/ru/sencha', 'https://wiki.example/ru/sencha'],
    ['/RU/sencha.md?x=1#y', 'https://wiki.example/ru/sencha?x=1#y'],
    ['/ru', 'https://wiki.example/ru/'],
    ['/ja/sencha', 'http://localhost:3000/wiki/ja/sencha'],
    ['/fr/sencha', 'https://en.wiki.example/fr/sencha'],
    ['ru/sencha', 'https://en.wiki.example/guide/ru/sencha'],
    ['template:box', 'https://en.wiki.example/template:box'],
    ['page_template:event', 'https://en.wiki.example/page_template:event'],
    ['module:date?x', 'https://en.wiki.example/module:date?x'],
    ['category:green-tea#list', 'https://en.wiki.example/category:green-tea#list'],
    ['/template:box', 'https://en.wiki.example/template:box'],
    ['help:me', null],
    ['Vue.js', 'https://en.wiki.example/guide/Vue.js'],
    ['v2.0', 'https://en.wiki.example/guide/v2.0'],
    ['/assets/tea.pdf', 'https://en.wiki.example/assets/tea.pdf'],
    ['green%20tea', 'https://en.wiki.example/guide/green%20tea'],
    ['green tea', 'https://en.wiki.example/guide/green%20tea'],
    ['100%', 'https://en.wiki.example/guide/100%25'],
    ['/a%2F..%2Fb', 'https://en.wiki.example/a%2F..%2Fb'],
    ['/a/%2e%2E/b', 'https://en.wiki.example/b'],
    ['/cafe\u0301', 'https://en.wiki.example/caf%C3%A9'],
    ['//host.example/x', 'https://host.example/x'],
    ['\\\\host.example\\x', 'https://host.example/x'],
    ['/\\host.example', 'https://host.example/'],
    ['https://host.example', 'https://host.example/'],
    ['HTTPS://user:secret@host.example/x?y#z', 'https://host.example/x?y#z'],
    ['http://en.wiki.example/guide/index.md?a#b', 'https://en.wiki.example/guide?a#b'],
    ['http://localhost:3000/wiki/ru/x', 'https://wiki.example/ru/x'],
    ['https://en.wiki.example/a.png', 'https://en.wiki.example/a.png'],
    ['mailto:tea@wiki.example', 'mailto:tea@wiki.example'],
    ['tel:+1 555', 'tel:+1%20555'],
    ['irc://ada:pw@irc.example/tea', 'irc://irc.example/tea'],
    ['mailto:"<tea>"@wiki.example', 'mailto:%22%3Ctea%3E%22@wiki.example'],
    ['javascript:alert(1)', null],
    [' \u0001java\nscript:alert(1)', null],
    ['data:text/html,x', null],
    ['ssh:1', null],
    ['http://', null],
    ['https://a b/', null],
  ]
  for (const [reference, href] of cases) {
    it(`${JSON.stringify(reference)} resolves to ${href ?? 'null'}`, () => {
      expect(linkTarget(reference, contextOf('en', 'guide/tea'))?.href ?? null).to.equal(href)
    })
  }

  it('a link is external if its host is not the wiki', () => {
    const isExternal = (reference: string) => linkTarget(reference, contextOf('ja', 'tea'))?.external
    expect(isExternal('https://host.example/')).to.equal(true)
    expect(isExternal('//host.example/')).to.equal(true)
    expect(isExternal('https://wiki.example/shop')).to.equal(true)
    expect(isExternal('/en/x')).to.equal(false)
    expect(isExternal('https://en.wiki.example/a.png')).to.equal(false)
    expect(isExternal('mailto:a@b.example')).to.equal(false)
  })
})

describe('links: files in a page', () => {
  const cases: [reference: string, url: string | null][] = [
    ['/assets/tea.png', 'http://localhost:3000/wiki/assets/tea.png'],
    ['/assets/tea', 'http://localhost:3000/wiki/assets/tea'],
    ['/ru/tea.png', 'https://wiki.example/ru/tea.png'],
    ['tea.png?v=2', 'http://localhost:3000/wiki/ja/guide/tea.png?v=2'],
    ['../notes.md', 'http://localhost:3000/wiki/ja/notes.md'],
    ['https://en.wiki.example/notes.md', 'https://en.wiki.example/notes.md'],
    ['//cdn.example/a.png', 'http://cdn.example/a.png'],
    ['https://u:p@cdn.example/a.png', 'https://cdn.example/a.png'],
    ['', null],
    ['#x', null],
    ['data:image/png;base64,AA', null],
    ['mailto:a@b.example', null],
    ['template:x', null],
  ]
  for (const [reference, url] of cases) {
    it(`${JSON.stringify(reference)} resolves to ${url ?? 'null'}`, () => {
      expect(fileUrl(reference, contextOf('ja', 'guide/tea'))).to.equal(url)
    })
  }
})

describe('links: srcset', () => {
  const rewrite = (srcset: string) =>
    rewriteSrcset(srcset, (reference) => (reference === 'bad' ? null : `https://x/${reference}`))
  const cases: [srcset: string, result: string | null][] = [
    ['a', 'https://x/a'],
    ['a 1x, b 2x', 'https://x/a 1x, https://x/b 2x'],
    [' a  480w ,b 1.5x', 'https://x/a 480w, https://x/b 1.5x'],
    ['a, b', 'https://x/a, https://x/b'],
    ['a,b 2x', 'https://x/a,b 2x'],
    ['a,, b 2x', 'https://x/a, https://x/b 2x'],
    ['bad 1x, b 2x', 'https://x/b 2x'],
    ['a 0w, b 1q, c 2x 3x, d -1x', null],
    [',,, ', null],
    ['', null],
  ]
  for (const [srcset, result] of cases) {
    it(`${JSON.stringify(srcset)} becomes ${result}`, () => {
      expect(rewrite(srcset)).to.equal(result)
    })
  }

  it('encodes a comma at the end of a URL', () => {
    expect(rewriteSrcset('a 1x', () => 'https://x/a,')).to.equal('https://x/a%2C 1x')
  })
})
