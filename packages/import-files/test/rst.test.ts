import { mystSections, withMystReferences } from '@lectern/import-files/markups/myst'
import { rstToMarkdown } from '@lectern/import-files/markups/rst'
import { expect } from 'chai'
import { cpuTimeOf } from '../../../test/support/cpu-time.ts'
import { renderHtml } from '../../../test/support/markdown.ts'

const markdownOf = (text: string): string => rstToMarkdown(text, 'guide/tea').markdown

/** [what it promises, reStructuredText, Markdown] */
const CASES: readonly [string, string, string][] = [
  [
    'sections have the levels of their styles',
    '====\nTea\n====\n\nKinds\n=====\n\nGreen\n-----\n\nCups\n====\n\n-----\n\nEnd',
    '# Tea\n\n## Kinds\n\n### Green\n\n## Cups\n\n---\n\nEnd\n',
  ],
  [
    'emphasis, code, roles and escapes',
    '*Hot* **water** ``a*b`` `title` :sub:`2` :func:`~tea.brew` :class:`Cup <tea.Cup>` :guilabel:`OK` :rfc:`2324` \\*no\\* a_b 5*6*7',
    '*Hot* **water** `a*b` *title* <sub>2</sub> `brew` `Cup` **OK** [RFC 2324](https://datatracker.ietf.org/doc/html/rfc2324) \\*no\\* a_b 5\\*6\\*7\n',
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
    '- one\n\n  - two\n\n- three\n\n3. c\n4. d\n\n- **term**\n\n  What it *means*\n\n- **Author:** Ada\n\na\\\nb\n',
  ],
  [
    'code: literal blocks, directives and sessions',
    'Run::\n\n    $ tea *\n\n.. code-block:: python\n   :linenos:\n   :caption: tea.py\n\n   if a:\n       b()\n\n>>> 1 + 1\n2\n',
    'Run:\n\n```\n$ tea *\n```\n\n**tea.py**\n\n```python\nif a:\n    b()\n```\n\n```pycon\n>>> 1 + 1\n2\n```\n',
  ],
  [
    'admonitions are alerts',
    '.. note:: Mind\n   the *heat*.\n\n.. admonition:: Kinds\n\n   - green\n\n.. versionadded:: 2.0\n   Cups.\n',
    '> [!NOTE]\n> Mind\n> the *heat*.\n\n> [!NOTE] Kinds\n> - green\n\n> [!NOTE] New in version 2.0\n> Cups.\n',
  ],
  [
    'kinds of admonitions are those of alerts',
    '.. danger:: Hot\n\n.. hint:: Wait\n\n.. info:: Tea\n\n.. versionremoved:: 3.0\n\n.. constructor:: Cup\n',
    '> [!CAUTION]\n> Hot\n\n> [!TIP]\n> Wait\n\n> [!NOTE]\n> Tea\n\n> [!WARNING] Removed in version 3.0\n\n**Cup**\n',
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
    '|  |  |\n| --- | --- |\n| *A* |  |\n|  | 1<br>2 |\n',
  ],
  [
    'what is for other formats, and what is to do, shows nothing',
    '.. only:: html\n\n   Web\n\n.. only:: latex or man\n\n   Paper\n\n.. todo:: Write\n',
    'Web\n',
  ],
  [
    'roles at the start of a line are no fields, and a bold term is bold once',
    ':doc:`tea`, either:\n\n* hot\n\n**cold**\n  Ice\n',
    '[tea](tea), either:\n\n- hot\n\n- **cold**\n\n  Ice\n',
  ],
  [
    'footnotes',
    'One [1]_, two [#]_, three [#n2]_.\n\n.. [1] First\n   goes on.\n.. [#] Second\n.. [#n2] Third\n',
    'One [^1], two [^auto1], three [^n2].\n\n[^1]: First\n    goes on.\n\n[^auto1]: Second\n\n[^n2]: Third\n',
  ],
  [
    'comments, settings and raw HTML show nothing; other directives show what is in them',
    ':orphan:\n\n.. a comment\n   goes on\n\n.. raw:: html\n\n   <script>x</script>\n\n.. meta::\n   :a: b\n\n.. tabs::\n\n   .. tab:: Hot\n\n      water\n\n.. function:: brew(cup)\n\n   Brews.\n',
    '**Hot**\n\nwater\n\n- `brew(cup)`\n\n  Brews.\n',
  ],
]

describe('other markups: reStructuredText', () => {
  for (const [what, text, expected] of CASES)
    it(what, () => {
      expect(markdownOf(text)).to.equal(expected)
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
    expect(markdown).to.include('- **Author:** Ada,\n  Bo\n\n## Why\n')
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
  ['items', '- a\n\n'],
  ['roles of MyST', '{ref}`a` ``{doc}`'],
  ['labels of MyST', '(a)=\n'],
  ['trees of MyST without an end', '```{toctree}\na*\n:::{toctree}\n'],
]

describe('other markups: hostile reStructuredText takes linear time', () => {
  for (const [title, piece] of PIECES)
    it(title, () => {
      const text = piece.repeat(Math.floor(200_000 / piece.length))
      const references = { label: () => undefined, documents: () => [] }
      const page = { locale: 'en', path: 'tea', references }
      expect(
        cpuTimeOf(() => [markdownOf(text), withMystReferences(text, page), mystSections(text)]),
      ).to.be.lessThan(5_000)
    })

  it('lists nested 1,000 deep', () => {
    const text = Array.from({ length: 1000 }, (_, i) => `${'  '.repeat(i)}- a\n`).join('\n')
    expect(cpuTimeOf(() => markdownOf(text))).to.be.lessThan(5_000)
  })
})
