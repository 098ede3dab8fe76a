import { readFrontMatter } from '@lectern/import-files/files/front-matter'
import { mystSections } from '@lectern/import-files/markups/myst'
import { expect } from 'chai'
import { parseDocument } from 'yaml'
import { randomNumbers } from '../../../test/support/random-repository.ts'

/** The front matter of a text. `broken`: whether it could not be read. */
const readText = (text: string) => {
  const { broken, ...front } = readFrontMatter(text)
  return { ...front, broken: broken !== null }
}
const read = (...lines: string[]) => readText(`---\n${lines.join('\n')}\n---\ntext\n`)

/** The front matter of a block by the YAML library and Lectern's rules; null if the block is not a mapping. */
const readByLibrary = (inner: string) => {
  const document = parseDocument(inner, { schema: 'failsafe', logLevel: 'silent', uniqueKeys: false })
  if (document.errors.length > 0) return 'refused'
  let fields: unknown
  try {
    fields = document.toJS() ?? {}
  } catch {
    return 'refused' // an alias of nothing
  }
  if (fields === '') return { title: null, tags: [], published: true }
  if (typeof fields !== 'object' || Array.isArray(fields)) return null
  const said = fields as Record<string, unknown>
  const text = (value: unknown) =>
    typeof value !== 'string' || /^(~|null|)$/i.test(value.trim()) ? null : value
  const texts = (value: unknown) =>
    (Array.isArray(value) ? value : (text(value)?.split(',') ?? [])).map(text).filter((one) => one !== null)
  const word = (value: unknown) => text(value)?.trim().toLowerCase() ?? ''
  const tags = texts(said.tags)
  return {
    title: text(said.title),
    tags: tags.length > 0 ? tags : texts(said.categories),
    published:
      ![said.published, said.publish].some((value) => ['false', 'no', 'off', '0'].includes(word(value))) &&
      ![said.draft, said.private].some((value) => ['true', 'yes', 'on', '1'].includes(word(value))),
  }
}

/** Values of fields: texts, quotations, lists and what YAML reads in other ways, one a line. */
const VALUES = String.raw`
Tea
Green tea
It's
a:b
a: b
x # y
x#y
# y
"Tea"
"a \" b"
"a\nb"
'It''s'
'open
"open
[]
[a, b]
[a, "b, c"]
[a, 'b']
[a: b]
[a,, b]
[a,]
[
[a,
{a: b}
{
-
- a
~
null
true
false
yes
no
True
|
>-
|2
&x a
*x
!t a
@a
%a
1.10
2024-05-01
a, b
-a
?a
:a
? a
"a" # b
[a] # b
--- a
a -
a'b
<<: x`
  .split('\n')
  .concat('`a`', 'a\tb', 'tea \u00a0')

/** Lines that are not a key and its value. */
const OTHER_LINES = `
# comment
  indented
  - item
- item
  - a: b
  key: value
    deeper
  # comment
]
}
  ]
"quoted"
- "a"
  - 'b'
  -
- [a]
? x
<<: *x
%YAML 1.2
- - a
title
  "`
  .split('\n')
  .concat('\t- tabbed')

describe('front matter', () => {
  describe('invalid YAML that people write', () => {
    for (const [what, block, title, tags] of [
      ['a colon in a title', 'title: Tea: a guide\ntags: [hot]', 'Tea: a guide', ['hot']],
      ['a colon in another value', 'description: a: b\ntitle: Tea', 'Tea', []],
      ['a title that begins with @', 'title: @tea/green', '@tea/green', []],
      ['a title that begins with a backtick', 'title: `tea` and more', '`tea` and more', []],
      ['a title that begins with %', 'title: % of tea', '% of tea', []],
      ['a title with a quote too few', 'title: "Tea\ntags: hot', 'Tea', ['hot']],
      ['a title with quotes within', `title: 'It's tea'`, "It's tea", []],
      ['a title that goes on after its quotes', 'title: "Tea" and more', 'Tea" and more', []],
      ['a key twice', 'title: One\ntitle: Two', 'Two', []],
      ['a list indented by tabs', 'tags:\n\t- hot\n\t- cold', null, ['hot', 'cold']],
      ['tabs after a colon', 'title:\tTea', 'Tea', []],
      [
        'quotes over lines without an indent',
        'a: "b\nc d: e\nf"\ntitle: "Tea\nand more"',
        'Tea and more',
        [],
      ],
      ['a list over lines', 'a: b: c\ntags: [hot,\n  cold\n]', null, ['hot', 'cold']],
    ] as const)
      it(`reads ${what}`, () => {
        expect(read(block)).to.deep.include({ broken: false, published: true, title, tags })
      })

    it('hides its text if it contains published: false or draft: true anywhere', () => {
      for (const lines of [
        ['published: false', 'title: a: b'],
        ['title: a: b', '  published: false'],
        ['title: a: b', 'meta:', '  - draft: true'],
        ['title: [', 'draft: yes'],
        ['no key at all', 'draft: true'],
        ['title: @x', '"draft": true'],
        ['draft: true', 'draft: false'],
        ['Draft: True'],
        ['title: "a', 'published: false'],
        ['published: no # yet', 'title: @x'],
        ['publish: false'],
        ['publish:false'],
        ['draft\uff1atrue'],
        ['private: true'],
        ['draft: 1'],
        ['draft: [true]'],
        ['publish: "0"'],
        ['dg-publish: false'],
        ['title: a: b', '  private: true'],
        ['title: a: b', '  publish: false'],
        ['title: [a', 'Publish: [false'],
      ])
        expect(read(...lines).published, lines.join('|')).to.equal(false)
    })

    it('does not hide its text for similar words', () => {
      for (const lines of [
        ['meta:', '  published: false', 'title: Tea'],
        ['draft: yes please'],
        ['hidden: true', 'unlisted: true', 'bookHidden: true'],
        ['publish: true', 'private: false', 'title: a: b'],
        ['description: |', '  draft: true'],
        ['description: a draft: true story'],
      ])
        expect(read(...lines), lines.join('|')).to.include({ published: true, broken: false })
    })

    it('says which field may mean that the text is a draft', () => {
      const unclear = [
        'draft: yes maybe',
        'status: Draft',
        'published: 2024-05-01',
        'draft: no',
        'status: new',
      ].map((line) => read(line).unclear)
      expect(unclear).to.deep.equal(['draft: yes maybe', 'status: Draft', null, null, null])
    })

    it('is broken if a bracket of a used value is not closed', () => {
      for (const lines of [
        ['title: [unclosed'],
        ['title: Tea', 'categories: {a'],
        ['tags: [hot,', '  cold', 'title: Tea'],
        ['tags:', '  - [hot', '  - cold'],
        ['title: {a: [b}'],
      ])
        expect(read(...lines), lines.join('|')).to.deep.include({
          ...{ broken: true, published: true, title: null, tags: [] },
        })
      expect(read('title: [WIP] Tea', 'tags: [hot, cold')).to.include({ broken: true })
      expect(read('title: [WIP] Tea')).to.include({ broken: false, title: '[WIP] Tea' })
      expect(read('title: "[Tea"', 'note: a: b')).to.include({ broken: false, title: '[Tea' })
    })

    it('names the line where the quote begins that has no end', () => {
      const reason = (inner: string) => readFrontMatter(`---\n${inner}\n---\nx`).broken
      expect(reason('title: "Green\nlayout: a\ntags: [a]\n- b')).to.equal('line 2: Missing closing "quote')
      expect(reason("a: b\ntags: ['x', 'y\n- b\nc: d")).to.match(/^line 3: Missing closing 'quote/)
    })

    it('says why it is broken, if no line is wrong', () => {
      expect(readFrontMatter('---\ntitle: Tea\n\n# Tea').broken).to.equal('no end')
      const long = `---\ntitle: ${'x'.repeat(65_536)}\n---\n`
      expect(readFrontMatter(long).broken).to.equal('over 65,536 characters')
    })

    it('hides its text if it is broken, and any field may hide it', () => {
      for (const lines of [
        ['title: [a', 'published:', '  false'],
        ['title: [a', 'draft:', '  "yes"'],
        ['title: [a', 'draft: [true'],
        ['title: [a', 'published: {false'],
        ['title: {a', 'meta:', '  - draft: true'],
        ['title: {a', 'Published: NO'],
      ])
        expect(read(...lines), lines.join('|')).to.include({ broken: true, published: false })
    })

    it('is text if a line belongs to no key', () => {
      expect(read('title: Tea', 'Some prose here.')).to.include({ broken: true, title: null })
    })
  })

  it('has a title that only layouts show, if no field is the title itself', () => {
    const titleIn = (...lines: string[]) => read(...lines).otherTitle
    expect(titleIn('newsTitle: Green', 'a: b: c')).to.equal('Green')
    expect(titleIn('metaTitle: A', 'hideTitle: true', 'sub_title: B', 'tiptitle: "Tea"')).to.equal('Tea')
    expect(titleIn('newstitle: Tea', 'nextTitle: A')).to.equal('Tea')
    for (const other of [
      ...['subtitle: A', 'nextTitle: A', 'prevTitle: A', 'previoustitle: A', 'parentTitle: A'],
      ...['showTitle: false', 'displaytitle: true', 'disableTitle: yes', 'bigTitle: No'],
      ...['notitle: true', 'enableTitle: on', 'hastitle: "off"', 'pagetitle: [A]'],
    ])
      expect(titleIn(other), other).to.equal(null)
  })

  describe('marks', () => {
    for (const [what, text] of [
      ['spaces behind them', '---  \ntitle: Tea\n--- \t\n'],
      ['... at the end', '---\ntitle: Tea\n...\n'],
      ['Windows line ends', '---\r\ntitle: Tea\r\n---\r\n'],
      ['TOML', '+++ \ntitle = "Tea"\n+++\n'],
      ['blank lines before TOML', '\n \n+++\ntitle = "Tea"\n+++\n'],
      ['JSON', '{\n  "title": "Tea",\n  "tags": []\n}\n'],
      ['JSON on one line', '{"title": "Tea", "x": {"}": "\\""}}\n'],
    ] as const)
      it(`accepts ${what}`, () => {
        expect(readText(`${text}body`)).to.deep.include({
          title: 'Tea',
          end: text.length,
          broken: false,
        })
      })

    it('an expression, a template or a single brace is text, not JSON', () => {
      for (const text of [
        '{/* comment */}\n',
        '{% include x %}\n',
        '{{ "x" }}\n',
        '{}\n',
        '{"a": 1} b\n',
        '{"a": 1\n',
      ])
        expect(readText(text), text).to.include({ broken: false, end: 0, published: true })
    })

    it('invalid JSON can hide a draft', () => {
      expect(readText('{"title": "Tea", "draft": true,}\n')).to.include({
        broken: true,
        published: false,
      })
    })

    it('a block that is not where it belongs hides a draft, and otherwise is text', () => {
      const block = '---\ntitle: Tea\n\ndraft: true\n---\n'
      for (const before of [
        ...['\n', '  ', '\t\n \n', '\ufeff\n'],
        ...['<!-- a\n-->\n<!-- b --> ', '{/* a */}\n', '%%a%%\n'],
      ]) {
        expect(readText(before + block), before).to.include({ published: false, broken: true, end: 0 })
        expect(readText(before + block.replace('draft', 'drafts')), before).to.include({
          broken: false,
          end: 0,
          published: true,
        })
      }
      for (const text of [
        '----\ndraft: true\n----\n',
        '\u2014\ndraft: true\n\u2014\n',
        '***\ndraft: true\n',
        '---yaml\ndraft: true\n---\n',
        'Title: Tea\nDraft: true\n\n',
        '\n{"draft": true}\n',
        '---\rdraft: true\r---\r',
        '\n---\na: b\ndraft: true\n',
      ])
        expect(readText(text), text).to.include({ published: false, broken: true })
      expect(readText('\n---\nmeta:\n  draft: true\n---\n').published).to.equal(true)
      const long = [
        '<!-- -->'.repeat(1e5),
        '<!--'.repeat(2e5),
        '%%'.repeat(2e5 + 1),
        '\n'.repeat(1e6),
        '-'.repeat(1e6),
      ]
      for (const start of long) expect(readText(`${start}x`).end).to.equal(0)
    })

    it('below blank lines, a block is read if the tool reads it there', () => {
      const front = readFrontMatter('\n \n---\ntitle: Tea\ndraft: true\n---\nx', true)
      expect(front).to.include({ title: 'Tea', published: false, broken: null, end: 34 })
    })

    it('a block without an end hides a draft, and otherwise is text', () => {
      expect(readText('---\ntitle: Tea\npublished: false\n\n# Tea\n')).to.include({ published: false })
      expect(readText('---\ntitle: Tea\n\npublished: false\n')).to.include({
        ...{ published: true, broken: true, title: null, end: 0 },
      })
      expect(readText('+++\ntitle = "Tea"\n\n# Tea\n')).to.include({ broken: true, title: null })
      for (const prose of ['---\n\nA: b', '---\nSome prose: it goes on\n', '---\n# Tea\n', '---', '---\n'])
        expect(readText(prose), prose).to.include({ broken: false })
    })
  })

  describe('large blocks', () => {
    it('a block of more than 65,536 characters is text, but can hide it', () => {
      const many = Array.from({ length: 40_000 }, (_, i) => `key${i}: x`)
      expect(read('title: Tea', ...many)).to.include({ broken: true, published: true })
      expect(read('title: Tea', ...many, 'draft: true')).to.include({ broken: true, published: false })
    })

    it('plain lines are read up to that length; other YAML beyond 4,096 characters is read line by line', () => {
      const many = Array.from({ length: 4_000 }, (_, i) => `key${i}: x`)
      expect(read('title: Tea', ...many)).to.include({ title: 'Tea', large: false, broken: false })
      expect(read('title: >-', '  Tea', ...many)).to.include({ title: 'Tea', large: true, broken: false })
    })

    it('icons of a home page do not count', () => {
      const icon = `  - icon: <svg><path d="${'M1 2'.repeat(2_000)}"/></svg>`
      const { home, large } = read('home: true', 'features:', icon, '    title: Tea', icon)
      expect([home, large]).to.deep.equal(['- **Tea**', false])
      expect(read('title: >-', '  Tea', `other: ${'<svg>'.repeat(12_000)}`)).to.include({ title: 'Tea' })
      expect(read('{"icon": "<svg>", "draft": true, "note": "</svg>"}')).to.include({ published: false })
    })

    it('YAML that is nested too deeply is read line by line, without a crash', () => {
      for (const part of ['[', '{', '- ', '? ', '{a: [', 'a: ', '&a ', '*a ', '!!a ', '"', ' ', '\n', '? \n'])
        for (const length of [4_000, 60_000])
          for (const before of ['', 'title: ', 'tags:\n  ', 'other: ', 'title: >\n ']) {
            const { title, end } = read(`${before}${part.repeat(length / part.length)}`, 'draft: true')
            expect(title === null || end > 0).to.equal(true)
          }
      expect(read(`other: ${'['.repeat(300)}${']'.repeat(300)}`, 'title: Tea')).to.include({
        title: 'Tea',
        large: true,
      })
      expect(read(`other: ${'['.repeat(90)}${']'.repeat(90)}`, 'title: Tea')).to.include({
        title: 'Tea',
        large: false,
      })
    })

    it('TOML that is nested too deeply is text', () => {
      const nested = (depth: number) =>
        `+++\ntitle = "Tea"\nother = ${'['.repeat(depth)}${']'.repeat(depth)}\n+++\n`
      expect(readText(nested(20_000))).to.include({ broken: true })
      expect(readText(nested(100))).to.include({ broken: false, title: 'Tea' })
    })

    it('a note has 50 names, and further addresses without a limit', () => {
      const names = Array.from({ length: 60 }, (_, i) => `name ${i}`)
      const { aliases, address } = read(`aliases: [${[...names, '/old/', '/older/'].join(', ')}]`)
      expect(aliases).to.deep.equal(names.slice(0, 50))
      expect(address.redirects).to.deep.equal([...aliases, '/old/', '/older/'])
    })

    it('aliases that expand exponentially are not expanded', () => {
      const rows = Array.from(
        { length: 12 },
        (_, i) => `a${i}: &a${i} [${`*a${i - 1}, `.repeat(i === 0 ? 0 : 9)}x]`,
      )
      expect(read(...rows, 'title: Tea')).to.include({ title: 'Tea', broken: false })
      expect(read(...rows, 'tags: *a11'))
        .to.include({ broken: false })
        .and.have.property('tags')
        .that.has.length(1)
    })
  })

  it('gives the same as the YAML library if the library accepts the block', () => {
    const keys =
      'title tags categories published publish draft private description authors meta a-b.c "title"'.split(
        ' ',
      )
    const random = randomNumbers(7)
    const one = (from: readonly string[]) => from[random(from.length)]!
    let compared = 0
    for (let n = 0; n < 5_000; n += 1) {
      const lines = Array.from({ length: 1 + random(5) }, () =>
        random(3) > 0 ? `${one(keys)}:${one([' ', ' ', '  ', '\t', ''])}${one(VALUES)}` : one(OTHER_LINES),
      )
      const inner = lines.join(one(['\n', '\n', '\r\n']))
      const expected = readByLibrary(inner)
      const found = read(inner)
      const twice = new Set(lines.map((line) => /^"?(\w+)/.exec(line)?.[1])).size < lines.length
      if (expected === 'refused' || twice) continue
      compared += 1
      // Without a space after its colon, a field is a text. It can hide the page.
      if (expected === null && found.published) expect(found, inner).to.include({ broken: false, end: 0 })
      else if (expected === null) expect(inner).to.match(/(?:publish(?:ed)?|draft|private):\S/)
      else expect(found, inner).to.deep.include({ ...expected, broken: false })
    }
    expect(compared).to.be.above(1_000)
  })

  it('a text of 8 MiB of blank characters, and headings of Sphinx with as many, take linear time', () => {
    const blank = ' '.repeat(8 * 1024 * 1024)
    expect(readFrontMatter(blank).published).to.equal(true)
    expect(mystSections(`# x${blank}y\n# ${blank}\u2028y`).labels).to.deep.equal([])
  })
})
