import { dialectOf } from '@lectern/wiki/dialects/dialect'
import { normalizeDialect } from '@lectern/wiki/dialects/normalize'
import { boundedHtml } from '@lectern/wiki/html'
import { makeWikiAddresses } from '@lectern/wiki/links'
import { outlineOf } from '@lectern/wiki/outline'
import { expect } from 'chai'
import { cpuTimeOf } from '../../../test/support/cpu-time.ts'

const contextOf = (dialect: string | null) => ({
  addresses: makeWikiAddresses({ byLocale: {}, fallback: 'http://wiki.example' }),
  locale: 'en',
  path: 'docs/tea',
  locales: new Set(['en']),
  dialect,
})

const htmlOf = (markdown: string, dialect: string | null): string =>
  compact(boundedHtml(markdown, contextOf(dialect), 1_000_000))

/** HTML without white space beside tags of blocks, except in code. */
const compact = (html: string): string =>
  html.replace(/\s*(<\/?(?:p|ul|li|blockquote|details|summary|pre|div|section)(?: [^>]*)?>)\s*/g, '$1').trim()

const alert = (kind: string, title: string, body: string): string =>
  `<blockquote class="markdown-alert markdown-alert-${kind}">\n<p class="markdown-alert-title"><strong>${title}</strong></p>\n${body}\n</blockquote>`

const folded = (kind: string, title: string, body: string, open = ''): string =>
  `<blockquote class="markdown-alert markdown-alert-${kind}">\n<details${open}>\n<summary class="markdown-alert-title"><strong>${title}</strong></summary>\n${body}\n</details>\n</blockquote>`

const tab = (title: string, body: string): string =>
  `<section class="tab">\n<p><strong>${title}</strong></p>\n${body}\n</section>`

const CASES: [dialect: string, what: string, markdown: string, html: string][] = [
  [
    'quarto',
    'code without its options, as far in as its fence, and none that they hide',
    '- a\n\n    ```{r}\n#| label: b\nc\n    ```\n\n```{r}\n#| echo: false\nd\n```\n\n```{r, include=FALSE}\ne\n```',
    '<ul><li><p>a</p><pre><code class="language-r">c\n</code></pre></li></ul>',
  ],
  [
    'quarto',
    'texts in brackets with attributes',
    '[a *b*]{#c} `[d]{#e}` [f]{.g} ``a ` [b]{#c} (d){#e} ` f`` `g`{.h}',
    '<p><a name="c"></a>a <em>b</em> <code>[d]{#e}</code> f <code>a ` [b]{#c} (d){#e} ` f</code> <code>g</code></p>',
  ],
  [
    'mdbook',
    'tabs of a preprocessor',
    '{{#tabs }}\n{{#tab name="A b" }}\nc\n{{#endtab }}\n{{#endtabs }}',
    tab('A b', '<p>c</p>'),
  ],
  [
    'mkdocs',
    'links to objects of the code, which autorefs makes, but not to what a text defines',
    '[`A`][a.B] [c][a.b.C] [d][] [e][f.g] [i][j] x[k][1] x[abc][def] [p][q-r] [`l`][m.n]: o\n\n[f.g]: /l',
    '<p><code>A</code> c d <a href="http://wiki.example/en/l">e</a> [i][j] x[k][1] x[abc][def] p <code>l</code>: o</p>',
  ],
  [
    'docusaurus',
    'objects in tags, over several lines',
    '[<img src="/a.png" style={{\n  width: 3,\n}} />](/b)\n\n<img src="/c.png" style={{\n  width: 3 }}\n  alt="d" />',
    '<p><a href="http://wiki.example/en/b"><img src="http://wiki.example/a.png" /></a></p><p><img src="http://wiki.example/c.png" alt="d" /></p>',
  ],
  [
    'mkdocs',
    'code in a table, which a | does not divide; elsewhere it stays',
    '`a|b`\n\n| `a|b` | `` ` `` | c |\n|---|---|---|\n| `d\\|e` | ``f|`g`` | \\`h | i`',
    '<p><code>a|b</code></p><table>\n<thead>\n<tr>\n<th><code>a|b</code></th>\n<th><code>`</code></th>\n<th>c</th>\n</tr>\n</thead>\n<tbody><tr>\n<td><code>d|e</code></td>\n<td><code>f|`g</code></td>\n<td>`h</td>\n</tr>\n</tbody></table>',
  ],
  [
    'mkdocs',
    'ids of links',
    '[a](b){#c .d}',
    '<p><a href="http://wiki.example/en/docs/b">a</a><a name="c"></a></p>',
  ],
  ['hugo', 'ids of raised signs', '<sup id="a">b</sup>', '<p><sup><a name="a"></a>b</sup></p>'],
  ['eleventy', 'addresses', "[a]({{ '/b/' | url }})", '<p><a href="http://wiki.example/en/b">a</a></p>'],
  [
    'mdx',
    'a tag whose attributes are on further lines',
    '<video\n  controls\n  className="a"\n  src="https://a.example/b.mp4"\n></video>\n\nc',
    '<p><a href="https://a.example/b.mp4" rel="nofollow">https://a.example/b.mp4</a></p><p>c</p>',
  ],
  [
    'mkdocs',
    'macros in Python show nothing, except in code',
    "A {{ b.c('d', 1) }}.\n\n{{ table(since='1.2') }}\n\n`{{ e() }}` {{ f }}",
    '<p>A .</p><p><code>{{ e() }}</code> {{ f }}</p>',
  ],
  [
    'mdx',
    'a frame whose tag has several lines, and expressions',
    '<iframe\n  src="https://a.example/"\n  style={{\n    width: \'1px\'\n  }}\n  title="Tea"\n/>\n\nText',
    '<p><a href="https://a.example/" rel="nofollow">Tea</a></p><p>Text</p>',
  ],
  [
    'mdx',
    'Markdown in a tag with classes',
    '<div className="a">\n    <div className="b">\n      *a*\n    </div>\n</div>\n\nText',
    '<p><em>a</em></p><p>Text</p>',
  ],
  [
    'starlight',
    'Markdown in tags on lines of their own, in a list, but not in those that are aligned or have no end',
    '- a\n\n  <p>\n      **b** <br />\n      c\n  </p>\n- d\n\n<details>\n<summary>\n*e*\n</summary>\n<p>\n*f*\n</p>\n<p>g</p>\n</details>\n\n<p align="center">\n*h*\n</p>\n\n<ul>\n<li>\n*i*\n</ul>',
    '<ul><li><p>a</p><p><strong>b</strong> <br />\nc</p></li><li><p>d</p></li></ul><details><summary><p><em>e</em></p></summary><p><em>f</em></p><p>g</p></details><p align="center">*h*</p><ul><li>*i*</li></ul>',
  ],
  [
    'starlight',
    'the slots of tabs, and no others',
    '<PackageManagerTabs>\n  <Fragment slot="npm">\n  a\n  </Fragment>\n  <Fragment slot="yarn">\n  b\n  </Fragment>\n</PackageManagerTabs>\n<Box>\n  <Fragment slot="main">\n  c\n  </Fragment>\n</Box>',
    `${tab('npm', '<p>a</p>')}${tab('yarn', '<p>b</p>')}<p>c</p>`,
  ],
  [
    'docusaurus',
    'a table of contents',
    "import TOCInline from '@theme/TOCInline';\n\n<TOCInline toc={toc.slice(1)} />\n\n# a",
    '<nav class="table-of-contents"><ul><li><a href="http://wiki.example/en/docs/tea#a">a</a></li></ul></nav>\n<h1 id="a">a</h1>',
  ],
  [
    'mdx',
    'no indented code, in tags, lists and components',
    '<section>\n  <div>\n    # T\n\n        a *b*\n    ```js\n    c\n  d\n    ```\n    export e\n  </div>\n</section>\n\n- f\n\n      g\n  - h\n\n        <Tip>\n          i\n        </Tip>\n- j',
    `<section><div><h1 id="t">T</h1>\n<p>a <em>b</em></p><pre><code class="language-js">c\nd\n</code></pre><p>export e</p></div></section><ul><li><p>f</p><p>g</p><ul><li><p>h</p>${alert('tip', 'Tip', '<p>i</p>')}</li></ul></li><li><p>j</p></li></ul>`,
  ],
  [
    'starlight',
    'indented code outside components',
    '<Box>\n    a\n</Box>\n\n    b',
    '<p>a</p><pre><code>b\n</code></pre>',
  ],
  [
    'mdx',
    'links of components, if their content is one paragraph',
    '<Button href="/a">\n  <span>b</span>\n  c\n</Button>\n\n<Go to="/a">b</Go> and <Go to="/c">`d`</Go>.\n\n<Go href="/e">\n# f\n</Go>\n<Go href="/g">[h](/i)</Go>',
    '<p><a href="http://wiki.example/en/a"><span>b</span>\nc</a></p><p><a href="http://wiki.example/en/a">b</a> and <a href="http://wiki.example/en/c"><code>d</code></a>.</p><h1 id="f">f</h1>\n<p><a href="http://wiki.example/en/i">h</a></p>',
  ],
  [
    'jekyll',
    'Markdown in a tag, and code after it',
    '<div markdown="1">\n*a*{: .b }\n</div>\n```\nx\n```',
    '<div><p><em>a</em></p></div><pre><code>x\n</code></pre>',
  ],
  [
    'vitepress',
    'the parts of a component',
    '<VPTeamPageTitle>\n  <template #title>Meet the Team</template>\n  <template #lead>\n  Us\n  </template>\n</VPTeamPageTitle>\n\nText',
    '<p>Meet the Team</p><p>Us</p><p>Text</p>',
  ],
  ['docusaurus', 'two imports in a line', "import A from '@a'; import B from '@b';\n\nText", '<p>Text</p>'],
  [
    'sphinx',
    'the ids of docutils, and the names that authors see on GitHub',
    '# 1. Why? New_in É\n\n## Tea',
    '<h1 id="why-new-in-e"><a name="1-why-new_in-é"></a>1. Why? New_in É</h1>\n<h2 id="tea">Tea</h2>',
  ],
  [
    'myst',
    'directives, with options',
    ':::{note}\n:class: x\na\n:::\n\n````{admonition} Tea\n```{warning}\nb\n```\n````\n\n```{toctree}\nc\n```\n\n```{code-block} python\n:linenos:\nd\n```',
    '<blockquote class="markdown-alert markdown-alert-note"><p class="markdown-alert-title"><strong>Note</strong></p><p>a</p></blockquote><blockquote class="markdown-alert markdown-alert-note"><p class="markdown-alert-title"><strong>Tea</strong></p><blockquote class="markdown-alert markdown-alert-warning"><p class="markdown-alert-title"><strong>Warning</strong></p><p>b</p></blockquote></blockquote><pre><code class="language-python">d\n</code></pre>',
  ],
  [
    'myst',
    'directives that only the site knows are code, or missing if they have no content',
    '```{tea-cli} hot\n:class: x\n$ brew *a*\n$ drink\n```\n\n- ```{tea:cli}\n  $ pour\n  ```\n\n```{tea-options}\n:all:\n```\n\n```{prf:theorem} Cup\na\n```\n\n:::{tea-cli}\nb\n:::',
    '<figure>\n<figcaption>hot</figcaption><pre><code>$ brew *a*\n$ drink\n</code></pre></figure><ul><li><pre><code>$ pour\n</code></pre></li></ul><p><em>The site generates this part from source code, which is not in this wiki.</em></p><p><strong>Cup</strong></p><p>a</p><p>b</p>',
  ],
  [
    'myst',
    'roles and targets',
    '(cup)=\n\n% a comment\n\n{ref}`Tea <cup>` {class}`~tea.Cup` `{ref}` {doc}`a/b`',
    '<p><a name="cup"></a></p><p>Tea <code>Cup</code> <code>{ref}</code> a/b</p>',
  ],
  [
    'myst',
    'a grid, without its number of columns',
    '::::{grid} 1 2\n\n:::{card} T\nb\n:::\n::::',
    '<section class="card-grid"><section class="card"><p><strong>T</strong></p><p>b</p></section></section>',
  ],
  ['myst', 'what has no end', '```{note}\na', '<pre><code class="language-note">a\n</code></pre>'],
  [
    'mdx',
    'cards of other names',
    '<PageCard\n  icon={Cup}\n  url="https://a.example/b"\n  title="B"\n  description="About b."\n/>\n\n<Entry title="C" description="About c." />',
    '<section class="card"><p><a href="https://a.example/b" rel="nofollow">B</a>: About b.</p></section><p>C: About c.</p>',
  ],
  [
    'mdx',
    'HTML of a component of Astro',
    '<Fragment set:html={"<b class=\\"x\\">a {b}</b>"} />\n\n<A set:html={`<pre>\\tc "d"\\n</pre>`} />',
    '<p><b>a {b}</b></p><pre>\tc "d"\n</pre>',
  ],
  [
    'mdx',
    'literals in components: code if a template is alone, or has several lines',
    '<Pick>{`# a \\$b\\n\\`c\\``}</Pick>\n\n- <Pick>\n  {`d`}\n  </Pick>\n\n<Pick>{"*ef*"}</Pick>\n\n<B to="/g">{\'h\'}</B>\n\ni {`j`}{" "}k \\{"l"} `{"m"}` <N o={"p"}>{q}</N> <code>{`r`}</code>',
    '<pre><code># a $b\n`c`\n</code></pre><ul><li><code>d</code></li></ul><p>*ef*</p><p><a href="http://wiki.example/en/g">h</a></p><p>i <code>j</code> k {"l"} <code>{"m"}</code> {q} <code>r</code></p>',
  ],
  [
    'mdx',
    'emphasis beside a component that shows nothing',
    '**<A/> b** c **<A />**d *e <A/>*. **f**<A/> *g*',
    '<p><strong>b</strong> c d <em>e</em>. <strong>f</strong> <em>g</em></p>',
  ],
  [
    'docusaurus',
    'labels of tabs in their group, which one that is not in the list lacks',
    "<Tabs\n  values={[\n    { label: \"It's a\", value: 'a' },\n    {value: 'b', label: 'B'},\n    { label: 'Hidden', value: 'x' },\n  ]}\n>\n  <TabItem value=\"a\">\n    c\n  </TabItem>\n  <TabItem value=\"b\" label=\"D\">\n    e\n  </TabItem>\n  <TabItem value=\"f\">\n    g\n  </TabItem>\n</Tabs>",
    tab("It's a", '<p>c</p>') + tab('D', '<p>e</p>') + tab('f', '<p>g</p>'),
  ],
  [
    'eleventy',
    'what a variable has',
    'a\n\n{%- set b %}\nc\n{%- endset %}\n\n{% set d = 1 %}e',
    '<p>a</p><p>e</p>',
  ],
  ['eleventy', 'containers', '::: correct { "a": { "b": 1 } }\nx\n:::', '<p>x</p>'],
  [
    'asciidoc',
    'an id, and that of Asciidoctor',
    '## Deep - cup. {#deep.cup}',
    '<h2 id="deep.cup"><a name="_deep_cup"></a>Deep - cup.</h2>',
  ],
  [
    'jekyll',
    'tabs of a plugin, and a tag with a percent sign',
    "{% tabs 'a' %}\n{% tab 'Two' for=a %}\nb\n{% endtab %}\n{% endtabs %}\n\n{% include a.html unit=\"%\" %}c",
    '<section class="tab"><p><strong>Two</strong></p><p>b</p></section><p>c</p>',
  ],
  [
    'eleventy',
    'ids of both kinds of slugs',
    '## `--a` of B',
    '<h2 id="--a-of-b"><a name="a-of-b"></a><code>--a</code> of B</h2>',
  ],
  [
    'jekyll',
    'code between HTML, whose tags are shown',
    '<x-code>\n{% highlight "liquid" %}{% raw %}\n{{ a }}\n{% endraw %}{% endhighlight %}\n</x-code>',
    '<pre><code class="language-liquid">{{ a }}\n</code></pre>',
  ],
  [
    'eleventy',
    'a block that the next line shows as code, and comments',
    '{%- set code %}{% raw %}\na: {% b %}\n{% endraw %}{%- endset %}\n{{ code | highlight("yaml") | safe }}\n\nc{#- d #}\n\n{% set e %}\nf\n{% endset %}\ng',
    '<pre><code class="language-yaml">a: {% b %}\n</code></pre>\n<p>c</p>\n<p>g</p>',
  ],
  [
    'vitepress',
    'values and loops of a program: a note at the end, once',
    '<ul>\n  <li v-for="one of all" :key="one"><a :href="one.url">{{ one.title }}</a></li>\n</ul>\n\n<div class="x" v-for="a in b">\n  <div>{{ a }}</div>\n</div>\n\n# {{ e }}\n\nc {{ d }} {{ \'f\' }} {{ `g \u0024{d}` }} `{{ g }}`\n\n::: v-pre\n{{ h }}\n:::',
    '<ul>\n</ul>\n<p>c … f g … <code>{{ g }}</code></p>\n<p>{{ h }}</p>\n<p><em>Some parts of this page are shown only on the original site.</em></p>',
  ],
  [
    'vitepress',
    'braces in indented code, in code over two lines, and in HTML that shows them',
    'a\n\n    {{ b }}\n\n- c\n\n    {{ d }}\n\ne `f\n{{ g }}` {{ h }}\n\n<div v-pre>\n\n{{ i }}\n\n</div>\n\nj {{ k }}',
    '<p>a</p>\n<pre><code>{{ b }}\n</code></pre>\n<ul>\n<li>c</li>\n</ul>\n<p>e <code>f {{ g }}</code> {{ h }}</p>\n<div><p>{{ i }}</p></div>\n<p>j …</p>\n<p><em>Some parts of this page are shown only on the original site.</em></p>',
  ],
  [
    'mdx',
    'components that show nothing here: a note in place of the first, below a text; not of decoration',
    '<Badge />\n\na\n\n<Chart data={b} />\n\nc\n\n<Map />',
    '<p>a</p>\n<p><em>Some parts of this page are shown only on the original site.</em></p>\n<p>c</p>',
  ],
  [
    'mdx',
    'components that show commands or code by their strings',
    '<Command npm="npm i tea" yarn="yarn add tea" />\n\n<Status code="404" />\n\n<Run code="f(1)" lang="js" />\n\n<PackageManagers type="create" pkg="tea" args={"a"} />\n\n<PackageManagers pkg="cup" dev />',
    '<pre><code>npm i tea\nyarn add tea\n</code></pre>\n<pre><code class="language-js">f(1)\n</code></pre>\n<pre><code>npm create tea -- a\n</code></pre>\n<pre><code>npm i -D cup\n</code></pre>\n<p><em>Some parts of this page are shown only on the original site.</em></p>',
  ],
  [
    'mdx',
    'ids in brackets',
    '## Tea *pot* [#pot] [!toc]\n\n# A [#1](b)\n\n# B[#c]',
    '<h2 id="pot">Tea <em>pot</em></h2>\n<h1 id="a-1">A <a href="http://wiki.example/en/docs/b">#1</a></h1>\n<h1 id="c">B</h1>',
  ],
  [
    'mdx',
    'lists of marks that are no title of code, and a title with brackets',
    '```js [[1, 2, "a"], [3, 4, "b"]]\nc\n```\n\n```js [[id].ts]\nd\n```',
    '<pre><code class="language-js">c\n</code></pre><figure>\n<figcaption>[id].ts</figcaption><pre><code class="language-js">d\n</code></pre></figure>',
  ],
  [
    'vitepress',
    'tabs in tabs',
    ':::: tabs\n== A\n::: tabs\n== B\nb\n== C\nc\n:::\n== D\nd\n::::',
    '<section class="tab"><p><strong>A</strong></p><section class="tab"><p><strong>B</strong></p><p>b</p></section><section class="tab"><p><strong>C</strong></p><p>c</p></section></section><section class="tab"><p><strong>D</strong></p><p>d</p></section>',
  ],
  ['mdbook', 'a directive of a preprocessor', '# A\n\n{{%segment outline}}', '<h1 id="a">A</h1>'],
  [
    'jekyll',
    'the contents of the page',
    '* x\n{:toc}\n\n# A',
    '<nav class="table-of-contents"><ul><li><a href="http://wiki.example/en/docs/tea#a">A</a></li></ul></nav>\n<h1 id="a">A</h1>',
  ],
  [
    'jekyll',
    'the contents of the page in a tag, and an option for them',
    '<details open markdown="block">\n<summary>\nB\n</summary>\n{: .c }\n- TOC\n{:toc}\n</details>\n\n{::options toc_levels="2..4" /}\n\n# A',
    '<details open><summary>B</summary><nav class="table-of-contents"><ul><li><a href="http://wiki.example/en/docs/tea#a">A</a></li></ul></nav></details>\n<h1 id="a">A</h1>',
  ],
  [
    'jekyll',
    'attributes of a tag in a line, and braces that are none',
    'a <span>b</span>{: .c .d } <b>e</b>{f} <i>g</i>{.h}',
    '<p>a <span>b</span> <b>e</b>{f} <i>g</i>{.h}</p>',
  ],
  [
    'mkdocs',
    'an object of mkdocstrings',
    '::: tea.Pot\n    options:\n      members: x\n\nB',
    '<p><strong><code>tea.Pot</code></strong></p>\n<p>B</p>',
  ],
  ['vitepress', 'an id with other letters', '## A {#茶-–b}', '<h2 id="茶-–b">A</h2>'],
  [
    'mkdocs',
    'an object in a heading',
    '> #### ::: tea.Pot',
    '<blockquote><h4 id="teapot">tea.Pot</h4></blockquote>',
  ],
  [
    'hugo',
    'a tab whose content is code, and one whose content is not',
    '{{< tabpane >}}\n{{< tab header="Unix" lang="Bash" >}}\ncat <<EOL\n[[a]]\nEOL\n{{< /tab >}}\n{{% tab header="B" lang="js" %}}\n\n```js\nc\n```\n\n{{% /tab %}}\n{{< /tabpane >}}\n',
    tab('Unix', '<pre><code class="language-Bash">cat &lt;&lt;EOL\n[[a]]\nEOL\n</code></pre>') +
      tab('B', '<pre><code class="language-js">c\n</code></pre>'),
  ],
  [
    'hugo',
    'code of a shortcode with a language, and of the bare tabs of a pane with one; not prose',
    '{{< codeFromInline lang="bash" >}}\n# a\n{{< /codeFromInline >}}\n\n{{< tabpane lang="js" >}}\n{{< tab header="B" >}}\n# b\n{{< /tab >}}\n{{< tab header="C" lang="sh" >}}\n# c\n{{< /tab >}}\n{{< /tabpane >}}\n\n{{< tip lang="d" >}}\n*d*\n{{< /tip >}}',
    `<pre><code class="language-bash"># a\n</code></pre>${tab('B', '<pre><code class="language-js"># b\n</code></pre>')}${tab('C', '<pre><code class="language-sh"># c\n</code></pre>')}${alert('tip', 'Tip', '<p><em>d</em></p>')}`,
  ],
  [
    'jekyll',
    'the first branch of a condition',
    'A {% if x %}b{% elsif y %}c{% else %}d{% endif %} e\n\n{% if x %}\nf\n{% else %}\n{% unless y %}\ng\n{% endunless %}\nh\n{% endif %}\ni',
    '<p>A b e</p>\n<p>f\ni</p>',
  ],
  [
    'mkdocs',
    'a loop of Jinja',
    'A\n\n{% for a in b %}\n{% for c in a %}{{ c }}\n{% endfor %}\n{% endfor %}\n\n{% raw %}B{% endraw %}',
    '<p>A</p>\n<p>B</p>',
  ],
  [
    'jekyll',
    'an include that was not found, which stays',
    '{% include a.md %}{% include a.html %}',
    '<p>{% include a.md %}</p>',
  ],
  [
    'mdx',
    'an export in a component',
    '<Box>\nA\n\nexport const a = 1;\nexport const b = 2;\n\nB\n</Box>',
    '<p>A</p>\n<p>B</p>',
  ],
  [
    'mkdocs',
    'an admonition',
    '!!! tip "My *title*"\n    Body',
    alert('tip', 'My <em>title</em>', '<p>Body</p>'),
  ],
  [
    'mkdocs',
    'a folded admonition in a list',
    '- item\n\n    ??? note\n        Body',
    `<ul>\n<li><p>item</p>\n${folded('note', 'Note', '<p>Body</p>')}\n</li>\n</ul>`,
  ],
  [
    'mkdocs',
    'an open one',
    '???+ danger "N"\n    B\n\n??? other\n    C',
    `${folded('caution', 'N', '<p>B</p>', ' open')}\n<details><summary>Other</summary><p>C</p></details>`,
  ],
  [
    'mkdocs',
    'admonitions in each other',
    '!!! note\n    a\n\n    !!! danger\n        b',
    alert('note', 'Note', `<p>a</p>\n${alert('caution', 'Danger', '<p>b</p>')}`),
  ],
  [
    'mkdocs',
    'tabs',
    '=== "One"\n\n    a\n\n=== "Two"\n\n    b',
    tab('One', '<p>a</p>') + tab('Two', '<p>b</p>'),
  ],
  [
    'vitepress',
    'attributes of containers, which are no titles',
    '::: tip {no-title}\nx\n:::\n\n::: details A {open}\ny\n:::\n\n::: note A `{b}` c\n:::',
    `<blockquote class="markdown-alert markdown-alert-tip"><p>x</p></blockquote>
    <details open><summary>A</summary><p>y</p></details>${alert('note', 'A <code>{b}</code> c', '')}`,
  ],
  [
    'vitepress',
    'footnotes in lines',
    'a^[*b* [c](/d)] `^[e]`\n\n## F\n\n[^1]\n\n[^1]: g',
    `<p>a<sup><a href="http://wiki.example/en/docs/tea#fn:1" name="fnref:1">1</a></sup> <code>^[e]</code></p>
    <h2 id="f">F</h2>
    <p><sup><a href="http://wiki.example/en/docs/tea#fn:2" name="fnref:2">2</a></sup></p>
    <section class="footnotes">
<ol>
<li id="fn:1" value="1"><p><em>b</em> <a href="http://wiki.example/en/d">c</a> <a href="http://wiki.example/en/docs/tea#fnref:1">↩</a></p></li>
<li id="fn:2" value="2"><p>g <a href="http://wiki.example/en/docs/tea#fnref:2">↩</a></p></li>
</ol>
</section>`,
  ],
  [
    'mkdocs',
    'code with a title in a quotation',
    '> ```js title="a.js"\n> x\n> ```\n> b',
    '<blockquote><figure>\n<figcaption>a.js</figcaption><pre><code class="language-js">x\n</code></pre></figure><p>b</p></blockquote>',
  ],
  [
    'mkdocs',
    'code with a title at the beginning of an item',
    '- ```js title="a.js"\n  x\n  ```\n- b',
    '<ul><li><figure>\n<figcaption>a.js</figcaption><pre><code class="language-js">x\n</code></pre></figure></li><li><p>b</p></li></ul>',
  ],
  [
    'mkdocs',
    'code that has a title and no language',
    '``` title="a.py"\nx\n```',
    '<figure>\n<figcaption>a.py</figcaption>\n\n<pre><code>x\n</code></pre>\n</figure>',
  ],
  [
    'mkdocs',
    'definitions that begin with containers',
    'A\n\n:   !!! tip\n\n        b\n\n    c\n\nD\n\n:   === "E"\n\n        f\n',
    `<dl>\n<dt>A</dt>\n<dd>${alert('tip', 'Tip', '<p>b</p>')}<p>c</p></dd>\n<dt>D</dt>\n<dd>${tab('E', '<p>f</p>')}</dd>\n</dl>`,
  ],
  [
    'mkdocs',
    'a snippet whose file is missing shows nothing',
    'A\n\n--8<-- "b.md:c"\n\nD',
    '<p>A</p><p>D</p>',
  ],
  [
    'docusaurus',
    'items of lists that begin with containers',
    '- :::tip\n\n  a\n\n  :::\n- b',
    `<ul><li>${alert('tip', 'Tip', '<p>a</p>')}</li><li><p>b</p></li></ul>`,
  ],
  [
    'docusaurus',
    'a container without an end, which ends with its item',
    '- :::tip\n  a\n- b\n\nC\n\n1. :::note\n   d\n\n   e\n\nF',
    `<ul><li>${alert('tip', 'Tip', '<p>a</p>')}</li><li><p>b</p></li></ul><p>C</p><ol>\n<li>${alert('note', 'Note', '<p>d</p><p>e</p>')}</li></ol><p>F</p>`,
  ],
  [
    'myst',
    'directives that begin items',
    '- ```{tip}\n  a\n  ```\n- b',
    `<ul><li>${alert('tip', 'Tip', '<p>a</p>')}</li><li><p>b</p></li></ul>`,
  ],
  ['quarto', 'an item that begins with colons', '- ::: a b\n- c', '<ul><li>::: a b</li><li>c</li></ul>'],
  [
    'mkdocs',
    'items that begin with marks, but are no containers',
    '- === A ===\n- !!! B, c\n- ??? d, e',
    '<ul><li>=== A ===</li><li>!!! B, c</li><li>??? d, e</li></ul>',
  ],
  [
    'mkdocs',
    'containers in items, also behind a tab, and without a body',
    '-\t!!! tip\n\t\ta\n\n- ::: b.C\n- !!! green-tea',
    `<ul><li>${alert('tip', 'Tip', '<p>a</p>')}</li><li><p><strong><code>b.C</code></strong></p></li><li><p><strong>Green tea</strong></p></li></ul>`,
  ],
  [
    'docusaurus',
    'template literals in blocks of code, whose lines stay',
    'A\n\n<CodeBlock language="js">{`# b \\`c\\``}</CodeBlock>\n\n- c\n\n  <CodeBlock\n    language="jsx"\n  >\n  {`<a>\n    <b>\n\n      # d`}\n  </CodeBlock>\n\n<CodeBlock>{e}</CodeBlock>',
    '<p>A</p><pre><code class="language-js"># b `c`\n</code></pre><ul><li><p>c</p><pre><code class="language-jsx">&lt;a&gt;\n    &lt;b&gt;\n\n      # d\n</code></pre></li></ul><p>{e}</p>',
  ],
  [
    'starlight',
    'code of components: texts, templates of several lines and constants, but not what a program knows',
    `export const tea = \`
const a = {
  b: \\\`c\\\`,
\`;

A <code>{\`{a} *b*\`}</code>

<Code code={tea.replace(/x/, "y")} lang="js" title="a/b.js" />
<Code code="C:\\\\a" lang="sh" />

<Code lang="md" code={\`
  ## A
    b \\\`c\\\`
\`} />

<Code code={d} /> E`,
    '<p>A <code>{a} *b*</code></p><p><strong>a/b.js</strong></p><pre><code class="language-js">const a = {\n  b: `c`,\n</code></pre><pre><code class="language-sh">C:\\\\a\n</code></pre><pre><code class="language-md">## A\n  b `c`\n</code></pre><p>E</p>',
  ],
  [
    'quarto',
    'grid tables with blocks in cells, signs of borders in code, and links that have become wider; not those with merged cells',
    `1. A

   +-----+---------+
   | A   | B       |
   +=====+:=======:+
   | - a | ::: tip |
   | - b | C       |
   |     | :::     |
   +-----+---------+
   | b   | [x](/en/wide) |
   +-----+---------+
   | c   | \`a|b\`   |
   +-----+---------+

+---+---+
| merged |
+---+---+`,
    `<ol><li><p>A</p><table>\n<tr><th><p>A</p></th>\n<th><p>B</p></th></tr>\n<tr><td><ul><li>a</li><li>b</li></ul></td>\n<td>@</td></tr>
<tr><td><p>b</p></td>
<td><p><a href="http://wiki.example/en/wide">x</a></p></td></tr>
<tr><td><p>c</p></td>
<td><p><code>a|b</code></p></td></tr>
</table></li></ol><p>+---+---+
| merged |
+---+---+</p>`.replace('@', alert('tip', 'Tip', '<p>C</p>')),
  ],
  [
    'mdx',
    'the name of code that Node.js shows',
    '```js displayName="Green"\na\n```',
    '<figure>\n<figcaption>Green</figcaption><pre><code class="language-js">a\n</code></pre></figure>',
  ],
  [
    'jekyll',
    'fences in code of Liquid',
    '{% highlight md %}\n```js\na\n```\n{% endhighlight %}\n\n*b*',
    '<pre><code class="language-md">```js\na\n```\n</code></pre><p><em>b</em></p>',
  ],
  [
    'mdx',
    'pictures from the base of the site',
    '<img src={useBaseUrl(\'img/a.png\')} />\n\n| <img src={useBaseUrl("/b.png")} /> |\n|-|',
    '<img src="http://wiki.example/img/a.png" /><table>\n<thead>\n<tr>\n<th><img src="http://wiki.example/b.png" /></th>\n</tr>\n</thead>\n</table>',
  ],
  [
    'mdx',
    'a picture whose tag has several lines',
    '<img className="a"\n  style={{ b: 1 }}\n  src="https://c.example/d.png"\n  alt="e" />\n\nF',
    '<p><img src="https://c.example/d.png" alt="e" /></p><p>F</p>',
  ],
  [
    'quarto',
    'containers with more colons than the one around them',
    '::: {.a}\n:::: {}\nb\n::::\n:::: {.c}\nd\n::::\n:::\n\ne',
    '<p>b</p><p>d</p><p>e</p>',
  ],
  [
    'quarto',
    'HTML in a block of code, whose links lead to pages',
    '```{=html}\n<a href="b.html#c">d</a> <a href="https://e.example/f.html">g</a>\n```\n\n*h*',
    '<p><a href="http://wiki.example/en/docs/b#c">d</a> <a href="https://e.example/f.html" rel="nofollow">g</a></p><p><em>h</em></p>',
  ],
  [
    'quarto',
    'ids of headings as Pandoc makes them',
    '## 1. A & b 2.0\n\n## 2024\n\n## 1.2',
    '<h2 id="a-b-2.0"><a name="1-a--b-20"></a>1. A &amp; b 2.0</h2>\n<h2 id="section"><a name="2024"></a>2024</h2>\n<h2 id="section-1"><a name="12"></a>1.2</h2>',
  ],
  [
    'mkdocs',
    'names in comments of Material',
    '#### <!-- md:setting config.a -->\n\n<!-- md:option b:c -->\n\n:   <!-- md:default none --> d\n    e [f][config.a]\n\n## <!-- g -->\n',
    `<h4 id="config.a"><code>config.a</code></h4>\n<dl>\n<dt><code>b:c</code><a name="+b:c"></a></dt>
<dd><p>d\ne <a href="http://wiki.example/en/docs/tea#config.a">f</a></p></dd>\n</dl>`,
  ],
  [
    'mkdocs',
    'a fence in code, with four more columns',
    '```\n=== "A"\n\n    ```\n    b\n    ```\n```\n',
    '<pre><code>=== "A"\n\n    ```\n    b\n    ```\n</code></pre>',
  ],
  [
    'mkdocs',
    'code without an end in a tab',
    '=== "A"\n\n    - ```\n      b\n\nc',
    `${tab('A', '<ul><li><pre><code>b\n</code></pre></li></ul>')}<p>c</p>`,
  ],
  [
    'mkdocs',
    'the language of code in a line',
    'A `#!js b()`, `` :::c++ d ``, `#!/bin/sh -e`, `#!js` and `e` #!f g`',
    '<p>A <code>b()</code>, <code>d</code>, <code>#!/bin/sh -e</code>, <code>#!js</code> and <code>e</code> #!f g`</p>',
  ],
  [
    'mkdocs',
    'attributes without values',
    '# A { data-search-exclude }\n\n[b](/c){ data-preview .d } `e`{data-f=g data-h} {data} {i}',
    '<h1 id="a">A</h1><p><a href="http://wiki.example/en/c">b</a> <code>e</code> {data} {i}</p>',
  ],
  [
    'docusaurus',
    'code of Pandoc',
    '```{=html}\n<b>a</b>\n```',
    '<pre><code>&lt;b&gt;a&lt;/b&gt;\n</code></pre>',
  ],
  [
    'mkdocs',
    'links whose labels follow after a space or in the next line, or which a footnote follows',
    'A [`b[0]`] [c] and [d\ne]\n  [C], `[f] [c]`, [g] [h], [c][^1] [x][^1].\n\n- [x] [c]\n\n# i [j]\n[c] k\n[c](m) [n][c]\n[c]\n\np `q] [c]`\n\n```\n[l]\n[c]\n```\n\n[^1]: o\n\n[c]: /o',
    '<p>A <a href="http://wiki.example/en/o"><code>b[0]</code></a> and <a href="http://wiki.example/en/o">d\ne</a>, <code>[f] [c]</code>, [g] [h], <a href="http://wiki.example/en/o">c</a><sup><a href="http://wiki.example/en/docs/tea#fn:1" name="fnref:1">1</a></sup> [x]<sup><a href="http://wiki.example/en/docs/tea#fn:1" name="fnref:1-2">1</a></sup>.</p><ul><li><input checked type="checkbox" disabled /> <a href="http://wiki.example/en/o">c</a></li></ul><h1 id="i-j">i [j]</h1><p><a href="http://wiki.example/en/o">c</a> k\n<a href="http://wiki.example/en/docs/m">c</a> <a href="http://wiki.example/en/o">n</a> <a href="http://wiki.example/en/o">c</a></p><p>p <code>q] [c]</code></p><pre><code>[l]\n[c]\n</code></pre><section class="footnotes"><ol><li id="fn:1" value="1"><p>o <a href="http://wiki.example/en/docs/tea#fnref:1">↩</a> <a href="http://wiki.example/en/docs/tea#fnref:1-2">↩<sup>2</sup></a></p></li></ol></section>',
  ],
  ['mkdocs', 'blocks', '/// warning | W\nx\n///', alert('warning', 'W', '<p>x</p>')],
  [
    'mkdocs',
    'keys and icons',
    'Press ++ctrl+c++:material-check:\n\n* :material-a: + :material-b: – c\n* :material-d: - `d`\n* :material-e: e – f',
    '<p>Press <kbd>Ctrl</kbd>+<kbd>C</kbd></p><ul><li>c</li><li><code>d</code></li><li>e – f</li></ul>',
  ],
  [
    'mkdocs',
    'attributes of links',
    '[a](https://a.example/){ .md-button download }\n\n# *b*{.c} d {#e}\n\n*f*{g}',
    '<p><a href="https://a.example/" rel="nofollow">a</a></p><h1 id="e"><em>b</em> d</h1><p><em>f</em>{g}</p>',
  ],
  [
    'mkdocs',
    'options of code',
    '``` { .py title="a.py" hl_lines="1" }\nx\n```',
    '<figure>\n<figcaption>a.py</figcaption>\n\n<pre><code class="language-py"><mark>x\n</mark></code></pre>\n</figure>',
  ],
  ['vitepress', 'a container', '::: warning Look\nout\n:::', alert('warning', 'Look', '<p>out</p>')],
  [
    'vitepress',
    'details',
    '::: details Click\nx\n:::',
    '<details>\n<summary>Click</summary>\n<p>x</p>\n</details>',
  ],
  [
    'vitepress',
    'a group of code',
    '::: code-group\n```sh [npm]\na\n```\n\n```sh{1} [pnpm]\n:::\n```\n:::\nb',
    `${tab('npm', '<pre><code class="language-sh">a\n</code></pre>')}${tab('pnpm', '<pre><code class="language-sh"><mark>:::\n</mark></code></pre>')}<p>b</p>`,
  ],
  ['vitepress', 'a container without an end', '::: tip\nx', alert('tip', 'Tip', '<p>x</p>')],
  [
    'docusaurus',
    'a container with a label',
    ':::note[A *b*]\nx\n:::',
    alert('note', 'A <em>b</em>', '<p>x</p>'),
  ],
  [
    'docusaurus',
    'imports, exports and tabs',
    'import Tabs from \'@theme/Tabs\'\nexport const a = {\n  b: 1,\n}\n\n<Tabs>\n  <TabItem value="m" label="Mac">\n\n    in *it*\n\n  </TabItem>\n</Tabs>',
    tab('Mac', '<p>in <em>it</em></p>'),
  ],
  [
    'docusaurus',
    'an unknown component',
    'a <Foo b={c > d}>*x*</Foo> {/* hidden */}e',
    '<p>a <em>x</em> e</p>',
  ],
  [
    'docusaurus',
    'a sentence that begins like an import',
    'import duties are high',
    '<p>import duties are high</p>',
  ],
  [
    'starlight',
    'an aside',
    '<Aside type="caution" title="T">\nx\n</Aside>',
    alert('caution', 'T', '<p>x</p>'),
  ],
  [
    'starlight',
    'cards in a grid',
    '<CardGrid>\n<LinkCard title="T" href="https://a.example/" description="D" />\n<Card title="U">\n\ne\n</Card>\n</CardGrid>',
    '<section class="card-grid"><section class="card"><p><a href="https://a.example/" rel="nofollow">T</a>: D</p></section><section class="card"><p><strong>U</strong></p><p>e</p></section></section>',
  ],
  [
    'vitepress',
    'components without content that have an address',
    'See <LinkInline link="https://a.example/why-tea.html#x" />, <A to="https://a.example/c" label="d" /> and <B link="c" />.\n\n<LinkCard link="https://a.example/b/" />',
    '<p>See <a href="https://a.example/why-tea.html#x" rel="nofollow">why tea</a>, <a href="https://a.example/c" rel="nofollow">d</a> and .</p><section class="card"><p><a href="https://a.example/b/" rel="nofollow">b</a></p></section>',
  ],
  [
    'vitepress',
    'a component whose address is in angle brackets',
    '<SchoolLink\nhref="<https://a.example/>"\ntitle="T on U">V</SchoolLink>',
    '<p><a href="https://a.example/" rel="nofollow">T on U</a></p>\n<p>V</p>',
  ],
  [
    'hugo',
    'an alert',
    '{{% alert title="T" color="warning" %}}\nx\n{{% /alert %}}',
    alert('warning', 'T', '<p>x</p>'),
  ],
  [
    'hugo',
    'tabs',
    '{{< tabs >}}\n{{% tab header="A" %}}\nx\n{{% /tab %}}\n{{< /tabs >}}',
    tab('A', '<p>x</p>'),
  ],
  [
    'hugo',
    'a figure',
    '{{< figure src="https://a.example/a.png"\n  alt="A" >}}',
    '<p><img src="https://a.example/a.png" alt="A" /></p>',
  ],
  [
    'hugo',
    'a shortcode of the site',
    'a {{< glossary text="pod" id="p" >}} b {{< param v >}}c',
    '<p>a pod b c</p>',
  ],
  [
    'hugo',
    'a shortcode of the site around code, and one around Markdown with code',
    "{{< code-toggle file=hugo >}}\n[[menus.main]]\nname = 'Tea'\n{{< /code-toggle >}}\n\n{{< code >}}\n```js\nc\n```\n{{< /code >}}",
    '<pre><code>[[menus.main]]\nname = \'Tea\'\n</code></pre>\n<pre><code class="language-js">c\n</code></pre>',
  ],
  [
    'hugo',
    'a name in brackets, which is no link',
    'a [[b.c]] `[[d]]` [[[e]](https://a.example/)] [[1]](https://a.example/)',
    '<p>a [[b.c]] <code>[[d]]</code> [<a href="https://a.example/" rel="nofollow">[e]</a>] <a href="https://a.example/" rel="nofollow">[1]</a></p>',
  ],
  [
    'hugo',
    'a term',
    'Hot `tea`\n: x\n',
    '<dl>\n<dt id="hot-tea">Hot <code>tea</code></dt>\n<dd>x</dd>\n</dl>',
  ],
  [
    'hugo',
    'a shortcode around words in HTML',
    '<div>\n  {{< a >}}b{{< /a >}}\n    <sup>c</sup>\n</div>',
    '<div>\nb\n    <sup>c</sup>\n</div>',
  ],
  ['hugo', 'a shortcode that is shown', '`{{</* tab */>}}`', '<p><code>{{&lt; tab &gt;}}</code></p>'],
  [
    'jekyll',
    'tags of Liquid',
    '{% highlight rb %}\nputs\n{% endhighlight %}\n{% raw %}x{% endraw %}',
    '<pre><code class="language-rb">puts\n</code></pre>\n<p>x</p>',
  ],
  [
    'jekyll',
    'a tag of several lines, but not in code, and the id of a paragraph',
    'a {% include b.html\n  c=d %}e\n\n```\n{% f\n%}\n```\n\n <p id="g"> </p>',
    '<p>a e</p>\n<pre><code>{% f\n%}\n</code></pre>\n<p><a name="g"></a></p>',
  ],
  [
    'gitbook',
    'a hint',
    '{% hint style="success" %}\nAll **good**.\n{% endhint %}',
    '<blockquote class="markdown-alert markdown-alert-tip markdown-alert-success"><p class="markdown-alert-title"><strong>Success</strong></p><p>All <strong>good</strong>.</p></blockquote>',
  ],
  [
    'gitbook',
    'a hint whose style is the name of a member of every object',
    '{% hint style="constructor" %}\nx\n{% endhint %}',
    '<blockquote class="markdown-alert markdown-alert-note"><p class="markdown-alert-title"><strong>Constructor</strong></p><p>x</p></blockquote>',
  ],
  [
    'gitbook',
    'tabs',
    '{% tabs %}\n{% tab title="One" %}\n- a\n{% endtab %}\n{% tab title="Two" %}\nb\n{% endtab %}\n{% endtabs %}',
    tab('One', '<ul><li>a</li></ul>') + tab('Two', '<p>b</p>'),
  ],
  [
    'gitbook',
    'an embedded address',
    '{% embed url="https://x.example/" %}',
    '<p><a href="https://x.example/" rel="nofollow">https://x.example/</a></p>',
  ],
  ['jekyll', 'attributes of a block', 'x\n{: .note }', '<p>x</p>'],
  [
    'jekyll',
    'callouts of Just the Docs',
    '{: .warning }\nx\ny\n\n{: .note }\n> z\n\n{: .note-title }\n> A b\n>\n> c\n\n{: .important }\n\nx',
    '<blockquote class="markdown-alert markdown-alert-warning"><p class="markdown-alert-title"><strong>Warning</strong></p><p>x\ny</p></blockquote><blockquote class="markdown-alert markdown-alert-note"><p class="markdown-alert-title"><strong>Note</strong></p><p>z</p></blockquote><blockquote class="markdown-alert markdown-alert-note"><p class="markdown-alert-title"><strong>A b</strong></p><p>c</p></blockquote><p>x</p>',
  ],
  [
    'mdbook',
    'hidden lines of Rust',
    '```rust,ignore\n# fn main() {\n#[a]\n## b\n```',
    '<pre><code class="language-rust">#[a]\n# b\n</code></pre>',
  ],
  [
    'wikijs',
    'attributes, but not those of alerts',
    '## A {.tabset}\n\n*(b)*{.caption .c} ![](d.png =2x){.e} `{.f}`\n{.dense}\n\n> g\n{.is-info}\n\n- h\n{.links-list}',
    '<h2 id="a">A</h2><p><em>(b)</em> <img src="http://wiki.example/en/docs/d.png" alt="" width="2" /> <code>{.f}</code></p><blockquote class="markdown-alert markdown-alert-note"><p>g</p></blockquote><ul><li>h</li></ul>',
  ],
  [
    'wikijs',
    'pictures with sizes',
    'a ![A \\"cup\\"](a_(b).png "T" =450x) `![](a.png =1x1)`\n![](<b c.png> =50%x30)\n**b**',
    '<p>a <img src="http://wiki.example/en/docs/a_(b).png" alt="A &quot;cup&quot;" title="T" width="450" /> <code>![](a.png =1x1)</code>\n<img src="http://wiki.example/en/docs/b%20c.png" alt="" width="50%" height="30" />\n<strong>b</strong></p>',
  ],
  [
    'mkdocs',
    'cards with icons, whose lists are Markdown',
    '<div class="grid cards" markdown>\n\n-   :octicons-x-16:{ .lg .middle } __A__\n\n    ---\n\n    b\n\n</div>',
    '<div class="card-grid">\n<ul>\n<li><p><strong>A</strong></p>\n<hr />\n<p>b</p>\n</li>\n</ul>\n</div>',
  ],
  [
    'mkdocs',
    'attributes and icons in titles',
    '=== ":octicons-file-16: a.py"\n\n    x\n\n??? note "See [b](#c){target=\'_blank\'} `d`"\n    y',
    `${tab('a.py', '<p>x</p>')}${folded('note', 'See <a href="http://wiki.example/en/docs/tea#c">b</a> <code>d</code>', '<p>y</p>')}`,
  ],
  [
    'mkdocs',
    'code and Markdown in a tag',
    '<center>\n```mermaid\na\n```\n</center>\n\n<center>\n*b*\n</center>\n*c*',
    '<pre><code class="language-mermaid">a\n</code></pre>\n<p><em>b</em></p>\n<p><em>c</em></p>',
  ],
  ['mkdocs', 'a sign before the type', '???-info "I"\n    x', folded('note', 'I', '<p>x</p>')],
  [
    'mkdocs',
    'text above and below the line, but not in code, paths, footnotes and what is struck out',
    'H~2~O x^2^ ^^a^^ ~~b~~ `c^2^` ~/d ~/e [^1][^2] 2^10 and 2^20 f\\^2^',
    '<p>H<sub>2</sub>O x<sup>2</sup> <ins>a</ins> <del>b</del> <code>c^2^</code> ~/d ~/e [^1][^2] 2^10 and 2^20 f^2^</p>',
  ],
  [
    'mkdocs',
    'CriticMarkup, also over lines; without remarks',
    '{--a--} {++b `c`++} {++d\ne++} {~~f~>g~~} {==h==} i{>>j `k` {l}\n\nm<<} `{++n++}`\n\n{>>o',
    '<p><del>a</del> <ins>b <code>c</code></ins> <ins>d e</ins> <del>f</del><ins>g</ins> <mark>h</mark> i <code>{++n++}</code></p><p>{&gt;&gt;o</p>',
  ],
  [
    'hugo',
    'no CriticMarkup: its signs are text, over lines, too',
    'a {--\n\nb --}',
    '<p>a {--</p><p>b --}</p>',
  ],
  [
    'mkdocs',
    'brackets of arithmatex that are no formulas',
    '\\(see\\) file\\(s\\) \\[a\\] \\\\(b\\\\) \\(c\n\n\\[WIP\\]\n\n\\[d^2\\] e\n\n\\[ f',
    '<p>(see) file(s) [a] \\(b\\) (c</p><p>[WIP]</p><p>[d^2] e</p><p>[ f</p>',
  ],
  [
    'mkdocs',
    'pictures with sizes',
    '![](a.png){ width="50" } ![b](c.png "D"){: style="width:60%; max-width: 7em; height:8px" } ![](e.png){ align=right } `![](f.png){width=5}` ![g](h.png){width=9em}',
    '<p><img src="http://wiki.example/en/docs/a.png" alt="" width="50" /> <img src="http://wiki.example/en/docs/c.png" alt="b" title="D" width="60%" height="8" /> <img src="http://wiki.example/en/docs/e.png" alt="" /> <code>![](f.png){width=5}</code> <img src="http://wiki.example/en/docs/h.png" alt="g" /></p>',
  ],
  [
    'mkdocs',
    'a picture for dark pages, which goes',
    '![a](b.png#only-light)![c](d.png#only-dark)<img src="e.png#gh-dark-mode-only">',
    '<p><img src="http://wiki.example/en/docs/b.png#only-light" alt="a" /></p>',
  ],
  [
    'obsidian',
    'pictures with sizes',
    '![|200](a.png) ![b|20x10](c.png) ![d\\|30](e.png) ![f|g](h.png) ![=](i.png){width=5}',
    '<p><img src="http://wiki.example/en/docs/a.png" alt="" width="200" /> <img src="http://wiki.example/en/docs/c.png" alt="b" width="20" height="10" /> <img src="http://wiki.example/en/docs/e.png" alt="d" width="30" /> <img src="http://wiki.example/en/docs/h.png" alt="f|g" /> <img src="http://wiki.example/en/docs/i.png" alt="=" width="5" /></p>',
  ],
  [
    'mkdocs',
    'keys in quotation marks',
    '++ctrl+"+"++ ++caps-lock++',
    '<p><kbd>Ctrl</kbd>+<kbd>+</kbd> <kbd>Caps lock</kbd></p>',
  ],
  [
    'mkdocs',
    'a frame',
    '<div>\n<iframe src="https://a.example/?b&c" title="Video"\n  width="5"></iframe>\n</div>',
    '<div><p><a href="https://a.example/?b&amp;c" rel="nofollow">Video</a></p></div>',
  ],
  [
    'docusaurus',
    'frames and videos of components',
    '<iframe src="https://a.example/" />\n\n<LiteYouTubeEmbed\n  id="x1"\n  title="V"\n/>',
    '<p><a href="https://a.example/" rel="nofollow">https://a.example/</a></p>\n<p><a href="https://www.youtube.com/watch?v=x1" rel="nofollow">V</a></p>',
  ],
  [
    'docusaurus',
    'comments for the highlighter',
    '```jsx\n// highlight-start\na // highlight-next\n<b/>\n{/* highlight-end */}\nc\n# highlight-next-line\nd\ne\n```',
    '<pre><code class="language-jsx"><mark>a // highlight-next\n&lt;b/&gt;\n</mark>c\n<mark>d\n</mark>e\n</code></pre>',
  ],
  [
    'vitepress',
    'marks in code',
    '```ts\na // [!code focus]\n// [!code word:a]\nb <!-- [!code hl:2] -->\nc\nd // [!code ~~]\n```\n\n```ansi\n\u001b[1;32mok\u001b[0m [31mno\n```',
    '<pre><code class="language-ts"><mark>a\nb\nc\n</mark>d\n</code></pre>\n<pre><code class="language-ansi">ok no\n</code></pre>',
  ],
  [
    'vitepress',
    'added and removed lines, in a list',
    '- a\n  ```ts\n  b() // [!code --]\n  c() /* [!code ++] */\n\n  d()\n  ```',
    '<ul>\n<li>a<pre><code class="language-ts"><del>b()\n</del><ins>c()\n</ins>\nd()\n</code></pre>\n</li>\n</ul>',
  ],
  [
    'starlight',
    'lines that the options of code mark, in a list',
    '1. a\n\n   ```js title="a & b" {1, 3-4} ins={2} del={0-1,9} maxLines={5}\n   a\n   b\n   c\n   ```\n   b',
    '<ol>\n<li><p>a</p>\n<figure>\n<figcaption>a &amp; b</figcaption>\n\n<pre><code class="language-js"><del>a\n</del><ins>b\n</ins><mark>c\n</mark></code></pre>\n</figure>\n\n<p>b</p>\n</li>\n</ol>',
  ],
  [
    'hugo',
    'lines that the options of code mark',
    '```yaml {hl_lines=[1,"3-4"],linenos=true}\na\nb\nc\n```',
    '<pre><code class="language-yaml"><mark>a\n</mark>b\n<mark>c\n</mark></code></pre>',
  ],
  [
    'vitepress',
    'tabs of plugins',
    '::: tabs key:os\n== Mac\na\n```md\n== b\n```\n@tab:active Linux#l\nc\n:::',
    tab('Mac', '<p>a</p><pre><code class="language-md">== b\n</code></pre>') + tab('Linux', '<p>c</p>'),
  ],
  [
    'hugo',
    'shortcodes that begin behind others',
    '{{< tabpane >}} {{% tab header="A" %}}\n\na\n\n{{% /tab %}} {{% tab header="B" %}}\n\nb\n\n{{% /tab %}} {{< /tabpane >}} {{< c >}}d',
    `${tab('A', '<p>a</p>')} ${tab('B', '<p>b</p>')}<p>d</p>`,
  ],
  [
    'vitepress',
    'code that only the compiler of Twoslash reads',
    '```vue twoslash\n<script>\na\n// ---cut---\nb\n// ---cut-start---\nc\n// ---cut-end---\nd\n// ---cut-after---\ne\n```',
    '<pre><code class="language-vue">&lt;script&gt;\nb\nd\n</code></pre>',
  ],
  [
    'starlight',
    'components that inline code names',
    '<Aside>\n    a `<Aside>`.\n</Aside>\nb',
    `${alert('note', 'Note', '<p>a <code>&lt;Aside&gt;</code>.</p>')}\n<p>b</p>`,
  ],
  [
    'vitepress',
    'custom elements, in which VuePress reads Markdown',
    '<code-group>\n<code-block title="Yarn" active>\n```sh\na\n```\n</code-block>\n</code-group>\nb <code-block/>',
    `${tab('Yarn', '<pre><code class="language-sh">a\n</code></pre>')}<p>b </p>`,
  ],
  [
    'vitepress',
    'an id of a block, and of a container',
    '::: tip Tea {#tea}\nx\n:::\n\na\n\n{#b}\n\n- c',
    `${alert('tip', 'Tea', '<p>x</p>')}\n<p>a</p>\n<p><a name="b"></a></p>\n<ul>\n<li>c</li>\n</ul>`,
  ],
  [
    'mdbook',
    'an id of a part of a line',
    '| a |\n|---|\n| <span id="t">b</span> `<span id="c">` |',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody><tr>\n<td><span><a name="t"></a>b</span> <code>&lt;span id="c"&gt;</code></td>\n</tr>\n</tbody></table>',
  ],
  [
    'obsidian',
    'marks and ids of blocks',
    'a ==b== ^id1\n\n| c |\n|---|\n^Id-2\n\n- d\n\n  ^e',
    '<p>a <mark>b</mark><a name="id1"></a></p><p><a name="id-2"></a></p><table>\n<thead>\n<tr>\n<th>c</th>\n</tr>\n</thead>\n</table><p><a name="e"></a></p><ul><li>d</li></ul>',
  ],
  [
    'obsidian',
    'ids below a list with blank lines, code and a quotation',
    '- a ^1\n\n- b\n\n^2\n\nc\n```\n\n^no\n```\n\n^3\n\n> d\n\n^4',
    '<p><a name="2"></a></p><ul><li><p>a<a name="1"></a></p></li><li><p>b</p></li></ul><p>c<br /><a name="3"></a></p><pre><code>\n^no\n</code></pre><p><a name="4"></a></p><blockquote><p>d</p></blockquote>',
  ],
  [
    'obsidian',
    'tasks in states of themes',
    '- [/] a\n- [>] b\n- [-] c\n- [x] d\n- [1] e\n\n> 1. [!] f',
    '<ul><li><input type="checkbox" disabled /> a</li><li><input type="checkbox" disabled /> b</li><li><input checked type="checkbox" disabled /> c</li><li><input checked type="checkbox" disabled /> d</li><li>[1] e</li></ul><blockquote><ol><li><input type="checkbox" disabled /> f</li></ol></blockquote>',
  ],
  [
    'docusaurus',
    'code that is MDX of the page',
    'a\n\n````mdx-code-block\n<div>\n\n  ```js\n  b\n  ```\n\n</div>\n````\n\n```mdx-code-block\n    *c*\n```\n`d`',
    '<p>a</p><div><pre><code class="language-js">b\n</code></pre></div><p><em>c</em></p><p><code>d</code></p>',
  ],
  ['obsidian', 'line breaks', 'a\nb\n\n- c\n  d', '<p>a<br />b</p><ul><li>c<br />d</li></ul>'],
  [
    'obsidian',
    'the state of blocks of Logseq',
    '- a\n  collapsed:: true\n  id:: 66a1b2c3-0a0a-4aaa-8bbb-0123456789ab\n  by:: b\n- `c`',
    '<ul><li>a<br />by:: b</li><li><code>c</code></li></ul>',
  ],
  ['obsidian', 'signs of waves', '10~20 at ~a~ ~~b~~', '<p>10~20 at ~a~ <del>b</del></p>'],
  [
    'obsidian',
    'frames within lines',
    'a <iframe width="1" src="https://a.example/?b&c" title="D"></iframe> `<iframe src="e">`\n\n- <iframe src="https://a.example/">f</iframe> <iframe>',
    '<p>a <a href="https://a.example/?b&amp;c" rel="nofollow">D</a> <code>&lt;iframe src="e"&gt;</code></p><ul><li><a href="https://a.example/" rel="nofollow">https://a.example/</a> &lt;iframe&gt;</li></ul>',
  ],
  ['mkdocs', 'lines of a paragraph', 'a\nb', '<p>a\nb</p>'],
  [
    'obsidian',
    'a callout with markup in its title, a picture and another callout',
    '- > [!faq|wide]+ Can *I* `x`?\n  > ![](a.png)\n  > b\n  > > [!todo]- Yes',
    '<ul><li><blockquote class="markdown-alert markdown-alert-important"><details open><summary class="markdown-alert-title"><strong>Can <em>I</em> <code>x</code>?</strong></summary><p><img src="http://wiki.example/en/docs/a.png" alt="" /><br />b</p><blockquote class="markdown-alert markdown-alert-note markdown-alert-todo"><details><summary class="markdown-alert-title"><strong>Yes</strong></summary></details></blockquote></details></blockquote></li></ul>',
  ],
]

describe('Dialects of Markdown', () => {
  for (const [dialect, what, markdown, html] of CASES)
    it(`${dialect}: ${what}`, () => expect(htmlOf(markdown, dialect)).to.equal(compact(html)))

  for (const [kind, types] of [
    ['note', 'note info my-type2'],
    ['note markdown-alert-todo', 'todo'],
    ['note markdown-alert-example', 'example'],
    ['note markdown-alert-quote', 'quote cite'],
    ['tip', 'tip hint abstract summary tldr'],
    ['tip markdown-alert-success', 'success check done'],
    ['important', 'important question help faq'],
    ['warning', 'warning attention'],
    ['caution', 'caution failure fail missing danger error'],
    ['caution markdown-alert-bug', 'bug'],
  ] as const)
    it(`obsidian: callouts that become alerts of the kind ${kind}`, () => {
      for (const type of types.split(' '))
        expect(htmlOf(`> [!${type}] a\n> b`, 'obsidian'), type).to.include(`markdown-alert-${kind}"`)
    })

  it('code is never read as a dialect', () => {
    const code = '```text\n!!! note\n:::tip\n{{< a >}}\n{: .b }\nimport a from "b"\n```'
    for (const dialect of ['mkdocs', 'vitepress', 'docusaurus', 'hugo', 'jekyll'])
      expect(htmlOf(code, dialect), dialect).to.equal(htmlOf(code, null))
  })

  it('plain Markdown shows what a dialect would read', () =>
    expect(htmlOf('!!! note\n\n::: tip {#a}', null)).to.equal('<p>!!! note</p><p>::: tip {#a}</p>'))

  it('an unknown dialect, of a later version, is plain Markdown', () =>
    expect(htmlOf('!!! note', 'later')).to.equal('<p>!!! note</p>'))

  it('ids of headings are those of the generator', () => {
    const idsOf = (dialect: string) =>
      [
        ...htmlOf(
          "## `a` & Émile's\n\n## 1. Foo.bar()\n\n## 1. Foo.bar()\n\n## Own {#mine}\n\n## on_tea",
          dialect,
        ).matchAll(/id="([^"]*)"/g),
      ].map(([, id]) => id)
    expect(idsOf('mkdocs')).to.deep.equal(['a-emiles', '1-foobar', '1-foobar_1', 'mine', 'on_tea'])
    expect(idsOf('vitepress')).to.deep.equal(['a-emile-s', '_1-foo-bar', '_1-foo-bar-1', 'mine', 'on-tea'])
    expect(idsOf('docusaurus')).to.deep.equal(['a--émiles', '1-foobar', '1-foobar-1', 'mine', 'on_tea'])
    expect(idsOf('jekyll')).to.deep.equal(['a--émiles', '1-foobar', '1-foobar-1', 'mine', 'on_tea'])
    expect(idsOf('obsidian').at(-1)).to.equal('on-tea')
    expect(idsOf('zola')).to.deep.equal(['a-emile-s', '1-foo-bar', '1-foo-bar-1', 'mine', 'on-tea'])
    expect(idsOf('mdbook')).to.deep.equal(['a--émiles', '1-foobar', '1-foobar-1', 'mine', 'on_tea'])
  })

  it('a heading of a note has the id that a link of Obsidian means, which leaves out signs', () => {
    expect(htmlOf('## A | B: c [d] #e', 'obsidian')).to.include('<h2 id="a-b-c-d-e">')
    expect(htmlOf('## A:B', 'obsidian')).to.equal('<h2 id="a-b"><a name="ab"></a>A:B</h2>')
  })

  it('links to headings lead there, too, if they are written as GitHub makes ids', () => {
    expect(htmlOf('## Node.js\n\n## Tea {#a.b}', 'vitepress')).to.equal(
      '<h2 id="node-js"><a name="nodejs"></a>Node.js</h2>\n<h2 id="a.b">Tea</h2>',
    )
    expect(htmlOf('## A & B', 'mkdocs')).to.equal('<h2 id="a-b"><a name="a--b"></a>A &amp; B</h2>')
    expect(htmlOf('## A & B {#c}\n\n## A & B', 'docusaurus')).not.to.include('name=')
  })

  it('sections have offsets in the text as it is written', () => {
    const markdown = '# A { #a }\n\n!!! note\n    x\n\n## B\n\ny\n'
    const sections = outlineOf(markdown, contextOf('mkdocs'))
    expect(sections.map(({ id, start, end }) => [id, markdown.slice(start, end)])).to.deep.equal([
      ['a', markdown],
      ['b', '## B\n\ny\n'],
    ])
  })

  it('a constant that is shown very often does not multiply a text', () => {
    const text = `export const a = \`${'x'.repeat(19_000)}\`\n\n${'<Code code={a} />\n'.repeat(5_000)}`
    const { markdown } = normalizeDialect(text, dialectOf('mdx')!)
    expect(markdown.length).to.be.within(19_000, 5_000_000)
  })

  it('a block may have more lines than a call may have arguments', () => {
    for (const [dialect, text] of [
      ['hugo', `\`\`\`\n${'a\n'.repeat(150_000)}\`\`\``],
      ['quarto', `+---+\n${'| a |\n'.repeat(150_000)}+---+`],
      ['wikijs', 'a^[b]\n'.repeat(150_000)],
    ] as const)
      expect(normalizeDialect(text, dialectOf(dialect)!).lines!.length).to.be.above(150_000)
  })

  it('hostile containers, tags and shortcodes take linear time', () => {
    const hostile: [string, (times: number) => string][] = [
      ['hugo', (n) => '{{% a %}}b{{% /a %}} '.repeat(n)],
      ['mdx', (n) => '<A>b</A> '.repeat(n)],
      ['mdx', (n) => `${'<a '.repeat(n / 10)}\n\n`.repeat(100)],
      ['mdx', (n) => '{/* '.repeat(10 * n)],
      ['vitepress', (n) => '::: a\n'.repeat(n)],
      ['vitepress', (n) => Array.from({ length: n }, (_, i) => `${':'.repeat(3 + (i % 500))} a`).join('\n')],
      [
        'mkdocs',
        (n) => Array.from({ length: n }, (_, i) => `${' '.repeat(4 * (i % 200))}!!! note`).join('\n'),
      ],
      ['mkdocs', (n) => '/// a\n'.repeat(n)],
      ['mkdocs', (n) => `a{${'#a '.repeat(n)}`],
      ['mkdocs', (n) => `a{${'data-'.repeat(n)}`],
      ...['{.a', '{c=c'].map((start): (typeof hostile)[number] => [
        'mkdocs',
        (n) => `a:${start}${start.slice(-2).repeat(500)}\n`.repeat(n / 100),
      ]),
      ['mkdocs', (n) => '`#!a b'.repeat(n)],
      ['docusaurus', (n) => '<A b={\n'.repeat(n)],
      ['docusaurus', (n) => '<A>\n'.repeat(n)],
      ['mdx', (n) => `<a${' >'.repeat(n)}b\n\n`],
      ['mdx', (n) => Array.from({ length: n }, (_, i) => `${' '.repeat(i % 300)}- a\n\n`).join('')],
      ['mdx', (n) => `b <A href="c">${'<A href="c">'.repeat(n)}`],
      ['mdx', (n) => '<A href="b">c</A> d '.repeat(n)],
      ['docusaurus', (n) => 'export const a = {\n'.repeat(n)],
      ['docusaurus', (n) => '<A b="'.repeat(n)],
      ['mdx', (n) => 'export const a = `'.repeat(n)],
      ['quarto', (n) => `+${'--+'.repeat(300)}\n${`|${'a|'.repeat(300)}\n`.repeat(n / 100)}`],
      ['quarto', (n) => '+--+\n'.repeat(n)],
      ['mdx', (n) => '<Code code={`\n'.repeat(n)],
      ['mdx', (n) => '<code>{`'.repeat(n)],
      ['mdx', (n) => `a {"{'${'{`'.repeat(n)}`],
      ['mdx', (n) => '**<A/> '.repeat(n)],
      [
        'docusaurus',
        (n) => `<Tabs values={[${"{label: 'a".repeat(n / 10)}]}>\n<TabItem value="a">\n`.repeat(9),
      ],
      ['docusaurus', (n) => '<CodeBlock>{`\n'.repeat(n)],
      ['hugo', (n) => '{{< a >}}\n'.repeat(n)],
      ['hugo', (n) => '{{< a \n'.repeat(n)],
      ['hugo', (n) => '{{<'.repeat(n)],
      ['jekyll', (n) => '{% highlight a %}\n'.repeat(n)],
      ['jekyll', (n) => '{% a '.repeat(n)],
      ['jekyll', (n) => '{% else %}\n'.repeat(n)],
      ['jekyll', (n) => '{% else %}'.repeat(n)],
      ['jekyll', (n) => `${'{# '.repeat(n)}#`],
      ['vitepress', (n) => '<li v-for="a">\n'.repeat(n)],
      ['vitepress', (n) => `a {{${' '.repeat(n)}b`],
      ['vitepress', (n) => `<a ${'v-pre '.repeat(n)}`],
      ['mdx', (n) => `# a${' [#b]'.repeat(n)}c`],
      ['mdx', (n) => `# a${' '.repeat(n)}c`],
      ['vitepress', (n) => `# a${' '.repeat(20 * n)}c`],
      ['vitepress', (n) => `<li ${'v-for '.repeat(n)}`],
      ['eleventy', (n) => `${'{% set a %}\n{% endset %}\n{{ a | highlight("'.repeat(n)}`],
      ['jekyll', (n) => `${'{%'.repeat(n)} %}`],
      ['jekyll', (n) => `<p${' id="a'.repeat(n)}`],
      ['gitbook', (n) => '{% hint %}\n'.repeat(n)],
      ['myst', (n) => '```{note}\n'.repeat(n)],
      ['myst', (n) => '```{note}\n:a: b\n```\n'.repeat(n)],
      ['myst', (n) => `${'```{note}\n:a:\n'.repeat(n)}\`\`\``],
      ['myst', (n) => ':::{a}\n'.repeat(n)],
      ['myst', (n) => '{a}`'.repeat(n)],
      ['myst', (n) => `{a}\`${' <'.repeat(n)}`],
      ['mdx', (n) => `<A set:html={"${'\\"'.repeat(n)}`],
      ['eleventy', (n) => `::: a ${'{'.repeat(n)}`],
      ['mkdocs', (n) => '<iframe src="a">\n'.repeat(n)],
      ['obsidian', (n) => `a <iframe${' src="a"'.repeat(n)}`],
      ['mkdocs', (n) => `??? a "${'['.repeat(n)}"`],
      ['mkdocs', (n) => '<center>\n```\n'.repeat(n)],
      ['mkdocs', (n) => `!!!${' '.repeat(n)}!`],
      ['vitepress', (n) => `==${' '.repeat(n)}#b c`],
      ['vitepress', (n) => `== a${' '.repeat(n)}b #c d`],
      ['vitepress', (n) => '::: tabs\n== a\n```\n'.repeat(n)],
      ['vitepress', (n) => `::: code-group\n${'```a [b]\nc\n```\n'.repeat(n)}`],
      ['vitepress', (n) => `::: tabs\n${'== a\n'.repeat(n)}`],
      ['vitepress', (n) => `\`\`\`\na${' '.repeat(n)}b // ${'-- '.repeat(n)}\n`],
      ['vitepress', (n) => `\`\`\`\n${'// [!code '.repeat(n)}\n`],
      ['vitepress', (n) => `\`\`\`ansi\n${'\u001b[1'.repeat(n)}`],
      ['wikijs', (n) => '![a](b '.repeat(n)],
      ['wikijs', (n) => '^[a['.repeat(n)],
      ['wikijs', (n) => `^[${'[a]'.repeat(n)}`],
      ['wikijs', (n) => 'a^[b]\n# c\n'.repeat(n)],
      ['vitepress', (n) => `::: a ${'{b '.repeat(n)}`],
      ['mkdocs', (n) => ':   !!! a\n'.repeat(n)],
      ['starlight', (n) => '<div>\n'.repeat(n) + '</div>\n'.repeat(n)],
      ['vitepress', (n) => '- ::: a\n'.repeat(n)],
      [
        'vitepress',
        (n) => Array.from({ length: n }, (_, i) => `${' '.repeat(2 * (i % 200))}- ::: a`).join('\n'),
      ],
      ['mkdocs', (n) => '<!-- md:flag '.repeat(n)],
      ...['{>>', '{++a', '{~~a~>', '~>', '\\(a^', '$a', 'a^b', '~a', '\\[\n', '$$\n', '![a](b){'].map(
        (mark): (typeof hostile)[number] => ['mkdocs', (n) => `{~~${mark.repeat(n)}`],
      ),
      ...['$a ', '$a', '{ $', '{$a$'].map((mark): (typeof hostile)[number] => [
        'obsidian',
        (n) => mark.repeat(n),
      ]),
      ['wikijs', (n) => '![a](b(c) =1x'.repeat(n)],
      ['mkdocs', (n) => `${'[a]\n'.repeat(n)}\n[a]: b`],
      ['mkdocs', (n) => `${'[a] [b] '.repeat(n)}\n[a]: b`],
      ['mkdocs', (n) => `${'[['.repeat(n)}] [\n[a]: b`],
    ]
    for (const [dialect, write] of hostile) {
      const take = (times: number) => cpuTimeOf(() => normalizeDialect(write(times), dialectOf(dialect)!))
      // A collection of garbage counts, too, and can fall into any one run.
      const isLinear = () => {
        const long = take(4_000)
        return long < 8 * 4 * 1.5 || long < 8 * 4 * take(500)
      }
      expect(isLinear() || isLinear() || isLinear(), `${dialect}: ${write(3)}`).to.equal(true)
    }
  })

  it('mkdocs: formulas, in which no other mark counts', () => {
    for (const [markdown, tex] of [
      ['$\\sum_{i=1}^{n} x^2+y^2$', '\\sum_{i=1}^{n} x^2+y^2'],
      ['\\(a^2_{b=c}\\)', 'a^2_{b=c}'],
      ['\\(n\\)th', 'n'],
      ['\\[ x^2+y^2 \\]', 'x^2+y^2'],
      ['a\n\n- b\n\n    \\[\n    x_{i=1}^2\n    \\]', 'x_{i=1}^2'],
      ['$$\nx_{i=1}^2+y^2\n$$', 'x_{i=1}^2+y^2'],
      ['!!! note\n    $$x^2+y^2$$', 'x^2+y^2'],
    ] as const)
      expect(htmlOf(markdown, 'mkdocs')).to.include(`<annotation encoding="application/x-tex">${tex}</`)
  })

  it('obsidian: all that is between dollar signs is a formula, except between spaces and before digits', () => {
    const formulasIn = (markdown: string) =>
      Array.from(htmlOf(markdown, 'obsidian').matchAll(/x-tex">([^<]*)/g), ([, tex]) => tex)
    expect(
      formulasIn('$n · S · dl$ and $n S dl$, a$F^+$la, ($5 per $) US$5 or US$6 `$a b c$` $5 and $6 or 7$'),
    ).to.deep.equal(['n · S · dl', 'n S dl', 'F^+', '6 or 7'])
    expect(formulasIn('$$\na \\text{if $n is S$}\n$$')).to.have.length(1)
    expect(htmlOf('$n · S$', null)).to.include('<mo>·</mo>')
  })

  it('what a dialect writes is sanitized as everything else', () => {
    const hostile = [
      ['mdx', '<Code code={`\n```\n<script>alert(1)</script>\n`} />'],
      ['docusaurus', '<Card title="<img src=x onerror=alert(1)>" href="javascript:alert(1)" />'],
      ['docusaurus', '<Details summary="<script>alert(1)</script>">x</Details>'],
      ['mkdocs', '??? note "<img src=x onerror=alert(1)>"\n    x'],
      ['mkdocs', '# a { #b onclick="alert(1)" style="x" }'],
      ['hugo', '{{< figure src="javascript:alert(1)" alt="a" >}}'],
      ['wikijs', '![a](javascript:alert(1) =1x1)'],
      ['mkdocs', '![" b="](javascript:alert(1)){ width=5 onerror=alert(1) }'],
      ['mkdocs', '{++<img src=x onerror=alert(1)>++} \\(</annotation><script>alert(1)</script>^2\\)'],
      ['mdx', '<A set:html={"<img src=x onerror=alert(1)><script>a</script>"} />'],
      ['myst', '(a)=\n\n```{note} <img src=x onerror=alert(1)>\n{a}`<script>`\n```'],
      ['mkdocs', '<iframe src="javascript:alert(1)" title="<img src=x onerror=alert(1)>"></iframe>'],
      ['mdx', '<YouTube id="1>) <img src=x onerror=alert(1)>" />'],
      ['mkdocs', '{: #b" onclick="alert(1) }'],
      ['mkdocs', '??? note "[<img src=x onerror=alert(1)>](b)"\n    x'],
    ] as const
    for (const [dialect, markdown] of hostile)
      expect(htmlOf(markdown, dialect), markdown).not.to.match(
        /<script|<[^>]*(?:onerror|onclick|style=|javascript:)/i,
      )
  })
})
