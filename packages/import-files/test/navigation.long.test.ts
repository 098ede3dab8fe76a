import {
  folderEntries,
  fumadocsEntries,
  listEntries,
  nextraEntries,
  objectEntries,
  quartoEntries,
  sidebarEntries,
  tocEntries,
  yamlEntries,
} from '@lectern/import-files/files/recognition/navigation'
import { openFolderSource } from '@lectern/import-files/folder/source'
import { type GitOptions, openGitSource } from '@lectern/import-files/git/source'
import { type ImportSource, type PlacedPage, pageKey } from '@lectern/wiki/records'
import { expect } from 'chai'
import type { Database } from '../../../src/db/database.ts'
import { runImport } from '../../../src/write/run-import.ts'
import { cpuTimeOf, cpuTimeOfAll } from '../../../test/support/cpu-time.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { writeFiles } from '../../../test/support/folder.ts'
import { commit, type Files, newRepository, take } from '../../../test/support/git.ts'
import { storedContent } from '../../../test/support/importing.ts'
import { clearWorld } from '../../../test/support/world.ts'

/** The titles of pages, by language and path, before those in the navigation. */
const titlesOf = async (files: Files): Promise<Record<string, string>> => {
  const folder = newRepository()
  commit(folder, files)
  const { pages, source } = await take(folder)
  const labels = new Map(source.order!()!.map((page) => [pageKey(page), page.navTitle]))
  return Object.fromEntries(
    pages.map((page) => {
      const titles = [page.revisions.at(-1)?.title ?? '', labels.get(pageKey(page)) ?? '']
      return [
        `${page.locale} ${page.path}`,
        titles.filter((title, i) => title !== titles[i - 1] && title).join(' < '),
      ]
    }),
  )
}

/** [what it promises, files, titles of pages] */
const CASES: readonly [string, Files, Record<string, string>][] = [
  [
    'mdBook: SUMMARY.md, which names pages without a title, and else has their titles in the navigation',
    {
      'book.toml': '',
      'src/SUMMARY.md':
        '# Summary\n\n[Foreword](foreword.md)\n\n- [The `brew` command](./brew/index.md)\n  - [Steam\\_ed](brew/steam.md)\n- [Draft]()\n',
      'src/foreword.md': '# Another',
      'src/brew/index.md': '## Brewing\n',
      'src/brew/steam.md': 'x',
      'src/left.md': '## Left\n',
    },
    {
      'en foreword': 'Another < Foreword',
      'en brew': 'The brew command',
      'en brew/steam': 'Steam_ed',
      'en left': 'Left',
    },
  ],
  [
    'GitBook: the SUMMARY.md of each language',
    {
      'book.json': '{}',
      'SUMMARY.md': '* [Tea](tea.md)',
      'LANGS.md': '* [fr](fr/)',
      'tea.md': '# x',
      'fr/SUMMARY.md': '* [Thé](tea.md "Du thé")',
      'fr/tea.md': '# y',
    },
    { 'en tea': 'x < Tea', 'fr tea': 'y < Thé' },
  ],
  [
    'MkDocs: nav, after the front matter',
    {
      'mkdocs.yml':
        'site_name: x\nnav:\n  - Home: index.md\n  - "Kinds: all":\n    - \'Green: tea\': kinds/green.md # the best\n    - kinds/black.md\n    - Web: https://tea.example/a.md\nplugins:\n  - Not: kinds/black.md\n',
      'docs/index.md': '---\ntitle: Start\n---\nx',
      'docs/kinds/green.md': '# x',
      'docs/kinds/black.md': '---\ntitle: Black\n---\n# x',
    },
    { 'en index': 'Start < Home', 'en kinds/green': 'x < Green: tea', 'en kinds/black': 'Black' },
  ],
  [
    'Docusaurus: sidebars.js, then sidebar_label, is the title in the navigation; title, then heading, that of the page',
    {
      'docusaurus.config.js': 'module.exports = {}',
      'sidebars.js':
        "// { id: 'tea', label: 'Wrong' }\nmodule.exports = { docs: [{ type: 'doc', id: 'tea', label: 'All \\'tea\\'' }, 'mate', { type: 'category', label: 'Cups', link: { type: 'doc', id: 'cups/index' }, items: ['a'] }] }",
      'docs/tea.md': '---\nsidebar_label: Label\ntitle: x\n---\n# y',
      'docs/mate.md': '---\nsidebar_label: Mate\ntitle: x\n---\n# y',
      'docs/cups/index.mdx': '# y',
      'docs/a.md': "import A from './a'\n\n## First\n",
    },
    { 'en tea': "x < All 'tea'", 'en mate': 'x < Mate', 'en cups': 'y < Cups', 'en a': 'First' },
  ],
  [
    'Docusaurus: the sidebars of further docs, in their folders',
    {
      'docusaurus.config.js':
        "module.exports = { plugins: [['content-docs', { path: 'cups', sidebarPath: path.join(__dirname, 'sidebars-cups.js') }], ['content-docs', { path: 'pots' }]] }",
      'sidebars.js': "module.exports = { a: [{ type: 'doc', id: 'tea', label: 'Tea' }] }",
      'sidebars-cups.js': "module.exports = { a: [{ type: 'doc', id: 'tea', label: 'Cup' }] }",
      ...{ 'docs/tea.md': '# x', 'cups/tea.md': '# y', 'pots/tea.md': '# z' },
    },
    { 'en tea': 'x < Tea', 'en cups/tea': 'y < Cup', 'en pots/tea': 'z' },
  ],
  [
    'Docusaurus: the labels of folders are titles of their pages in the navigation, if sidebars.js has none',
    {
      'docusaurus.config.js': 'module.exports = {}',
      'sidebars.js': "module.exports = { docs: [{ type: 'doc', id: 'a/index', label: 'Own' }] }",
      ...{ 'docs/a/_category_.json': '{ "label": "A" }', 'docs/a/index.md': '# x' },
      ...{ 'docs/b/_category_.yml': 'label: 1.10', 'docs/b/index.mdx': '---\ntitle: x\n---\n' },
      ...{ 'docs/c/_category_.yml': 'label: C\nx: [', 'docs/c/README.md': '# c' },
      ...{ 'docs/d/_category_.json': `{"label":"D","x":"${'x'.repeat(5_000)}"}`, 'docs/d/index.md': '# d' },
      ...{ 'docs/e/_category_.json': '{ "label": "E" }', 'docs/e/f.md': '# f' },
    },
    { 'en a': 'x < Own', 'en b': 'x < 1.10', 'en c': 'c', 'en d': 'd', 'en e/f': 'f' },
  ],
  [
    'VitePress: the sidebar, in all files of its configuration, but not the menu of the top bar',
    {
      'docs/.vitepress/config.ts':
        "export default { themeConfig: { nav: [{ text: 'Guide', link: '/guide/' }], sidebar: [{ text: `Start`, link: '/guide/' }, { base: '/guide', items: [{ text: 'Cups', link: '/cups' }] }] } }",
      'docs/.vitepress/config/fr.ts': "export const sidebar = [{ link: '/fr/guide/', text: 'Début' }]",
      'docs/.vitepress/config/index.ts':
        "export default { locales: { root: { label: 'English', link: '/tea' } } }",
      'docs/.vitepress/config/nav.ts': "export default [{ link: '/mate', text: 'Drinks' }]",
      'docs/tea.md': '# Tea',
      'docs/mate.md': '# Mate',
      'docs/guide/index.md': '# x',
      'docs/guide/cups.md': '# x',
      'docs/fr/guide/index.md': '# x',
      'docs/fr/guide/cups.md': '# y',
    },
    {
      ...{
        'en guide': 'x < Start',
        'en guide/cups': 'x < Cups',
        'fr guide': 'x < Début',
        'fr guide/cups': 'y',
      },
      ...{ 'en tea': 'Tea', 'en mate': 'Mate' },
    },
  ],
  [
    'Starlight: the label in the sidebar, of the configuration or of the page',
    {
      'astro.config.mjs':
        "starlight({ sidebar: [{ label: 'Green tea', slug: 'green' }, { label: 'x', autogenerate: {} }] })",
      'src/content/docs/green.md': '---\ntitle: x\n---\n',
      'src/content/docs/black.md': '---\ntitle: x\nsidebar:\n  order: 1\n  label: Black tea\n---\n',
    },
    { 'en green': 'x < Green tea', 'en black': 'x < Black tea' },
  ],
  [
    'Eleventy: title, a heading, and a title that only layouts show',
    {
      'eleventy.config.js': '',
      'src/news.md': '---\nnewstitle: News\n---\nx {% include "part.md" %}',
      'src/_includes/part.md': 'y',
      'src/pot.md': '---\nnewstitle: x\n---\n# Pot',
      'src/tea.md': '---\ntitle: x\neleventyNavigation:\n  key: Tea\n---\n# y',
      'src/cup.md': '---\ntitle: Cup\n---\n# y',
      'src/tag.md': "---\neleventyNavigation:\n  title: '<i></i><code>&lt;a-b&gt;</code>'\n---\n# y",
    },
    { 'en cup': 'Cup', 'en news': 'News', 'en pot': 'Pot', 'en tag': 'y < <a-b>', 'en tea': 'x < Tea' },
  ],
  [
    'a front page without a title has that of the site',
    { '_config.yml': 'title: All tea', 'index.md': 'x\n\n## y', 'tea.md': 'x' },
    { 'en index': 'All tea', 'en tea': 'tea' },
  ],
  [
    'Antora: nav.adoc',
    {
      'docs/antora.yml': 'name: tea',
      'docs/modules/ROOT/nav.adoc':
        '* xref:tea.adoc[All tea]\n** xref:brew:hot.adoc#x[Hot {x}]\n* xref:brew:ice.adoc[Ice]',
      'docs/modules/ROOT/pages/tea.adoc': '= x',
      'docs/modules/brew/pages/hot.adoc': '= Hot',
      'docs/modules/brew/pages/ice.adoc': '= x',
    },
    { 'en brew/hot': 'Hot', 'en brew/ice': 'x < Ice', 'en tea': 'x < All tea' },
  ],
  [
    'Nextra: _meta, but not the titles of the top bar, then sidebarTitle',
    {
      'next.config.mjs': "import nextra from 'nextra'",
      'content/_meta.tsx': `// { tea: 'Wrong' }
import { Cup } from './cup'
const Bar: FC<{ tea: 'Wrong' }> = ({ tea }) => { return <div className="bar">{tea}</div> }
const meta: Record<string, { title: string }> = {
  tea: 'All \\'tea\\'', mate: { title: <Cup>Mate</Cup> }, 'cups': CUPS, kinds: { type: 'page', title: 'Bar' }
}
export default meta satisfies MetaRecord`,
      'content/kinds/_meta.json': '{ "index": "Kinds of tea", "green-tea": { "title": "Green" } }',
      ...{ 'content/tea.mdx': '# x', 'content/mate.mdx': '---\nsidebarTitle: Yerba\ntitle: x\n---\n# y' },
      ...{
        'content/cups/index.mdx': '# Cups',
        'content/kinds/index.md': 'x',
        'content/kinds/green-tea.md': '',
      },
    },
    {
      ...{ 'en tea': "x < All 'tea'", 'en mate': 'x < Yerba', 'en cups': 'Cups', 'en kinds': 'Kinds of tea' },
      'en kinds/green-tea': 'Green',
    },
  ],
  [
    'Hugo: linkTitle, or the name in a menu',
    {
      'hugo.toml': '',
      'content/cup.md': '---\ntitle: All cups\nmenu:\n  docs:\n    name: Cups\n---\n',
      'content/pot.md': '---\ntitle: Pot\nmenu: main\n---\n',
      'content/tea.md': '---\ntitle: A long title\nlinkTitle: Tea\n---\n',
      'content/mate.md': '+++\ntitle = "x"\nLinkTitle = "Mate"\n+++\n',
    },
    {
      ...{ 'en tea': 'A long title < Tea', 'en mate': 'x < Mate' },
      ...{ 'en cup': 'All cups < Cups', 'en pot': 'Pot' },
    },
  ],
  [
    'Docsify: _sidebar.md, which is no page',
    {
      'docs/_sidebar.md': '- Kinds\n  - [Green tea](green)\n  - [**Black**](/more/black.md)\n',
      'docs/green.md': '# x',
      'docs/more/black.md': '# x',
      'docs/README.md': '# Home',
    },
    { 'en green': 'x < Green tea', 'en more/black': 'x < Black', 'en index': 'Home' },
  ],
  [
    'a heading of another level is the title if the text begins with it, else the file name',
    {
      'a.md': '![logo](x.png)\n\n### Brewing {#b}\n\ntext',
      'b.md': 'text\n\n## Contents\n',
      'c.md': '## First\n\n# Top\n',
    },
    { 'en a': 'Brewing', 'en b': 'b', 'en c': 'Top' },
  ],
]

describe('titles of the navigation', () => {
  for (const [title, files, expected] of CASES)
    it(title, async () => {
      expect(await titlesOf(files)).to.deep.equal(expected)
    })

  it('Gollum: titles stay the names of files', async () => {
    const files = { '_Sidebar.md': '- [Best](Green-Tea)', 'Green-Tea.md': '# x' }
    expect(await titlesOf(files)).to.deep.equal({ 'en Green-Tea': 'Green Tea' })
  })

  it('navigation that is broken, deep, circular or larger than 1 MiB takes linear time, and no page is lost', async () => {
    const deep = `${'{a:['.repeat(100_000)}{text:'Deep',link:'/tea'}`
    for (const config of [
      deep,
      `sidebar: ${'`'.repeat(60_001)}`,
      `sidebar: ${'{ text: "a'.repeat(60_000)}`,
      `/*${'/*'.repeat(60_000)}`,
      `{ text: 'Tea', link: '${'../'.repeat(20_000)}tea' }`,
    ])
      expect([...objectEntries(config)].length).to.be.at.most(1)
    const tables = `const A0 = { x: 'a' }\n${Array.from({ length: 9_000 }, (_, i) => `const A${i + 1} = { x: { items: A${i} }, y: { items: A${i} } }`).join('\n')}`
    for (const meta of [deep, 'a: {'.repeat(100_000), `${tables}\nexport default A9000`, '{ pages: ['])
      expect([...nextraEntries(meta), ...fumadocsEntries(meta)].length).to.be.at.most(1_100)
    const marks = ['[', '](', '- [', '* [x](<', '"', "- 'a': ", '- a: ']
    for (const mark of marks) {
      const line = `${mark.repeat(400)}\n`
      expect([...listEntries(line.repeat(600)), ...yamlEntries(`nav:\n${line.repeat(600)}`)]).to.deep.equal(
        [],
      )
    }
    const entriesOf = (text: string) =>
      [listEntries, sidebarEntries, yamlEntries, folderEntries, quartoEntries, tocEntries].map((of) => [
        ...of(text),
      ])
    for (const start of ['-', '- a', '- part:', '- [a](a']) {
      const timeOf = (filling: string, lines: number) =>
        cpuTimeOf(() => entriesOf(`nav:\n${`${start} ${filling.repeat(1_900)}.\n`.repeat(lines)}`))
      // A collection of garbage counts, too, and can fall into any one run.
      const isFast = () => timeOf(' ', 90) < timeOf('x', 3_000)
      expect(isFast() || isFast() || isFast(), start).to.equal(true)
    }
    const files = { 'book.toml': '', 'src/tea.md': '# Tea' }
    const circle = '- [Summary](SUMMARY.md)\n- [Out](../../../etc/passwd.md)\n- [Web](//tea.example/tea.md)\n'
    expect(await titlesOf({ ...files, 'src/SUMMARY.md': circle })).to.deep.equal({ 'en tea': 'Tea' })
    const ids = Array.from({ length: 4_000 }, (_, i) => `'a${i}'`).join()
    const sidebar = `a = [{ label: '${'*a '.repeat(10_000)}', items: [${ids}] }]`
    const site = { 'docusaurus.config.js': '', 'sidebars.js': sidebar, 'docs/a0.md': 'x' }
    expect(await cpuTimeOfAll(() => titlesOf(site))).to.be.below(3_000)
  })

  for (const [name, config, entry] of [
    ['docs/SUMMARY.md', '.gitbook.yaml', '- [Large](tea.md)\n'],
    ['mkdocs.yml', 'x', '- Large: tea.md\n'],
    ['sidebars.js', 'docusaurus.config.js', "a = [{ id: 'tea', label: 'Large' }]\n"],
  ] as const)
    it(`${name} of 8 MB is not read, and the import tells so`, async () => {
      const folder = newRepository()
      const text = `nav:\n${entry.repeat(8_000_000 / entry.length)}`
      commit(folder, { [config]: 'root: docs', 'docs/tea.md': '# Tea', [name]: text })
      const { maxRSS } = process.resourceUsage()
      const time = await cpuTimeOfAll(async () => {
        const { page, notes } = await take(folder)
        expect(page('tea').revisions[0]!.title).to.equal('Tea')
        expect(notes)
          .to.match(/^Files of the navigation that are not read/)
          .and.include(`: 1, first ${name}`)
      })
      expect(time).to.be.below(3_000)
      expect(process.resourceUsage().maxRSS - maxRSS, 'KiB').to.be.below(80_000)
    })
})

/** [what it promises, files, pages of the default language in their order] */
const ORDERS: readonly [string, Files, string][] = [
  [
    'mdBook: SUMMARY.md; folders are where their first page is, and then come pages that it lacks, by name',
    {
      'book.toml': '',
      'src/SUMMARY.md':
        '[Foreword](z.md)\n- [Brew](brew/b.md)\n- [A](a.md)\n- [Draft](draft.md)\n- [Rest](brew/a.md)',
      ...{ 'src/z.md': 'x', 'src/a.md': 'x', 'src/draft.md': '---\ndraft: true\n---\nx', 'src/x10.md': 'x' },
      ...{ 'src/x9.md': 'x', 'src/brew/a.md': 'x', 'src/brew/b.md': 'x', 'src/brew/c.md': 'x' },
    },
    'z brew/b brew/a brew/c a x9 x10',
  ],
  [
    'MkDocs: nav, also of pages without a title, in every language',
    {
      'mkdocs.yml':
        'nav:\n  - index.md\n  - Cups:\n      - "cups/tall.md"\n      - Low: cups/low.md\n  - about.md\n',
      ...{ 'docs/about.md': 'x', 'docs/index.md': 'x', 'docs/cups/low.md': 'x', 'docs/cups/tall.md': 'x' },
      ...{ 'docs/about.fr.md': 'x', 'docs/index.fr.md': 'x', 'docs/cups/low.fr.md': 'x' },
    },
    'index cups/tall cups/low about',
  ],
  [
    'Docusaurus: ids in sidebars.js, and the sidebar_position of pages that it generates from a folder',
    {
      'docusaurus.config.js': 'module.exports = {}',
      'sidebars.js':
        "module.exports = { docs: ['start', { Cups: ['cups/tall'] }, { type: 'autogenerated', dirName: 'brew' }, { FAQ: ['faq', 'faq/z'] }, { type: 'doc', id: 'a' }] }",
      ...{ 'docs/FAQ.md': '---\nid: faq\n---\nx', 'docs/faq/z.md': 'x' },
      ...{ 'docs/GettingStarted.md': '---\nid: start\n---\nx', 'docs/a.md': 'x', 'docs/cups/tall.md': 'x' },
      'docs/brew/a.md': '---\nsidebar_position: 10\n---\nx',
      'docs/brew/b.md': '---\nsidebar_position: 9.5\n---\nx',
    },
    'GettingStarted cups/tall brew/b brew/a FAQ faq/z a',
  ],
  [
    'Docusaurus: the position of folders',
    {
      'docusaurus.config.js': 'module.exports = {}',
      'docs/a/_category_.json': '{ "label": "A", "position": 3 }',
      ...{ 'docs/a/one.md': 'x', 'docs/b/one.md': 'x', 'docs/c/one.md': 'x' },
      ...{ 'docs/c/_category_.yml': 'position: 2', 'docs/d.md': '---\nsidebar_position: 2.5\n---\nx' },
    },
    'c/one d a/one b/one',
  ],
  [
    'VitePress: the sidebar, also of links without a text',
    {
      'docs/.vitepress/config.ts':
        "export default { themeConfig: { nav: [{ text: 'A', link: '/a' }], sidebar: [{ link: '/b/' }, { text: 'A', link: '/a' }] } }",
      ...{ 'docs/a.md': 'x', 'docs/b/index.md': 'x' },
    },
    'b a',
  ],
  [
    'VitePress: sidebars that functions return, in the folder of a language that its addresses lack',
    {
      'docs/.vitepress/config.ts': "export default { rewrites: { 'en/:rest*': ':rest*' } }",
      'docs/config.ts': `export default { nav: menu(), sidebar: { '/tea/': { base: '/tea/', items: teas() } } }
function nav(): Item[] { return [{ text: 'Tea', link: '/tea/a' }] }
function teas(): Item[] { return [{ text: 'C', items: [{ text: 'C', link: 'c' }] }, { text: 'A', link: 'a' }] }`,
      ...{ 'docs/en/tea/a.md': 'x', 'docs/en/tea/b.md': 'x', 'docs/en/tea/c.md': 'x' },
      ...{ 'docs/fr/tea/a.md': 'x' },
    },
    'tea/c tea/a tea/b',
  ],
  [
    'Starlight: slugs, folders, and the order in pages',
    {
      'astro.config.mjs':
        "starlight({ plugins: [check({ exclude: ['/cups', 'black'] })], sidebar: ['green', { label: 'Cups', autogenerate: { directory: 'cups' } }, { slug: 'black' }] })",
      ...{
        'src/content/docs/black.md': 'x',
        'src/content/docs/green.md': 'x',
        'src/content/docs/cups/a.md': 'x',
      },
      'src/content/docs/cups/b.md': '---\nsidebar:\n  order: 1\n---\nx',
    },
    'green cups/b cups/a black',
  ],
  [
    'Hugo: the weight of pages and of folders, also in a menu, but not in that of the top bar',
    {
      'hugo.toml': '',
      'content/e.md': '---\nmenu: {main: {weight: 1}}\n---\nx',
      'content/d.md': '+++\n[menu.docs]\nweight = 5\n+++\nx',
      'content/a/_index.md': '---\nweight: 20\n---\nx',
      ...{ 'content/a/one.md': 'x', 'content/b/_index.md': '+++\nweight = 3\n+++\nx', 'content/c.md': 'x' },
    },
    'b d a a/one c e',
  ],
  [
    'Sphinx: trees, from the front page on, also hidden ones and with patterns',
    {
      'docs/conf.py': "html_theme = 'x'\n",
      'docs/index.rst':
        'Tea\n===\n\n.. toctree::\n   :caption: A\n\n   mate\n   Cups <cups/index>\n\n.. toctree::\n   :hidden:\n   :glob:\n\n   b*\n',
      'docs/cups/index.rst': '.. toctree::\n\n   /cups/old\n   blue.rst\n',
      ...{ 'docs/cups/blue.rst': 'x', 'docs/cups/old.rst': 'x', 'docs/cups/a.rst': 'x' },
      ...{ 'docs/aaa.rst': 'x', 'docs/black.md': 'x', 'docs/brew.rst': 'x', 'docs/mate.rst': 'x' },
    },
    'index mate cups cups/old cups/blue cups/a black brew aaa',
  ],
  [
    'Gollum: the sidebar, in any case and not of other sites; not the sidebars of folders',
    {
      'Home.md': 'x',
      '_Sidebar.md':
        '[[z last]] · [Tea](teas/Green-Tea)\n- [a](https://tea.example/wiki/A)\n- [[x|./B.md#top]] [none](none)\n- [y](vue.js "y")',
      'deep/_Sidebar.md': '[[A]]',
      ...{ 'A.md': 'x', 'B.md': 'x', 'Z-Last.md': 'x', 'Green-Tea.md': 'x', 'Vue.js.md': 'x' },
    },
    'index Z-Last Green-Tea B Vue.js A',
  ],
  [
    'Jekyll: nav_order',
    {
      '_config.yml': 'title: Tea',
      ...{ 'a.md': '---\nnav_order: 2\n---\nx', 'b.md': '---\nnav_order: 1\n---\nx' },
    },
    'b a',
  ],
  [
    'Nextra: _meta of each folder, then the others by name; the front page and the pages of folders are the first',
    {
      'next.config.mjs': "import nextra from 'nextra'",
      'content/_meta.ts':
        "export default { '*': { theme: {} }, z: '', _: { type: 'separator' }, cups: '', 'a/b': '' }",
      'content/cups/_meta.js': "export default { tall: 'Tall', index: 'Cups', low: 'Low' }",
      'content/kinds/_meta.js': "export default { green: '', index: '' }",
      ...{ 'content/index.mdx': 'x', 'content/z.mdx': 'x', 'content/a/b.mdx': 'x', 'content/b.mdx': 'x' },
      ...{ 'content/cups/index.mdx': 'x', 'content/cups/low.mdx': 'x', 'content/cups/tall.mdx': 'x' },
      ...{ 'content/kinds/index.mdx': 'x', 'content/kinds/black.mdx': 'x', 'content/kinds/green.mdx': 'x' },
    },
    'index z cups cups/tall cups/low a/b b kinds kinds/green kinds/black',
  ],
  [
    'Nextra: one _meta.global for all folders, with constants, and pages in the folder of the app',
    {
      'next.config.mjs': "import nextra from 'nextra'",
      'app/_meta.global.tsx':
        "const CUPS: MetaRecord = { tall: '', low: '' }\nexport default { docs: { type: 'page', items: { index: '', z: '', cups: { items: CUPS } } } }",
      ...{ 'app/docs/page.mdx': 'x', 'app/docs/a/page.mdx': 'x', 'app/docs/z/page.mdx': 'x' },
      ...{ 'app/docs/cups/low/page.mdx': 'x', 'app/docs/cups/tall/page.mdx': 'x', 'app/a/page.mdx': 'x' },
    },
    'docs docs/z docs/cups/tall docs/cups/low docs/a a',
  ],
  [
    'Fumadocs: the rest, folders that are taken apart, and what is no page',
    {
      'source.config.ts': "import { defineDocs } from 'fumadocs-mdx/config'",
      'content/docs/meta.json':
        '{ "pages": ["z", "---Kinds---", "...kinds", "...", "!b", "[Web](https://tea.example)", "./a.mdx"] }',
      'content/docs/cups/meta.json': '{ "title": "Cups", "pages": ["tall", "index"] }',
      'content/meta.json': '["docs"]',
      ...{
        'content/docs/index.mdx': 'x',
        'content/docs/z.mdx': 'x',
        'content/docs/a.mdx': 'x',
        'content/docs/b.mdx': 'x',
      },
      ...{
        'content/docs/kinds/green.mdx': 'x',
        'content/docs/cups/index.mdx': 'x',
        'content/blog/a.mdx': 'x',
      },
      ...{ 'content/docs/cups/low.mdx': 'x', 'content/docs/cups/tall.mdx': 'x' },
    },
    'blog/a docs docs/z docs/kinds/green docs/b docs/cups docs/cups/tall docs/cups/low docs/a',
  ],
  [
    'MkDocs: posts of a blog, the newest first',
    {
      ...{ 'mkdocs.yml': 'nav:\n  - z.md\n  - blog/index.md\n', 'docs/z.md': 'x', 'docs/a.md': 'x' },
      ...{
        'docs/blog/index.md': 'x',
        'docs/blog/about.md': 'x',
        'docs/blog/posts/a.md': '---\ndate: 2023-01-02\n---\nx',
      },
      ...{
        'docs/blog/posts/b/c.md': '---\ndate: { created: 2024-05-06 }\n---\nx',
        'docs/blog/posts/b/d.md': 'x',
      },
      ...{ 'docs/blog/posts/2024-01-02-d.md': 'x' },
    },
    'z blog blog/posts/b/c blog/posts/b/d blog/posts/2024-01-02-d blog/posts/a blog/about a',
  ],
  [
    'Quarto: the sidebar, without parts of pages',
    {
      '_quarto.yml':
        'website:\n  sidebar:\n    contents:\n      - z.qmd # last\n      - z.qmd\n      - text: "A"\n        href: cups/\n',
      ...{ 'z.qmd': '{{< include _part.qmd >}}', '_part.qmd': 'x', 'a.qmd': 'x', 'cups/index.qmd': 'x' },
    },
    'z cups a',
  ],
  [
    'MyST: the table of contents',
    {
      'docs/myst.yml':
        'project:\n  toc:\n    - file: z.md\n    - title: More\n      children:\n        - file: cups/low.md\n',
      ...{ 'docs/z.md': 'x', 'docs/a.md': 'x', 'docs/cups/low.md': 'x' },
    },
    'z cups/low a',
  ],
  [
    'Jupyter Book: the table of contents',
    {
      'docs/_config.yml': 'title: Tea\nexclude_patterns: [old]\n',
      'docs/_toc.yml':
        'format: jb-book\nroot: intro\nparts:\n  - caption: Kinds\n    chapters:\n    - file: z/green\n      sections:\n      - file: cups.md\n',
      ...{ 'docs/intro.md': 'x', 'docs/z/green.md': 'x', 'docs/cups.md': 'x', 'docs/a.md': 'x' },
      'docs/old/tea.md': 'x',
    },
    'intro z/green cups a',
  ],
  [
    'MkDocs: .pages and .nav.yml in folders',
    {
      'mkdocs.yml': 'plugins: [awesome-pages]\n',
      'docs/.pages': 'title: Tea\nnav:\n  - z.md\n  - ...\n  - More:\n    - Cups: cups # old\n',
      'docs/cups/.nav.yml': 'nav:\n  - "tall.md"\n',
      ...{ 'docs/z.md': 'x', 'docs/a.md': 'x', 'docs/cups/low.md': 'x', 'docs/cups/tall.md': 'x' },
    },
    'z a cups/tall cups/low',
  ],
  ['none, where nothing tells one', { 'content/b.md': 'x', 'content/a.md': 'x', 'next.config.js': '' }, ''],
]

describe('navigation and front matter of 10 MB', () => {
  const big = (line: string): string => line.repeat(Math.ceil(1e7 / line.length))
  for (const [title, files, pages] of [
    [
      'SUMMARY.md',
      { 'book.toml': '', 'src/SUMMARY.md': big('- [A](a.md)\n'), 'src/a.md': '# T' },
      { 'en a': 'T' },
    ],
    ['mkdocs.yml', { 'mkdocs.yml': `nav:\n${big('  - A: a.md\n')}`, 'docs/a.md': '# T' }, { 'en a': 'T' }],
    ['a sidebar', { '_sidebar.md': big('* [A](a.md)\n'), 'a.md': '# T' }, { 'en a': 'T' }],
    ['front matter', { 'a.md': '# T', 'b.md': `---\ntags: [${big('tea, ')}]\n---\n# B\n` }, { 'en a': 'T' }],
  ] as [string, Files, Record<string, string>][])
    it(`${title}: other pages are imported`, async () => {
      expect(await titlesOf(files)).to.deep.include(pages)
    })
})

describe('order of a site', () => {
  for (const [i, [title, files, expected]] of ORDERS.entries())
    it(title, async () => {
      const folder = newRepository()
      writeFiles(folder, files)
      const sources: ImportSource[] = [await openFolderSource(folder, { layouts: [] })]
      if (i === 0) {
        commit(folder, {})
        sources.push(await openGitSource(folder, { layouts: [] }))
      }
      for (const source of sources) {
        for await (const _ of source.records);
        const paths = source.order!()!.flatMap(({ locale, path }) => (locale === 'en' ? [path] : []))
        expect(paths.join(' ')).to.equal(expected)
        await source.close?.()
      }
    })
})

const pages = (names: string): Files => Object.fromEntries(names.split(' ').map((name) => [name, 'x']))

/** [what has groups, files, the pages of each group in their order; those without one are left out] */
const GROUPS: readonly [string, Files, Record<string, string>][] = [
  [
    'headings and items without a link in SUMMARY.md, up to a rule; not the title of the list',
    {
      'book.toml': '',
      'src/SUMMARY.md':
        '# Summary\n\n[A](a.md)\n# Kinds\n- [B](b.md)\n  - [C](c.md)\n- *Cups*\n  - [D](d.md)\n- [E](e.md)\n---\n[F](f.md)',
      ...pages('src/a.md src/b.md src/c.md src/d.md src/e.md src/f.md'),
    },
    { Kinds: 'b c e', 'Kinds > Cups': 'd' },
  ],
  [
    'MkDocs: sections of nav, also within each other',
    {
      'mkdocs.yml':
        'plugins:\n  - search:\nnav:\n  - a.md\n  - Kinds:\n    - B: b.md\n# later\n    - "Cups": # all\n      - c.md\n    - \'D\': d.md\n  - E: e.md\n',
      ...pages('docs/a.md docs/b.md docs/c.md docs/d.md docs/e.md'),
    },
    { Kinds: 'b d', 'Kinds > Cups': 'c' },
  ],
  [
    'MkDocs: not the title of a draft, for its folder',
    {
      'mkdocs.yml': 'nav:\n  - Draft: cups/index.md\n',
      'docs/cups/index.md': '---\ndraft: true\n---\nx',
      ...pages('docs/a.md docs/cups/b.md'),
    },
    {},
  ],
  [
    'Docusaurus: the innermost 8 of 9 categories',
    {
      'docusaurus.config.js': '',
      'sidebars.js': `a = [${"{ label: 'A', items: [".repeat(8)}{ label: 'B', link: { id: 'a' }, items: ['b'] }${']}'.repeat(8)}]`,
      ...pages('docs/a.md docs/b.md'),
    },
    { [`${'A > '.repeat(7)}B`]: 'a b' },
  ],
  [
    'MkDocs: a page with the name null',
    { 'mkdocs.yml': 'nav:\n  - Kinds:\n    - null.md\n  - b.md\n', ...pages('docs/b.md docs/null.md') },
    { Kinds: 'null' },
  ],
  [
    'Zensical: tables of nav',
    {
      'zensical.toml':
        '[project]\nnav = [\n  { "A" = "a.md" },\n  { "Kinds" = [\n    { "B" = "b.md" },\n  ]},\n]\n',
      ...pages('docs/a.md docs/b.md'),
    },
    { Kinds: 'b' },
  ],
  [
    'Docusaurus: categories, their short form, the label of a folder without a page, and generated ones',
    {
      'docusaurus.config.js':
        "module.exports = { presets: [['classic', { docs: { include: ['**/*.{md,mdx}'], editUrl: ({ a }) => { b({ a }) }, sidebarPath: './menu.js' } }]] }",
      'menu.js':
        "module.exports = { docs: ['a', { type: 'category', label: 'Kinds', link: { type: 'doc', id: 'b' }, items: ['c'] }, { Cups: ['d'] }, { type: 'category', label: 'All', items: [{ type: 'category', label: 'In', items: [{ type: 'autogenerated', dirName: 'e' }] }] }] }",
      'docs/f/_category_.json': '{ "label": "Folder" }',
      'docs/g/_category_.json': '{ "label": "Page" }',
      ...pages('docs/a.md docs/b.md docs/c.md docs/d.md docs/e/a.md docs/f/a.md docs/g/index.md docs/g/a.md'),
    },
    { Kinds: 'b c', Cups: 'd', 'All > In': 'e/a', Folder: 'f/a' },
  ],
  [
    'Docusaurus: functions that make categories',
    {
      'docusaurus.config.js': '',
      'sidebars.js':
        "const group = (label, items) => ({ type: 'category', label, items })\nmodule.exports = { docs: [group('All kinds', [group('Cups', ['a']), link('Site', 'b')]), { ...named('Pots'), items: ['c'] }, key('d', ['e'])] }",
      ...pages('docs/a.md docs/b.md docs/c.md docs/d.md docs/e.md'),
    },
    { 'All kinds > Cups': 'a', 'All kinds': 'b', Pots: 'c' },
  ],
  [
    'VitePress: groups of the sidebar, not menus, languages, types, and what code repeats for each page',
    {
      'docs/.vitepress/gen.ts':
        "const n = files.map(parse)\nn.forEach(({ a }) => { const list = [{ text: 'Back to', items: [{ text: 'All', link: '/b' }] }] })",
      'docs/.vitepress/config.ts':
        "const b: Options = { link: '/b' }\nexport default { locales: { root: { label: 'English', themeConfig: { nav: [{ text: 'Menu', items: [{ text: 'B', link: '/b' }] }], sidebar: [{ text: 'Kinds', items: [{ text: 'A', link: '/a' }] }, { text: 'B', link: '/b' }] } } } }",
      ...pages('docs/a.md docs/b.md'),
    },
    { Kinds: 'a' },
  ],
  [
    'Nextra: separators, and folders without a page',
    {
      'next.config.mjs': "import nextra from 'nextra'",
      'content/_meta.js':
        "export default { a: 'A', '-- 1': { type: 'separator', title: 'More' }, b: '', cups: 'All cups', pots: 'Draft' }",
      'content/pots/index.mdx': '---\ndraft: true\n---\nx',
      ...pages('content/a.mdx content/b.mdx content/cups/c.mdx content/pots/d.mdx'),
    },
    { More: 'b', 'All cups': 'cups/c' },
  ],
  [
    'Fumadocs: separators, and the title of a folder',
    {
      'source.config.ts': "import 'fumadocs-mdx'",
      'content/cups/meta.json': '{ "title": "Cups", "pages": ["c", "---[Icon]More---", "a"] }',
      ...pages('content/cups/a.mdx content/cups/c.mdx'),
    },
    { Cups: 'cups/c', 'Cups > More': 'cups/a' },
  ],
  [
    'Starlight: groups, also in other languages; not the page of wrong addresses',
    {
      'astro.config.mjs':
        "import { more } from './src/sidebar/index.ts'\nstarlight({ locales: { root: { lang: 'en' }, de: { lang: 'de' } }, sidebar: [{ label: 'Cups', items: [{ label: 'A', slug: 'a', translations: { de: 'x' } }, 'c'], translations: { fr: 'x', 'de': 'Tassen' } }, more] })",
      'src/sidebar/more.ts':
        "export const more = { label: 'More', items: [{ autogenerate: { directory: 'm' } }] }",
      'src/other.ts': "export const other = { label: 'Other', items: ['m/b'] }",
      ...pages('src/content/docs/404.md src/content/docs/a.md src/content/docs/c.md src/content/docs/m/b.md'),
      ...pages(
        'src/content/docs/de/404.md src/content/docs/de/a.md src/content/docs/de/c.md src/content/docs/de/m/b.md',
      ),
    },
    { Cups: 'a c', Tassen: 'a c', More: 'm/b m/b' },
  ],
  [
    'Jekyll: parents, of Just the Docs',
    {
      '_config.yml': 'title: Tea',
      'cups.md': '---\ntitle: Cups\nnav_order: 1\n---\nx',
      'low.md': '---\nparent: Cups\n---\nx',
      'flat.md': '---\nparent: Low\ngrand_parent: Cups\n---\nx',
    },
    { Cups: 'low', 'Cups > Low': 'flat' },
  ],
  [
    'Antora: titles of lists, and items without a reference',
    {
      'antora.yml': 'name: tea\n',
      'modules/ROOT/nav.adoc': '.Kinds\n* xref:a.adoc[A]\n* Cups\n** xref:b.adoc[B]\n',
      ...pages('modules/ROOT/pages/a.adoc modules/ROOT/pages/b.adoc'),
    },
    { Kinds: 'a', 'Kinds > Cups': 'b' },
  ],
  [
    'Gollum: headings, bold lines, and items without a link',
    {
      '_Sidebar.md':
        '# Tea wiki\n\n- [[A]]\n\n## Kinds\n- [Best](B)\n- Cups\n  - [[C]]\n\n**More:**\n\n[[D|e]]\n',
      ...pages('A.md B.md C.md E.md'),
    },
    { Kinds: 'B', 'Kinds > Cups': 'C', 'More:': 'E' },
  ],
  [
    'Sphinx: captions of trees, without markup and control characters; not empty ones. Of a text below the front page, several',
    {
      'conf.py': 'extensions = ["sphinx.ext.autodoc"]',
      'index.rst':
        'Tea\n===\n\n.. toctree::\n   :caption: \0\n\n   a\n\n.. toctree::\n   :caption: `All`\0 **Kinds**\x07\n\n   a\n\n.. toctree::\n\n   b\n   c/index\n   d/index\n',
      'c/index.rst': 'Cups\n====\n\n.. toctree::\n   :caption: Contents:\n\n   low\n',
      'd/index.rst':
        'More\n====\n\n.. toctree::\n   :caption: One\n\n   a\n\n.. toctree::\n   :caption: Two\n\n   b\n',
      ...pages('a.rst b.rst c/low.rst d/a.rst d/b.rst'),
    },
    { 'All Kinds': 'a', 'More > One': 'd/a', 'More > Two': 'd/b' },
  ],
]

describe('groups of a navigation', () => {
  for (const [title, files, expected] of GROUPS)
    it(title, async () => {
      const folder = newRepository()
      writeFiles(folder, files)
      const source = await openFolderSource(folder, { layouts: [] })
      const placed = source.order!()!
      const groupOf = ({ groupTitles }: PlacedPage) => groupTitles?.join(' > ')
      const groups = new Set(placed.flatMap((one) => groupOf(one) ?? []))
      const pathsOf = (group: string) => placed.flatMap((one) => (groupOf(one) === group ? [one.path] : []))
      const found = Array.from(groups, (group) => [group, pathsOf(group).join(' ')])
      expect(Object.fromEntries(found)).to.deep.equal(expected)
      await source.close?.()
    })
})

describe('titles of a navigation that changes', () => {
  let owner: Database
  before(async () => {
    owner = (await testDatabase()).owner
  })
  beforeEach(clearWorld)

  const FROM = { from: { name: 'main', isConfirmed: true } }
  const SUMMARY = 'src/SUMMARY.md'
  const importing = async (folder: string, options: Partial<GitOptions> = {}, name = 'main') => {
    const { summary } = await runImport(
      owner,
      (stored) => openGitSource(folder, { layouts: [], name: 'Tea', ...options, stored: () => stored }),
      { from: { ...FROM.from, name } },
    )
    return summary
  }

  const liveTitles = (rows: string[]) =>
    rows.filter((row) => row.startsWith('live_page ')).map((row) => /"title": "([^"]*)"/.exec(row)?.[1])

  it('git: only the pages with another title are read again, and an import from scratch gives the same', async () => {
    const folder = newRepository()
    commit(folder, {
      'book.toml': '',
      [SUMMARY]: '- [A](a.md)\n- [B](b.md)\n',
      'src/a.md': 'x',
      'src/b.md': 'x',
    })
    commit(folder, { 'src/a.md': 'y' })
    await importing(folder)
    commit(folder, { [SUMMARY]: '- [A](a.md)\n- [New](b.md)\n', 'src/a.md': 'z' })
    expect(await importing(folder)).to.include({ newRevisions: 1, changedRevisions: 1 })
    const stored = await storedContent(owner)
    expect(liveTitles(stored)).to.deep.equal(['A', 'New'])
    await clearWorld()
    await importing(folder)
    expect(await storedContent(owner)).to.deep.equal(stored)
  })

  const positions = async () => (await storedContent(owner)).filter((row) => row.startsWith('live_page_p'))
  const inOrder = (...paths: string[]) =>
    paths
      .map(
        (path, i) =>
          `live_page_position en ${path} {"position": ${i + 1}, "nav_title": "${path.toUpperCase()}", "site_path": "/${path}.html", "group_titles": null}`,
      )
      .sort()

  it('git: another order is no edit, and an import from scratch gives the same', async () => {
    const folder = newRepository()
    commit(folder, {
      'book.toml': '',
      [SUMMARY]: '- [A](a.md)\n- [B](b.md)\n- [C](c.md)\n',
      ...{ 'src/a.md': 'x', 'src/b.md': 'x', 'src/c.md': 'x', 'src/c/index.md': 'x' },
    })
    await importing(folder)
    expect(await positions()).to.deep.equal(inOrder('a', 'b', 'c'))
    commit(folder, { [SUMMARY]: '- [B](b.md)\n- [A](a.md)\n- [C](c.md)\n' })
    expect(await importing(folder)).to.include({ newRevisions: 0, changedRevisions: 0 })
    expect(await positions()).to.deep.equal(inOrder('b', 'a', 'c'))
    const stored = await storedContent(owner)
    await clearWorld()
    await importing(folder)
    expect(await storedContent(owner)).to.deep.equal(stored)
    await importing(folder, { layouts: ['src/{path}.md'] })
    expect(await positions()).to.include.members(inOrder('b', 'a', 'c'))
    commit(folder, { [SUMMARY]: null })
    await importing(folder)
    for (const row of await positions()) expect(row).to.include('"position": null, "nav_title": null')
  })

  it('several sources: all of the first, then the second, also when the first has more pages later', async () => {
    const [first, second] = [newRepository(), newRepository()]
    commit(first, {
      'book.toml': '',
      [SUMMARY]: '- [B](b.md)\n- [A](a.md)\n',
      'src/a.md': 'x',
      'src/b.md': 'x',
    })
    commit(second, {
      'book.toml': '',
      [SUMMARY]: '- [D](d.md)\n- [C](c.md)\n',
      'src/c.md': 'x',
      'src/d.md': 'x',
    })
    await importing(first)
    await importing(second, {}, 'second')
    expect(await positions()).to.deep.equal(inOrder('b', 'a', 'd', 'c'))
    commit(first, { [SUMMARY]: '- [B](b.md)\n- [E](e.md)\n- [A](a.md)\n', 'src/e.md': 'x' })
    await importing(first)
    expect(await positions()).to.deep.equal(inOrder('b', 'e', 'a', 'd', 'c'))
  })

  it('folder: another title is an edit', async () => {
    const folder = newRepository()
    const read = () =>
      runImport(
        owner,
        (stored) => openFolderSource(folder, { layouts: [], name: 'Tea', stored: () => stored }),
        FROM,
      )
    commit(folder, { 'book.toml': '', [SUMMARY]: '- [A](a.md)\n', 'src/a.md': 'x', 'src/b.md': 'x' })
    await read()
    expect((await read()).summary).to.include({ newRevisions: 0 })
    commit(folder, { [SUMMARY]: '- [Other](a.md)\n' })
    expect((await read()).summary).to.include({ newRevisions: 1 })
    expect(liveTitles(await storedContent(owner))).to.deep.equal(['Other', 'b'])
  })
})
