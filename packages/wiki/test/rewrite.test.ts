import { type KnownSections, rewriteMarkdown } from '@lectern/wiki/import/rewrite'
import { expect } from 'chai'
import fc from 'fast-check'

/** The text with a sign in the place of each `]` that is not in code. */
const marked = (markdown: string, known?: KnownSections): string =>
  rewriteMarkdown(markdown, ']', (_, at) => ({ text: '§', end: at + 1 }), known)

describe('parts of Markdown that are rewritten', () => {
  for (const [what, text, expected] of [
    ['a paragraph', 'a [b]\nc', 'a [b§\nc'],
    ['an item', '- a [b]', '- a [b§'],
    [
      'a block of a dialect in an item',
      '1.  a\n\n    !!! note\n\n        [b]\n',
      '1.  a\n\n    !!! note\n\n        [b§\n',
    ],
    ['a line after code in a quotation', '> ```\n> [a]\n\n[b]', '> ```\n> [a]\n\n[b§'],
    [
      'a fence of Docusaurus around Markdown, but not code in it',
      '```mdx-code-block\n[a]\n\n# [b]\n```js\n[c]\n```\n```\n[d]',
      '```mdx-code-block\n[a§\n\n# [b§\n```js\n[c]\n```\n```\n[d§',
    ],
    ['between backticks of two items', '- ` a\n- [b] `', '- ` a\n- [b§ `'],
  ] as const)
    it(`go: ${what}`, () => expect(marked(text)).to.equal(expected))

  for (const [what, text] of [
    ['a code span', '`[a]`'],
    ['a fence', '```\n[a]\n```'],
    [
      'a fence in a block of a dialect in an item',
      '1.  a\n\n    !!! note\n\n        ```\n        [b]\n        ```\n',
    ],
    ['a fence with a quotation mark in an item', '- a\n\n  ```\n  > [b]\n  [c]\n  ```'],
    ['indented code', 'a\n\n    [b]'],
    ['preformatted HTML', '<pre>\n[a]\n</pre>'],
  ] as const)
    it(`stay: ${what}`, () => expect(marked(text)).to.equal(text))

  it('are those that they are without what is known of other versions', () => {
    const line = fc.constantFrom(
      ...['', '', '# [a]', '#[b]', 'c ` [d]', '- e', '  - ` [f]', '    [g]', '> [h]', '> # [i]', '[j] ` k'],
      ...[
        '```',
        '```mdx-code-block',
        '~~~',
        '> ```',
        '- ```',
        '  ```',
        '<pre>',
        '</pre>',
        '\t# [l]',
        '1. [m]',
        '[^n]: [o]',
      ],
    )
    const versions = fc.array(fc.array(line, { maxLength: 30 }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(versions, (texts) => {
        const known: KnownSections = { sections: new Map() }
        for (const text of texts.flatMap((lines) => [lines, lines.toSpliced(3, 1), lines.slice(2)])) {
          const markdown = text.join('\n')
          expect(marked(markdown, known)).to.equal(marked(markdown))
        }
      }),
      { numRuns: 300 },
    )
  })

  it('stay if the result would be too long, and the rest is not looked at', () => {
    const text = Array.from({ length: 500 }, (_, i) => `# h\n\n[${i}]`).join('\n\n')
    for (const known of [undefined, { sections: new Map() }]) {
      let calls = 0
      const rewrite = (_: string, at: number) => {
        calls += 1
        return { text: 'x'.repeat(1024 * 1024), end: at + 1 }
      }
      expect(rewriteMarkdown(text, ']', rewrite, known)).to.equal(text)
      expect(calls).to.be.at.most(10)
    }
  })
})
