import { openFolderSource } from '@lectern/import-files/folder/source'
import type { ImportRecord } from '@lectern/wiki/records'
import { expect } from 'chai'
import { writeFiles } from '../../../test/support/folder.ts'
import { commit, type Files, newRepository, refusalOf, take } from '../../../test/support/git.ts'

/** The message of a recognition, and the pages as `locale path`, sorted. A folder needs no commit, and is recognized as a repository is. */
const recognize = async (
  files: Files,
  options: { defaultLocale?: string; layouts?: string[]; name?: string } = {},
) => {
  const folder = newRepository()
  writeFiles(folder, files)
  const source = await openFolderSource(folder, { layouts: [], ...options })
  const records: ImportRecord[] = []
  for await (const record of source.records) records.push(record)
  const wiki = records.find((record) => record.type === 'wiki')
  return {
    message: source.recognition,
    pages: records.flatMap((one) => (one.type === 'page' ? `${one.locale} ${one.path}` : [])).sort(),
    defaultLocale: wiki?.default_locale,
    notes: source.notes().join('\n'),
    order: source.order!()!,
    name: wiki?.name,
  }
}

const WIKIJS_PAGE = `---
title: Sencha
description: A green tea
published: true
date: 2024-01-01T00:00:00.000Z
tags: green tea, japan
editor: markdown
dateCreated: 2024-01-01T00:00:00.000Z
---

Text.
`

/** [what it promises, files (a name alone contains `x`), pages, parts of the message and notes] */
type Case = readonly [title: string, files: Readonly<Files> | string, pages: string, ...parts: string[]]

/** Files that contain `x`. @param names separated by spaces */
const x = (names: string): Files => Object.fromEntries(names.split(' ').map((name) => [name, 'x']))

const check = (cases: readonly Case[]): void => {
  for (const [title, files, pages, ...parts] of cases)
    it(title, async () => {
      const recognized = await recognize(typeof files === 'string' ? x(files) : files)
      expect(recognized.pages.join(', ')).to.equal(pages)
      for (const part of parts) expect(`${recognized.message}\n${recognized.notes}`).to.include(part)
    })
}

const HUGO_LANGUAGES = 'languages:\n  en: {weight: 1}\n  fr: {weight: 2}\n'
const NEXTRA =
  "import nextra from 'nextra'\nexport default { i18n: { locales: ['en-US', 'ja'], defaultLocale: 'en-US' } }"

describe('import git: recognition of site generators', () => {
  it('name the largest other site that has ten pages in other folders', async () => {
    const pages = (folder: string, count: number) =>
      Array.from({ length: count }, (_, i) => `${folder}/${i}.md`).join(' ')
    const web = `web/docusaurus.config.js web/docs/mkdocs.yml ${pages('web/docs', 2)} ${pages('web/docs/docs', 11)}`
    const others = (count: number) =>
      `docs/astro.config.mjs ${pages('docs/src/content/docs', count)} a/mkdocs.yml ${pages('a/docs', 9)}`
    const also =
      " Also found: Starlight in docs/src/content/docs/; to import it instead, set --layout 'docs/src/content/docs/{path}.md@en'."
    expect((await recognize(x(`${web} ${others(10)}`))).message)
      .to.match(/^Recognized Docu/)
      .and.include(also)
    expect((await recognize(x(`${web} ${others(9)}`))).message).to.not.include('Also found')
  })
  check([
    [
      'tells what is wrong with a site: its configuration, its navigation, and what needs its plugins',
      {
        'mkdocs.yml':
          'site_name: T\nnav:\n  - Gone: gone.md\n  - Draft: draft.md\n  - Tea: tea.md\n  bad: [x\n',
        'docs/draft.md': '---\ndraft: true\n---\nx',
        'docs/tea.md': '# Tea\n\n::: tea.cup\n    options: x\n',
        'docs/b.md': '```python title="x" exec="yes"\n```',
        'docs/c.md': '::: tip x\n\n`exec="yes"`',
      },
      'en b, en c, en draft, en tea',
      'WARNING: configuration files that are invalid, so not all of their settings count: 1, first mkdocs.yml (line 6: ',
      'Entries of the navigation whose files do not exist: 1, first gone.md in mkdocs.yml',
      'own plugins make, such as references of code: 2, first docs/b.md, docs/tea.md',
    ],
    [
      'tells of no page that only a translation has, and of nothing that plain Markdown does not mean',
      {
        'book.toml': '[book]',
        'src/SUMMARY.md': '# Summary\n\n- [Tea](tea.md)\n- [Gone](gone.md)',
        'src/tea.md': '::: tea.cup',
      },
      'en tea',
      'Recognized mdBook with the layout src/{path}.md@en (book.toml). Override it with --layout, or the language alone with --locale de.\nEntries of the navigation whose files do not exist: 1, first gone.md in src/SUMMARY.md',
    ],
    [
      'takes folders with pages of their own as content of Hugo, though the site is elsewhere',
      'docs/sources/_index.md docs/sources/tea/_index.md docs/sources/tea/green/_index.md docs/sources/tea/mate.md CODE.md',
      'en index, en tea, en tea/green, en tea/mate',
      'Recognized Hugo with the layout docs/sources/{path:_index}.md@en (_index.md)',
    ],
    [
      'tells of shortcodes of Hugo that show nothing',
      {
        'content/_index.md': '{{< cup >}}x{{< /cup >}} {{< ref "tea" >}} {{</* tea */>}}',
        ...{ 'content/tea.md': '{{< tea/kinds >}}', 'hugo.toml': '' },
      },
      'en index, en tea',
      "Edits with shortcodes of Hugo that show nothing, because only the site's templates make text: 1, first content/tea.md",
    ],
    [
      'takes less than three of them as plain Markdown',
      'docs/_index.md docs/tea/_index.md docs/tea/mate.md',
      'en docs/_index, en docs/tea/_index, en docs/tea/mate',
    ],
    [
      'finds the pages of MkDocs in docs_dir, and prints the layout and the file that shows it',
      {
        'mkdocs.yml':
          'site_name: Tea\ndocs_dir: manual\nmarkdown_extensions:\n  - x:\n      y: !!python/name:tea.cup\n',
        ...x('manual/tea/green.md README.md'),
      },
      'en tea/green',
      'Recognized MkDocs with the layout manual/{path}.md@en (mkdocs.yml). Override it with --layout, or the language alone with --locale de.\n',
    ],
    [
      'leaves out what mkdocs.yml or a plugin excludes',
      {
        'mkdocs.yml':
          'exclude_docs: |\n  # old\n  old/\n  /api/*.md\n  !no.md\ndraft_docs: "*-new.md"\nplugins:\n  exclude:\n    glob:\n      - parts/*\n',
        ...x(
          'docs/tea.md docs/old/a.md docs/b/old/a.md docs/api/a.md docs/b/api/a.md docs/b/a-new.md docs/parts/a.md',
        ),
        ...x('docs/no.md docs/older.md'),
      },
      'en b/api/a, en no, en older, en tea',
    ],
    [
      'takes back what mkdocs.yml excludes, in its order',
      {
        'mkdocs.yml': 'exclude_docs: |\n  *.md\n  !a1.md\n  /b/a1.md\n',
        ...x('docs/a1.md docs/a2.md docs/b/a1.md docs/c/a1.md'),
      },
      'en a1, en c/a1',
      'MkDocs',
    ],
    [
      'finds docs/ if mkdocs.yml names no folder, and the language of its theme',
      { 'mkdocs.yml': 'site_name: Thé\ntheme:\n  name: material\n  language: fr\n', ...x('docs/sencha.md') },
      'fr sencha',
    ],
    [
      'reads docs_dir of a mkdocs.yml that is nested too deeply for the parser',
      {
        'mkdocs.yml': `docs_dir: manual\nnav: ${'['.repeat(300)}${']'.repeat(300)}\n`,
        ...x('manual/tea.md'),
      },
      'en tea',
    ],
    [
      'finds the languages of MkDocs i18n in suffixes',
      {
        'mkdocs.yml':
          'plugins:\n  - search\n  - i18n:\n      docs_structure: suffix\n      languages:\n        - locale: en\n          default: true\n        - locale: pt_BR\n',
        ...x('docs/tea.md docs/tea.pt_BR.md docs/tea.v2.md docs/only.pt_BR.md'),
      },
      'en tea, en tea.v2, pt-br only, pt-br tea',
    ],
    [
      'finds the languages of MkDocs i18n in folders',
      {
        'mkdocs.yml':
          'plugins:\n  i18n:\n    docs_structure: folder\n    languages:\n      - locale: de\n        default: true\n      - locale: ja\n',
        ...x('docs/de/tee.md docs/ja/ocha.md docs/index.md'),
      },
      'de index, de tee, ja ocha',
    ],
    [
      'reads mkdocs.de.yml, and the settings that it inherits',
      {
        'docs/mkdocs.de.yml': 'INHERIT: config.yml\ndocs_dir: de\ntheme:\n  name: material\n',
        'docs/config.yml': 'docs_dir: x\ntheme:\n  language: de\nexclude_docs: old.md\n',
        ...x('docs/de/tee.md docs/de/old.md docs/x/tea.md'),
      },
      'de tee',
      'docs/de/{path}.md@de (docs/mkdocs.de.yml)',
    ],
    [
      'reads settings of MkDocs in files of other names',
      {
        'mkdocs-base.yml': 'site_name: Tea\nexclude_docs: old.md\n',
        'mkdocs-online.yml': 'INHERIT: mkdocs-base.yml\n',
        'mkdocs-nav.yml': 'nav:\n  - gone.md\n',
        '_config.yml': 'nav:\n  - other.md\n',
        ...x('docs/tea.md docs/old.md'),
      },
      'en tea',
      'MkDocs with the layout docs/{path}.md@en (mkdocs-base.yml)',
      'Entries of the navigation whose files do not exist: 1, first gone.md in mkdocs-nav.yml',
    ],
    [
      'reads a configuration below 200 files Gemfile',
      {
        'a/b/mkdocs.yml': 'docs_dir: manual\n',
        ...x(Array.from({ length: 200 }, (_, i) => `g${i}/Gemfile`).join(' ')),
        ...x('a/b/manual/tea.md'),
      },
      'en tea',
    ],
    [
      'reads a template of book.toml',
      {
        'book.toml.in': '[book]\ntitle = "@a@"\nsrc = "source"\n',
        ...x('source/tea.md source/SUMMARY.md.in'),
      },
      'en tea',
      'mdBook',
    ],
    [
      'reads options of Docusaurus in a constant',
      {
        'www/docusaurus.config.ts': `const contentDocsOptions = { editUrl: \`\${a}/b\`, path: '../docs', exclude: NOT }
          const NOT = ['**/notes.md', 'c.md']
          export default { presets: [{ docs: { path: '../rules', exclude: ['x/**'] } }] }`,
        ...x('rules/a.md rules/c.md rules/x/d.md rules/notes.md docs/b.md docs/c.md docs/notes.md'),
        ...x('docs/x/notes.md'),
      },
      'en a, en c, en docs/b, en notes',
    ],
    [
      'finds the languages of Jekyll in a folder with most pages',
      {
        '_config.yml': '',
        ...x('_a/tea.md _a/cup.md _a/de/tea.md _a/de/cup.md _a/fr/tea.md _a/fr/cup.md _a/jp/tea.md b.md'),
      },
      'de _a/cup, de _a/tea, en _a/cup, en _a/tea, en b, fr _a/cup, fr _a/tea, ja _a/tea',
    ],
    [
      'takes no name of several words for a language, and codes of countries for theirs',
      { '.vitepress/config.js': '', ...x('tea.md index.md es-module-syntax/index.md jp/tea.md') },
      'en es-module-syntax, en index, en tea, ja tea',
    ],
    [
      'reads no mkdocs.de.yml that inherits nothing, or is beside mkdocs.yml',
      {
        'a/mkdocs.yml': 'site_name: Tea\n',
        'a/mkdocs.de.yml': 'INHERIT: mkdocs.yml\ndocs_dir: de\n',
        'b/mkdocs.de.yml': 'docs_dir: de\n',
        ...x('a/docs/tea.md a/de/tee.md b/de/tee.md b/de/mate.md'),
      },
      'en tea',
    ],
    [
      'combines sites of MkDocs whose folders differ in the language alone',
      {
        'docs/en/mkdocs.yml': 'site_name: Tea\n',
        ...x('docs/en/docs/tea/sencha.md docs/ru/docs/tea/sencha.md'),
      },
      'en tea/sencha, ru tea/sencha',
      'docs/{locale:en|ru}/docs/{path}.md',
    ],
    [
      'finds the docs of Docusaurus and its translations, and leaves out parts of pages',
      {
        'website/docusaurus.config.js': `// docs: { path: 'wrong' }
        module.exports = {
          i18n: { defaultLocale: 'en', locales: ['en', 'fr', 'pt-BR'] },
          presets: [['classic', { docs: { path: '../docs', sidebarPath: './sidebars.js' }, blog: { path: 'blog' } }]],
          url: 'https://tea.example', /* docs: { path: 'blog' } */
        }`,
        ...x('docs/tea.mdx docs/intro.md docs/_part.md docs/_a/b.mdx website/blog/news.md'),
        ...x('website/i18n/fr/docusaurus-plugin-content-docs/current/intro.md'),
        ...x('website/i18n/pt-BR/docusaurus-plugin-content-docs/current/tea.mdx'),
        ...x('website/i18n/fr/docusaurus-plugin-content-docs/version-1.0/intro.md'),
      },
      'en blog/news, en intro, en tea, fr intro, pt-br tea',
      'website/i18n/{locale}/docusaurus-plugin-content-docs/current/{path}.md,',
      'Files of navigation and parts of pages left out: 2, first docs/_a/b.mdx, docs/_part.md',
      'Texts that match no layout: 1',
    ],
    [
      'finds further docs of Docusaurus, also without docs of that name, and no blog that is switched off',
      {
        'docusaurus.config.ts': `const tea = { id: 'tea', path: 'tea', sidebarPath: './tea.js' }
        export default { presets: [['classic', { docs: false, blog: false }]], plugins: [
          ['@docusaurus/plugin-content-docs', /** @type {x} */ ({ path: './tea/', editUrl: () => ({}) })],
          ["content-docs", { id: 'cups', path: 'more/cups', sidebarPath: require.resolve('./cups.js') }] ] }`,
        'cups.js': "module.exports = { all: [{ type: 'doc', id: 'a', label: 'x' }] }",
        ...x('tea/a.md more/cups/a.md docs/no.md blog/2020-01-02-no.md'),
      },
      'en a, en more/cups/a',
      '{folder:more/cups}/{path}.md',
    ],
    [
      'finds texts in other markups beside those of Docusaurus, and names those in other folders and signatures',
      {
        'docusaurus.config.js': '',
        ...x('docs/tea.md docs/cup.rst docs/pot.adoc docs/mate.org docs/tea.md.asc README.md old.rst'),
      },
      'en cup, en mate, en pot, en tea',
      'Texts that match no layout: 3, first README.md, docs/tea.md.asc, old.rst',
    ],
    [
      'finds the chapters of mdBook, without its table of contents',
      {
        'guide/book.toml': '[book]\nsrc = "chapters"\nlanguage = "ja"\n',
        ...x('guide/chapters/SUMMARY.md guide/chapters/tea.md README.md'),
      },
      'ja tea',
      'mdBook',
      'guide/book.toml',
    ],
    [
      'finds the content of Hugo; _index.md is the page of its folder',
      {
        'hugo.toml': 'baseURL = "https://tea.example"\ndefaultContentLanguage = "ru"\n',
        ...x('content/_index.md content/green/_index.md content/green/sencha/index.md themes/x/README.md'),
      },
      'ru green, ru green/sencha, ru index',
      'Hugo with the layout content/{path:_index}.md@ru (hugo.toml)',
    ],
    [
      'leaves out what Hugo never publishes, by its own settings or those of a folder above, or as a part of a page',
      {
        'hugo.toml': '',
        'content/a.md': '---\nbuild:\n  render: never\n  list: never\n---\nx',
        'content/b.md': '+++\n[_build]\nrender = false\nlist = false\n+++\nx',
        'content/c/index.md': '---\nheadless: true\n---\nx',
        ...x('content/bundle/index.md content/bundle/index.fr.md content/bundle/a.md content/bundle/b/c.md'),
        'content/listed.md': '---\nbuild: {render: never, list: local}\n---\nx',
        'content/linked.md': '---\nbuild: {list: never}\n---\nx',
        'content/parts/_index.md': '---\ncascade:\n  build: {render: never, list: never}\n---\nx',
        'content/parts/deep/d.md': 'x',
        'content/parts/own.md': '---\nbuild: {render: always}\n---\nx',
        'content/parts/open/_index.md': '---\ncascade:\n  - build: {render: always}\n---\nx',
        'content/parts/open/e.md': 'x',
      },
      'en bundle, en linked, en parts/open, en parts/open/e, en parts/own, fr bundle',
      'Files of navigation and parts of pages left out: 8, first content/a.md, content/b.md, content/bundle/a.md',
    ],
    [
      'finds what Hugo mounts below its content, unless its own page is there, or only a part is mounted',
      {
        'site/hugo.toml':
          '[[module.mounts]]\nsource = "../geps"\ntarget = "content/geps"\n[[module.mounts]]\nsource = "../old"\ntarget = "content/old"\nfiles = ["a.md"]\n[[module.mounts]]\nsource = "../../up"\ntarget = "content/up"\n',
        ...x('site/content/tea.md site/content/geps/_index.md geps/_index.md geps/one.md old/b.md README.md'),
      },
      'en geps, en geps/one, en tea',
      'Pages with two files; the first file is used: 1, first site/content/geps/_index.md, geps/_index.md',
    ],
    [
      'finds the languages of Hugo in suffixes',
      { 'config.yaml': HUGO_LANGUAGES, ...x('content/tea.en.md content/tea.fr.md') },
      'en tea, fr tea',
    ],
    [
      'finds the languages of Hugo in folders',
      { 'config.yaml': HUGO_LANGUAGES, ...x('content/en/tea.md content/fr/the.md') },
      'en tea, fr the',
    ],
    [
      'finds the languages of Hugo in contentDir of several configuration files',
      {
        'config/_default/hugo.toml': 'defaultContentLanguage = "en"\n',
        'config/_default/languages.toml':
          '[en]\ncontentDir = "content/english"\n[fr]\ncontentDir = "content/french"\n',
        ...x('content/english/tea.md content/english/index.md content/french/tea.md'),
      },
      'en index, en tea, fr tea',
    ],
    [
      'takes no folder of code for a language',
      x('tea.md cup.md src/tea.md src/cup.md bin/tea.md'),
      'en bin/tea, en cup, en src/cup, en src/tea, en tea',
    ],
    [
      'does not take the config.toml of another program for Hugo',
      { 'config.toml': 'title = "x"\n', ...x('tea.md') },
      'en tea',
      'Recognized plain Markdown with the layout {path}.md. Override it with --layout, or the language alone with --locale de.\n',
    ],
    [
      'finds the pages of VitePress and its folders of languages',
      {
        'site/.vitepress/config.mts':
          "export default { lang: 'en', vite: { srcDir: './sw' }, srcDir: './src' }",
        ...x(
          'site/src/tea/sencha.md site/src/tea/gyokuro.md site/src/tea/[id].md site/src/zh/tea/sencha.md site/src/io/streams.md',
        ),
      },
      'en io/streams, en tea/gyokuro, en tea/sencha, zh tea/sencha',
      'VitePress',
      'site/src/{locale:zh}/{path}.md',
    ],
    [
      'finds the pages of Nextra, with suffixes',
      { 'next.config.mjs': NEXTRA, ...x('pages/tea.en-US.mdx pages/tea.ja.mdx pages/_app.mdx') },
      'en-us tea, ja tea',
      'Nextra',
    ],
    [
      'finds the pages of Next.js, with folders',
      {
        'next.config.js': "module.exports = { i18n: { locales: ['en', 'ja'] } }",
        ...x('src/content/en/tea.mdx src/content/ja/tea.mdx'),
      },
      'en tea, ja tea',
      'Next.js',
    ],
    [
      'finds the pages of the app router of Next.js',
      {
        'next.config.ts': 'export default {}',
        ...x('app/docs/tea/page.mdx app/docs/tea/part.mdx content/mate.mdx'),
      },
      'en docs/tea, en mate',
      'app/{path}/page.mdx@en, content/{path}.mdx@en',
    ],
    [
      'finds the pages of a site that is the example of a theme of Hugo',
      { 'theme.toml': '', 'exampleSite/hugo.toml': '', ...x('README.md exampleSite/content/tea.md') },
      'en tea',
      'Hugo',
    ],
    [
      'finds the pages of Antora, without partials',
      {
        'docs/antora.yml': 'name: tea\n',
        ...x('docs/modules/ROOT/pages/index.adoc docs/modules/brew/pages/pots/big.adoc README.adoc'),
        ...x(
          'docs/modules/brew/pages/index.adoc docs/modules/brew/partials/a.adoc docs/modules/brew/nav.adoc',
        ),
      },
      'en brew, en brew/pots/big, en index',
      'Antora',
      'docs/modules/{folder:brew}/pages/{path}.adoc',
    ],
    [
      'finds the pages of Antora at the top of the repository',
      { 'antora.yml': 'name: tea\n', ...x('modules/ROOT/pages/index.adoc modules/brew/pages/hot.adoc') },
      'en brew/hot, en index',
      'modules/{folder:brew}/pages/{path}.adoc',
    ],
    [
      'finds the pages of Zola',
      { 'zola.toml': 'base_url = "/"\n', ...x('content/_index.md content/tea/_index.md README.md') },
      'en index, en tea',
      'Zola with the layout content/{path:_index}.md@en',
    ],
    [
      'finds the pages of a component of Antora that is in several folders, without those of another one',
      {
        'a/b/c/src/docs/antora.yml': 'name: tea\n',
        'cups/antora.yml': 'name: tea\n',
        'pots/antora.yml': 'name: pot\n',
        ...x('a/b/c/src/docs/modules/ROOT/pages/index.adoc a/b/c/src/docs/modules/brew/pages/hot.adoc'),
        ...x('cups/modules/cup/pages/big.adoc pots/modules/ROOT/pages/pot.adoc'),
      },
      'en brew/hot, en cup/big, en index',
      'Antora',
    ],
    [
      'finds the pages of Eleventy',
      {
        'docs/.eleventy.js': "module.exports = () => ({ dir: { input: 'src' } })",
        ...x('README.md docs/src/tea/index.md docs/src/_includes/a.md'),
      },
      'en tea',
      'Eleventy with the layout docs/src/{path}.md@en',
    ],
    [
      'leaves out what the configuration of Jekyll or Sphinx excludes',
      {
        '_config.yml': 'exclude:\n  - AGENTS.md\n  - old/\n  - "*.tmp.md"\n',
        ...x('AGENTS.md tea.md a.tmp.md old/tea.md older.md docs/old/tea.md'),
      },
      'en docs/old/tea, en older, en tea',
      'Jekyll',
    ],
    [
      'finds the pages of Zensical, without those that it excludes as MkDocs does',
      {
        'zensical.toml':
          '[project]\ndocs_dir = "manual"\nexclude_docs = "old/"\n[project.theme]\nlanguage = "fr"\n',
        ...x('manual/README.md manual/the.md manual/old/the.md'),
      },
      'fr index, fr the',
      'Zensical with the layout manual/{path:README}.md@fr (zensical.toml)',
    ],
    [
      'finds the pages of Starlight',
      {
        'astro.config.mjs':
          "export default { integrations: [starlight({ defaultLocale: 'root', locales: { root: { label: 'x', lang: 'de' }, fr: { label: 'y' } } })] }",
        ...x('src/content/docs/tee/sencha.md src/content/docs/fr/tee/sencha.mdx src/content/docs/_part.mdx'),
      },
      'de tee/sencha, fr tee/sencha',
      'Starlight',
    ],
    [
      'prefers another generator to GitBook, whose folder is often the whole repository',
      {
        '.gitbook.yaml': 'structure:\n  summary: docs/README.md\n',
        'mkdocs.yml': 'site_name: Tea\n',
        ...x('docs/tea.md README.md'),
      },
      'en tea',
      'MkDocs',
    ],
    [
      'takes the site with the most pages',
      x(
        'packages/a/mkdocs.yml packages/a/docs/one.md packages/b/mkdocs.yml packages/b/docs/two.md packages/b/docs/three.md',
      ),
      'en three, en two',
    ],
    [
      'ignores configuration files of tests, examples and themes, and of sites without pages',
      {
        ...x('tests/mkdocs.yml tests/docs/one.md examples/x/book.toml examples/x/src/one.md tea.md'),
        'mkdocs.yml': 'docs_dir: ../elsewhere\n',
        'book.toml': '[book\n',
      },
      'en examples/x/src/one, en tea, en tests/docs/one',
      'plain Markdown',
    ],
  ])

  it('reads many hostile configuration files in time', async () => {
    const { message } = await recognize(
      Object.fromEntries([
        ...Array.from({ length: 6 }, (_, i) => [`p${i}/mkdocs.yml`, '"'.repeat(60_000)] as const),
        ['p1/docs/tea.md', 'x'],
      ]),
    )
    expect(message).to.include('p1/docs/{path}.md')
  })

  it('never executes a configuration file, and reads a hostile one in time', async () => {
    const { message } = await recognize({
      '.vitepress/config.js': `process.exit(3); ${'/*'.repeat(10_000)}${"lang:'".repeat(4_000)}`,
      'mkdocs.yml': `${'a: &a [*a]\n'.repeat(2_000)}`,
      'tea.md': 'x',
    })
    expect(message).to.include('VitePress')
  })
})

describe('import git: recognition of wikis', () => {
  const JEKYLL_DOCS = { 'docs/_config.yml': 'theme: x\n', ...x('docs/index.md tea.md') }
  const FIRST_NOTES = Array.from({ length: 40 }, (_, i) => `a/${i + 10}`)
  check([
    [
      'finds the pages of Wiki.js by their front matter, with folders of languages',
      { 'home.md': WIKIJS_PAGE, 'tea/sencha.md': WIKIJS_PAGE, 'fr/tea/sencha.md': WIKIJS_PAGE },
      'en home, en tea/sencha, fr tea/sencha',
      'Wiki.js',
      '(front matter with editor and dateCreated)',
    ],
    [
      'finds Gollum by its sidebar or home page: Home is the front page, and navigation is left out',
      'Home.md Green-Tea.markdown _Sidebar.md sub/_Footer.md',
      'en Green-Tea, en index',
      'Recognized Gollum with the layouts {path:Home}.md@en, {path:Home}.markdown@en (Home.md). Override it with --layout, or the language alone with --locale de.\n',
      'Files of navigation and parts of pages left out: 2',
    ],
    [
      'files of Gollum whose names begin with a dot are pages, but not those of hidden folders, or of macOS',
      'Home.md .NET.md a/.NET-2.0.md .github/a.md a/.b/c.md ._Home.md .md',
      'en .NET, en a/.NET-2.0, en index',
    ],
    [
      'takes Home.md as a note of Obsidian if links have their targets first, or texts are embedded',
      {
        'Home.md': '[[Green tea|leaves]] [[Kettle#Iron|pot]]',
        'Green tea.md': '![[Kettle]]',
        'Kettle.md': '[[Home]]',
      },
      'en Green tea, en Home, en Kettle',
      'Obsidian with the layout {path}.md@en (links by name to notes)',
    ],
    [
      'takes Home.md as the front page of Gollum if more links have their targets last',
      {
        'Home.md': '[[leaves|Green-Tea]] [[pot|Kettle]] ![[Kettle]]',
        'Green-Tea.md': '[[Kettle]]',
        'Kettle.md': 'x',
      },
      'en Green-Tea, en Kettle, en index',
      'Gollum',
    ],
    [
      'a sidebar makes a wiki of Gollum, whatever its links are',
      {
        'Home.md': '[[Kettle|pot]]',
        '_Sidebar.md': '[[Kettle|pot]]',
        'Kettle.md': '[[Home|x]]',
        'A.md': '[[Kettle|x]]',
      },
      'en A, en Kettle, en index',
      'Gollum',
    ],
    [
      'notes that link each other by name are a vault of Obsidian, also without its settings',
      { 'A.md': '[[B]] %%x%%', 'B.md': '[[Kettle]]', 'Green tea.md': '[[A#x]]', 'Kettle.md': 'x' },
      'en A, en B, en Green tea, en Kettle',
      'Obsidian with the layout {path}.md@en (links by name to notes)',
    ],
    [
      'also if the first folder has many notes without such links',
      {
        ...x(FIRST_NOTES.map((name) => `${name}.md`).join(' ')),
        ...{ 'b/A.md': '[[B]]', 'b/B.md': '[[C]]', 'b/C.md': '[[D]]', 'b/D.md': '[[E]]', 'b/E.md': '[[F]]' },
      },
      [...FIRST_NOTES, 'b/A', 'b/B', 'b/C', 'b/D', 'b/E'].map((path) => `en ${path}`).join(', '),
      'Obsidian',
    ],
    [
      'links by name that lead to no file make no vault',
      { 'tea.md': 'See [[toc]] and [[Nothing]].', 'kettle.md': 'x' },
      'en kettle, en tea',
      'plain Markdown',
    ],
    [
      'links by name in two notes make no vault',
      { 'README.md': '[[pay]] [[tea]]', 'pay.md': '[[tea]]', 'tea.md': 'x' },
      'en index, en pay, en tea',
      'plain Markdown',
    ],
    [
      'finds a vault of Obsidian by its settings',
      { 'vault/.obsidian/app.json': '{}', 'vault/Green tea.md': 'x', 'README.md': 'x' },
      'en Green tea',
      'Obsidian with the layout vault/{path}.md@en (vault/.obsidian)',
    ],
    [
      'finds folders of languages side by side, also with translated names',
      '.obsidian/app.json en/en/Tea.md de/Tee.md ja/茶.md pt-BR/Chá.md README.md',
      'de Tee, en README, en en/Tea, ja 茶, pt-br Chá',
      'Obsidian with the layouts {locale:de|en|ja|pt-BR}/{path}.md, {path}.md@en (.obsidian)',
    ],
    [
      'finds them in a folder',
      'docs/en/tea.md docs/de/tee.md docs/fr/thé.md README.md',
      'de tee, en index, en tea, fr thé',
    ],
    [
      'codes of countries, words, and a few codes among other folders are no languages',
      'land/de/a.md land/it/b.md land/fr/c.md word/no/a.md word/is/b.md word/in/c.md en/a.md de/b.md io/c.md d/e.md f/g.md h/i.md',
      'en d/e, en de/b, en en/a, en f/g, en h/i, en io/c, en land/de/a, en land/fr/c, en land/it/b, en word/in/c, en word/is/b, en word/no/a',
    ],
    [
      'finds GitBook by .gitbook.yaml',
      { '.gitbook.yaml': 'root: ./manual/\n', ...x('manual/SUMMARY.md manual/tea.md') },
      'en tea',
      'GitBook with the layout manual/{path}.md@en (.gitbook.yaml)',
    ],
    ['finds GitBook by SUMMARY.md', 'SUMMARY.md LANGS.md en/tea.md fr/tea.md', 'en tea, fr tea'],
    [
      'finds Jekyll, without layouts and drafts',
      {
        '_config.yml': 'title: Tea\nlang: de\n',
        ...x('tea.md _posts/2024-01-01-news.markdown _layouts/x.md _drafts/x.md'),
      },
      'de _posts/2024-01-01-news, de tea',
      'Jekyll',
    ],
    ['takes no folder of Jekyll with less than three pages', JEKYLL_DOCS, 'en docs, en tea', 'plain'],
    [
      'takes a folder of Jekyll with three pages',
      { ...JEKYLL_DOCS, ...x('docs/a.md docs/b.md') },
      'en a, en b, en index',
    ],
    [
      'takes every text of a plain repository, in whatever markup',
      'en/tea.md mate.mdx cup.rst pot.adoc notes.txt',
      'en cup, en en/tea, en mate, en pot',
    ],
    [
      'takes the texts of Sphinx, next to its configuration',
      {
        'docs/conf.py': "html_theme = 'alabaster'\nlanguage = 'fr'\n",
        ...x('docs/tea.rst docs/cup.md docs/_build/a.rst README.md'),
      },
      'fr cup, fr tea',
      'Texts that match no layout: 1, first README.md',
    ],
    [
      'finds languages in folders of a folder, which stays in the path',
      'docs/tea.md docs/cup.md docs/ja/tea.md docs/ja/cup.md docs/io/port.md README.md',
      'en docs/cup, en docs/io/port, en docs/tea, en index, ja docs/cup, ja docs/tea',
      '{folder:docs}/{locale:ja}/',
    ],
    [
      'leaves out the folder in which folders of languages have most texts, and keeps a README beside their front page',
      'a/b/en/index.md a/b/en/tea/pot.mdx a/b/pt_BR/tea/pot.md README.md b/x.md',
      'en README, en b/x, en index, en tea/pot, pt-br tea/pot',
      'a/b/{locale:en|pt_BR}/{path:README}.md',
      ' (a/b/). Override',
    ],
    [
      'keeps the folder of languages if the default language has none',
      'docs/ja/a.md docs/ja/b.md docs/fr/a.md docs/fr/b.md docs/a.md',
      'en docs/a, fr docs/a, fr docs/b, ja docs/a, ja docs/b',
    ],
    [
      'finds languages at the end of a folder name, and English names of languages',
      'pages/a.md pages/b.md pages.ko/a.md pages.ko/b.md tea.md spanish/tea.md',
      'en pages/a, en pages/b, en tea, es tea, ko pages/a, ko pages/b',
    ],
    [
      'finds languages in suffixes',
      'thé.md thé.fr.md index.md index.zh-cn.md',
      'en index, en thé, fr thé, zh-cn index',
    ],
    [
      'finds languages in suffixes beside versions, and names with dots in other folders',
      'tea.md tea.fr.md v1.2.md v1.3.md a/b.js.md a/b.run.md a/b.stop.md',
      'en a/b.js, en a/b.run, en a/b.stop, en tea, en v1.2, en v1.3, fr tea',
    ],
    [
      'takes parts of a hierarchy of notes for languages only if they have a region',
      'tea.md tea.bug.md tea.pt-BR.md tea.hot.md tea.black.md tea.cold.md tea.white.md',
      'en tea, en tea.black, en tea.bug, en tea.cold, en tea.hot, en tea.white, pt-br tea',
    ],
    [
      'takes files with other extensions of Markdown only if there is no .md file',
      'tea.mkd mate.markdown notes.txt',
      'en mate, en tea',
      'layouts {path}.markdown, {path}.mkd',
    ],
  ])
})

describe('import git: a vault that Hugo publishes', () => {
  it('has links by name, so its Markdown is that of Obsidian', async () => {
    const dialectIn = async (files: Files) => {
      const folder = newRepository()
      commit(folder, { 'hugo.toml': '', 'content/tea.md': '[[cup]]', ...files })
      const { pages } = await take(folder)
      return pages.map(({ dialect }) => dialect)
    }
    expect(await dialectIn({})).to.deep.equal(['hugo'])
    expect(await dialectIn({ 'content/.obsidian/app.json': '{}' })).to.deep.equal(['obsidian'])
  })
})

describe('import git: the name of the wiki', () => {
  const named = (name: string, text: string, page: string): [string, Files] => [
    name,
    { [name]: text, [page]: 'x' },
  ]
  for (const [file, files] of [
    named('mkdocs.yml', 'site_name: Green: tea\nnav: []\n', 'docs/a.md'),
    named('zensical.toml', '[project]\nsite_name = "Green: tea"', 'docs/a.md'),
    named(
      '.vitepress/config.ts',
      "const x = {\n    title: 'x' }\nexport default { title: 'Green: tea' }",
      'a.md',
    ),
    named('.vuepress/config/shared.js', '// title: "x"\nexport default { "title": "Green: tea" }', 'a.md'),
    named(
      'docusaurus.config.js',
      "const x = {\n  y: {\n    title: 'x',\n  },\n  title: 'Green: tea',\n}",
      'docs/a.md',
    ),
    named('astro.config.mjs', "x([\n  starlight({ title: 'Green: tea' }),\n])", 'src/content/docs/a.md'),
    named('hugo.toml', 'title = "Green: tea"', 'content/a.md'),
    named('config/_default/hugo.yaml', 'languages:\n  fr:\n    title: "Green: tea"\n', 'content/a.md'),
    named('_config.yml', 'title: "Green: tea"', 'a.md'),
    named('book.toml', '[book]\ntitle = "Green: tea"', 'src/a.md'),
    named('conf.py', "project = 'Green: tea'\nhtml_theme = 'x'", 'a.rst'),
  ])
    it(`is that of the site: ${file}`, async () => {
      expect((await recognize(files)).name).to.equal('Green: tea')
    })

  it('is that of the user, or of the folder if the site has none that can be read', async () => {
    const { name } = await recognize({ 'mkdocs.yml': 'site_name: Tea', 'docs/a.md': 'x' }, { name: 'Mine' })
    expect(name).to.equal('Mine')
    for (const text of ['site_name: "\\u0007 "', 'site_name: [a]', 'title: Tea', 'site_name: !ENV [A, "B"]'])
      expect((await recognize({ 'mkdocs.yml': text, 'docs/a.md': 'x' })).name).to.match(/^wiki\d+$/)
  })
})

describe('import git: options and recognition', () => {
  it('leaves out hidden files, node_modules and templates of issues, and counts them', async () => {
    const folder = newRepository()
    const hidden =
      '.github/a.md .claude/skills/b.md node_modules/c/d.md docs/ISSUE_TEMPLATE.md .e.md x/.f/g.rst'
    commit(folder, x(`tea.md ${hidden}`))
    const { pages, notes } = await take(folder)
    expect(pages.map(({ path }) => path)).to.deep.equal(['tea'])
    expect(notes).to.include(
      'Texts in hidden folders or node_modules, and templates of issues, left out: 6, ',
    )
  })

  it('--layout overrides the recognition, and nothing is printed', async () => {
    const { message, pages } = await recognize(
      { 'mkdocs.yml': 'site_name: Tea\n', 'docs/tea.md': 'x' },
      { layouts: ['{path}.md'] },
    )
    expect(message).to.equal(null)
    expect(pages).to.deep.equal(['en docs/tea'])
  })

  it('--layout keeps dialect, language, names and titles of the site in whose folders most of its pages are', async () => {
    const folder = newRepository()
    const files = { 'mkdocs.yml': 'site_name: Tea\nnav:\n  - Green: tea.md\n', 'docs/tea.md': 'x' }
    commit(folder, { ...files, 'docs/draft.md': '---\ndraft: true\n---\nx', 'handbook/a.md': 'x' })
    const takeWith = async (...layouts: string[]) => {
      const { wiki, pages } = await take(folder, { layouts, name: undefined })
      return [
        wiki!.name,
        ...pages.map(({ path, dialect, revisions }) => [path, dialect, revisions[0]!.title]),
      ]
    }
    expect(await takeWith('docs/{path}.md@fr')).to.deep.equal([
      'Tea',
      ['draft', 'mkdocs', 'Draft'],
      ['tea', 'mkdocs', 'Green'],
    ])
    const [, ...others] = await takeWith('handbook/{path}.md')
    expect(others).to.deep.equal([['a', 'markdown', 'a']])
  })

  it('knows the path of each page in the URL of its site, if that is another', async () => {
    const docs = (text: string, ...names: string[]) => Object.fromEntries(names.map((name) => [name, text]))
    const slug = (text: string) => `---\nslug: ${text}\n---\nx`
    const sites: [files: Files, paths: string][] = [
      [
        {
          ...{ 'docusaurus.config.js': '', 'docs/b.md': slug('/c'), 'docs/cups/index.md': slug('d') },
          ...docs(
            'x',
            'docs/1-a.md',
            'docs/e/README.md',
            'blog/2020-01-02-tea.md',
            'i18n/fr/docusaurus-plugin-content-docs/current/1-a.md',
          ),
        },
        'en 1-a /docs/a, en b /docs/c, en blog/2020-01-02-tea /blog/2020/01/02/tea, en cups /docs/cups/d, en e /docs/e/, fr 1-a /docs/a',
      ],
      [
        {
          'docusaurus.config.js': 'trailingSlash: true',
          'docs/a.md': 'x',
          'blog/2020-01-02-tea.md': slug('/b'),
        },
        'en a /docs/a/, en blog/2020-01-02-tea /blog/b/',
      ],
      [docs('x', '.vitepress/config.ts', 'a.md', 'b/index.md'), 'en a /a.html, en b /b/'],
      [{ '.vitepress/config.ts': 'cleanUrls: true', ...docs('x', 'a.md', 'index.md') }, 'en index /'],
      [docs('', 'mkdocs.yml', 'docs/A.md'), 'en A /A/'],
      [{ 'mkdocs.yml': 'use_directory_urls: false', 'docs/a b.md': 'x' }, 'en a b /a b.html'],
      [
        { 'astro.config.mjs': '', 'src/content/docs/A.b.md': 'x', 'src/content/docs/c.md': slug('d/e') },
        'en A.b /ab/, en c /d/e/',
      ],
      [
        { '_config.yml': 'title: x', 'a.md': '---\npermalink: /b/../?c\n---\nx', 'd.md': 'x' },
        'en d /d.html',
      ],
    ]
    for (const [files, expected] of sites) {
      const { order } = await recognize(files)
      const found = order.flatMap(({ locale, path, sitePath }) =>
        sitePath ? [`${locale} ${path} ${sitePath}`] : [],
      )
      expect(found.sort().join(', ')).to.equal(expected)
    }
  })

  it('takes the version of Docusaurus that the site shows first, or another one', async () => {
    const files = {
      ...x('docs/tea.md versioned_docs/version-9/tea.md versioned_docs/version-10.1/tea.md'),
      'versioned_docs/version-10.1/mate.md': ':::tip\na\n:::',
      ...x('versioned_docs/version-10.1/_part.md versioned_docs/version-10.1/_cups/tall.md'),
      ...x('versioned_docs/version-9/_part.md'),
      'versioned_sidebars/version-10.1-sidebars.json':
        '{"a": [{"type": "doc", "id": "tea", "label": "Ten"}]}',
      'versioned_sidebars/version-9-sidebars.json': '{"a": [{"type": "doc", "id": "tea", "label": "Nine"}]}',
    }
    const { message } = await recognize({ ...files, 'docusaurus.config.js': '' })
    expect(message).to.match(
      / versioned_docs\/version-10\.1\/\{path\}\.md@en .* The site shows the version 10\.1 first; to import another, set --docs-version, such as next\.$/,
    )
    const options = (text: string) => `docs: { routeBasePath: '/', ${text} }`
    for (const [config, versions, layout, sitePath] of [
      ['', '["9", "10.1"]', '9', '/docs/tea'],
      [options("lastVersion: '9', versions: { '9': { path: 'v9' } }"), '', '9', '/v9/tea'],
      [options("onlyIncludeVersions: ['current', '9']"), '["10.1", "9"]', '9', undefined],
      [options("lastVersion: 'missing'"), '', '10.1', undefined],
    ]) {
      const site = await recognize({ ...files, 'docusaurus.config.js': config!, 'versions.json': versions! })
      expect(site.message, config).to.include(`versioned_docs/version-${layout}/{path}.md@en (`)
      expect(site.order.find(({ path }) => path === 'tea')?.sitePath).to.equal(sitePath)
    }
    const folder = newRepository()
    commit(folder, { ...files, 'docusaurus.config.js': "versions: { current: { path: '/canary' } }" })
    const old = 'versioned_docs/version-9/{path}.md@en'
    const cases: [{ docsVersion?: string; prefix?: string; layouts?: string[] }, string][] = [
      [{ docsVersion: 'next' }, 'tea /docs/canary/tea undefined'],
      [{ docsVersion: '9', prefix: 'old' }, 'old/tea /docs/9/tea Nine'],
      [{ layouts: [old] }, 'tea /docs/9/tea Nine'],
      [{ layouts: [old.replace('version-9', '{folder:$&}')] }, 'version-9/tea /docs/9/tea Nine'],
    ]
    for (const [options, expected] of cases) {
      const { source } = await take(folder, options)
      const found = source.order!()!.map(({ path, sitePath, navTitle }) => `${path} ${sitePath} ${navTitle}`)
      expect(found.join()).to.equal(expected)
    }
    const { formerPaths } = await take(folder, { docsVersion: '9' })
    expect(formerPaths('tea')).to.deep.equal(['en docs/9/tea', 'en docs/tea'])
    const refused = await refusalOf(folder, { docsVersion: '8' })
    expect(refused.message).to.include('must be a version of Docusaurus (here: 10.1, next, 9), but is "8"')
    const layouts = [
      'versioned_docs/version-10.1/_cups/{path}.md@en',
      'versioned_docs/version-10.1/{path}.md@en',
    ]
    const { pages } = await take(folder, { layouts })
    const found = pages.map(({ path, dialect, revisions }) => [path, dialect, revisions.at(-1)!.title])
    expect(found).to.deep.equal([
      ['mate', 'docusaurus', 'mate'],
      ['tall', 'docusaurus', 'tall'],
      ['tea', 'docusaurus', 'Ten'],
    ])
    const current = await recognize({ ...files, 'docusaurus.config.js': "docs: { lastVersion: 'current' }" })
    expect(current.message).to.match(/ docs\/\{path\}\.md@en .* the version next first; .*, such as 10\.1\.$/)
  })

  it('notes that the settings of a vault exclude, and its templates, are no pages; their pictures stay', async () => {
    const settings = { userIgnoreFilters: ['Private/', 'Old', '/^a(b+)+$/', '!x/', '', 1] }
    const files = {
      'v/.obsidian/app.json': JSON.stringify(settings),
      'v/.obsidian/templates.json': '{ "folder": "Sub/Templates/" }',
      'v/.obsidian/daily-notes.json': '{ "folder": "Daily" }',
      'v/.obsidian/plugins/templater-obsidian/data.json': '{ "templates_folder": "/T" }',
      'v/A.md': '![[cup.png]]',
      ...x('v/Private/b.md v/Private/cup.png v/Old1.md v/!x/c.md v/Sub/Templates/d.md v/T/e.md'),
      ...x('v/Sub/b.md v/Tea.md v/Daily/f.md v/Notes/Private/h.md'),
    }
    const shown = ['A', 'Daily/f', 'Notes/Private/h', 'Sub/b', 'Tea'].map((path) => `en ${path}`)
    const { pages, notes } = await recognize(files)
    expect(pages).to.deep.equal(shown)
    expect(notes).to.include("notes that the vault's settings exclude").and.include(': 5, first v/!x/c.md, ')
    expect(notes).to.include('which Lectern does not read; they exclude nothing: 1, first /^a(b+)+$/')
    expect((await recognize(files, { layouts: ['obsidian:v'] })).pages).to.deep.equal(shown)
    for (const [layout, more, others] of [
      ['v/{path}.md@en', {}, []],
      // Most files are excluded, or are no notes.
      ['v/{path}.md@en', x('v/T/1.md v/T/2.md v/T/3.md v/T/4.md v/T/5.md v/T/6.md v/T/7.md'), []],
      ['{path}.md@en', x('1.md 2.md 3.md 4.md 5.md 6.md 7.md 8.md 9.md a.md b.md'), '1 2 3 4 5 6 7 8 9 a b'],
      ['{path}.md@en', { 'mkdocs.yml': '', ...x('docs/1.md docs/2.md docs/3.md') }, 'docs/1 docs/2 docs/3'],
    ] as [string, Files, string | string[]][]) {
      const { pages } = await recognize({ ...files, ...more }, { layouts: [layout] })
      const start = layout.startsWith('v') ? 'en ' : 'en v/'
      const also = [others].flat().flatMap((one) => one.split(' ').map((path) => `en ${path}`))
      expect(pages).to.deep.equal([...also, ...shown.map((one) => one.replace('en ', start))])
    }
    for (const layout of ['v/Private/{path}.md', 'obsidian:v/Private'])
      expect(String(await recognize(files, { layouts: [layout] }).catch(String))).to.include(
        'matches no file',
      )
    expect((await recognize(files, { layouts: ['markdown'] })).pages).to.have.length(10)
    const folder = newRepository()
    commit(folder, files)
    const source = await openFolderSource(folder, { layouts: [] })
    const found: string[] = []
    for await (const one of source.records) if (one.type === 'page') found.push(`${one.locale} ${one.path}`)
    expect(found.sort()).to.deep.equal(shown)
    const pictures: string[] = []
    for await (const { path } of source.files!().list()) pictures.push(path)
    expect(pictures).to.deep.equal(['v/Private/cup.png'])
    await source.close?.()
  })

  it('drawings of Excalidraw in a vault are no pages, and are counted', async () => {
    const drawing = '---\n\nexcalidraw-plugin: parsed\ntags: [excalidraw]\n---\n# Switch to EXCALIDRAW VIEW\n'
    const files = {
      'Pot.excalidraw.md': drawing,
      'sub/Lid.md': drawing,
      'Tea.md': 'x',
      'Kinds.excalidraw.md': 'x',
    }
    const { pages, notes } = await recognize({ '.obsidian/app.json': '{}', ...files })
    expect(pages).to.deep.equal(['en Kinds.excalidraw', 'en Tea'])
    expect(notes).to.include('Drawings (Excalidraw)').and.include(': 2, first Pot.excalidraw.md, sub/Lid.md')
    expect((await recognize(files)).pages).to.have.length(4)
    const chosen = await recognize({ '.obsidian/app.json': '{}', ...files }, { layouts: ['{path}.md'] })
    expect(chosen.pages).to.deep.equal(pages)
  })

  it('a canvas in a vault is a page: cards in groups, in reading order, with links and edges', async () => {
    const node = (id: string, [x, y, width = 10, height = 10]: number[], more: object) => ({
      ...{ id, type: Object.keys(more)[0]!.replace('label', 'group').replace('url', 'link') },
      ...{ x, y, width, height, ...more },
    })
    const nodes = [
      node('t', [120, 110], { text: '# Start %%no\n\nno%%\n\nwith #idea [[Mate]] <!-- no\nno --> %%no' }),
      node('g', [0, 0, 500, 500], { label: 'Plan A' }),
      node('f', [10, 120], { file: 'sub/Tea.md', subpath: '#Cup' }),
      node('p', [10, 300], { file: 'cup.png' }),
      node('i', [5, 5, 100, 90], { label: 'Inner' }),
      node('c', [10, 10], { file: 'sub/Other.canvas' }),
      node('u', [900, 0], { url: 'https://tea.example/a_(b)' }),
    ]
    const edges = [
      { fromNode: 't', toNode: 'f', label: 'a *b* <!-- no' },
      { fromNode: 'g', toNode: 'u', toEnd: 'none' },
      { fromNode: 'c', toNode: 'p', fromEnd: 'arrow' },
      { fromNode: 'c', toNode: 'gone' },
    ]
    const folder = newRepository()
    commit(folder, {
      'Tea.md': 'To [[Map.canvas|it]], [it](Map.canvas).\n\n![[Map.canvas]]',
      ...{
        'Map.canvas': JSON.stringify({ nodes, edges }),
        'sub/Other.canvas': '',
        'Bad.canvas': '{"nodes": [{"text": "%%no%%"',
        'Draft.canvas': JSON.stringify({ nodes, draft: true }),
        'Meta.canvas': JSON.stringify({ nodes, metadata: { frontmatter: { publish: false } } }),
      },
    })
    expect((await take(folder, { layouts: [] })).pages.map(({ path }) => path)).to.deep.equal(['Tea'])
    commit(folder, { '.obsidian/app.json': '{}' })
    const { pages } = await take(folder, { layouts: [] })
    const texts = new Map(pages.map(({ path, revisions }) => [path, revisions.at(-1)!]))
    expect(texts.get('Map')).to.include({
      title: 'Map',
      markdown: `- [https://tea.example/a\\_(b)](https://tea.example/a_%28b%29)

## Plan A

- ![[sub/Tea#Cup]]
- **Start**

  with #idea [[Mate]]
- ![](/cup.png)

## Inner

- [[sub/Other]]

***

- Start → [[sub/Tea#Cup]]: a b
- Plan A — [https://tea.example/a\\_(b)](https://tea.example/a_%28b%29)
- [[sub/Other]] ↔ [cup.png](/cup.png)
`,
    })
    expect(texts.get('Map')!.categories).to.deep.equal([{ key: 'idea' }])
    expect(texts.get('Tea')!.markdown).to.equal('To [[Map|it]], [it](/en/Map).\n\n![[Map]]')
    expect([texts.get('sub/Other')!.markdown, texts.get('Bad')!.markdown]).to.deep.equal(['', ''])
    const hidden = pages.filter(({ state }) => state !== 'live').map(({ path }) => path)
    expect(hidden).to.have.members(['Draft', 'Meta'])
  })

  it('with explicitPublish, texts without the mark tell the tool, but no page includes or shows them', async () => {
    const marked = (text: string) => `---\npublish: true\n---\n${text}`
    const notes = Array.from({ length: 9 }, (_, i) => [`${i}.md`, `To [[${i + 1}]].`])
    const vault = newRepository()
    commit(vault, { ...Object.fromEntries(notes), 'a.md': marked('[[0]] %%no%%') })
    const ofVault = await take(vault, { layouts: [], explicitPublish: true })
    expect(ofVault.pages.find(({ path }) => path === 'a')!.revisions[0]!.markdown).to.equal('[[0]] ')
    const book = newRepository()
    commit(book, {
      ...{ 'book.toml': '', 'src/SUMMARY.md': '# Summary\n\n- [A](a.md)\n- [B](b.md)' },
      'src/a.md': marked('{{#include part.txt}} {{#include b.md}}'),
      ...{ 'src/b.md': 'no', 'src/part.txt': 'part' },
    })
    const ofBook = await take(book, { layouts: [], explicitPublish: true })
    const live = ofBook.pages.filter(({ state }) => state === 'live')
    expect(live.map(({ path, revisions }) => [path, revisions[0]!.markdown])).to.deep.equal([
      ['a', 'part {{#include b.md}}'],
    ])
  })

  it('names the option for a folder with nine of ten pages of a vault', async () => {
    const notes = (folder: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${folder}/${i}.md`, 'x']))
    const files = { 'v/.obsidian/app.json': '{}', ...notes('v/en', 9), 'v/z.md': 'x', 'README.md': 'x' }
    const hint = ' Nearly all pages are in v/en; to import it alone, set --layout obsidian:v/en.'
    const { message } = await recognize(files)
    expect(message).to.include(`Override it with --layout, or the language alone with --locale de.${hint}`)
    expect((await recognize(files, { layouts: ['obsidian:v/en'] })).pages[0]).to.equal('en 0')
    expect((await recognize({ ...files, ...notes('v/fr', 1) })).message).to.not.include('Nearly')
    expect((await recognize(notes('en', 20))).message).to.not.include('Nearly')
  })

  it('--locale sets the language of pages whose layout names none', async () => {
    const { pages, message } = await recognize(
      { 'mkdocs.yml': 'theme: {language: fr}\n', 'docs/tea.md': 'x', 'docs/tea.ja.md': 'x' },
      { defaultLocale: 'de' },
    )
    expect(pages).to.deep.equal(['de tea', 'ja tea'])
    expect(message).to.include('docs/{path}.md@de')
  })

  it('a repository without Markdown files is refused', async () => {
    const folder = newRepository()
    commit(folder, { 'notes.txt': 'x' })
    expect((await refusalOf(folder)).message).to.equal(
      'The repository contains no Markdown files (.md, .mdx, .markdown, …) at HEAD. It has .txt (1). ' +
        'If they are on another branch, set --ref. If they have another extension, set --layout.',
    )
  })

  it('a long list of layouts is abbreviated in the message', async () => {
    const { message, pages } = await recognize(
      Object.fromEntries([
        ['mkdocs.yml', 'site_name: Tea\n'],
        ...'de en es fr it ja ko nl pl pt ru sv tr uk vi zh'
          .split(' ')
          .flatMap((locale) => ['tea', 'mate'].map((page) => [`docs/${locale}/some/folder/${page}.md`, 'x'])),
        ['docs/x.mdx', 'x'],
        ['docs/x.mkd', 'x'],
        ['docs/x.mkdn', 'x'],
        ['docs/x.markdown', 'x'],
      ]),
    )
    expect(pages).to.include('zh some/folder/tea')
    expect(message!.length).to.be.below(300)
    expect(message).to.include('and 1 more')
  })
})
