import { toMarkdown } from '@lectern/import-files/markups/to-markdown'
import { convertWikitextFile } from '@lectern/import-mediawiki/wikitext/file'
import { expect } from 'chai'
import { cpuTimeOfAll } from '../../../test/support/cpu-time.ts'
import { newNotesFolder, writeFiles } from '../../../test/support/folder.ts'
import { commit, type Files, newRepository, take } from '../../../test/support/git.ts'

const PAGE = { locale: 'en', path: 'Tea' }

type LinkByName = (name: string, text: string) => string
const convert = async (text: string, file: string, linkByName?: LinkByName) =>
  toMarkdown(text, file, { ...PAGE, linkByName }, convertWikitextFile)
const markdownOf = async (text: string, file: string, linkByName?: LinkByName) =>
  (await convert(text, file, linkByName)).markdown

describe('other markups: AsciiDoc', () => {
  it('becomes Markdown: headings, lists, code, notes, tables, links and images', async () => {
    const text = `= Tea
:water: hot

Use {water} water, *never* _cold_. See link:https://tea.example/a_b[more] and <<Kinds>>.

== Kinds

. first
. second
* one
** nested

NOTE: Keep it dry.

[source,js]
----
const a = '*'
----

|===
|Name |Time

|Sencha |1 \\| 2
|===

image::cup.png[A cup]
`
    expect(await markdownOf(text, 'tea.adoc')).to.equal(`# Tea

Use hot water, **never** *cold*. See [more](https://tea.example/a_b) and [Kinds](#kinds).

## Kinds

1. first
2. second
   - one
     - nested

> [!NOTE]
> Keep it dry.

\`\`\`js
const a = '*'
\`\`\`

| Name | Time |
| --- | --- |
| Sencha | 1 \\| 2 |

![A cup](cup.png)
`)
  })

  it('blocks in a cell are its lines', async () => {
    const cell = 'a +\nb\n\n* c\n* d\n\nNOTE: e\n\n----\nf\ng\n----\n'
    expect(await markdownOf(`[cols="1a"]\n|===\n|A\n\n|\n${cell}|===\n`, 'tea.adoc')).to.equal(
      '| A |\n| --- |\n| a<br>b<br>• c<br>• d<br>**Note:** e<br>`f`<br>`g` |\n',
    )
  })

  it('keeps the ids of admonitions and tables', async () => {
    const text = '[[dry]]\nNOTE: Keep it dry.\n\n[#times]\n|===\n|A |B\n|===\n'
    expect(await markdownOf(text, 'tea.adoc')).to.equal(
      '<a name="dry"></a>\n\n> [!NOTE]\n> Keep it dry.\n\n<a name="times"></a>\n\n| A | B |\n| --- | --- |\n',
    )
  })

  it('keeps the ids that authors chose', async () => {
    const text = '[[cups]]\n== Cups\n\n[#pot]\nA [[lid]]lid.\n\n[[deep.cup]]\n=== Deep\n\n== Own title'
    expect(await markdownOf(text, 'tea.adoc')).to.equal(
      '## Cups\n\n<a name="pot"></a>\n\nA <a name="lid"></a>lid.\n\n### Deep {#deep.cup}\n\n## Own title\n',
    )
  })

  it('reads no file, and drops scripts', async () => {
    const folder = newNotesFolder()
    writeFiles(folder, { 'secret.txt': 'secret words' })
    const text = `:docdir: ${folder}\n\ninclude::${folder}/secret.txt[]\n\n++++\n<script>alert(1)</script>\n++++\n`
    const markdown = await markdownOf(text, 'tea.adoc')
    expect(markdown).not.to.include('secret words').and.not.to.include('<script')
  })
})

describe('other markups: Textile', () => {
  it('becomes Markdown', async () => {
    const text = `h1. Tea

A *bold* _emphasis_ -old- @code@ "link":https://tea.example/a_b
second line

* one
** nested

|_. Name |_. Time |
| Sencha | 1 |

bc. const a = 1

bq. Quote
`
    expect(await markdownOf(text, 'tea.textile')).to.equal(`# Tea

A **bold** *emphasis* ~~old~~ \`code\` [link](https://tea.example/a_b)\\
second line

- one
  - nested

| Name | Time |
| --- | --- |
| Sencha | 1 |

\`\`\`
const a = 1
\`\`\`

> Quote
`)
  })

  it('keeps the text of all items of a list that is indented by a space', async () => {
    expect(await markdownOf('Tea\n * one\n * two\n', 'tea.textile')).to.equal('Tea\n\n- one\n- two\n')
  })

  it('keeps the links of Gollum as they are', async () => {
    expect(await markdownOf('See [[Green_Tea|tea]].', 'tea.textile')).to.equal('See [[Green_Tea|tea]].\n')
  })
})

describe('other markups: Org', () => {
  for (const [title, org, markdown] of [
    ['headings', '* Tea\n** Green\ntext', '# Tea\n\n## Green\n\ntext\n'],
    ['emphasis', '*b* /i/ _u_ +s+ =v*v= ~c~', '**b** *i* <u>u</u> ~~s~~ `v*v` `c`\n'],
    ['marks in words and paths', 'a*b*c /usr/lib x_1 2*3*4', 'a\\*b\\*c /usr/lib x_1 2\\*3\\*4\n'],
    [
      'a link over two lines',
      '[[https://x.example/a_b][two\nwords]]',
      '[two\nwords](https://x.example/a_b)\n',
    ],
    ['a bare URL', 'See https://x.example/a_b_c.', 'See <https://x.example/a_b_c>.\n'],
    ['links to files and images', '[[file:a.pdf][A]] [[./cup.png]]', '[A](a.pdf) ![](./cup.png)\n'],
    ['a link to a heading', '[[*Green Tea]]', '[Green Tea](#green-tea)\n'],
    ['source code', '#+BEGIN_SRC js :results\n  ,* a\n    b\n#+END_SRC', '```js\n* a\n  b\n```\n'],
    ['source code after tabs', '#+BEGIN_SRC c\n\tint a;\n\t\tb;\n#+END_SRC', '```c\nint a;\n\tb;\n```\n'],
    [
      'an example and fixed width',
      '#+begin_example\n*a*\n#+end_example\n: x\n: y',
      '```\n*a*\n```\n\n```\nx\ny\n```\n',
    ],
    ['a quotation', '#+BEGIN_QUOTE\n/a/\n\nb\n#+END_QUOTE', '> *a*\n>\n> b\n'],
    ['lists', '- a\n  more\n  - [X] b\n- c\n\n1. x\n2. y', '- a\n  more\n  - [x] b\n- c\n\n1. x\n2. y\n'],
    ['an indented list, then text', 'a:\n  - b\n  - c\nd', 'a:\n\n- b\n- c\n\nd\n'],
    ['a list of terms', '- Sencha :: green', '- **Sencha** green\n'],
    ['a table', '| a | b |\n|---+---|\n| 1 | *2* |', '| a | b |\n| --- | --- |\n| 1 | **2** |\n'],
    ['a table without a head', '| 1 | 2 |', '|  |  |\n| --- | --- |\n| 1 | 2 |\n'],
    ['drawers, comments and settings', ':PROPERTIES:\n:ID: x\n:END:\n#+OPTIONS: toc:nil\n# c\na', 'a\n'],
    [
      'what Org keeps private, which goes',
      'a\n* COMMENT x\nunseen\n** unseen\n* TODO COMMENT\nunseen\n* b\n** c :x:noexport:\nunseen\n** d @@comment:unseen@@e',
      'a\n\n# b\n\n## d e\n',
    ],
    [
      'words that only look like it',
      '* COMMENTS\na\n* x:noexport:\n@@comment:b',
      '# COMMENTS\n\na\n\n# x:noexport:\n\n@@comment:b\n',
    ],
    ['a block and a drawer without an end', '#+BEGIN_SRC js\n:X:\na', '\\#+BEGIN_SRC js\n:X:\na\n'],
    ['text that Markdown would read', '# \n> a\n<b>', '\\> a\n\\<b>\n'],
    ['indented text', '    not code', 'not code\n'],
  ] as const)
    it(`converts ${title}`, async () => {
      expect(await markdownOf(org, 'tea.org')).to.equal(markdown)
    })

  it('has its title and its tags in keywords', async () => {
    expect(await convert('#+TITLE: Green Tea\n#+FILETAGS: :hot:china:\nx', 'tea.org')).to.deep.equal({
      markdown: 'x\n',
      title: 'Green Tea',
      tags: ['hot', 'china'],
      note: null,
    })
  })

  it('a paragraph or a block may have more lines than a call may have arguments', async () => {
    const lines = 'a\n'.repeat(150_000)
    for (const text of [lines, `#+begin_src\n${lines}#+end_src\n`])
      expect((await markdownOf(text, 'tea.org')).split('\n').length).to.be.above(150_000)
  })

  it('links to pages are links by name; those to files stay', async () => {
    const text = '[[Green Tea]] [[file:notes/mate.org::*Hot][m]] [[New Page::*Hot][new]]'
    expect(await markdownOf(text, 'tea.org', (name, label) => `{${name} ${label}}`)).to.equal(
      '{Green Tea Green Tea} [m](notes/mate) {New Page#Hot new}\n',
    )
  })
})

describe('other markups: references between texts of Sphinx', () => {
  const SPHINX = {
    'docs/conf.py': "html_theme = 'x'\n",
    'docs/brew/index.rst':
      '.. _brewing:\n\n====================\nBrewing ``hot_water``\n====================\n',
    'docs/brew/pots.rst':
      'Pots\n====\n\nExamples\n--------\n\n.. _big:\n\nExamples\n--------\n\n.. _deep:\n\nText.\n\n.. include:: part.inc\n',
    'docs/brew/part.inc': '.. _included:\n\nIncluded part\n-------------\n',
    'docs/mate.md': '# Mate & more\n',
    'docs/user/start.rst': 'Start\n=====\n',
    'docs/user/more.rst': ':doc:`/start` :doc:`/mate`',
    'docs/draft.rst': '---\ndraft: true\n---\n.. _secret:\n\nSecret\n======\n',
  }
  for (const [title, text, markdown] of [
    [
      'a label has the title of its section',
      ':ref:`brewing` :ref:`Brewing`',
      '[Brewing hot_water](/en/brew#brewing-hot_water) '.repeat(2).trim(),
    ],
    [
      'a label with a text, in a section with the same title',
      ':ref:`these <big>`',
      '[these](/en/brew/pots#examples-1)',
    ],
    ['a label of a paragraph leads to it', ':ref:`x <deep>`', '[x](/en/brew/pots#deep)'],
    [
      'a label of an included file leads to the page',
      ':ref:`included`',
      '[Included part](/en/brew/pots#included-part)',
    ],
    ['a label of this text', '.. _here:\n\nHere\n----\n\n:ref:`here`', '# Here\n\n[Here](#here)'],
    [
      'one that does not exist, and one of a draft',
      ':ref:`no_tea` :ref:`secret` :doc:`draft`',
      'no tea secret [draft](draft)',
    ],
    ['texts have their titles', ':doc:`brew/pots` :doc:`M </mate>`', '[Pots](/en/brew/pots) [M](/en/mate)'],
    [
      'a tree',
      '.. toctree::\n   :glob:\n\n   mate\n   All <brew/index>\n   brew/*\n   none',
      '- [Mate & more](/en/mate)\n- [All](/en/brew)\n- [Brewing hot_water](/en/brew)\n- [Pots](/en/brew/pots)\n- [none](none)',
    ],
    [
      'Markdown: labels and texts, not in code',
      '(a)=\n(b.c)=\n# A *b*\n\n{ref}`b.c` {ref}`x <a>` {ref}`big` {doc}`mate` {doc}`x_y` `` {ref}`big` ``\n```\n{ref}`big`\n```',
      '(a)=\n(b.c)=\n# A *b*\n\n[A b](/en/test#b.c) [x](/en/test#a) [Examples](/en/brew/pots#examples-1) [Mate & more](/en/mate) [x y](x_y) `` {ref}`big` ``\n```\n{ref}`big`\n```',
    ],
    [
      'Markdown: links to labels, not over texts and headings',
      '(a/b)=\n# A\n\n[*x*](a/b) [](#a/b) [y](mate) [z](#big) [](big)',
      '(a/b)=\n# A\n\n[*x*](/en/test#a/b) [A](/en/test#a/b) [y](mate) [z](#big) [Examples](/en/brew/pots#examples-1)',
    ],
    [
      'Markdown: links without a text, and references of Quarto',
      '# A {#sec-a .b}\n\n[](mate) [](#big) @sec-a @fig-c c@sec-a `@sec-a`',
      '# A {#sec-a .b}\n\n[Mate & more](/en/mate) [Examples](/en/brew/pots#examples-1) [A](/en/test#sec-a) Figure c@sec-a `@sec-a`',
    ],
    [
      'Markdown: trees',
      '```{toctree}\n:caption: Tea\n\nmate\nAll <brew/index>\n```\n:::{toctree}\n:hidden:\nmate\n:::\n\nx\n```{toctree}\nmate',
      '**Tea**\n\n- [Mate & more](/en/mate)\n- [All](/en/brew)\n\n\nx\n```{toctree}\nmate',
    ],
  ] as const)
    it(title, async () => {
      const folder = newRepository()
      const name = title.startsWith('Markdown') ? 'docs/test.md' : 'docs/test.rst'
      commit(folder, { ...SPHINX, [name]: text } satisfies Files)
      expect((await take(folder)).page('test').revisions.at(-1)!.markdown.trim()).to.equal(markdown)
    })

  it('of several sites with one configuration, names with a slash begin in each, too', async () => {
    const folder = newRepository()
    commit(folder, SPHINX)
    expect((await take(folder)).page('user/more').revisions.at(-1)!.markdown.trim()).to.equal(
      '[Start](/en/user/start) [Mate & more](/en/mate)',
    )
  })
})

describe('other markups: what cannot be converted', () => {
  it('Creole and others become a code block in their language', async () => {
    expect(await convert('a `b <c>`_', 'tea.creole')).to.deep.equal({
      markdown: '```creole\na `b <c>`_\n```\n',
      title: null,
      tags: [],
      note: 'no converter',
    })
    expect((await convert('= a', 'tea.pod')).markdown).to.equal('```pod\n= a\n```\n')
    expect((await convert(' \n', 'tea.rst')).markdown).to.equal('')
  })

  it('a text that takes too long becomes code, and the next one is converted', async () => {
    const { note, markdown } = await convert('*a '.repeat(300_000), 'tea.textile')
    expect(note).to.equal('failed')
    expect(markdown).to.match(/^```textile\n\*a \*a /)
    expect(await markdownOf('*a*', 'tea.textile')).to.equal('**a**\n')
  })

  it('a text of more than a million characters becomes code at once', async () => {
    expect((await convert('a '.repeat(500_001), 'tea.adoc')).note).to.equal('failed')
  })
})

describe('other markups: hostile Org takes linear time', () => {
  for (const [title, piece] of [
    ['marks of emphasis', '/a '],
    ['brackets', '[['],
    ['footnotes', '[fn:'],
    ['addresses', 'http://'],
    ['blocks without an end', '#+begin_src\n'],
    ['drawers without an end', ':drawer:\n'],
    ['items', '- a\n'],
    ['nested items', `${'  '.repeat(40)}- a\n`],
    ['cells', '|a'],
  ] as const)
    it(title, async () => {
      const text = piece.repeat(Math.floor(300_000 / piece.length))
      expect(await cpuTimeOfAll(() => markdownOf(text, 'tea.org'))).to.be.lessThan(5_000)
    })
})
