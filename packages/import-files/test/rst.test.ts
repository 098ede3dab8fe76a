import { hasOtherDirectives, mystSections, withMystReferences } from '@lectern/import-files/markups/myst'
import { rstToMarkdown } from '@lectern/import-files/markups/rst'
import { RstSite } from '@lectern/import-files/markups/rst-site'
import { expect } from 'chai'
import { cpuTimeOf } from '../../../test/support/cpu-time.ts'
import { renderHtml } from '../../../test/support/markdown.ts'

const markdownOf = (text: string): string => rstToMarkdown(text, 'guide/tea').markdown

const td = (content: string, spans = ''): string => `<td${spans}>\n\n${content && `${content}\n\n`}</td>\n`
const list = (style: string, start: number, ...items: string[]): string =>
  `<ol type="${style}" start="${start}">\n${items.map((one) => `<li>\n\n${one}\n\n</li>\n`).join('')}</ol>\n`
const row = (...cells: string[]): string => `<tr>\n${cells.join('')}</tr>\n`

/** [what it promises, reStructuredText, Markdown] */
const CASES: readonly [string, string, string][] = [
  [
    'sections have the levels of their styles',
    '====\nTea\n====\n\nKinds\n=====\n\nGreen\n-----\n\nCups\n====\n\n-----\n\nEnd',
    '# Tea\n\n## Kinds\n\n### Green\n\n## Cups\n\n---\n\nEnd\n',
  ],
  [
    'emphasis, code, roles and escapes',
    '*Hot* **water** ``a*b`` `title` :sub:`2` :func:`~tea.brew` :meth:`.Cup.fill` :class:`Cup <tea.Cup>` :guilabel:`&OK` :rfc:`2324` \\*no\\* a_b 5*6*7',
    '*Hot* **water** `a*b` *title* <sub>2</sub> `brew()` `Cup.fill()` `Cup` **OK** [RFC 2324](https://datatracker.ietf.org/doc/html/rfc2324) \\*no\\* a_b 5\\*6\\*7\n',
  ],
  [
    'text without a role has its label alone, as with a role of Sphinx by default',
    '`a cup <tea.Cup>` `tea`',
    '*a cup* *tea*\n',
  ],
  ['code in tabs', '.. tabs::\n\n   .. code-tab:: bash\n\n      $ tea\n', '```bash\n$ tea\n```\n'],
  [
    'links: named, anonymous, in the text, to sections and to pages',
    'Tea_ and `the shop`_, `here <https://tea.example/a>`_, `one`__, :doc:`/cups/index`, :doc:`Mate <mate>`, :ref:`steep`, :ref:`elsewhere`.\n\n.. _the shop: https://shop.example\n__ https://one.example\n\n.. _steep:\n\nTea\n===\n',
    '[Tea](#tea) and [the shop](https://shop.example), [here](https://tea.example/a), [one](https://one.example), [cups](/cups/index), [Mate](mate), [Tea](#tea), elsewhere.\n\n# Tea\n',
  ],
  [
    'lists in lists, definitions, fields and lines',
    '* one\n\n  - two\n* three\n\n3. c\n#. d\n\nterm\n  What it *means*\n\n:Author: Ada\n\n| a\n| b\n',
    '- one\n\n  - two\n\n- three\n\n3. c\n4. d\n\nterm\n:   What it *means*\n\nAuthor:\n:   Ada\n\na<br>\nb\n',
  ],
  [
    'code: literal blocks, directives and sessions',
    'Run::\n\n    $ tea *\n\n.. code-block:: python\n   :linenos:\n   :caption: tea.py\n\n   if a:\n       b()\n\n>>> 1 + 1\n2\n',
    'Run:\n\n```\n$ tea *\n```\n\n**tea.py**\n\n```python\nif a:\n    b()\n```\n\n```pycon\n>>> 1 + 1\n2\n```\n',
  ],
  [
    'admonitions are alerts',
    '.. note:: Mind\n   the *heat*.\n\n.. admonition:: Kinds\n\n   - green\n\n.. versionadded:: 2.0\n   Cups.\n\n.. seealso::\n\n   :doc:`Cups <cups>`\n      More.\n',
    '> [!NOTE]\n> Mind\n> the *heat*.\n\n> [!NOTE] Kinds\n> - green\n\n> [!NOTE] Added in version 2.0\n> Cups.\n\n> [!NOTE] See also\n>\n> [Cups](cups)\n> :   More.\n',
  ],
  [
    'kinds of admonitions are those of alerts, and their own names are titles',
    '.. danger:: Hot\n\n.. hint:: Wait\n\n.. info:: Tea\n\n.. versionremoved:: 3.0\n\n.. constructor:: Cup\n',
    '> [!CAUTION] Danger\n> Hot\n\n> [!TIP] Hint\n> Wait\n\n> [!NOTE] Info\n> Tea\n\n> [!WARNING] Removed in version 3.0\n\n- `Cup`\n\n*The site generates this part from source code, which is not in this wiki.*\n',
  ],
  [
    'pictures and figures',
    '.. image:: cup.png\n   :alt: A cup\n\n.. figure:: /a b.png\n\n   The *pot*\n\n|logo| is ours.\n\n.. |logo| image:: l.png\n',
    '![A cup](cup.png)\n\n![](/ab.png)\n\nThe *pot*\n\n![](l.png) is ours.\n',
  ],
  [
    'toctree is a list of links; hidden ones show nothing',
    '.. toctree::\n   :maxdepth: 2\n   :caption: All\n\n   green-tea\n   Cups <cups/index>\n   self\n   more/*\n\n.. toctree::\n   :hidden:\n\n   a\n',
    '**All**\n\n- [green tea](green-tea)\n- [Cups](cups/index)\n',
  ],
  [
    'tables: grids, simple ones, lists and values with commas',
    '+----+-----+\n| A  | B   |\n+====+=====+\n| 1  | 2\\|3 |\n+----+-----+\n\n== ==\nA  B\n== ==\n1  *x*\n   y\n== ==\n\n.. list-table:: T\n   :header-rows: 1\n\n   * - A\n     - B\n   * - 1\n     - 2\n\n.. csv-table::\n   :header: "A", B\n\n   "1, 2", 3\n'.replace(
      '2\\|3 ',
      '2   ',
    ),
    '| A | B |\n| --- | --- |\n| 1 | 2 |\n\n| A | B |\n| --- | --- |\n| 1 | *x* y |\n\n**T**\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\n| A | B |\n| --- | --- |\n| 1, 2 | 3 |\n',
  ],
  [
    'tables with cells over several columns, lines in cells, and settings',
    '+------------+------------+\n| .. class:: warm         |\n| *A*                     |\n+------------+------------+\n|            | | 1        |\n|            | | 2        |\n+------------+------------+\n',
    `<table>\n${row(td('*A*', ' colspan="2"'))}${row(td(''), td('1<br>\n2'))}</table>\n`,
  ],
  [
    'options, with and without a description beside them',
    '-a            all\n-b file, --bag=file  a bag\n              of tea\n\n--cold\n    with ice\n\n-x alone\n',
    '`-a`\n:   all\n\n`-b file`, `--bag=file`\n:   a bag\n    of tea\n\n`--cold`\n:   with ice\n\n\\-x alone\n',
  ],
  [
    'lists that count with letters and Roman numbers begin when the signs change',
    'c. three\nd. four\n\n(i) one\n(ii) two\n\n#. one\n\nA. Einstein was\nright.\n',
    `${list('a', 3, 'three', 'four')}\n${list('i', 1, 'one', 'two')}\n1. one\n\nA. Einstein was\nright.\n`,
  ],
  [
    'cells over several rows and columns, and lists and pictures in cells',
    '+---+---+---+\n| A | B     |\n|   +---+---+\n|   | 1 | 2 |\n+---+---+---+\n\n===== =====\n  In\n-----------\nA     \u8336\n===== =====\n1     2\n===== =====\n\n.. list-table::\n\n   * - .. image:: a.png\n          :width: 40px\n     - - x\n       - y\n',
    `<table>\n${row(td('A', ' rowspan="2"'), td('B', ' colspan="2"'))}${row(td('1'), td('2'))}</table>\n\n<table>\n${row(td('In', ' colspan="2"'), '').replaceAll('td', 'th')}${row(td('A'), td('\u8336')).replaceAll('td', 'th')}${row(td('1'), td('2'))}</table>\n\n<table>\n${row(td('<img src="a.png" alt="" width="40">'), td('- x\n- y'))}</table>\n`,
  ],
  [
    'targets: places in the text, names of other targets, and references without a name to them',
    'Go to place_, `two words`_, pot_, `a pot <the pot_>`_, `this`__ and :ref:`place`.\n\n.. _place:\n\nHere, or at _`two words`.\n\n.. _pot: shop_\n.. _the pot: pot_\n.. _shop: https://shop.example\n__ pot_\n',
    'Go to [place](#place), [two words](#two-words), [pot](https://shop.example), [a pot](https://shop.example), [this](https://shop.example) and [place](#place).\n\n<a name="place"></a>\n\nHere, or at <a name="two-words"></a>two words.\n',
  ],
  [
    'footnotes with signs have their own order, a missing one stays text, and citations stand where they are',
    'A [*]_, b [#]_, c [9]_, [Kn84]_.\n\n.. [#] Number\n.. [*] Sign\n.. [Kn84] Knuth\n',
    'A [^sign1], b [^auto1], c \\[9\\], [\\[Kn84\\]](#kn84).\n\n[^auto1]: Number\n\n[^sign1]: Sign\n\n\\[Kn84\\]<a name="kn84"></a>\n:   Knuth\n',
  ],
  [
    'literal blocks that are quoted, and lines that are further in',
    'Say::\n\n> tea\n> now\n\n| a\n|     b\n  c\n|\n| d\n',
    'Say:\n\n```\n> tea\n> now\n```\n\na<br>\n&emsp;b c<br>\n<br>\nd\n',
  ],
  [
    'substitutions with several lines, links and pictures; a version that is not known is its name',
    '|a|_ and |logo|, |version|.\n\n.. |a| replace:: Tea\n   *house*\n.. _a: https://tea.example\n.. |logo| image:: l.png\n   :alt: Logo\n   :target: a_\n',
    '[Tea\n*house*](https://tea.example) and [![Logo](l.png)](https://tea.example), *version*.\n',
  ],
  [
    'a loop of targets is text; a line of a table alone is code',
    'Go to a_ and `the b <b_>`_.\n\n.. _a: b_\n.. _b: a_\n\n+-----+\n\nEnd',
    'Go to a\\_ and the b.\n\n```\n+-----+\n```\n\nEnd\n',
  ],
  [
    'roles: superscript, numbers of a tracker, and HTML, which shows nothing',
    'm\\ :superscript:`2` H\\ :subscript:`2` :gh:`7` :issue:`8` :pr:`9` :raw-html:`<b>x</b>` end\n\n.. role:: raw-html(raw)\n   :format: html\n',
    'm<sup>2</sup> H<sub>2</sub> 7 8 9  end\n',
  ],
  [
    'roles of Sphinx: menus, keys, abbreviations, and code without names of objects',
    ':menuselection:`File --> Save &as` :kbd:`Ctrl+S` :abbr:`TLA (three letters)` :command:`rm` :file:`~/.tea` :mimetype:`a/b`',
    '**File \u2023 Save as** <kbd>Ctrl+S</kbd> <abbr title="three letters">TLA</abbr> **rm** `~/.tea` *a/b*\n',
  ],
  [
    'terms of a glossary can be several, and references lead to them',
    'A :term:`Pot` and :term:`cups <cup>`.\n\n.. glossary::\n\n   pot\n   kettle : key\n      For water.\n\n   cup\n      For tea.\n',
    'A [*Pot*](#term-pot) and [*cups*](#term-cup).\n\npot<a name="term-pot"></a><br>kettle<a name="term-kettle"></a>\n:   For water.\n\ncup<a name="term-cup"></a>\n:   For tea.\n',
  ],
  [
    'authors of quotations, classifiers of terms, contents and several signatures',
    '.. contents::\n   :local:\n\ncup : noun\n   Vessel\n\nSo:\n\n   Tea!\n\n   -- Ada\n\n.. class:: Cup()\n           Cup(size)\n\n   Holds.\n',
    '[TOC]\n\ncup : *noun*\n:   Vessel\n\nSo:\n\n> Tea!\n>\n> \u2014 Ada\n\n`class Cup()`<br>`class Cup(size)`\n:   Holds.\n',
  ],
  [
    'what is for other formats, and what is to do, shows nothing',
    '.. only:: html\n\n   Web\n\n.. only:: latex or man\n\n   Paper\n\n.. only:: not html\n\n   Paper\n\n.. todo:: Write\n',
    'Web\n',
  ],
  [
    'roles at the start of a line are no fields, and a bold term is bold once',
    ':doc:`tea`, either:\n\n* hot\n\n**cold**\n  Ice\n',
    '[tea](tea), either:\n\n- hot\n\n**cold**\n:   Ice\n',
  ],
  [
    'footnotes',
    'One [1]_, two [#]_, three [#n2]_.\n\n.. [1] First\n   goes on.\n.. [#] Second\n.. [#n2] Third\n',
    'One [^1], two [^auto1], three [^n2].\n\n[^1]: First\n    goes on.\n\n[^auto1]: Second\n\n[^n2]: Third\n',
  ],
  [
    'comments, settings and raw HTML show nothing; other directives show what is in them',
    ':orphan:\n\n.. a comment\n   goes on\n\n.. raw:: html\n\n   <script>x</script>\n\n.. meta::\n   :a: b\n\n.. tabs::\n\n   .. tab:: Hot\n\n      water\n\n.. function:: brew(cup)\n\n   Brews.\n',
    '**Hot**\n\nwater\n\n`brew(cup)`\n:   Brews.\n',
  ],
]

describe('other markups: reStructuredText', () => {
  for (const [what, text, expected] of CASES)
    it(what, () => {
      expect(markdownOf(text)).to.equal(expected)
    })

  it('what a site generates from source code is named, and the page and the summary tell of it', () => {
    const { markdown, note } = rstToMarkdown(
      '.. automodule:: tea\n   :members:\n\n.. autoclass:: tea.Cup\n\n   Holds tea.\n\n.. autosummary::\n\n   ~tea.brew\n',
      'tea',
    )
    const told = '*The site generates this part from source code, which is not in this wiki.*'
    expect(markdown).to.equal(
      `- \`tea\`\n\n${told}\n\n\`class tea.Cup\`\n:   Holds tea.\n\n    ${told}\n\n- \`tea.brew\`\n\n${told}\n`,
    )
    expect(note).to.equal('generated')
    expect(rstToMarkdown('.. function:: brew()\n', 'tea').note).to.equal(null)
    const other = rstToMarkdown(
      '.. tea-cli:: hot\n   :all:\n\n   $ brew *a*\n   $ drink\n\n.. tea-cli:: cold\n',
      'tea',
    )
    const code = '`hot`\n\n```\n$ brew *a*\n$ drink\n```'
    expect(other).to.deep.include({ markdown: `${code}\n\n- \`cold\`\n\n${told}\n`, note: 'generated' })
    expect(rstToMarkdown('.. tab:: Hot\n\n   Tea\n', 'tea').note).to.equal(null)
  })

  it('directives of MyST that only the site knows are told from others', () => {
    for (const text of ['```{tea-cli}\n', '- ~~~{tea:cli} a\n'])
      expect(hasOtherDirectives(text), text).to.equal(true)
    for (const text of ['```{note}\n', ':::{tea}\n', '```tea\n', '```{code-cell}\n', '```{prf:theorem}\n'])
      expect(hasOtherDirectives(text), text).to.equal(false)
  })

  it('texts of a site have what its configuration defines as a text, and nothing that code makes', () => {
    const conf = `version = release = '2.0'
today = make('now')
default_role = "obj"
extlinks = {
    'issue': ('https://git.example/issues/%s', '#%s'),
    "src": (
        "https://git.example/src/%s", None),
}
rst_epilog = """
.. |brand| replace:: Tea *House*
.. _shop: https://shop.example
"""
`
    const text =
      '|version| |release| |today| |brand| shop_ `Cup` :issue:`7` :issue:`it <8>` :src:`a.py` -- end\n'
    const references = new RstSite('', conf).of('tea.rst', 'en')
    expect(rstToMarkdown(text, 'tea', references).markdown).to.equal(
      '2.0 2.0 *today* Tea *House* [shop](https://shop.example) `Cup` [#7](https://git.example/issues/7) [it](https://git.example/issues/8) [https://git.example/src/a.py](https://git.example/src/a.py) \u2013 end\n',
    )
  })

  it('quotes and backslashes in texts of a configuration are read as in Python', () => {
    const conf = `version = "It's \\"x\\""\nrelease = r'a\\'b'\nrst_epilog = '.. |c| replace:: \\\\*d'\n`
    expect(
      rstToMarkdown('|version| |release| |c|\n', 'tea', new RstSite('', conf).of('', '')).markdown,
    ).to.equal('It\'s "x" a\'b \\*d\n')
  })

  it('terms and citations of other texts of the site are links', () => {
    const site = new RstSite('', '')
    const page = { locale: 'en', path: 'words' }
    site.add('words.rst', page, '.. glossary::\n\n   cup\n      Vessel\n\n.. [Kn84] Knuth\n')
    expect(rstToMarkdown(':term:`cup` [Kn84]_\n', 'tea', site.of('tea.rst', 'en')).markdown).to.equal(
      '[*cup*](/en/words#term-cup) [\\[Kn84\\]](/en/words#kn84)\n',
    )
  })

  it('proposals of Python and of the Internet are links', () =>
    expect(markdownOf('See :pep:`8#cups` and :rfc:`9562`.\n')).to.equal(
      'See [PEP 8](https://peps.python.org/pep-0008/#cups) and [RFC 9562](https://datatracker.ietf.org/doc/html/rfc9562).\n',
    ))

  it('the header of a proposal of Python has the title, and its links lead to other proposals', () => {
    const text =
      'PEP: 7\nTitle: Green ``Tea``\nAuthor: Ada,\n        Bo\n\nWhy\n===\n\nSee :pep:`8#cups` and :pep:`20`.\n'
    const { title, markdown } = rstToMarkdown(text, 'peps/pep-0007')
    expect(title).to.equal('PEP 7 \u2013 Green Tea')
    expect(markdown).to.include('# PEP 7 \u2013 Green Tea\n')
    expect(markdown).to.include('Author:\n:   Ada,\n    Bo\n\n## Why\n')
    expect(markdown).to.include('See [PEP 8](pep-0008#cups) and [PEP 20](pep-0020).')
  })

  it('handlers, styles and addresses that run code do not get through', () => {
    const text = `\`x <javascript:alert(1)>\`_ <img src=x onerror=alert(1)> <style>a{}</style>

.. image:: javascript:alert(1)
   :alt: "><script>alert(1)</script>

.. _a: javascript:alert(2)

a_ |s|

.. |s| replace:: <script>alert(3)</script>
`
    const html = JSON.stringify(
      renderHtml(markdownOf(text), {
        ...{ locale: 'en', path: 'tea', locales: new Set(['en']) },
        addresses: { byLocale: new Map(), fallback: 'https://wiki.example', roots: [] },
      }),
    )
    expect(html).to.not.match(/<script|<style|<img[^>]*onerror|href=\\?"javascript|src=\\?"javascript/)
  })
})

const PIECES: readonly [string, string][] = [
  ...['`', '*', 'a_ ', '[#]_ ', '|a| ', ':a:`', '"a,', '\\', '`a <', 'http://', ':a: '].map(
    (piece): [string, string] => [piece, piece],
  ),
  ...['.. a::\n', '+--+\n', '| a |\n', '== ==\n', 'a\n=\n', '.. _a:\n', 'a::\n\n b\n', '===\na\n===\n'].map(
    (piece): [string, string] => [JSON.stringify(piece), piece],
  ),
  ['substitutions of themselves', '.. |a| replace:: |a| |a|\n\n|a|\n\n'],
  ['substitutions of a long text', `.. |a| replace:: ${'a '.repeat(50_000)}\n\n${'|a| '.repeat(30_000)}`],
  ...[
    '_`a` ',
    '-a  b\n',
    'a. b\n',
    '(i) b\n',
    '2. a\n\n',
    '+-+-+\n| | |\n',
    '+--+--+\n|  |  |\n+  +--+\n',
  ].map((piece): [string, string] => [JSON.stringify(piece), piece]),
  ...[
    '== ==\na  b\n-----\n',
    '.. glossary::\n\n   a\n   b\n',
    '.. [a] b\n[a]_\n',
    '.. _a: a_\na_ ',
    '__ a_\na__ ',
  ].map((piece): [string, string] => [JSON.stringify(piece), piece]),
  ...[
    '.. a::\n   * - b\n',
    'a::\n\n>\n',
    '| a\n  b\n',
    'a : b : ',
    '.. |a| image:: b\n|a| ',
    '*"*',
    ':abbr:`a (',
  ].map((piece): [string, string] => [JSON.stringify(piece), piece]),
  ['a wide table', `+${'-+'.repeat(99)}\n${`|${'  '.repeat(98)} |\n`.repeat(990)}+${'-+'.repeat(99)}\n`],
  ['items', '- a\n\n'],
  ['roles of MyST', '{ref}`a` ``{doc}`'],
  ['labels of MyST', '(a)=\n'],
  ['trees of MyST without an end', '```{toctree}\na*\n:::{toctree}\n'],
]

const LONG = `https://tea.example/${'a'.repeat(20_000)}`
/** [what it refers to, one of many references, definitions] */
const LONG_DEFINITIONS: readonly [string, string, string][] = [
  ['pictures', '|a| ', `.. |a| image:: ${LONG}\n`],
  ['links of pictures', '.. image:: b\n   :target: a_\n\n', `.. _a: ${LONG}\n`],
  ['named targets', 'a_ ', `.. _a: ${LONG}\n`],
  ['targets without a name', 'a__ ', `__ ${LONG}\n`.repeat(9)],
  ['addresses of roles', ':a:`b` ', `.. role:: a(link)\n   :url: ${LONG}\n`],
  ['captions of roles', ':a:`b` ', `.. role:: a(link)\n   :url: /b\n   :caption: ${LONG}\n`],
  ['titles of sections', ':ref:`a` ', `.. _a:\n\n${LONG}\n${'='.repeat(20_100)}\n`],
  ['headings', '|a|\n===\n', `.. |a| replace:: ${LONG}\n\n`],
  ['titles of other texts', '{ref}`a` :ref:`a` [](b:c) ', ''],
  ['trees', '.. toctree::\n\n   long\n\n```{toctree}\nlong\n```\n', ''],
]

describe('other markups: references in reStructuredText to something long', () => {
  for (const [what, reference, definitions] of LONG_DEFINITIONS)
    it(what, () => {
      const site = new RstSite('', '')
      const long = `.. _a:\n.. _b\\:c:\n\n${LONG}\n${'='.repeat(20_100)}\n`
      site.add('long.rst', { locale: 'en', path: 'long' }, long)
      const page = { locale: 'en', path: 'tea', references: site.of('tea.rst', 'en') }
      const text = definitions + reference.repeat(5_000)
      let length = 0
      const time = cpuTimeOf(() => {
        length += rstToMarkdown(text, 'tea', page.references).markdown.length
        length += withMystReferences(text, page).length
      })
      expect(length).to.be.lessThan(2_500_000)
      expect(time).to.be.lessThan(2_500)
    })

  it('what a configuration defines is read once for all texts', () => {
    const site = new RstSite('', `rst_prolog = '''${'.. |a| image:: b\n'.repeat(1_000)}'''`)
    const time = cpuTimeOf(() => {
      for (let i = 0; i < 1_000; i += 1) rstToMarkdown('|a|', 'tea', site.of('', 'en'))
    })
    expect(time).to.be.lessThan(1_000)
  })
})

describe('other markups: hostile reStructuredText takes linear time', () => {
  for (const [title, piece] of PIECES)
    it(title, () => {
      const text = piece.repeat(Math.floor(50_000 / piece.length))
      const references = new RstSite('', `rst_epilog = '''${'.. |a| replace:: b\n'.repeat(900)}'''`).of(
        '',
        'en',
      )
      const page = { locale: 'en', path: 'tea', references }
      expect(
        cpuTimeOf(() => [markdownOf(text), withMystReferences(text, page), mystSections(text)]),
      ).to.be.lessThan(1_250)
    })

  for (const piece of [
    'version = ',
    'version = version\n',
    'rst_epilog = """',
    "extlinks = {'a': ('https:",
    "'a': (",
  ])
    it(`a configuration of ${JSON.stringify(piece)}`, () =>
      expect(cpuTimeOf(() => new RstSite('', piece.repeat(100_000 / piece.length)))).to.be.lessThan(2_500))

  it('lists nested 1,000 deep', () => {
    const text = Array.from({ length: 1000 }, (_, i) => `${'  '.repeat(i)}- a\n`).join('\n')
    expect(cpuTimeOf(() => markdownOf(text))).to.be.lessThan(5_000)
  })
})
