import { htmlAsText } from '@lectern/wiki/html-text'
import { makeWikiAddresses } from '@lectern/wiki/links'
import { outlineOf, sectionHtml } from '@lectern/wiki/outline'
import { sectionsOf } from '@lectern/wiki/plain-text/sections'
import type { LinkContext } from '@lectern/wiki/references'
import { expect } from 'chai'
import { cpuTimeOf } from '../../../test/support/cpu-time.ts'
import { plainText, renderHtml } from '../../../test/support/markdown.ts'

const context: LinkContext = {
  addresses: makeWikiAddresses({ byLocale: { en: 'https://w.example' }, fallback: 'https://x.example' }),
  locale: 'en',
  path: 'tea/sencha',
  locales: new Set(['en']),
  pages: new Map([['Green tea', { locale: 'en', path: 'tea/green' }]]),
}
const html = (markdown: string): string => renderHtml(markdown, context)
const text = (markdown: string): string => htmlAsText(html(markdown))

/** What an extension becomes as HTML, as plain text, and in the index of search. */
interface Example {
  markdown: string
  html: string
  text: string
  index: string
}

const EXAMPLES: Record<string, Example> = {
  'an alert of GitHub': {
    markdown: '> [!NOTE]\n> Use *soft* water.',
    html: '<blockquote class="markdown-alert markdown-alert-note">\n<p class="markdown-alert-title"><strong>Note</strong></p>\n<p>Use <em>soft</em> water.</p>\n</blockquote>\n',
    text: 'Note\n\nUse soft water.',
    index: 'Use soft water.',
  },
  'a callout of Obsidian with a title': {
    markdown: '> [!bug|left]- Too *hot*\n> Wait.\n>\n> - then pour',
    html: '<blockquote class="markdown-alert markdown-alert-caution markdown-alert-bug">\n<details>\n<summary class="markdown-alert-title"><strong>Too <em>hot</em></strong></summary>\n<p>Wait.</p>\n<ul>\n<li>then pour</li>\n</ul>\n</details>\n</blockquote>\n',
    text: 'Too hot\n\nWait.\n\n- then pour',
    index: 'Too hot\nWait.\nthen pour',
  },
  'classes of Wiki.js after a quotation and a list': {
    markdown: '> Hot\n{.is-warning}\n\n- a\n- b\n{.links-list}\n\n{.x} y',
    html: '<blockquote class="markdown-alert markdown-alert-warning">\n<p>Hot</p>\n</blockquote>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<p>{.x} y</p>\n',
    text: 'Hot\n\n- a\n- b\n\n{.x} y',
    index: 'Hot\na\nb\n{.x} y',
  },
  'footnotes, numbered by their first references': {
    markdown: 'Tea[^b] is[^A] old[^b].\n[^a]: Very\n  *old*.\n[^b]: Camellia.\n[^c]: Unused.\n\n[^none]',
    html: '<p>Tea<sup><a href="https://w.example/tea/sencha#fn:1" name="fnref:1">1</a></sup> is<sup><a href="https://w.example/tea/sencha#fn:2" name="fnref:2">2</a></sup> old<sup><a href="https://w.example/tea/sencha#fn:1" name="fnref:1-2">1</a></sup>.</p>\n<p>[^none]</p>\n<section class="footnotes">\n<ol>\n<li id="fn:1" value="1"><p>Camellia. <a href="https://w.example/tea/sencha#fnref:1">↩</a> <a href="https://w.example/tea/sencha#fnref:1-2">↩<sup>2</sup></a></p></li>\n<li id="fn:2" value="2"><p>Very\n<em>old</em>. <a href="https://w.example/tea/sencha#fnref:2">↩</a></p></li>\n</ol>\n</section>\n',
    text: 'Tea[1] is[2] old[1].\n\n[^none]\n\n[1] Camellia.\n\n[2] Very old.',
    index: 'Tea is old.\nVery old.\nCamellia.\nUnused.',
  },
  'a definition list': {
    markdown: 'Sencha\nGyokuro\n: green\n: Japanese\n\nAssam\n\n:   black\n\n    strong',
    html: '<dl>\n<dt>Sencha</dt>\n<dt>Gyokuro</dt>\n<dd>green</dd>\n<dd>Japanese</dd>\n<dt>Assam</dt>\n<dd><p>black</p>\n<p>strong</p></dd>\n</dl>\n',
    text: 'Sencha\nGyokuro\ngreen\nJapanese\nAssam\n\nblack\n\nstrong',
    index: 'Sencha Gyokuro\ngreen\nJapanese\nAssam\nblack\nstrong',
  },
  'emoji codes': {
    markdown: ':tea: at 12:100:30, `:tea:` and :nothing: :+1: :man_running: :person_running:',
    html: '<p>🍵 at 12:100:30, <code>:tea:</code> and :nothing: 👍 🏃‍♂️ 🏃</p>\n',
    text: '🍵 at 12:100:30, :tea: and :nothing: 👍 🏃‍♂️ 🏃',
    index: '🍵 at 12:100:30, :tea: and :nothing: 👍 🏃‍♂️ 🏃',
  },
  'links by name': {
    markdown:
      '[[Green tea]] [[Green tea.md#How to *steam*|steam]] [[#Heat]] [[Red tea|red]] `[[a]]` [[1]](b) x[[0]] [a [[Green tea#^Ab-1]]] [b [[Green tea|c]]](d)',
    html: '<p><a href="https://w.example/tea/green">Green tea</a> <a href="https://w.example/tea/green#how-to-steam">steam</a> <a href="https://w.example/tea/sencha#heat">Heat</a> red <code>[[a]]</code> <a href="https://w.example/tea/b">[1]</a> x0 [a <a href="https://w.example/tea/green#ab-1">Green tea</a>] <a href="https://w.example/tea/d">b c</a></p>\n',
    text: 'Green tea steam Heat red [[a]] [1] x0 [a Green tea] b c',
    index: 'Green tea steam Heat red [[a]] [1] x0 [a Green tea] b c',
  },
  'prices, variables and escaped dollar signs stay text': {
    markdown: '$5 and $6, US$5-$6, 5$ or 6$, $HOME/$USER, \\$x$, $20 and the 30$ bill, a $ b $ c',
    html: '<p>$5 and $6, US$5-$6, 5$ or 6$, $HOME/$USER, $x$, $20 and the 30$ bill, a $ b $ c</p>\n',
    text: '$5 and $6, US$5-$6, 5$ or 6$, $HOME/$USER, $x$, $20 and the 30$ bill, a $ b $ c',
    index: '$5 and $6, US$5-$6, 5$ or 6$, $HOME/$USER, $x$, $20 and the 30$ bill, a $ b $ c',
  },
  'short formulas, also without spaces around them in Chinese': {
    markdown: '前$2m$项，$2k-2$ 个。$1, 5, 14$',
    html: '<p>前<math><semantics><mrow><mn>2</mn><mi>m</mi></mrow><annotation encoding="application/x-tex">2m</annotation></semantics></math>项，<math><semantics><mrow><mn>2</mn><mi>k</mi><mo>−</mo><mn>2</mn></mrow><annotation encoding="application/x-tex">2k-2</annotation></semantics></math> 个。<math><semantics><mrow><mn>1</mn><mo separator="true">,</mo><mn>5</mn><mo separator="true">,</mo><mn>14</mn></mrow><annotation encoding="application/x-tex">1, 5, 14</annotation></semantics></math></p>\n',
    text: '前2m项，2k-2 个。1, 5, 14',
    index: '前2m项，2k-2 个。1, 5, 14',
  },
  formulas: {
    markdown: 'If $a_1$ and `$x$`,\n$$\na_1*b\n- c*d\n$$\nthen\n\n```math\nx\n```',
    html: '<p>If <math><semantics><msub><mi>a</mi><mn>1</mn></msub><annotation encoding="application/x-tex">a_1</annotation></semantics></math> and <code>$x$</code>,</p>\n<p><math display="block" class="tml-display"><semantics><mrow><msub><mi>a</mi><mn>1</mn></msub><mo>∗</mo><mi>b</mi><mo>−</mo><mi>c</mi><mo>∗</mo><mi>d</mi></mrow><annotation encoding="application/x-tex">a_1*b\n- c*d</annotation></semantics></math></p>\n<p>then</p>\n<p><math display="block" class="tml-display"><semantics><mi>x</mi><annotation encoding="application/x-tex">x</annotation></semantics></math></p>\n',
    text: 'If a_1 and $x$,\n\na_1*b - c*d\n\nthen\n\nx',
    index: 'If a_1 and $x$,\na_1*b - c*d\nthen\nx',
  },
  'formulas in emphasis': {
    markdown: '*x $a*b$ y* **$c_1$** _$d_e$_',
    html: '<p><em>x <math><semantics><mrow><mi>a</mi><mo>∗</mo><mi>b</mi></mrow><annotation encoding="application/x-tex">a*b</annotation></semantics></math> y</em> <strong><math><semantics><msub><mi>c</mi><mn>1</mn></msub><annotation encoding="application/x-tex">c_1</annotation></semantics></math></strong> <em><math><semantics><msub><mi>d</mi><mi>e</mi></msub><annotation encoding="application/x-tex">d_e</annotation></semantics></math></em></p>\n',
    text: 'x a*b y c_1 d_e',
    index: 'x a*b y c_1 d_e',
  },
  'a formula that is not TeX': {
    markdown: '$\\href{javascript:alert(1)}{x}$ and $\\frac$',
    html: '<p><code>\\href{javascript:alert(1)}{x}</code> and <code>\\frac</code></p>\n',
    text: '\\href{javascript:alert(1)}{x} and \\frac',
    index: '\\href{javascript:alert(1)}{x} and \\frac',
  },
}

describe('extensions of Markdown, as HTML, as plain text and in the index', () => {
  for (const [name, { markdown, ...expected }] of Object.entries(EXAMPLES))
    it(name, () => {
      expect({ html: html(markdown), text: text(markdown), index: plainText(markdown) }).to.deep.equal(
        expected,
      )
    })

  for (const mark of ['[[toc]]', '[TOC]', '$' + '{toc}', '[[_TOC_]]'])
    it(`the table of contents: ${mark}`, () => {
      const markdown = `# Tea & [co](x)\n\n${mark}\n\n### Heat $x$[^1]\n\n## Tea\n\n[^1]: y`
      expect(html(markdown)).to.include(
        '<nav class="table-of-contents"><ul><li><a href="https://w.example/tea/sencha#tea--co">Tea &amp; co</a><ul><li><a href="https://w.example/tea/sencha#heat-x">Heat x</a></li><li><a href="https://w.example/tea/sencha#tea">Tea</a></li></ul></li></ul></nav>',
      )
      expect(text(markdown)).to.equal('Tea & co\n\nHeat x[1]\n\nTea\n\n[1] y')
      expect(plainText(markdown)).to.equal('Tea & co\nHeat x\nTea\ny')
      expect(sectionHtml(markdown, 'tea--co', context, 1e6)).to.equal(html(markdown))
    })

  it('only the first table of contents of a text is shown: many of them would make it very long', () => {
    expect(html('[toc]\n\n# A\n\n[toc]\n').match(/<nav/g)).to.have.length(1)
  })

  it('a section has the footnotes to which it refers, with their numbers in the page', () => {
    const markdown = '# A\na[^1]\n# B :tea:[^2]\nb\n# C\n[^1]: one\n[^2]: two[^3]\n[^3]: three'
    const part = sectionHtml(markdown, 'b-tea', context, 1e6)!
    expect(htmlAsText(part)).to.equal('B 🍵[2]\n\nb\n\n[2] two[3]\n\n[3] three')
    expect(outlineOf(markdown, context).map(({ title }) => title)).to.deep.equal(['A', 'B 🍵', 'C'])
  })

  it('no heading has the id of a footnote or of a reference to one', () => {
    const shown = html('# fn 1\n\n## fn:1\n\n## fnref-1\n\n## fnref:1\n\nTea[^1].\n\n[^1]: Leaf.')
    const ids = [...shown.matchAll(/ (?:id|name)="([^"]*)"/g)].map(([, id]) => id)
    expect(ids).to.have.length(6)
    expect(new Set(ids).size).to.equal(6)
  })

  it('headings in footnotes and definitions are paragraphs: they begin no sections', () => {
    const markdown = '# A[^1]\n\nterm\n: # B\n\n[^1]: x\n\n    # C'
    expect(outlineOf(markdown, context).map(({ id }) => id)).to.deep.equal(['a'])
    expect(html(markdown).match(/<h1/g)).to.have.length(1)
  })

  it('a heading of nothing but a comment is none', () => {
    expect(html('## <!-- a -->\n\n# B')).to.equal('<h1 id="b">B</h1>\n')
    expect(outlineOf('## <!-- a -->\n\n# B', context).map(({ id }) => id)).to.deep.equal(['', 'b'])
  })

  it('raw text elements in terms, titles and footnotes do not hide the rest of the page', () => {
    const markdown = '> [!NOTE] <title>\n> a\n\nx <style>\n: b\n\nc[^1]\n\n[^1]: <title> d'
    expect(text(markdown)).to.equal('<title>\n\na\n\nx <style>\nb\n\nc[1]\n\n[1] <title> d')
  })

  it('a formula of too many characters, and those after 50,000 characters in all, stay source', () => {
    expect(html(`$${'x'.repeat(4_001)}$`)).to.not.include('<math')
    expect(html(`$${'x'.repeat(3_000)}$\n\n`.repeat(18)).match(/<math/g)).to.have.length(16)
    expect(html(`$${'{'.repeat(1_900)}x${'}'.repeat(1_900)}$`)).to.match(/<(?:code|math)>/)
  })

  it('search reports the names of links, and the texts of their labels', () => {
    const links: unknown[] = []
    sectionsOf(
      '[[Green tea#x|a]] `[[b]]` [[c\\|d]]\n\n| [[e\\|f]] |\n|-|\n\n[[#g]] [h](i)',
      (url, label, name) => links.push([url, label?.(), name]),
    )
    expect(links).to.deep.equal([
      ['', 'a', 'Green tea'],
      ['', 'd', 'c'],
      ['', 'f', 'e'],
      ['i', 'h', undefined],
    ])
  })
})

describe('hostile use of the extensions of Markdown', () => {
  const costOf = (markdown: string): number => cpuTimeOf(() => renderHtml(markdown, context))
  for (const unit of [
    '$',
    '$a',
    '$a$',
    '$$\n',
    '[^a]',
    '[^a]: b\n',
    '[[',
    '[[a]]',
    '[[a|',
    ':a',
    ':::',
    ':tea:',
    'a\n: b\n',
    '> [!a]\n',
    '[toc]\n\n',
  ])
    it(`rendering takes time linear in the number of marks: ${JSON.stringify(unit)}`, () => {
      const text = (length: number) => `[^a]: b\n\n${unit.repeat(length / unit.length)}`
      let [short, long] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
      for (let round = 0; round < 5 && !(long < 100 || long < 32 * short); round++) {
        long = Math.min(long, costOf(text(16_000)))
        if (long >= 100) short = Math.min(short, costOf(text(2_000)))
      }
      expect(long < 100 || long < 32 * short, `${short} ms, then ${long} ms`).to.equal(true)
    })
})
