import { expect } from 'chai'
import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { packagePath } from '../src/paths.ts'
import { families, readFamily } from './browser/support/payloads.ts'
import { hostileTexts } from './support/hostile-texts.ts'
import { LINK_CONTEXT } from './support/link-context.ts'
import { plainText, renderHtml } from './support/markdown.ts'
import { rounds } from './support/rounds.ts'

const html = (markdown: string) => renderHtml(markdown, LINK_CONTEXT)

const TAGS = new Set(
  `a abbr address article aside audio b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div
  dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img input ins kbd li mark nav ol p picture pre q rp rt
  ruby s samp section small source span strong sub summary sup table tbody td tfoot th thead time tr u ul var video
  wbr`.split(/\s+/),
)
/** MathML for presentation: nothing that has a link, runs, or contains HTML. */
const MATHML = new Set(
  `math semantics annotation mrow mstyle merror mphantom mi mn mo ms mtext mspace mpadded mfrac msqrt mroot msub msup
  msubsup munder mover munderover mmultiscripts mprescripts menclose mtable mtr mtd`.split(/\s+/),
)
const MATHML_ATTRIBUTES = new Set(
  `accent accentunder align class columnalign columnspacing columnspan depth dir display displaystyle encoding fence form
  height lang largeop linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits
  notation rowspacing rowspan rspace scriptlevel separator stretchy symmetric title voffset width xmlns`.split(
    /\s+/,
  ),
)
/** Values of classes and ids of the extensions of Markdown. */
const CLASSES =
  /^(?:language-\S+|tab|card|card-grid|footnotes|table-of-contents|markdown-alert-title|markdown-alert(?: markdown-alert-[a-z]+){1,2}|(?:tml-[a-z-]+ ?)+)$/
const ATTRIBUTES = new Set(
  `align alt checked cite class colspan controls datetime dir disabled height href id lang loading loop media muted
  name open poster preload rel reversed rowspan scope sizes span src srcset start title type value width`.split(
    /\s+/,
  ),
)
const SCHEMES =
  /^(?:https?:\/\/|(?:mailto|tel|sms|geo|xmpp|ircs?|matrix|magnet|sips?|news|nntp|ftps?|bitcoin|urn):)/
const URL_ATTRIBUTES = new Set(['href', 'src', 'cite', 'poster'])

/** Everything in an HTML text that the lists above do not allow. */
const violationsOf = (output: string): string[] => {
  const violations: string[] = []
  const checkUrl = (text: string, isLink: boolean) => {
    const url = URL.canParse(text) ? new URL(text) : null
    if (!url || !SCHEMES.test(text)) violations.push(`not absolute: ${text}`)
    else if (url.username || url.password) violations.push(`user or password: ${text}`)
    else if (!isLink && !/^https?:$/.test(url.protocol)) violations.push(`not a file: ${text}`)
  }
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (!TAGS.has(tag) && !MATHML.has(tag)) violations.push(`<${tag}>`)
      for (const [name, value] of Object.entries(attributes)) {
        if (!(MATHML.has(tag) ? MATHML_ATTRIBUTES : ATTRIBUTES).has(name)) violations.push(`<${tag} ${name}>`)
        if (URL_ATTRIBUTES.has(name)) checkUrl(value, tag === 'a')
        if (name === 'srcset') for (const one of value.split(', ')) checkUrl(one.split(' ')[0]!, false)
        if (name === 'id' && !/^h[1-6]$/.test(tag) && !/^li fn:\d+$/.test(`${tag} ${value}`))
          violations.push(`id on <${tag}>`)
        if (name === 'class' && !CLASSES.test(value)) violations.push(`class ${value}`)
      }
      const isDeadCheckbox = attributes.type === 'checkbox' && attributes.disabled !== undefined
      if (tag === 'input' && !isDeadCheckbox) violations.push('live <input>')
    },
    oncomment: (text) => violations.push(`comment: ${text}`),
    onprocessinginstruction: (name) => violations.push(`instruction: ${name}`),
  })
  parser.end(output)
  return violations
}

describe('HTML: schemes of links', () => {
  const KEPT = `tel:+1-555-0100 sms:+15550100?body=tea geo:35.01,135.77;u=20 xmpp:tea@chat.example?join irc://irc.example/tea
    ircs://irc.example/tea matrix:r/tea:matrix.example magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a
    sip:tea@sip.example news:rec.food.drink.tea ftp://ftp.example/leaves.txt urn:isbn:0451450523 mailto:tea@wiki.example
    bitcoin:1BoatSLRHtKNngkdXEeobR76b53LETtpyT`
  for (const url of KEPT.split(/\s+/)) {
    const rel = url.includes('//') ? ' rel="nofollow"' : ''
    const escaped = url.replaceAll('&', '&amp;')
    it(`keeps the URL: ${url}`, () => {
      for (const link of [`[x](${url})`, `[x](<${url}>)`, `[x][1]\n\n[1]: ${url}`, `<a href="${url}">x</a>`])
        expect(html(link), link).to.equal(`<p><a href="${escaped}"${rel}>x</a></p>\n`)
      expect(html(`<${url}>`)).to.equal(`<p><a href="${escaped}"${rel}>${escaped}</a></p>\n`)
      const inCapitals = url.replace(/^[a-z]+/, (scheme) => scheme.toUpperCase())
      expect(html(`[x](${inCapitals})`)).to.include(`"${escaped}"`)
      expect(violationsOf(html(`[x](${url}) <${url}>`))).to.deep.equal([])
      expect(html(`![x](${url}) <video src="${url}" poster="${url}"></video>`)).to.not.include('src=')
    })
  }

  it('removes user and password, and encodes quotes that could end an attribute', () => {
    expect(html('[x](irc://u:p@irc.example/#tea)')).to.include('"irc://irc.example/#tea"')
    expect(html('[x](ftp://u:p@ftp.example/a)')).to.include('"ftp://ftp.example/a"')
    expect(html('<a href="tel:1&quot; onclick=&quot;x()">x</a>')).to.include('"tel:1%22%20onclick=%22x()"')
  })

  const REMOVED = `javascript:x() JavaScript:x() java&#10;script:x() &#1;javascript:x() vbscript:x data:text/html,x
    file:///etc/passwd blob:https://wiki.example/1 about:blank view-source:https://wiki.example chrome://settings
    ms-msdt:/id intent://x#Intent;end ssh://host telnet://host git://host/x`
  it("removes URLs that could run code or reach the reader's machine", () => {
    for (const url of REMOVED.split(/\s+/)) {
      const output = html(`[x](${url}) <a href="${url}">y</a> [z][1]\n\n[1]: ${url}`)
      expect(output, url).to.not.match(/href="(?!https:\/\/en\.wiki\.example\/)/)
    }
  })
})

describe('HTML: raw text elements', () => {
  const RAW_TEXT_TAGS = 'title style script textarea xmp iframe noembed noframes plaintext'.split(' ')
  for (const name of RAW_TEXT_TAGS) {
    it(`shows an unclosed one as text, and keeps the rest of the page: <${name}>`, () => {
      const inline = `before <${name}> after *x*\n\nThe rest **y**.`
      expect(html(inline)).to.equal(
        `<p>before &lt;${name}&gt; after <em>x</em></p>\n<p>The rest <strong>y</strong>.</p>\n`,
      )
      expect(plainText(inline)).to.equal(`before <${name}> after x\nThe rest y.`)
      for (const block of [
        `<${name}>\nfirst\n\nThe rest.`,
        `> <${name}>\n> first\n\nThe rest.`,
        `- <${name}> first\n\nThe rest.`,
        `| a |\n|---|\n| <${name}> first |\n\nThe rest.`,
        `# <${name}> first\n\nThe rest.`,
        `**<${name}> first**\n\nThe rest.`,
        `<div><${name.toUpperCase()} class="x">first</div>\n\nThe rest.`,
        `<${name}\n\nfirst The rest.`,
      ]) {
        for (const output of [html(block), plainText(block)])
          expect(output, block)
            .to.match(/first/)
            .and.match(/The rest\./)
        expect(html(block), block).to.match(new RegExp(`&lt;${name}`, 'i'))
      }
      expect(html(`before </${name}> after`)).to.equal(`<p>before &lt;/${name}&gt; after</p>\n`)
    })

    it(`removes a closed one with its content: <${name}>`, () => {
      expect(html(`before <${name}>code *x*</${name}> after`)).to.equal('<p>before  after</p>\n')
      expect(plainText(`before <${name}>code *x*</${name}> after`)).to.equal('before after')
      expect(
        html(`<div>before <${name} a="</${name}>">code <b></${name.toUpperCase()} >after</div>`),
      ).to.equal('<div>before after</div>')
    })
  }
})

describe('HTML: shows unclosed constructs as text, and keeps the rest of the page', () => {
  for (const [unclosed, escaped] of [
    ['<!-- x', '&lt;!-- x'],
    ['<? x', '&lt;? x'],
    ['<![CDATA[ x', '&lt;![CDATA[ x'],
    ['<!DOCTYPE x', '&lt;!DOCTYPE x'],
    ['<div x', '&lt;div x'],
    ['<div a="x', '&lt;div a="x'],
    ["<div a='x", "&lt;div a='x"],
    ['<div a="x>', '&lt;div a="x&gt;'],
    ['</div x', '&lt;/div x'],
  ] as const) {
    it(unclosed, () => {
      for (const text of [
        `${unclosed}\n\nThe rest.`,
        `tea ${unclosed}\n\nThe rest.`,
        `<p>tea ${unclosed}\n\nThe rest.`,
      ]) {
        expect(html(text), text).to.include(escaped).and.include('The rest.')
        expect(plainText(text), text).to.include('x').and.include('The rest.')
      }
    })
  }

  it('keeps only the text of elements that it removes', () => {
    const names = 'noscript select option svg annotation-xml object template frameset head button'
    for (const name of names.split(' ')) {
      const text = `before <${name}> after\n\nThe rest.`
      expect(html(text), name).to.equal('<p>before  after</p>\n<p>The rest.</p>\n')
      expect(plainText(text), name).to.equal('before after\nThe rest.')
    }
  })

  it('removes closed comments and declarations, without creating tags from the text around them', () => {
    expect(html('<div>a<!-- <b> -->b<?php echo ">" ?>c<![CDATA[ > ]]>d<!X>e<!-->f</div>')).to.equal(
      '<div>abcdef</div>',
    )
    expect(html('<div><<!-- -->script>x()</script></div>')).to.equal(
      '<div>&lt;script&gt;x()&lt;/script&gt;</div>',
    )
    expect(html('<div><<title></title>script>x()</div>')).to.equal('<div>&lt;script&gt;x()</div>')
  })

  it('escapes text after an unclosed <kbd> or <code>', () => {
    expect(html('press <kbd> now\n\nif 1 <b and a<b then')).to.include('if 1 &lt;b and a&lt;b then')
  })
})

describe('HTML: rendering of Markdown', () => {
  const cases: [title: string, markdown: string, output: string][] = [
    [
      'headings have ids',
      '# Green tea\n\n## Green tea',
      '<h1 id="green-tea">Green tea</h1>\n<h2 id="green-tea-1">Green tea</h2>\n',
    ],
    ['ids keep the letters of any script', '# お茶 と чай', '<h1 id="お茶-と-чай">お茶 と чай</h1>\n'],
    [
      'a fragment links to the page itself',
      '[x](#a)',
      '<p><a href="https://en.wiki.example/guide/tea#a">x</a></p>\n',
    ],
    [
      'a fragment in upper case leads to an id in lower case, unless it is one itself',
      '[x](#Cup) [y](#Own) [z](#None)\n\n# <a name="Own"></a>Cup',
      '<p><a href="https://en.wiki.example/guide/tea#cup">x</a> <a href="https://en.wiki.example/guide/tea#Own">y</a> <a href="https://en.wiki.example/guide/tea#None">z</a></p>\n<h1 id="cup"><a name="Own"></a>Cup</h1>\n',
    ],
    [
      'a link to another site has rel=nofollow',
      '[x](https://a.example/)',
      '<p><a href="https://a.example/" rel="nofollow">x</a></p>\n',
    ],
    ['a link without a safe URL keeps its text', '[x](javascript:alert(1))', '<p><a>x</a></p>\n'],
    [
      'namespaces are not schemes',
      '[x](category:green-tea)',
      '<p><a href="https://en.wiki.example/category:green-tea">x</a></p>\n',
    ],
    [
      "an author's target is dropped",
      '<a href="/x" target="_blank" onclick="y">z</a>',
      '<p><a href="https://en.wiki.example/x">z</a></p>\n',
    ],
    [
      'URLs of images are absolute',
      '![tea](/assets/tea.png "t")',
      '<p><img src="https://en.wiki.example/assets/tea.png" alt="tea" title="t" /></p>\n',
    ],
    [
      'checkboxes of task lists are disabled',
      '- [x] a\n- [ ] b',
      '<ul>\n<li><input checked type="checkbox" disabled /> a</li>\n<li><input type="checkbox" disabled /> b</li>\n</ul>\n',
    ],
    ['inputs of other types are removed', 'a <input type="text" value="x"> b <input> c', '<p>a  b  c</p>\n'],
    [
      'code keeps the name of its language',
      '```c++ x="y"\n<b>&\n```',
      '<pre><code class="language-c++">&lt;b&gt;&amp;\n</code></pre>\n',
    ],
    [
      'other classes are removed',
      '<code class="x language-js evil">a</code>',
      '<p><code class="language-js">a</code></p>\n',
    ],
    [
      'tables keep their alignment',
      '| a |\n|--:|\n| 1 |',
      '<table>\n<thead>\n<tr>\n<th align="right">a</th>\n</tr>\n</thead>\n<tbody><tr>\n<td align="right">1</td>\n</tr>\n</tbody></table>\n',
    ],
    [
      'a table without a head has none',
      '|  |  |\n|---|:-:|\n| 1 | 2 |',
      '<table>\n<tbody><tr>\n<td>1</td>\n<td align="center">2</td>\n</tr>\n</tbody></table>\n',
    ],
    ['the id of an anchor becomes its name', '<a id="x"></a>', '<p><a name="x"></a></p>\n'],
    [
      'an element with an id gets an anchor, which links name',
      '<section class="a" id="x">\n\n<div data-id="y" id=z>b</div>\n\n<span id="w"></span><span id="v">c</span>',
      '<section><a name="x"></a><div><a name="z"></a>b</div><p><span><a name="w"></a></span><span><a name="v"></a>c</span></p>\n</section>',
    ],
    ['ids of other elements are removed', '<u id="x">a</u>', '<p><u>a</u></p>\n'],
    [
      'videos do not start automatically',
      '<video src="a.mp4" autoplay poster="/p.png"></video>',
      '<p><video src="https://en.wiki.example/guide/a.mp4" poster="https://en.wiki.example/p.png" controls></video></p>\n',
    ],
    [
      'sources of pictures are absolute',
      '<picture><source srcset="a.webp 1x, data:x 2x"><img src="a.png"></picture>',
      '<p><picture><source srcset="https://en.wiki.example/guide/a.webp 1x" /><img src="https://en.wiki.example/guide/a.png" /></picture></p>\n',
    ],
    [
      'ruby, kbd, sub and abbr stay',
      '<ruby>茶<rt>ちゃ</rt></ruby> <kbd>A</kbd> H<sub>2</sub> <abbr title="x">y</abbr>',
      '<p><ruby>茶<rt>ちゃ</rt></ruby> <kbd>A</kbd> H<sub>2</sub> <abbr title="x">y</abbr></p>\n',
    ],
    [
      'details can be open',
      '<details open><summary>a</summary>b</details>',
      '<details open><summary>a</summary>b</details>',
    ],
    ['text of unknown tags stays', '<Card link="x">tea</Card>', '<p>tea</p>\n'],
    ['scripts and styles are removed', 'a <script>b</script><style>c</style> d', '<p>a  d</p>\n'],
    ['comments are removed', 'a <!-- b --> c', '<p>a  c</p>\n'],
    ['NUL and lone surrogates become U+FFFD', 'a\u0000b\ud800c', '<p>a\ufffdb\ufffdc</p>\n'],
    ['an empty text gives empty HTML', '', ''],
  ]
  for (const [title, markdown, output] of cases) {
    it(title, () => {
      const actual = html(markdown)
      expect(actual).to.equal(output)
      expect(violationsOf(actual)).to.deep.equal([])
    })
  }

  it('gives the same bytes for the same text, whatever was rendered before', () => {
    const text = '# a\n\n# a\n\n[x](y)'
    const first = html(text)
    html('# a\n\n# b\n\n# a')
    expect(html(text)).to.equal(first)
    expect(first).to.include('id="a"').and.include('id="a-1"')
  })

  it('resolves links by the language of the page', () => {
    const russian = renderHtml('[x](/sencha) [y](/en/sencha)', { ...LINK_CONTEXT, locale: 'ru' })
    expect(russian)
      .to.include('"https://wiki.example/ru/sencha"')
      .and.include('"https://en.wiki.example/sencha"')
  })

  it('shows the escaped source of a text that the parser cannot process', () => {
    expect(html(`${'> '.repeat(20_000)}<b>&`)).to.match(/^<pre>(?:&gt; )+&lt;b&gt;&amp;<\/pre>\n$/)
  })

  it('flattens tags that are nested deeper than 100, and keeps their text', () => {
    const output = html(`${'<div>'.repeat(500)}x`)
    expect(output.match(/<div>/g)).to.have.length(100)
    expect(output).to.include('x')
  })
})

/** The payloads that also a browser renders, and more. */
const HOSTILE = [...families(), readFamily(packagePath('test', 'support', 'hostile-markdown.txt'))]

describe('HTML: hostile Markdown gives only allowed HTML', () => {
  for (const { title, payloads } of HOSTILE) {
    it(title, () => {
      for (const payload of payloads)
        for (const markdown of [payload, `text ${payload} text`, `- ${payload}`, `${payload}\n${payload}`])
          expect(violationsOf(html(markdown)), JSON.stringify(payload)).to.deep.equal([])
    })
  }

  it('in the constructs of dialects', () => {
    const payloads = HOSTILE.flatMap((family) => family.payloads)
    for (const { markdown, dialect } of hostileTexts(payloads, 2))
      expect(
        violationsOf(renderHtml(markdown, { ...LINK_CONTEXT, dialect })),
        `${dialect} ${JSON.stringify(markdown)}`,
      ).to.deep.equal([])
  })

  const signs =
    '< > " \' = & ; : / \\ ` * _ [ ] ( ) ! # | - + . ~ <a href= <img src= <img srcset= --> </ javascript: https://'
  const fragments = fc.constantFrom(
    ...HOSTILE.flatMap(({ payloads }) => payloads),
    ...signs.split(' '),
    ...['\n', '\n\n', '    ', '\u0000', '\t'],
  )

  it('renders any mixture of payloads to allowed tags and absolute URLs, without an error', () => {
    const mixtures = fc.array(fc.oneof(fragments, fc.string({ unit: 'binary', maxLength: 8 })), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(mixtures, (parts) => {
        const output = html(parts.join(''))
        expect(output.toLowerCase()).to.not.include('<script')
        expect(violationsOf(output)).to.deep.equal([])
      }),
      { numRuns: rounds(100) },
    )
  })

  it('makes any URL of a link, image or srcset absolute, or removes it', () => {
    const reference = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.webUrl(),
      fc.array(fragments, { maxLength: 4 }).map((parts) => parts.join('')),
    )
    const quoted = reference.map((text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;'))
    fc.assert(
      fc.property(quoted, quoted, (one, two) => {
        const output = html(`<p><a href="${one}">x</a><img src="${one}" srcset="${two} 2x, ${one}"></p>`)
        expect(violationsOf(output)).to.deep.equal([])
      }),
      { numRuns: rounds(100) },
    )
  })
})
