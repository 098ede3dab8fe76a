import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { IncludableBlobs } from '@lectern/import-files/git/includable-blobs'
import { expandIncludes } from '@lectern/import-files/includes/expand'
import { LOST_PART } from '@lectern/wiki/dialects/directives'
import { expect } from 'chai'
import { commit, type Files, git, merge, newRepository, take } from '../../../test/support/git.ts'

const RUST = 'fn hidden() {}\n// ANCHOR: main\nfn main() {\n    tea();\n}\n// ANCHOR_END: main\n'
const MDBOOK = { 'book.toml': '[book]\n', 'src/SUMMARY.md': 'x' }
const MKDOCS = {
  'site/mkdocs.yml': 'markdown_extensions:\n  - pymdownx.snippets:\n      base_path: [parts]\n',
}
const VITEPRESS = { 'docs/.vitepress/config.js': 'export default {}' }

/** The newest Markdown of a page, and the notes. */
const shown = async (files: Files, path: string) => {
  const folder = newRepository()
  commit(folder, files)
  const { page, notes } = await take(folder)
  return { markdown: page(path).revisions.at(-1)!.markdown, title: page(path).revisions.at(-1)!.title, notes }
}

const check = (title: string, files: Files, path: string, markdown: string): void => {
  it(title, async () => expect((await shown(files, path)).markdown).to.equal(markdown))
}

/** A page of mdBook beside some files. */
const book = (text: string, files: Files = {}) =>
  shown({ ...MDBOOK, 'src/test.md': text, 'list/a.rs': RUST, ...files }, 'test')

/** What pages of Jekyll become, by their texts. */
const LIQUID: Record<string, string> = {
  '[#1]({{ site.repository }}/1) `{{site.a.b-c}}` {{ page.cup -}}  x':
    '[#1](https://tea.example/1) `1.1` bluex',
  '{{ site.a }}{{ page.none }}{{ none | none }}{{ site.url }}{{ "a b" | slugify | relative_url }}': '/a-b',
  '{% for t in site.data.teas %}{% if t.hot %}{{ t.name }},{% else %}cold{% endif %}{% endfor %}':
    'Mate,cold',
  '{% assign l = "en" %}{{ site.data.by[l].a }} {{ site.data.cups[1].kind }} {{ site.data.no.a.b }}':
    'A big ',
  '{% for p in site.pages %}{{ p.title }}{% endfor %}{% for p in site.posts %}{{ p.title }}{% endfor %}-':
    '-',
  '{% include box.html a="x" %} {% include_relative near.md %} {% include {{ page.cup }}.md %}':
    '<b>x</b> Near\n Blue\n',
  '{{ site.data.secret.a }}{% include_relative _drafts/draft.md %}{% include_relative no.md %}{% include_relative no.html %}{% include_relative secret.md %}-':
    '-',
  '`{% raw %}{{ page.cup }}{% endraw %}` {% raw %}{% a %}{% endraw %} {% b c %}':
    '`{{ page.cup }}` &#123;% a %} {% b c %}',
  '{% highlight rb %}\n{{ page.cup }} {% raw %}{%{% endraw %}\n{% endhighlight %}':
    '{% highlight rb %}\nblue {%\n{% endhighlight %}',
  '<ul>\n  {% for t in site.data.teas %}\n\n    <li\n  {{ t.hot }}>{% endfor %}\n</ul>':
    '<ul>\n  \n\n<li true>\n\n<li >\n</ul>',
  "{{ 'now' | date: '%s' }}{{ site.data.teas | sample | map: 'name' }}-": '-',
  '{% layout "/etc/passwd" %}{% render "near.md" %}': '{% layout "/etc/passwd" %}{% render "near.md" %}',
  '{% if %}{{ page.cup }}': '{% if %}{{ page.cup }}',
  '{% for a in (1..1000000000) %}{% endfor %}': '{% for a in (1..1000000000) %}{% endfor %}',
  '{% include loop.html %}': '{% include loop.html %}',
}

it('Liquid of Jekyll is evaluated with values and files of the site, without drafts and excluded files', async () => {
  const texts = Object.keys(LIQUID)
  const files = {
    '_config.yml':
      'title: x\nurl: u\nrepository: https://tea.example\na:\n  b-c: 1.10\nexclude: [_data/secret.yml, secret.md]\n',
    '_data/teas.yml': '- { name: Mate, hot: true }\n- { name: Ice }\n',
    '_data/by/en.json': '{ "a": "A" }',
    '_data/cups.csv': 'kind\nsmall\n"big"\n',
    '_data/secret.yml': 'a: Secret\n',
    '_includes/box.html': '<script>\n\n    f()</script><!-- c --><b>{{ include.a }}</b>',
    '_includes/blue.md': 'Blue\n',
    '_includes/loop.html': '{% include loop.html %}',
    'near.md': 'Near\n',
    'secret.md': 'Secret',
    '_drafts/draft.md': 'Secret',
    'no.md': '---\npublished: false\n---\nSecret',
    'no.html': '---\npublished: false\n---\nSecret',
    ...Object.fromEntries(texts.map((text, i) => [`t${i}.md`, `---\ncup: blue\n---\n${text}`])),
  }
  const folder = newRepository()
  commit(folder, files)
  const first = await take(folder)
  for (const [i, text] of texts.entries())
    expect(first.page(`t${i}`).revisions.at(-1)!.markdown, text).to.equal(LIQUID[text])
  commit(folder, { '_data/teas.yml': '- { name: Sencha, hot: true }\n' })
  const { page } = await take(folder)
  expect(page('t2').revisions.map(({ markdown }) => markdown)).to.deep.equal(['Mate,cold', 'Sencha,'])
  expect(page('t3').revisions).to.have.length(1)
})

describe('includes: syntax', () => {
  for (const [title, text, markdown] of [
    ['a file', '```rust\n{{#include ../list/a.rs:1}}\n```', '```rust\nfn hidden() {}\n```'],
    ['a part', '{{#rustdoc_include ../list/a.rs:main}}', 'fn main() {\n    tea();\n}'],
    ['lines', '{{#include ../list/a.rs:3:4}}', 'fn main() {\n    tea();'],
    ['lines from the start', '{{#include ../list/a.rs::1}}', 'fn hidden() {}'],
    [
      'a playground',
      '{{#playground ../list/a.rs:main editable}}',
      '```rust\nfn main() {\n    tea();\n}\n```',
    ],
    ['a list, whose indentation stays', '- {{#include ../list/a.rs:3:4}}', '- fn main() {\n      tea();'],
    ['text in a line', 'The {{#include ../list/a.rs:1}} is', 'The fn hidden() {} is'],
    ['an escaped one, which stays', '\\{{#include ../list/a.rs}}', '\\{{#include ../list/a.rs}}'],
  ] as const)
    it(`mdBook: ${title}`, async () => expect((await book(text)).markdown).to.equal(markdown))

  for (const [title, text, markdown] of [
    ['a snippet', '  --8<-- "tea.py"', '  a = 1\n  b = 2\n  c = 3'],
    ['lines of a snippet', '--8<-- "tea.py:2:3"', 'b = 2\nc = 3'],
    ['a section of a snippet', '> --8<-- "tea.md:green"', '> Sencha'],
    ['an escaped one, which stays', ';--8<-- "tea.py"', ';--8<-- "tea.py"'],
    [
      'a block of names',
      '> --8<--\n> tea.py:2:3\n> ; tea.py\n>\n> tea.md:green\n> --8<--',
      '> b = 2\n> c = 3\n> Sencha',
    ],
    ['code of FastAPI', '{* ../src/a.py ln[1,3] hl[1] title["a"] *}', '```py\nx = 1\nz = 3\n```'],
    [
      'code of FastAPI before 2024',
      '```Python\n{!../../src/a.py!}\n```',
      '```Python\nx = 1\ny = 2\nz = 3\n```',
    ],
    [
      'another Markdown file, between two texts',
      '{%\n  include-markdown "../README.md"\n  start="<!--a-->"\n  end="<!--b-->"\n%}',
      'Middle',
    ],
    [
      'files that a filter indents',
      '{% filter indent(width=4) %}\n{% include "tea.md" %}\n{% endfilter %}\n  {% filter indent(4) %}{% include "tea.md" %}{% endfilter %}',
      '    x\n    Sencha\n    x\n    Sencha',
    ],
  ] as const)
    check(
      `MkDocs: ${title}`,
      {
        ...MKDOCS,
        'site/parts/tea.py': 'a = 1\nb = 2\nc = 3\n',
        'site/parts/tea.md': 'x\n<!-- --8<-- [start:green] -->\nSencha\n<!-- --8<-- [end:green] -->\n',
        'src/a.py': 'x = 1\ny = 2\nz = 3\n',
        'README.md': 'Top\n<!--a-->\nMiddle\n<!--b-->\nEnd',
        'site/docs/test.md': text,
      },
      'test',
      markdown,
    )

  for (const [title, text, markdown] of [
    ['code', '<<< @/a.ts{1,2 ts:line-numbers} [The tea]', '```ts\nlet a = 1\nlet b = 2\n```'],
    ['a region of code', '- <<< x\n\n  <<< ./a.ts#tea', '- <<< x\n\n  ```ts\n  let b = 2\n  ```'],
    ['code in a fence, which stays', '```md\n<<< @/a.ts\n```', '```md\n<<< @/a.ts\n```'],
    ['text', 'A\n<!--@include: ./part.md{2,}-->\nB', 'A\nlast\nB'],
    ['code of VuePress', '@[code{1-2} js{2}](./a.ts)', '```js\nlet a = 1\n```'],
  ] as const)
    check(
      `VitePress: ${title}`,
      {
        ...VITEPRESS,
        'docs/a.ts': '  let a = 1\n  // #region tea\n  let b = 2\n  // #endregion tea\n',
        'docs/part.md': '---\ntitle: Part\n---\nfirst\nlast\n',
        'docs/test.md': text,
      },
      'test',
      markdown,
    )

  check(
    'VuePress: code beside the folder of the pages, in which it runs',
    {
      'site/docs/.vuepress/config.js': 'module.exports = {}',
      'site/a.ts': 'a\n',
      'site/docs/test.md': '<<< @/a.ts',
    },
    'test',
    '```ts\na\n```',
  )
  check(
    'VuePress: code of a folder that the settings name',
    {
      '.vuepress/config.js': 'export default { markdown: { importCode: { handleImportPath: (a) => a } } }',
      'snippets/tea/a.sh': 'brew\n',
      'book/test.md': '@[code](@snippets/tea/a.sh)',
    },
    'book/test',
    '```sh\nbrew\n```',
  )

  const DOCUSAURUS = { 'docusaurus.config.js': 'module.exports = {}', 'docs/_part.mdx': 'Steep it.\n' }
  check(
    'MDX: a part',
    { ...DOCUSAURUS, 'docs/test.mdx': "import Part from './\\_part.mdx';\n\n- <Part a={1} />\n" },
    'test',
    "import Part from './\\_part.mdx';\n\n- Steep it.\n",
  )
  check(
    'Docusaurus: a part above its folder, and in a fence that is no code',
    {
      ...{ 'web/docusaurus.config.js': 'module.exports = {}', 'TEA.md': '```sh\nbrew\n```\n' },
      'web/docs/test.md':
        '```mdx-code-block\nimport Tea, {toc as t} from "@site/../TEA.md"\n\n<Tea />\n```\n\n<Tea />\n```\n<Tea />\n```\n',
    },
    'test',
    '```mdx-code-block\nimport Tea, {toc as t} from "@site/../TEA.md"\n\n```sh\nbrew\n```\n```\n\n```sh\nbrew\n```\n```\n<Tea />\n```\n',
  )
  check(
    'MDX: the source of a file',
    {
      ...DOCUSAURUS,
      'a.js': 'tea()\n',
      'docs/test.mdx':
        'import Code from \'!!raw-loader!@site/a.js\'\n\n<CodeBlock language="ts" title="a/b">{Code}</CodeBlock>\n',
    },
    'test',
    "import Code from '!!raw-loader!@site/a.js'\n\n```ts\ntea()\n```\n",
  )
  check(
    'Fumadocs: a part, and code from the folder of the configuration',
    {
      'source.config.ts': "import 'fumadocs-mdx/config'",
      'a.ts': 'tea()\n',
      'content/docs/.part.mdx': '---\ntitle: x\n---\nSteep it.\n',
      'content/docs/test.mdx': `<include>.part.mdx</include>\n\n<include cwd meta='title="a"'>\n  a.ts\n</include>\n`,
    },
    'docs/test',
    'Steep it.\n\n```ts\ntea()\n```\n',
  )
  const HUGO = {
    'hugo.toml': '',
    'content/en/_includes/warn.md': 'Hot!\n',
    'content/en/docs/a.yaml': 'a: 1\n',
  }
  check(
    'Hugo: a file of a folder above, and code',
    {
      ...HUGO,
      'content/en/docs/teas/x.md': 'x',
      'content/en/docs/test.md':
        '{{% include "warn.md" %}}\n{{< readfile file="a.yaml" code="true" lang="yaml" >}}',
    },
    'en/docs/test',
    'Hot!\n```yaml\na: 1\n```',
  )
  check(
    'Hugo: a shortcode of the site that is text, also in code; one with a template stays',
    {
      ...HUGO,
      'layouts/shortcodes/tea/version.html': 'v1.2\n',
      'layouts/shortcodes/cup.html': '<b>{{ .Inner }}</b>',
      'content/en/docs/test.md':
        '```\nget {{% tea/version %}}\n```\n\n{{< cup >}}Blue{{< /cup >}} {{< none >}}',
    },
    'en/docs/test',
    '```\nget v1.2\n```\n\n{{< cup >}}Blue{{< /cup >}} {{< none >}}',
  )
  check(
    'Hugo: parameters of the page, of a folder above, and of the site',
    {
      'hugo.toml': '[params]\nsite = "tea"\nversion = "v0"\nnested = { cup = "blue" }\n',
      'content/en/_index.md': '---\ncascade:\n  version: v0\n  up: above\n---\n',
      'content/en/docs/_index.md':
        '---\nversion: no\ncascade:\n  - version: v1\n    params:\n      branch: main\n  - _target: x\n    up: no\n---\n',
      'content/en/docs/hidden/_index.md': '---\ndraft: true\ncascade:\n  version: secret\n---\n',
      'content/en/docs/hidden/test.md':
        '---\nGoVersion: 1.10\nbad: "{{< x >}}"\n---\n[x](https://tea.example/{{< param "version" >}}/) {{< param\n  branch >}} `{{% param goversion %}}` {{<param up>}} {{< param site >}} {{< param nested.cup >}} {{< param none >}} {{< param bad >}}\n',
    },
    'en/docs/hidden/test',
    '[x](https://tea.example/v1/) main `1.10` above tea blue {{< param none >}} {{< param bad >}}\n',
  )
  check(
    'Hugo: a shortcode whose template is a parameter of the site',
    {
      'hugo.toml': '[params]\nversion = "v0"\n',
      'layouts/shortcodes/version.html': '{{- site.Params.version -}}\n',
      'layouts/shortcodes/none.html': '{{ .Site.Params.none }}',
      'content/test.md': '`{{< version >}}` {{< none >}}',
    },
    'test',
    '`v0` {{< none >}}',
  )
  const VALUES = '`{{ version }}` {{ tea.cup }} {{ none }} {{ f() }}'
  const HIDDEN = `<!-- {{ f() }} --> {# {{ f() }} #} {% raw %}{{ f() }}{% endraw %} \${{ f }}`
  for (const [plugin, text, shown] of [
    ['macros', VALUES, `\`v1\` blue {{ none }} {{ f() }}\n\n${LOST_PART}\n`],
    ['macros', HIDDEN, HIDDEN],
    ['search', VALUES, VALUES],
  ] as const)
    check(
      `MkDocs: values of its configuration with the plugin ${plugin}: ${text}`,
      {
        'mkdocs.yml': `site_name: x\nplugins: [${plugin}]\nextra:\n  version: v1\n  tea: { cup: blue }\n`,
        'docs/test.md': text,
      },
      'test',
      shown,
    )
  check(
    'Eleventy: a part in the folder of the pages',
    {
      'eleventy.config.js': "export const config = { dir: { input: 'src' } }",
      'src/_includes/part.md': 'Part\n',
      'src/test.md': '{% include "part.md" %}',
    },
    'test',
    'Part',
  )
  check(
    'Gollum: a page',
    { 'Home.md': 'x', 'Green-Tea.md': 'Sencha\n', 'test.md': '[[include:Green Tea]]' },
    'test',
    'Sencha',
  )
  check(
    'AsciiDoc: a part of a file',
    {
      'a.rb': 'x\n# tag::tea[]\nsteep\n# end::tea[]\n',
      'test.adoc': '----\ninclude::a.rb[tag=tea]\n----\n',
    },
    'test',
    '```\nsteep\n```\n',
  )

  const RST = {
    'brew/own.md': '[a](../docs/tea.md) [b](other.md)\n\n[c]: ../docs/cup.md\n',
    'docs/conf.py': "project = 'Tea'\nhtml_theme = 'x'\n",
    'docs/part.rst.inc': 'One\n\n.. mark\n\nTwo\n\n.. end\n\nThree\n',
    'docs/guide/next.txt': 'Next',
    'docs/guide/in/deep.inc': '.. include:: next.txt',
    'docs/guide/a.py': 'import tea\n# begin\ndef brew():\n    pass\n# end\n',
    'README.md': '# Tea *house*\n',
    'secret.rst': '---\ndraft: true\n---\nsecret\n',
  }
  for (const [title, text, markdown] of [
    [
      'a file of any name',
      'A\n\n.. include:: ../part.rst.inc\n.. include:: next.txt\n',
      'A\n\nOne\n\nTwo\n\nThree\n\nNext\n',
    ],
    [
      'between two texts, from the top folder',
      '.. include:: /part.rst.inc\n   :start-after: .. mark\n   :end-before: .. end\n',
      'Two\n',
    ],
    [
      'lines, also from the end',
      '- A\n\n  .. include:: ../part.rst.inc\n     :start-line: 4\n     :end-line: -4\n',
      '- A\n\n  Two\n',
    ],
    ['a file in a file: its name begins at the page', '.. include:: in/deep.inc\n', 'Next\n'],
    ['as code', '.. include:: a.py\n   :code: python\n   :end-line: 1\n', '```python\nimport tea\n```\n'],
    [
      'code',
      '.. literalinclude:: a.py\n   :caption: Brew\n   :start-at: def\n   :end-before: end\n',
      '**Brew**\n\n```py\ndef brew():\n    pass\n```\n',
    ],
    [
      'code after a line',
      '.. literalinclude:: a.py\n   :language: python3\n   :start-after: beg\n   :end-at: def\n',
      '```python3\ndef brew():\n```\n',
    ],
    [
      'lines of code',
      '.. literalinclude:: /guide/a.py\n   :lines: 1,3-\n',
      '```py\nimport tea\ndef brew():\n    pass\n# end\n```\n',
    ],
    ['Markdown', '.. include:: ../../README.md\n   :parser: myst_parser.sphinx_\n', '# Tea *house*\n'],
    [
      'not in a literal block',
      'So::\n\n  .. include:: next.txt\n',
      'So:\n\n```\n.. include:: next.txt\n```\n',
    ],
    [
      'no file outside, no draft',
      'A\n\n.. include:: ../../../etc/passwd\n.. include:: ../../secret.rst\n',
      'A\n',
    ],
    ['not itself', 'A\n\n.. include:: test.rst\n', 'A\n'],
  ] as const)
    check(`reStructuredText: ${title}`, { ...RST, 'docs/guide/test.rst': text }, 'guide/test', markdown)

  for (const [title, text, markdown] of [
    ['Markdown', '- ```{include} ../../README.md\n  ```', '- # Tea *house*'],
    [
      'between two texts, from the top folder',
      ':::{include} /part.rst.inc\n:start-after: .. mark\n:end-before: .. end\n:::',
      'Two',
    ],
    ['code', '```{literalinclude} a.py\n:caption: x\n:lines: 1\n\n```', '```py\nimport tea\n```'],
    [
      'with links that start from the file',
      '```{include} ../../brew/own.md\n:relative-docs: ../docs\n```',
      '[a](../tea.md) [b](other.md)\n\n[c]: ../cup.md',
    ],
    ['not in code', '````\n```{include} /a\n```\n````', '````\n```{include} /a\n```\n````'],
  ] as const)
    check(`MyST: ${title}`, { ...RST, 'docs/guide/test.md': text }, 'guide/test', markdown)

  check(
    'Antora: attributes of the component, which can no more than those of the text',
    {
      'docs/antora.yml':
        'name: tea\nasciidoc:\n  attributes: { cup: big@, tea: "{cup}", own: y, gone: ~, bad: "a\\nb", backend: docbook5 }',
      'docs/modules/ROOT/pages/test.adoc':
        '\n= Buy {tea}\n:own: x\n\n{cup} {own} {bad}\n\nifdef::gone[]\ny\nendif::[]\n',
    },
    'test',
    '# Buy big\n\nbig x {bad}\n',
  )

  const JAVA = '/* L */\npackage org.tea.docs;\n\nimport a;\n\nclass'
  check(
    'Antora: classes of Spring in the packages of sections, javadoc, and the name of a class that is missing',
    {
      'docs/src/antora.yml': 'name: tea',
      'docs/src/modules/ROOT/pages/pots/test.adoc':
        '[[brew.in-cups]]\n== A\n\ninclude-code::hot/Tea[]\n\n[[two]]\n== B\n\ninclude-code::./Cup[tag=a,indent=0]\n\ninclude-code::../No[]\n\njavadoc:org.tea.Cup$Ear[] javadoc:{url}/tea.Hot[format=annotation] javadoc:tea.Pot#lid(int)[lids]\n\n:figures: hot/pots\n:site: https://tea.example\n\nimage::{figures}/a.png[]\n\nimage:{site}/b.png[] xref::pots/cup.adoc[C]\n',
      'docs/src/main/java/org/tea/docs/brew/incups/hot/Tea.java': `${JAVA} Tea {}\n`,
      'docs/src/main/java/org/tea/docs/pots/two/Cup.java': `${JAVA} Cup {\n\t// tag::a[]\n\tx();\n\t// end::a[]\n}\n`,
    },
    'pots/test',
    '## A {#brew.in-cups}\n\n```java\nimport a;\n\nclass Tea {}\n```\n\n## B {#two}\n\n```java\nx();\n```\n\nThe code of `No`.\n\n`Ear` `@Hot` lids\n\n![a](../../../ROOT/images/hot/pots/a.png)\n\n![b](https://tea.example/b.png) [C](/pots/cup)\n',
  )
  check(
    'Antora: files of modules, also in each other',
    {
      'docs/antora.yml': 'name: tea',
      'docs/modules/cup/partials/a.adoc': 'A\n\ninclude::partial$deep/b.adoc[]\n',
      'docs/modules/cup/partials/deep/b.adoc': 'B',
      'docs/modules/ROOT/examples/c.rb': 'C',
      'docs/modules/ROOT/pages/brew/hot.adoc': 'include::example$c.rb[]\n\ninclude::cup:partial$a.adoc[]\n',
    },
    'brew/hot',
    'C\n\nA\n\nB\n',
  )

  check(
    'VitePress: what front matter has, but not in code',
    {
      ...VITEPRESS,
      'docs/tea.md':
        '---\ntitle: Tea\n---\n# {{ $frontmatter.title }} {{ frontmatter.no }}\n\n```\n{{ $frontmatter.title }}\n```',
    },
    'tea',
    '# Tea {{ frontmatter.no }}\n\n```\n{{ $frontmatter.title }}\n```',
  )

  it('the title of a page can be in an included file', async () => {
    expect((await book('{{#include ../README.md}}', { 'README.md': '# Tea\n' })).title).to.equal('Tea')
  })
})

describe('includes: bad input', () => {
  const NOTE = 'Edits with includes that stay as they are written'

  for (const [title, text, files] of [
    ['a file that does not exist', '{{#include none.rs}}', {}],
    ['a file outside of the repository', '{{#include ../../../../../../etc/passwd}}', {}],
    ['a file by an absolute name', '{{#include /etc/passwd}}', {}],
    ['a part that does not exist', '{{#include ../list/a.rs:none}}', {}],
    ['itself', '{{#include test.md}}', {}],
    ['a binary file', '{{#include a.bin}}', { 'src/a.bin': Buffer.from([1, 0, 2]) }],
    ['a draft', '{{#include draft.md}}', { 'src/draft.md': '---\npublished: false\n---\nsecret' }],
    ['a file of 10 MB', '{{#include big.txt}}', { 'src/big.txt': 'tea\n'.repeat(2_500_000) }],
    ['a folder', '{{#include ../list}}', {}],
    ['a name with a newline', '{{#include a\nb}}', {}],
  ] as const)
    it(`${title} is not included`, async () => {
      const { markdown, notes } = await book(text, files)
      expect(markdown).to.equal(text)
      if (!text.includes('\n')) expect(notes).to.include(NOTE)
    })

  it('a circle ends', async () => {
    const { markdown } = await book('A {{#include b.md}}', {
      'src/b.md': 'B {{#include c.md}}',
      'src/c.md': 'C {{#include b.md}}',
    })
    expect(markdown).to.equal('A B C {{#include b.md}}')
  })

  it('ten files in each other are included', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 13 }, (_, i) => [`src/p${i}.md`, `${i} {{#include p${i + 1}.md}}`]),
    )
    const { markdown } = await book('{{#include p0.md}}', files)
    expect(markdown).to.equal('0 1 2 3 4 5 6 7 8 9 {{#include p10.md}}')
  })

  it('a text in Latin-1 is decoded', async () => {
    const { markdown } = await book('{{#include a.txt}}', {
      'src/a.txt': Buffer.from('Grüner Tee', 'latin1'),
    })
    expect(markdown).to.equal('Grüner Tee')
  })

  it('of 10,000 includes, the first 1,000 are replaced', async () => {
    const { markdown, notes } = await book('{{#include a.txt}}\n'.repeat(10_000), { 'src/a.txt': 'tea' })
    expect(markdown.split('tea').length - 1).to.equal(1_000)
    expect(markdown.split('{{#include').length - 1).to.equal(9_000)
    expect(notes).to.include(NOTE)
  })

  it('a page includes at most 1 MiB', async () => {
    const { markdown } = await book('{{#include a.txt}}\n'.repeat(20), { 'src/a.txt': 'x'.repeat(100_000) })
    expect(markdown.split('{{#include').length - 1).to.equal(10)
  })

  it('symbolic links are not followed', async () => {
    const folder = newRepository()
    commit(folder, {
      ...MDBOOK,
      'src/real.txt': 'x',
      'src/test.md': '{{#include out.txt}} {{#include in.txt}} {{#include real.txt}}',
    })
    symlinkSync('/etc/passwd', join(folder, 'src/out.txt'))
    symlinkSync('real.txt', join(folder, 'src/in.txt'))
    commit(folder, {})
    const { page } = await take(folder)
    expect(page('test').revisions.at(-1)!.markdown).to.equal('{{#include out.txt}} {{#include in.txt}} x')
  })

  it('marks without an end take linear time', async () => {
    const marks = [
      '{{#include ',
      '{!',
      '<<< ',
      '--8<-- "',
      '--8<--\n',
      '--8<--\na\n',
      '{* a ',
      '{% include "',
      '{% filter indent(',
      '{% filter indent %}',
      '<!-- {# {{ a ',
      '[[include:',
      '<Part ',
      '<include cwd> ',
      '@[code{1-',
      '{{< readfile ',
      '```\n<<<',
      '<!-- @include: ',
      '.. include:: ',
      '.. literalinclude:: a\n :',
      'x::\n  .. ',
      'import Part from ',
      '```{include} a\n:a: b\n',
      ':::{include} a\n\n',
    ]
    const syntaxes = ['mdbook', 'mkdocs', 'vitepress', 'mdx', 'hugo', 'liquid', 'gollum', 'myst'] as const
    const files = { find: async () => [], read: async () => null }
    const folders = { base: '', content: '', configured: [] }
    for (const mark of marks)
      for (const syntax of syntaxes) {
        const text = `import Part from './x.mdx'\n${`${mark}${' x'.repeat(300)}`.repeat(2_000)}`
        await expandIncludes(text, 'test.mdx', { syntax, folders, hasMacros: true }, files)
        await expandIncludes(text, 'test.rst', { syntax, folders }, files)
      }
  })
})

describe('includes: history', () => {
  const edits = async (folder: string) =>
    (await take(folder))
      .page('test')
      .revisions.map(({ markdown, author, created_at }) => [markdown, author, created_at])
  const at = (minute: number, by: string) => ({ at: `2024-01-01T00:0${minute}:00Z`, by })

  it('a change of an included file is an edit of the page, by its author', async () => {
    const folder = newRepository()
    commit(folder, { ...MDBOOK, 'a.rs': 'one', 'src/test.md': '{{#include ../a.rs}}' }, at(1, 'Ada'))
    commit(folder, { 'other.rs': 'x' }, at(2, 'Eve'))
    commit(folder, { 'a.rs': 'two' }, at(3, 'Bob'))
    expect(await edits(folder)).to.deep.equal([
      ['one', 'Ada', '2024-01-01T00:01:00.000000Z'],
      ['two', 'Bob', '2024-01-01T00:03:00.000000Z'],
    ])
  })

  it('without older edits, the last edit and the notes are the same, and older versions of long files are not read', async () => {
    const { includedBy } = IncludableBlobs.prototype
    let reads = 0
    IncludableBlobs.prototype.includedBy = function (...parameters) {
      reads += 1
      return includedBy.apply(this, parameters)
    }
    const long = (line: string) => `${line}\n${'x '.repeat(20_000)}`
    const text = '.. include:: a.inc\n\n.. literalinclude:: b.inc\n   :lines: 1'
    for (const [expected, ...later] of [
      [3, { 'a.inc': long('b') }, { 'a.inc': long('c') }, { 'a.inc': long('d') }, { 'other.rst': 'x' }],
      [5, { 'a.inc': long('.. include:: c.inc\n'), 'c.inc': 'x' }, { 'c.inc': 'y' }],
      [5, { 'a.inc': 'b' }, { 'a.inc': long('a'), 'b.inc': 'y' }, { 'b.inc': 'z' }, { 'b.inc': null }],
    ] as [number, ...Files[]][]) {
      const folder = newRepository()
      commit(folder, { 'test.rst': text, 'a.inc': long('a'), 'b.inc': 'x\n1' }, at(1, 'Ada'))
      // The clock of the first change is wrong.
      for (const [n, files] of later.entries()) commit(folder, files, at(n && n + 2, `Bob ${n}`))
      const all = await take(folder)
      expect(all.notes).to.match(/a clock was wrong.*: 1, first/)
      reads = 0
      const last = await take(folder, { history: 'none' })
      expect(last.page('test').revisions).to.deep.equal([all.page('test').revisions.at(-1)])
      expect(last.notes).to.equal(all.notes)
      expect(reads).to.equal(expected)
    }
    IncludableBlobs.prototype.includedBy = includedBy
  })

  it('a file that reStructuredText includes is no page, and its change is an edit of the page', async () => {
    const folder = newRepository()
    commit(folder, { 'test.rst': '.. include:: a.inc', 'a.inc': 'one' }, at(1, 'Ada'))
    commit(folder, { 'a.inc': 'two' }, at(2, 'Bob'))
    expect((await take(folder)).pages.map(({ path }) => path)).to.deep.equal(['test'])
    expect(await edits(folder)).to.deep.equal([
      ['one\n', 'Ada', '2024-01-01T00:01:00.000000Z'],
      ['two\n', 'Bob', '2024-01-01T00:02:00.000000Z'],
    ])
  })

  it('a change of a file that MkDocs appends to each page is an edit of the page', async () => {
    const folder = newRepository()
    const config =
      'markdown_extensions:\n  - pymdownx.snippets:\n      base_path: parts\n      auto_append: [a.md, "b.md"]'
    commit(
      folder,
      {
        'mkdocs.yml': config,
        'parts/a.md': '[one]: /1\n',
        'parts/b.md': '*[b]: c',
        'docs/test.md': '[one]\n',
      },
      at(1, 'Ada'),
    )
    commit(folder, { 'parts/a.md': '[one]: /2' }, at(2, 'Bob'))
    const markdown = (url: string) => `[one]\n\n\n[one]: ${url}\n\n\n*[b]: c\n`
    expect(await edits(folder)).to.deep.equal([
      [markdown('/1'), 'Ada', '2024-01-01T00:01:00.000000Z'],
      [markdown('/2'), 'Bob', '2024-01-01T00:02:00.000000Z'],
    ])
  })

  it('a change of a part that the page does not show is no edit', async () => {
    const folder = newRepository()
    commit(folder, { ...MDBOOK, 'a.rs': 'one\nrest', 'src/test.md': '{{#include ../a.rs:1}}' }, at(1, 'Ada'))
    commit(folder, { 'a.rs': 'one\nother' }, at(2, 'Bob'))
    expect(await edits(folder)).to.have.length(1)
  })

  it('a file that is added or deleted later is an edit', async () => {
    const folder = newRepository()
    commit(folder, { ...MDBOOK, 'src/test.md': '{{#include a.rs}}' }, at(1, 'Ada'))
    commit(folder, { 'src/a.rs': 'one' }, at(2, 'Bob'))
    commit(folder, { 'src/a.rs': null }, at(3, 'Eve'))
    expect((await edits(folder)).map(([markdown]) => markdown)).to.deep.equal([
      '{{#include a.rs}}',
      'one',
      '{{#include a.rs}}',
    ])
  })

  it('a file is included while it is a file, not while it or its folder is a symbolic link', async () => {
    const folder = newRepository()
    const link = (name: string, target: string, minute: number) => {
      rmSync(join(folder, name), { recursive: true })
      symlinkSync(target, join(folder, name))
      commit(folder, {}, at(minute, 'Bob'))
    }
    const text = '{{#include code/a.rs}}'
    commit(
      folder,
      { ...MDBOOK, 'src/test.md': text, 'src/code/a.rs': 'one', 'src/b/a.rs': 'b' },
      at(1, 'Ada'),
    )
    link('src/code/a.rs', '../b/a.rs', 2)
    rmSync(join(folder, 'src/code/a.rs'))
    commit(folder, { 'src/code/a.rs': 'two' }, at(3, 'Ada'))
    link('src/code', 'b', 4)
    commit(folder, { 'src/b/a.rs': 'c' }, at(5, 'Ada'))
    expect((await edits(folder)).map(([markdown]) => markdown)).to.deep.equal(['one', text, 'two', text])
  })

  it('after a merge of two changes, the page has both', async () => {
    const folder = newRepository()
    const text = '{{#include a.rs}} {{#include b.rs}}'
    commit(folder, { ...MDBOOK, 'src/test.md': text, 'src/a.rs': 'a1', 'src/b.rs': 'b1' }, at(1, 'Ada'))
    git(folder, ['checkout', '-qb', 'side'])
    commit(folder, { 'src/a.rs': 'a2' }, at(2, 'Bob'))
    git(folder, ['checkout', '-q', 'main'])
    commit(folder, { 'src/b.rs': 'b2' }, at(3, 'Eve'))
    merge(folder, ['side'], {}, at(4, 'Ada'))
    expect((await edits(folder)).map(([markdown]) => markdown)).to.deep.equal([
      'a1 b1',
      'a2 b1',
      'a1 b2',
      'a2 b2',
    ])
  })
})
