import { makeWikiAddresses } from '@lectern/wiki/links'
import { expect } from 'chai'
import fc from 'fast-check'
import { cpuTimeOf } from '../../../test/support/cpu-time.ts'
import { convertDokuwiki } from '../../../test/support/dokuwiki.ts'
import { renderHtml } from '../../../test/support/markdown.ts'
import { rounds } from '../../../test/support/rounds.ts'

const markdown = (text: string, options: Parameters<typeof convertDokuwiki>[1] = {}): string =>
  convertDokuwiki(text, options).markdown

/** Texts of DokuWiki and their Markdown, without the line end. */
const CASES: [string, string, string][] = [
  ['paragraphs and line ends', 'one\ntwo\n\n\nthree', 'one\ntwo\n\nthree'],
  [
    'headings, the largest first',
    '====== Tea ======\ntext\n===== Leaf =====\n== Deep ==',
    '# Tea\n\ntext\n\n## Leaf\n\n##### Deep',
  ],
  ['a heading that begins within a line', 'text == C# ==', 'text\n\n##### C\\#'],
  ['marks in a heading are text', '===== //a// & &amp; =====', '## //a// & \\&amp;'],
  ['bold, italics, underline and code', "**a** //b// __c__ ''d''", '**a** *b* <u>c</u> `d`'],
  ['formatting within formatting', '**a //b// c** and **__//x//__**', '**a *b* c** and **<u>*x*</u>**'],
  [
    'sub, sup and deleted text',
    '<sub>a</sub><sup>b</sup><del>c</del>',
    '<sub>a</sub><sup>b</sup><del>c</del>',
  ],
  ['a mark without its end', 'a ** b', 'a \\*\\* b'],
  ['italics that do not end go on to the end', 'a // b\n\nc', 'a  *b\nc*'],
  ['bold beside CJK letters', '**（茶）**は', '<b>（茶）</b>は'],
  ['bold beside bold', '**a****b**', '<b>a</b>**b**'],
  ['formatting over line ends', '**a\n\nb** c', '**a\nb** c'],
  ['code with a link in it', "''[[tea]]''", '<code>[tea](/en/tea/tea)</code>'],
  ['line breaks', 'a\\\\ b\\\\\nc \\\\d', 'a<br>b<br>\nc \\\\\\\\d'],
  [
    'marks of Markdown are text',
    '* a\n# b\n1. c\n`d` _e_ [f] <g> ~h~i~',
    '\\* a\n\\# b\n1\\. c\n\\`d\\` \\_e\\_ \\[f\\] \\<g> ~h\\~i\\~',
  ],
  ['a comment', 'a /* secret */ b', 'a  b'],
  ['a comment over lines', 'a\n/* secret\n\n===== b =====\n*/\nc', 'a\nc'],
  [
    'comments in a list and a table',
    '  * a /* b\n  * c */ d\n\n^ a /* | b */ ^ c ^',
    '- a  d\n\n| a | c |\n| --- | --- |',
  ],
  ['an indented comment', 'a\n\n  /* secret\nb */\nc', 'a\n\nc'],
  ['code that begins with a comment is code', 'a\n\n  /* b */\n  c()', 'a\n\n```\n/* b */\nc()\n```'],
  ['what is no comment', 'a/*b*/ %%/* d */%% /* e', 'a/\\*b\\*/ /\\* d \\*/ /\\* e'],
  ['a comment of HTML is text', 'a <!-- b --> c', 'a \\<!-- b --> c'],
  ['entities are text', '&nbsp; &#8212; & x', '\\&nbsp; \\&#8212; & x'],
  [
    'text without syntax',
    '%%**a** [[b]]%% <nowiki>//c//\n</nowiki> %%http://a.example%%',
    '\\*\\*a\\*\\* \\[\\[b\\]\\] //c//\nhttp:\\//a.example',
  ],
  ['a link to a page of the namespace', '[[Green Tea]]', '[Green Tea](/en/tea/green_tea)'],
  ['a link with a label', '[[:start|the **start**]]', '[the \\*\\*start\\*\\*](/en/start)'],
  [
    'links to other namespaces',
    '[[.:a]] [[..:b]] [[.c:d]] [[e:f]] [[:g]] [[~:h]]',
    '[a](/en/tea/a) [b](/en/b) [d](/en/tea/c/d) [f](/en/e/f) [g](/en/g) [h](/en/tea/green/h)',
  ],
  [
    'a link to a namespace with a start page',
    '[[:tea:]] [[:other:|x]]',
    '[tea](/en/tea/start) [x](/en/other/start)',
  ],
  [
    'a link with accents and special characters',
    '[[:Grüner Tee & Öl/Wasser]]',
    '[Grüner Tee & Öl/Wasser](/en/gruener_tee_oel_wasser)',
  ],
  ['a link to a section of another page', '[[:start#The Leaf]]', '[The Leaf](/en/start#the-leaf)'],
  [
    'a link to a section of this page',
    '===== Größe & Form =====\n[[#groesse_form|x]] [[green#groesse_form|y]]',
    '## Größe & Form\n\n[x](#gr%C3%B6%C3%9Fe--form) [y](#gr%C3%B6%C3%9Fe--form)',
  ],
  [
    'links to other wikis',
    '[[wp>Green tea|x]] [[find>a b&c]] [[doku>syntax]] [[user>Ada]] [[none>x]] [[run>x|y]]',
    '[x](https://en.wikipedia.org/wiki/Green%20tea) [a b&c](https://find.example/?q=a%20b%26c&l=en) [syntax](https://www.dokuwiki.org/syntax) [Ada](/en/user/ada) x y',
  ],
  [
    'URLs',
    'http://a.example/b. (https://c.example/d_e) www.f.example, <ada@g.example>',
    '<http://a.example/b>. (<https://c.example/d_e>) [www.f.example](http://www.f.example), [ada@g.example](mailto:ada@g.example)',
  ],
  [
    'links to the web and to people',
    '[[https://a.example/b|x]] [[https://c.example]] [[ada@d.example|mail]] [[javascript://x|y]]',
    '[x](https://a.example/b) <https://c.example> [mail](mailto:ada@d.example) y',
  ],
  [
    'Windows shares',
    '[[\\\\server\\share|this]] \\\\server\\share',
    'this (`\\\\server\\share`) `\\\\server\\share`',
  ],
  [
    'images, with sizes and alignment',
    '{{ leaf.png?200x50|A leaf}} {{:a:b.svg }} {{https://a.example/c.jpg?nolink}}',
    '![A leaf](/lib/exe/fetch.php?media=tea:leaf.png) ![b.svg](/lib/exe/fetch.php?media=a:b.svg) ![c.jpg](https://a.example/c.jpg)',
  ],
  [
    'files',
    '{{:a:b.pdf|The file}} {{leaf.png?linkonly}}',
    '[The file](/lib/exe/fetch.php?media=a:b.pdf) [leaf.png](/lib/exe/fetch.php?media=tea:leaf.png)',
  ],
  [
    'an image as the label of a link',
    '[[:start|{{leaf.png?50}}]]',
    '[![leaf.png](/lib/exe/fetch.php?media=tea:leaf.png)](/en/start)',
  ],
  [
    'footnotes',
    'a((one **b**)) c((two))',
    'a<sup>\\[1\\]</sup> c<sup>\\[2\\]</sup>\n\n---\n\n1. one **b**\n1. two',
  ],
  ['lists', '  * a\n  * b\n    - c\n      * d\n  - e\ntext', '- a\n- b\n  1. c\n     - d\n1. e\n\ntext'],
  ['two lists in a row', '  - a\n\n  - b', '1. a\n\n1) b'],
  ['code in a list', '  * a <code php>\nx\n</code> b\n  * c', '- a\n  ```php\n  x\n  ```\n  b\n- c'],
  ['a list whose text looks like Markdown', '  * # a\n  * - b', '- \\# a\n- \\- b'],
  ['a table', '^ a ^ b ^\n| c|  d |\n', '| a | b |\n| --- | ---: |\n| c | d |'],
  [
    'a table without a header, with spans',
    '| a || b |\n| c | ::: | d|e',
    '|  |  |  |\n| --- | --- | --- |\n| a |  | b |\n| c |  | d |',
  ],
  [
    'a header cell in a row, and a bar in a cell',
    '^ a | %%|%% **b|c** |',
    '|  |  |\n| --- | --- |\n| **a** | \\| **b\\|c** |',
  ],
  [
    'code',
    '<code php a.php>\n<b>\n</code>\n<file>\nx\n</file>',
    '`a.php`\n\n```php\n<b>\n```\n\n```\nx\n```',
  ],
  ['indented code', 'a\n\n  b\n   c\n\nd', 'a\n\n```\nb\n c\n```\n\nd'],
  [
    'HTML and PHP stay code',
    '<html><b>x</b></html> <PHP>echo 1;</PHP>',
    '`<b>x</b>`\n\n```php\necho 1;\n```',
  ],
  ['quotations', '> a\n> b\n>> c\n> d', '> a<br>\n> b\n>\n> > c\n>\n> d'],
  ['a rule', 'a\n----\nb', 'a\n\n---\n\nb'],
  ['macros', '~~NOTOC~~ a ~~DISCUSSION:off~~ ~~REDIRECT>:start~~', 'a  [→ :start](/en/start)'],
  ['tags of layout plugins', '<WRAP box>\n**a**\n</WRAP>\n<wrap em>b</wrap>', '**a**\n\nb'],
  [
    'included pages and feeds',
    '{{page>:start&nofooter}} {{rss>https://a.example/feed 5}}',
    '[start](/en/start) [RSS: https://a.example/feed](https://a.example/feed)',
  ],
  ['syntax of other plugins', 'a {{youtube>x}} <unknown tag>', 'a `{{youtube>x}}` \\<unknown tag>'],
]

describe('dokuwiki syntax', () => {
  for (const [title, text, expected] of CASES)
    it(`converts ${title}`, () => {
      expect(markdown(text)).to.equal(`${expected}\n`)
    })

  it('takes the title from the first heading of any level, or from the plugin Title', () => {
    expect(convertDokuwiki('a\n=== Leaf ===\n====== Tea ======').title).to.equal('Leaf')
    expect(convertDokuwiki('~~Title: Tea~~\n=== Leaf ===').title).to.equal('Tea')
    expect(convertDokuwiki('no heading').title).to.equal(undefined)
  })

  it('collects the tags of the plugin Tag, which are not shown', () => {
    const { markdown, categories } = convertDokuwiki('a\n\n{{tag>green_tea leaf "Two words"}}')
    expect(markdown).to.equal('a\n')
    expect(categories).to.deep.equal(['green tea', 'leaf', 'Two words'])
  })

  it('counts the syntax of plugins that stays code', () => {
    expect([...convertDokuwiki('{{youtube>x}} {{gallery>y}}').unconverted]).to.deep.equal([['plugin', 2]])
  })

  it('links words in CamelCase only if the wiki does', () => {
    expect(markdown('GreenTea HTML')).to.equal('GreenTea HTML\n')
    expect(markdown('GreenTea HTML', { camelCase: true })).to.equal('[GreenTea](/en/tea/greentea) HTML\n')
  })

  it('reads a slash as a namespace only if the wiki does', () => {
    expect(markdown('[[:a/b]]')).to.equal('[a/b](/en/a_b)\n')
    expect(markdown('[[:a/b]]', { useSlash: true })).to.equal('[b](/en/a/b)\n')
  })

  it('links media as the server of the wiki does', () => {
    expect(markdown('{{:a:b.pdf}}', { rewriting: 1 })).to.equal('[b.pdf](/_media/a:b.pdf)\n')
    expect(markdown('{{:a:b.pdf}}', { rewriting: 2 })).to.equal('[b.pdf](/lib/exe/fetch.php/a:b.pdf)\n')
  })

  it('keeps a text of more than 1 MB as it is', () => {
    const { markdown, unconverted } = convertDokuwiki('**a** '.repeat(200_000))
    expect(markdown.startsWith('```\n**a**')).to.equal(true)
    expect([...unconverted]).to.deep.equal([['too long', 1]])
  })

  it('keeps a table of more than 20,000 cells as code', () => {
    const { markdown, unconverted } = convertDokuwiki('| a | b |\n'.repeat(10_001))
    expect(markdown.startsWith('```\n| a | b |')).to.equal(true)
    expect([...unconverted]).to.deep.equal([['table', 1]])
  })

  const context = {
    addresses: makeWikiAddresses({ byLocale: {}, fallback: 'https://wiki.example' }),
    locale: 'en',
    path: 'tea/green',
    locales: new Set(['en']),
  }

  it('lets no HTML of an author through', () => {
    for (const attack of [
      '<script>x</script>',
      '<html><img src=x onerror=y></html>',
      '[[javascript:x|a]]',
      '&lt;b&gt;',
    ]) {
      const html = renderHtml(markdown(attack), context)
      expect(html, attack).to.not.match(/<(?:script|img|b)\b|javascript:/)
    }
  })
})

/** Marks of DokuWiki between `¦`; `§` stands for a line end, `⇥` for a tab. */
const MARKS = [
  '`',
  ...String.raw`
**¦//¦__¦''¦%%¦((¦))¦[[¦]]¦{{¦}}¦\\¦\\a¦~~¦~~A:¦<sub>¦</sub>¦<del>¦<nowiki>¦<code>¦<code ¦</code>
<file¦<html>¦<PHP>¦<WRAP¦<note ¦§¦§  * ¦§⇥- ¦§  ¦§|¦§^ a ¦|¦^¦:::¦§> ¦§>>¦§----¦==¦§== a ==¦== 
http://¦http://a.¦www.¦www.a.¦<a@¦<a@b.¦&¦*¦#¦ ¦  ¦⇥¦a¦.:¦..:¦/*¦§  /*¦*/¦-¦_
`
    .trim()
    .split(/¦|\n/)
    .map((mark) => mark.replaceAll('§', '\n').replaceAll('⇥', '\t')),
]

describe('dokuwiki syntax: any text', () => {
  it('takes linear time for any markup', () => {
    for (const mark of [
      ...MARKS,
      '**//',
      '//**',
      '{{a',
      '[[a|',
      '[[a]',
      "''a",
      '((a',
      '\n  * a **b',
      '| a ',
      '== a == b',
      '<a@b.c',
      'a.b.',
    ]) {
      let markdown = ''
      const cost = cpuTimeOf(() => {
        markdown = convertDokuwiki(mark.repeat(Math.ceil(100_000 / mark.length))).markdown
      })
      // Measured: less than 0.3 s each. Quadratic time would be more than half a minute.
      expect(cost, mark).to.be.below(4_000)
      expect(markdown.length, mark).to.be.below(1_000_000)
    }
  })

  it('converts any markup in any order without an error', () => {
    const text = fc.array(fc.oneof(fc.constantFrom(...MARKS), fc.string({ maxLength: 6 })), { maxLength: 60 })
    fc.assert(
      fc.property(text, (parts) => {
        const source = parts.join('')
        expect(markdown(source).length).to.be.below(40 * source.length + 2_000)
      }),
      { numRuns: rounds(500) },
    )
  })

  it('keeps plain words between blocks', () => {
    // Text after the last bar of a row is not shown, so the row ends.
    const marks = fc.constantFrom(
      '**',
      '__',
      "''",
      '((',
      '[[',
      '{{',
      '<del>',
      '\n  * a',
      '\n> b',
      '\n| c |\n',
      '<code>',
    )
    fc.assert(
      fc.property(fc.array(marks, { maxLength: 12 }), (before) => {
        expect(markdown(`${before.join('')}\n\nsteamed leaves\n`)).to.include('steamed leaves')
      }),
      { numRuns: rounds(250) },
    )
  })
})
