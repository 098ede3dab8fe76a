import { sectionsOf } from '@lectern/wiki/plain-text/sections'
import { expect } from 'chai'
import fc from 'fast-check'
import { plainText } from '../../../test/support/markdown.ts'
import { rounds } from '../../../test/support/rounds.ts'

describe('sections of a page', () => {
  it('text before the first heading has an empty heading', () => {
    expect(sectionsOf('tea\n\n# Green\n\nsencha\n\n## Matcha ##\n\nground')).to.deep.equal([
      { heading: '', text: 'tea' },
      { heading: 'Green', text: 'sencha' },
      { heading: 'Matcha', text: 'ground' },
    ])
  })

  it('a table above the text follows what is before the first heading', () => {
    const table = '|  |  |\n| --- | --- |\n| by | Lu Yu |\n'
    expect(sectionsOf(`${table}\ntea\n# A\na`)).to.deep.equal([
      { heading: '', text: 'tea\nby · Lu Yu' },
      { heading: 'A', text: 'a' },
    ])
    expect(sectionsOf(`${table}# A`)[0]).to.deep.equal({ heading: '', text: 'by · Lu Yu' })
  })

  it('a heading without text is a section; an empty beginning is not', () => {
    expect(sectionsOf('# A\n# B\nb')).to.deep.equal([
      { heading: 'A', text: '' },
      { heading: 'B', text: 'b' },
    ])
    expect(sectionsOf('')).to.deep.equal([])
    expect(sectionsOf(' \n\t\n<!-- x -->')).to.deep.equal([])
  })

  it('underlined headings count, also with two lines; a rule is not a heading', () => {
    expect(sectionsOf('Green\n=====\na\n\nBlack\ntea\n---\nb\n\n---\nc')).to.deep.equal([
      { heading: 'Green', text: 'a' },
      { heading: 'Black tea', text: 'b\nc' },
    ])
  })

  it('headings lose their marks', () => {
    expect(sectionsOf('# The *best* `tea` [here](x) #\n#hashtag')).to.deep.equal([
      { heading: 'The best tea here', text: '#hashtag' },
    ])
  })

  it('"#" in code, quotations and lists begins no section', () => {
    const text = '```sh\n# a\n```\n\n~~~\n# b\n```\n~~~\n\n    # c\n\n> # d\n\n- # e\n\n<div>\n# f\n</div>'
    expect(sectionsOf(text).map(({ heading }) => heading)).to.deep.equal([''])
    expect(plainText(text)).to.equal('# a\n# b ```\n# c\nd\ne\n# f')
  })

  it('the title of an alert is a paragraph', () => {
    const text = '> [!TIP]- A *b*\n> c\n> d\n\n> [!NOTE]\n> e\n> f\n\n> g\n> [!h] i\n\n> [!tip]\u00a0j'
    expect(sectionsOf(text)).to.deep.equal([{ heading: '', text: 'A b\nc d\ne f\ng [!h] i\nj' }])
  })

  it('a fence within a quotation ends with it', () => {
    expect(plainText('> ```\n> # a\n\n# b')).to.equal('# a\nb')
    expect(sectionsOf('> x\nlazy\n```\n# a\n```\n# b').map(({ heading }) => heading)).to.deep.equal(['', 'b'])
  })

  it('paragraphs and quotations in definitions and items are no code', () => {
    const text =
      'A\n\n:   b\n\n    > [!NOTE] c\n    > d\n    >\n    > e\n\n    f\n\n        g\n\n1.  h\n\n    > i\n    >\n    > j'
    expect(sectionsOf(text)).to.deep.equal([{ heading: '', text: 'A\nb\nc\nd\ne\nf\u000bg\nh\ni\nj' }])
  })

  it('an underlined paragraph of more than 400 characters is not a heading', () => {
    const [section] = sectionsOf(`${'tea '.repeat(101)}\n===`)
    expect(section?.heading).to.equal('')
  })

  describe('a long section is split into parts of at most 4000 characters', () => {
    const partsOf = (text: string) => sectionsOf(`# H\n\n${text}`)

    it('at the ends of paragraphs, each part with the heading', () => {
      const parts = partsOf(Array(10).fill('tea '.repeat(250)).join('\n\n'))
      expect(parts.map(({ heading }) => heading)).to.deep.equal(['H', 'H', 'H'])
      expect(parts[0]!.text.split('\n')).to.have.length(4)
    })

    it('between words, if a paragraph is longer', () => {
      const parts = partsOf('sencha '.repeat(2000))
      expect(parts.every(({ text }) => text.length <= 4000 && /^sencha.*sencha$/.test(text))).to.equal(true)
      expect(parts.map(({ text }) => text).join(' ')).to.equal('sencha '.repeat(2000).trim())
    })

    it('at sentences in Japanese', () => {
      const parts = partsOf('お茶を飲みます。'.repeat(1000))
      expect(parts.length).to.be.greaterThan(1)
      expect(parts.every(({ text }) => text.length <= 4000 && text.endsWith('。'))).to.equal(true)
    })

    it('never within a character, if there are no words or sentences', () => {
      for (const character of ['น้ำ', '𠮷', '👩‍🍳', 'a']) {
        const parts = partsOf(character.repeat(5000))
        expect(parts.every(({ text }) => text.length <= 4000 && text.isWellFormed())).to.equal(true)
        expect(parts.map(({ text }) => text).join('')).to.equal(character.repeat(5000))
        expect(parts.some(({ text }) => /^[\p{M}\u200d]/u.test(text))).to.equal(false)
      }
    })
  })

  it('reads the first million characters', () => {
    const text = plainText(`${'tea\n\n'.repeat(200_000)}late`)
    expect(text).to.have.length(799_999)
    expect(text).to.not.include('late')
  })
})

describe('plain text of Markdown', () => {
  const cases: [title: string, markdown: string, text: string][] = [
    [
      'emphasis loses its marks',
      '*a* **b** ***c*** _d_ __e__ ~~f~~ x*y*z 1~2 3~4',
      'a b c d e f xyz 1~2 3~4',
    ],
    [
      'stars and underscores that are not emphasis stay',
      '2 * 3, 5*3, snake_case_name, a_, ** x',
      '2 * 3, 5*3, snake_case_name, a_, ** x',
    ],
    [
      'marks beside Japanese quotation marks are removed',
      '**「煎茶」**の香り、*玉露*。',
      '「煎茶」の香り、玉露。',
    ],
    ['Thai text does not change', '# ชา\n\nชาเขียว**ญี่ปุ่น**อร่อย', 'ชา\nชาเขียวญี่ปุ่นอร่อย'],
    ['escapes become the escaped characters', '\\*a\\* \\_b \\# \\a', '*a* _b # \\a'],
    ['code is text, with its marks', 'a `*b* &amp; <c>` ``d ` e`` `f', 'a *b* &amp; <c> d ` e `f'],
    ['links keep their text', '[a *b*](https://x.example/ "t") [c](<d e>) [f](g(h)i)', 'a b c f'],
    [
      'links by reference keep their text if they are defined',
      '[a][r] [R][] [r] [no] [x][no] a[0][1]\n\n[r]: https://x.example/ "t"',
      'a R r [no] [x][no] a[0][1]',
    ],
    ['brackets that are not a link stay', '[a](b c) [d] ](e) ![f]', '[a](b c) [d] ](e) ![f]'],
    [
      'images keep their alternative text',
      '![a *b*](c.png) <img src="d" alt="e &amp; f"> [![g](h)](i)',
      'a b e & f g',
    ],
    [
      'a URL in the text is text',
      '<https://x.example/a_b> <me@x.example> https://y.example/a_b_c',
      'https://x.example/a_b me@x.example https://y.example/a_b_c',
    ],
    [
      'tags are removed, and do not split words',
      'wa<b>t</b>er H<sub>2</sub>O a<br>b <span title="x > y">c</span> d < e > f',
      'water H2O a b c d < e > f',
    ],
    [
      'entities are decoded, once',
      'a &amp; b &copy; &#x8336; &amp;lt; &nosuch; &#0;',
      'a & b © 茶 &lt; &nosuch; \ufffd',
    ],
    [
      'comments, scripts and styles are removed',
      'a <!-- b\nc --> d <script>e</script>f\n\n<style>\n\ng\n\n</style>\n\n<!--\n\n# h\n\n-->\ni',
      'a d f\ni',
    ],
    [
      'blocks of HTML keep their text',
      '<table><tr><td>a</td><td>b *c*</td></tr></table>\n\n<pre>\nd\n\ne\n</pre>',
      'a b *c*\nd e',
    ],
    [
      'each item of nested lists is a paragraph',
      '- a\n  - b\n    1. c\n\n       d\n- [x] e\n* f\n\n10) g',
      'a\nb\nc\nd\ne\nf\ng',
    ],
    ['a year at the beginning of a line is not a list', 'It was\n2020. Then', 'It was 2020. Then'],
    ['quotations are text', '> a\n> b\nc\n>\n> > d', 'a b c\nd'],
    [
      'cells of a table are separated, and rows are lines',
      'e\n\n| a | b \\| c |\n|---|:-:|\n| 1 | `x` |\n| 2 |\n\nd',
      'e\na · b | c\n1 · x\n2\nd',
    ],
    ['white space within a paragraph is one space', 'a  \n  b\\\nc\u3000d\t e', 'a b c d e'],
    [
      'code blocks are text, but their info strings are not',
      '```js title="x"\nlet a  = *b*\n\nc\n```\n\n    d *e*',
      'let a = *b* c\nd *e*',
    ],
    ['code in a list item is code', '- a\n\n      # b\n\n  ```\n  # c\n  ```', 'a\n# b\n# c'],
    ['rules and definitions are not text', '***\n\n[a]: b\n\n* * *\n\n- - -\n\nc', 'c'],
    ['footnotes lose their marks', 'a[^1] b\n\n[^1]: note', 'a b\nnote'],
    ['accepts every kind of line end', '# a\r\nb\rc\n\r\nd', 'a\nb c\nd'],
    ['NUL and lone surrogates become U+FFFD', 'a\u0000\ud800', 'a\ufffd\ufffd'],
  ]
  it('a section has a mark before each line of a code block, which is white space', () => {
    const markdown = 'a\n\n```\nb\n  c   d\n\ne\n```\n\nf\n\n    g'
    expect(sectionsOf(markdown)).to.deep.equal([{ heading: '', text: 'a\vb\fc d\fe\nf\vg' }])
  })

  for (const [title, markdown, text] of cases) {
    it(title, () => {
      expect(plainText(markdown)).to.equal(text)
    })
  }

  it('any text gives well-formed text without line ends in headings, and no error', () => {
    const marks = fc.constantFrom(
      '\n',
      '\n\n',
      '    ',
      '\t',
      ...'# - * _ ~ ` ``` [ ]( ) ![ < > <a </b> <!-- --> | |-| > 1. & \\ ===='.split(' '),
    )
    const texts = fc.array(fc.oneof(marks, fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 40 })
    fc.assert(
      fc.property(texts, (parts) => {
        for (const { heading, text } of sectionsOf(parts.join(''))) {
          expect(`${heading}${text}`.isWellFormed()).to.equal(true)
          expect(heading).to.not.match(/[\n\u0000]/)
          expect(text.replace(/^\v/, '')).to.not.match(/ {2}|[\n\f\v]{2}|^\s|\s$|\u0000/)
        }
      }),
      { numRuns: rounds(300) },
    )
  })
})

describe('hostile tables', () => {
  it('the text of a table with 20,000 columns and 20,000 short rows is not much longer than the table', () => {
    const table = `${'|a'.repeat(20_000)}|\n${'|-'.repeat(20_000)}|\n${'|x\n'.repeat(20_000)}`
    expect(plainText(table).length).to.be.lessThan(table.length * 2)
  })
})
