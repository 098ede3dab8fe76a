import { expect } from 'chai'
import fc from 'fast-check'
import { summaryOf } from '../src/read/summary.ts'
import { rounds } from './support/rounds.ts'

describe('summary of a text', () => {
  it('is its first paragraphs, up to the heading after them, without markup', () => {
    expect(
      summaryOf('# Tea\n\n**Tea** is a [drink](x).\n\n- hot\n- iced\n\n## History\n\nOld.', 'en'),
    ).to.equal('Tea is a drink.\nhot\niced')
  })

  it('passes over tables, code, raw HTML, pictures, formulas, and the days of posts, unless a text has nothing else', () => {
    const table = '| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nx = 1\n```\n\n<div>c</div>\n\n'
    expect(summaryOf(`${table}Tea.`, 'en')).to.equal('Tea.')
    expect(summaryOf(`# A\n\n${table}`, 'en')).to.equal('a · b\n1 · 2\nx = 1\nc')
    expect(summaryOf('# A\n\n# B', 'en')).to.equal('')
    expect(summaryOf('Tea.\n\n![a cup](a.png)\n\n[![b][1]](b)\n\n![c](c) is c.', 'en')).to.equal(
      'Tea.\nc is c.',
    )
    expect(summaryOf('![a cup](a.png)', 'en')).to.equal('a cup')
    expect(summaryOf('# A\n\n2024-05-01 · Ann\n\nTea.', 'en')).to.equal('Tea.')
    expect(summaryOf('$$\n\\begin{aligned}\na\n\\end{aligned}\n$$\nTea $x$.\n\n$$y$$', 'en')).to.equal(
      'Tea x.',
    )
  })

  it('ends at the end of the last sentence that fits into 500 characters', () => {
    const sentence = `Tea ${'a'.repeat(94)}. `
    expect(summaryOf(sentence.repeat(7), 'en')).to.equal(sentence.repeat(5).trim())
    expect(summaryOf('お茶を飲みます。'.repeat(100), 'ja')).to.equal('お茶を飲みます。'.repeat(62))
    expect(summaryOf('चाय गरम है। '.repeat(100), 'hi')).to.match(/।$/)
  })

  it('ends after a word with an ellipsis, if the first sentence is longer', () => {
    expect(summaryOf('tea '.repeat(200), 'en')).to.equal(`${'tea '.repeat(124)}tea…`)
    for (const letter of ['a', '𠮷', '👩‍🍳', 'น้ำ'])
      expect(summaryOf(letter.repeat(600), 'th').replaceAll(letter, '')).to.equal('…')
  })

  it('reads only the beginning of a long text', () => {
    expect(summaryOf(`${'<div></div>\n\n'.repeat(2_000)}Tea.`, 'en')).to.equal('')
  })

  it('has the beginning of a paragraph that is longer than what it reads, and nothing of a comment', () => {
    expect(summaryOf(`# S\n\n${'Steamed leaves. '.repeat(2_000)}`, 'en')).to.match(
      /^Steamed leaves\..*leaves\.$/,
    )
    expect(summaryOf(`Tea.\n\n<!-- ${'c '.repeat(10_000)}-->\n\nMore.`, 'en')).to.equal('Tea.')
    expect(summaryOf(`Tea.\n\n![a cup](data:image/png;base64,${'A'.repeat(20_000)})`, 'en')).to.equal('Tea.')
  })

  it('is well-formed text of at most 500 UTF-16 code units, for any text and locale', () => {
    const part = fc.oneof(
      fc.constantFrom('# ', '\n', '\n\n', '. ', '…', '\ud800', '\u0000'),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 200 }),
        fc.constantFrom('en', 'ja', 'th', 'x', 'zh-tw', 'abc-defghijk'),
        (parts, locale) => {
          const summary = summaryOf(parts.join(''), locale)
          expect(summary.length).to.be.at.most(500)
          expect(summary.isWellFormed()).to.equal(true)
          expect(summary).to.not.match(/^\s|\s$|\u0000/)
        },
      ),
      { numRuns: rounds(100) },
    )
  })
})
