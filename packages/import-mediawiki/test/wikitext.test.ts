import { convertWikitext } from '@lectern/import-mediawiki/wikitext/convert'
import { MediawikiSite } from '@lectern/import-mediawiki/wikitext/site'
import { expect } from 'chai'
import fc from 'fast-check'
import { marked } from 'marked'
import { cpuTimeOf } from '../../../test/support/cpu-time.ts'
import { rounds } from '../../../test/support/rounds.ts'

const page = {
  site: new MediawikiSite([
    { key: 0, name: '', firstLetter: true },
    { key: 6, name: 'Datei', firstLetter: true },
    { key: 12, name: 'Help', firstLetter: true },
    { key: 14, name: 'Kategorie', firstLetter: true },
  ]),
  siteName: 'Tea Wiki',
  locale: 'en',
  name: 'Sencha',
  fullName: 'Sencha',
  path: 'Sencha',
}

const convert = (text: string) => convertWikitext(text, page)
const markdown = (text: string): string => convert(text).markdown.trimEnd()
const html = (text: string): string => String(marked(markdown(text))).trim()

describe('wikitext to Markdown', () => {
  const cases: Record<string, [string, string]> = {
    'headings of each level': ['== Leaf ==\n=== Stem ===', '## Leaf\n\n### Stem'],
    'bold, italics and both': ["'''a''' ''b'' '''''c'''''", '**a** *b* ***c***'],
    'italics within bold': ["'''a ''b'' c'''", '**a *b* c**'],
    'bold that Markdown does not recognize next to letters': ["'''(煎茶)'''は", '<b>(煎茶)</b>は'],
    'an apostrophe before italics': ["l'''Europe'' et", "l'*Europe* et"],
    'emphasis ends with its line': ["''a\nb", '*a*\nb'],
    'a link, its label, and its trail': [
      '[[green tea]], [[green tea|tea]]s',
      '[green tea](/en/Green_tea), [teas](/en/Green_tea)',
    ],
    'no trail in scripts without case': ['[[煎茶]]は', '[煎茶](/en/%E7%85%8E%E8%8C%B6)は'],
    'links to sections of this page and of another page': [
      '[[#Water temperature]] [[Tea#Water temperature]]',
      '[#Water temperature](#water-temperature) [Tea#Water temperature](/en/Tea#water-temperature)',
    ],
    'links to namespaces': [
      '[[Template:Tea box]] [[:Kategorie:Teas]] [[Help:Links]]',
      '[Template:Tea box](/en/template:Tea_box) [Kategorie:Teas](/en/category:Teas) [Help:Links](/en/Help:Links)',
    ],
    subpages: ['[[/Uji]]', '[/Uji](/en/Sencha/Uji)'],
    'parentheses in a title': ['[[Tea (drink)]]', '[Tea (drink)](/en/Tea_%28drink%29)'],
    'invalid links stay text': ['[[a[b]] [[]] [x]', '\\[\\[a\\[b\\]\\] \\[\\[\\]\\] \\[x\\]'],
    'external links': [
      '[https://tea.example/a_(b) the ‘‘tea’’] https://tea.example/x_y. [https://tea.example]',
      '[the ‘‘tea’’](https://tea.example/a_%28b%29) <https://tea.example/x_y>. <https://tea.example>',
    ],
    'an exclamation mark before a link creates no image': ['Hi![[tea]]', 'Hi\\![tea](/en/Tea)'],
    'nested lists': ['* a\n** b\n* c\n# d\n## e\n#: f', '- a\n  - b\n- c\n1. d\n   1. e\n\n   f'],
    'a skipped level of a list': ['*** a\n* b', '- a\n- b'],
    'terms and indentation': ['; Leaf : green\n:: far', '**Leaf**\n\n> green\n\n> > far'],
    'tildes that Markdown would read as struck text': ['~/a b~ c ~5 ~6', '\\~/a b\\~ c ~5 ~6'],
    'a rule': ['a\n----\nb', 'a\n\n---\n\nb'],
    'preformatted lines': [" a '''b'''\n  c", '```\na b\n c\n```'],
    'text with the syntax of Markdown': [
      '# a\n1. b *c* _d_ e_f `g` <h> \\i ~~j~~',
      '1. a\n\n1\\. b \\*c\\* \\_d\\_ e_f \\`g\\` \\<h> \\\\i \\~\\~j\\~\\~',
    ],
    nowiki: ["<nowiki>'''a''' [[b]]</nowiki>", "'''a''' \\[\\[b\\]\\]"],
    comments: ['a<!-- b -->c<!-- d', 'ac'],
    code: [
      '<syntaxhighlight lang="js">\nlet a\n</syntaxhighlight>\n<pre>\nb &lt;\n</pre>\n<code>c [[d]]</code>',
      '```js\nlet a\n```\n\n```\nb <\n```\n\n<code>c [d](/en/D)</code>',
    ],
    'backticks in code': ['<pre>\n```\n</pre>', '````\n```\n````'],
    'references and their list': [
      'a<ref name="x">See [[b]].</ref> c<ref name=x /> d<ref>e</ref>\n<references />',
      'a<sup>\\[1\\]</sup> c<sup>\\[1\\]</sup> d<sup>\\[2\\]</sup>\n\n1. See [b](/en/B).\n2. e',
    ],
    'references without a list are at the end': ['a<ref>b</ref>', 'a<sup>\\[1\\]</sup>\n\n1. b'],
    'a table': [
      '{| class="x"\n|+ Water\n! Tea !! Heat\n|-\n| [[Sencha|a]] || 70 | 80\n|-\n| style="y" | b\n* c\n|}',
      '**Water**\n\n| Tea | Heat |\n| --- | --- |\n| [a](/en/Sencha) | 80 |\n| b<br>• c |  |',
    ],
    'cells with spans': [
      '{|\n| rowspan="2" | a || colspan=2 | b\n|-\n| c || d\n|}',
      '|  |  |  |\n| --- | --- | --- |\n| a | b |  |\n|  | c | d |',
    ],
    'a table in HTML': [
      '<table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td>d</td></tr></table>',
      '| a | b |\n| --- | --- |\n| c | d |',
    ],
    'an image with its caption': [
      '[[Datei:Tea.jpg|thumb|200px|A cup of [[tea]]]]',
      '![A cup of tea](/Special:Redirect/file/Tea.jpg)<br>\nA cup of [tea](/en/Tea)',
    ],
    'a file that is not an image': [
      '[[File:Tea.pdf|the paper]]',
      '[the paper](/Special:Redirect/file/Tea.pdf)',
    ],
    'a gallery': [
      '<gallery>\nFile:A.jpg|one\nB.jpg\n</gallery>',
      '- ![one](/Special:Redirect/file/A.jpg) one\n- ![B.jpg](/Special:Redirect/file/B.jpg)',
    ],
    'a quotation': ["<blockquote>\n''a''\n\nb\n</blockquote>", '> *a*\n>\n> b'],
    'tags for layout are removed': ['<div class="x">a <span>b</span></div>', 'a b'],
    'tags with a meaning stay': ['a<br/>b<sub>2</sub> <s class="x">c</s>', 'a<br>b<sub>2</sub> <s>c</s>'],
    'switches and variables': ['__NOTOC__{{PAGENAME}} of {{SITENAME}}', 'Sencha of Tea Wiki'],
    formulas: [
      "a <math>x^2 % squared\n+ y</math>, '''<math>a*b</math>''' <chem>H2O</chem> <ce>CO2</ce>",
      'a $x^2 + y$, **$a*b$** $\\ce{H2O}$ $\\ce{CO2}$',
    ],
    'formulas on lines of their own': [
      'a\n<math display="block">\nx\n\n+ y\n</math>\nb\n: <math display=block>z</math>',
      'a\n\n$$\nx\n+ y\n$$\n\nb\n\n> $$z$$',
    ],
    'formulas beside letters, digits and each other': [
      'an <math>n</math>th a=<math>b</math><math>c</math>4',
      'an $n$<!-- -->th a=<!-- -->$b$<!-- -->$c$<!-- -->4',
    ],
    'formulas in tables': [
      '{|\n| <math>|x| \\|y\\|</math>\n|}',
      '|  |\n| --- |\n| $\\|x\\| \\Vert y\\Vert$ |',
    ],
    'formulas with commands of MediaWiki': [
      '<math>p \\and \\C \\andy</math> <math>\\begin{align} a &= b \\\\\\end{align}</math>',
      '$p \\land \\mathbb{C} \\andy$ $$\\begin{align} a &= b \\\\\\end{align}$$',
    ],
    'formulas of words and numbers': [
      '<math>n log n</math> <math>5 apples</math>',
      '$`n log n`$ $`5 apples`$',
    ],
    'dollar signs are no formulas': ['It costs $5. $HOME and $a$', 'It costs $5. \\$HOME and \\$a\\$'],
    'prices in a text with formulas': ['$5 (<math>x</math>)', '\\$5 ($x$)'],
    'formulas that Markdown cannot contain stay code': [
      '<math>\\text{$x$}</math> <math display="block">$$</math>\n<math></math>',
      '`\\text{$x$}` `$$`',
    ],
    entities: ['&nbsp;&lt;b&gt; &amp;amp;', '&nbsp;&lt;b&gt; &amp;amp;'],
  }
  for (const [title, [wikitext, expected]] of Object.entries(cases)) {
    it(title, () => expect(markdown(wikitext)).to.equal(expected))
  }

  it('keeps the Markdown after a tag that is alone on its line', () => {
    expect(html("<b>\n'''x'''</b>")).to.include('<strong>x</strong>')
  })

  it('templates and extensions stay code and are counted', () => {
    const { markdown, unconverted } = convert(
      '{{Box\n| a = [[b]]\n}}\nc {{d|<nowiki>x</nowiki>}} {{{1|e}}} <score>g</score>',
    )
    expect(markdown).to.equal(
      '```wikitext\n{{Box\n| a = [[b]]\n}}\n```\n\nc `{{d|<nowiki>x</nowiki>}}` `{{{1|e}}}` `<score>g</score>`\n',
    )
    expect(Object.fromEntries(unconverted)).to.deep.equal({ template: 3, extension: 1 })
  })

  it('records categories, sort keys and translations without showing them', () => {
    const { markdown, categories, languages, defaultSort } = convert(
      'a\n[[Category:Green teas|sencha]]\n[[Kategorie:japan]]\n[[ru:Сэнтя]] {{DEFAULTSORT:Leaf}}\nb',
    )
    expect(markdown).to.equal('a\nb\n')
    expect(categories).to.deep.equal([
      { name: 'Green teas', sortKey: 'sencha' },
      { name: 'Japan', sortKey: undefined },
    ])
    expect([...languages]).to.deep.equal([['ru', 'Сэнтя']])
    expect(defaultSort).to.equal('Leaf')
  })

  it('does not read prefixes of projects as languages', () => {
    const { languages } = convert('[[mw:Help]] [[doi:10.1000/1]] [[w:Tea]] [[wikt:tea]] [[qqx:a]]')
    expect([...languages]).to.deep.equal([])
  })

  it('converts a redirect to a link to its target', () => {
    for (const text of [
      '#REDIRECT [[Tea#Leaf]]',
      '#redirect: [[tea#Leaf]] {{R from x}}',
      '#перенаправление [[Tea#Leaf]]',
    ]) {
      const { markdown, isRedirect } = convert(text)
      expect(markdown).to.equal('→ [Tea § Leaf](/en/Tea#leaf)\n')
      expect(isRedirect).to.equal(true)
    }
    expect(convert('#tea [[Tea]]').isRedirect).to.equal(false)
    expect(convertWikitext('#tea [[Tea]]', page, true).isRedirect).to.equal(true)
  })

  it('keeps a table with too many cells as wikitext', () => {
    const { markdown, unconverted } = convert(`{|\n${'| a\n|-\n'.repeat(300)}| colspan=100 | b\n|}`)
    expect(markdown).to.match(/^```wikitext\n\{\|\n\| a\n/)
    expect([...unconverted]).to.deep.equal([['table', 1]])
  })

  it('keeps a text of more than 4 MB as wikitext', () => {
    const { markdown, unconverted } = convert(`'''a'''${'x'.repeat(4 * 1024 * 1024)}`)
    expect(markdown).to.match(/^```wikitext\n'''a'''x/)
    expect([...unconverted]).to.deep.equal([['too long', 1]])
  })

  /** Marks of wikitext between `¦`; `§` stands for a line end. */
  const MARKS = [
    '`',
    ...String.raw`
<math>¦<math>x</math>¦$¦$5¦<math>$</math>¦<math>\|</math>$1¦<chem>¦{{¦}}¦[[¦]]¦[[File:a|
[[Category:x¦''¦'''¦'''''¦<ref>¦</ref>¦<!--¦<nowiki>¦<pre ¦<blockquote>¦</blockquote>¦{|§¦|}§¦|-§
| a || b§¦§* x¦§==¦==¦http://¦[http://a ¦|¦    ¦<b>¦</b>¦<table>¦<td colspan=100>¦{{{¦[[x|¦<gallery>
*¦_¦§ ¦§:::¦<ref name=¦<references>¦{{DEFAULTSORT:¦;a : b§¦!¦\¦<poem>
`
      .trim()
      .split(/¦|\n/)
      .map((mark) => mark.replaceAll('§', '\n')),
  ]

  it('takes linear time for any markup', () => {
    for (const mark of MARKS) {
      let markdown = ''
      const cost = cpuTimeOf(() => {
        markdown = convert(mark.repeat(Math.ceil(50_000 / mark.length))).markdown
      })
      // Measured: 0.02 to 0.1 s. Quadratic time would be more than eight seconds.
      expect(cost, mark).to.be.below(2_000)
      expect(markdown.length, mark).to.be.below(250_000)
    }
  })

  it('searches for a missing end only once', () => {
    for (const mark of ['<ref>', '<nowiki>', '<pre>', '[[', '{{', '[http://a ', '{|\n']) {
      const cost = cpuTimeOf(() => convert(mark.repeat(500_000 / mark.length)))
      // Measured: less than half a second each. A search from each mark would take more than 15 seconds.
      expect(cost, mark).to.be.below(7_500)
    }
  })

  it('any markup in any order gives no error, no strip markers, and not much more text', () => {
    const text = fc.array(fc.oneof(fc.constantFrom(...MARKS), fc.string({ maxLength: 6 })), { maxLength: 60 })
    fc.assert(
      fc.property(text, (parts) => {
        const wikitext = parts.join('')
        const { markdown } = convert(wikitext)
        expect(markdown).to.not.match(/[\u0001-\u0004]/)
        // A cell that spans a hundred columns becomes three lines of a hundred cells.
        expect(markdown.length).to.be.below(40 * wikitext.length + 2_000)
      }),
      { numRuns: rounds(500) },
    )
  })

  it('keeps plain words after any markup', () => {
    const marks = fc.constantFrom(
      "''",
      "'''",
      '[[',
      ']]',
      '{{',
      '}}',
      '<b>',
      '\n* ',
      '\n== ',
      '|',
      '[',
      '\n{|\n',
      '<div>',
      '\n ',
    )
    fc.assert(
      fc.property(fc.array(marks, { maxLength: 12 }), (before) => {
        expect(markdown(`${before.join('')}\n\nsteamed leaves\n`)).to.include('steamed leaves')
      }),
      { numRuns: rounds(250) },
    )
  })
})
