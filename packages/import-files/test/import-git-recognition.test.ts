import { expect } from 'chai'
import { commit, type Files, newRepository, refusalOf, take } from '../../../test/support/git.ts'

/** The message of a recognition, and the pages as `locale path`, sorted. */
const recognize = async (files: Files, options: { defaultLocale?: string; layouts?: string[] } = {}) => {
  const folder = newRepository()
  commit(folder, files)
  const { source, pages, notes, wiki } = await take(folder, options)
  return {
    message: source.recognition,
    pages: pages.map(({ locale, path }) => `${locale} ${path}`).sort(),
    defaultLocale: wiki?.type === 'wiki' && wiki.default_locale,
    notes,
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

describe('import git: recognition of site generators', () => {
  it('finds the pages of MkDocs in docs_dir, and prints the layout and the file that shows it', async () => {
    const { message, pages } = await recognize({
      'mkdocs.yml':
        'site_name: Tea\ndocs_dir: manual\nmarkdown_extensions:\n  - x:\n      y: !!python/name:tea.cup\n',
      'manual/tea/green.md': 'x',
      'README.md': 'x',
    })
    expect(message).to.equal(
      'Recognized MkDocs with the layout manual/{path}.md@en (mkdocs.yml). Override it with --layout.',
    )
    expect(pages).to.deep.equal(['en tea/green'])
  })

  it('finds docs/ if mkdocs.yml names no folder, and the language of its theme', async () => {
    const { pages, defaultLocale } = await recognize({
      'mkdocs.yml': 'site_name: Thé\ntheme:\n  name: material\n  language: fr\n',
      'docs/sencha.md': 'x',
    })
    expect(pages).to.deep.equal(['fr sencha'])
    expect(defaultLocale).to.equal('fr')
  })

  it('reads docs_dir of a mkdocs.yml that is nested too deeply for the parser', async () => {
    const { pages } = await recognize({
      'mkdocs.yml': `docs_dir: manual\nnav: ${'['.repeat(300)}${']'.repeat(300)}\n`,
      'manual/tea.md': 'x',
    })
    expect(pages).to.deep.equal(['en tea'])
  })

  it('finds the languages of MkDocs i18n in suffixes', async () => {
    const { pages } = await recognize({
      'mkdocs.yml':
        'plugins:\n  - search\n  - i18n:\n      docs_structure: suffix\n      languages:\n        - locale: en\n          default: true\n        - locale: pt_BR\n',
      'docs/tea.md': 'x',
      'docs/tea.pt_BR.md': 'x',
      'docs/tea.v2.md': 'x',
      'docs/only.pt_BR.md': 'x',
    })
    expect(pages).to.deep.equal(['en tea', 'en tea.v2', 'pt-br only', 'pt-br tea'])
  })

  it('finds the languages of MkDocs i18n in folders', async () => {
    const { pages } = await recognize({
      'mkdocs.yml':
        'plugins:\n  i18n:\n    docs_structure: folder\n    languages:\n      - locale: de\n        default: true\n      - locale: ja\n',
      'docs/de/tee.md': 'x',
      'docs/ja/ocha.md': 'x',
      'docs/index.md': 'x',
    })
    expect(pages).to.deep.equal(['de index', 'de tee', 'ja ocha'])
  })

  it('combines sites of MkDocs whose folders differ in the language alone', async () => {
    const { message, pages } = await recognize({
      'docs/en/mkdocs.yml': 'site_name: Tea\n',
      'docs/en/docs/tea/sencha.md': 'x',
      'docs/ru/docs/tea/sencha.md': 'x',
    })
    expect(message).to.include('docs/{locale:en|ru}/docs/{path}.md')
    expect(pages).to.deep.equal(['en tea/sencha', 'ru tea/sencha'])
  })

  it('finds the docs of Docusaurus and its translations, and leaves out parts of pages', async () => {
    const { message, pages, notes } = await recognize({
      'website/docusaurus.config.js': `// docs: { path: 'wrong' }
        module.exports = {
          i18n: { defaultLocale: 'en', locales: ['en', 'fr', 'pt-BR'] },
          presets: [['classic', { docs: { path: '../docs', sidebarPath: './sidebars.js' }, blog: { path: 'blog' } }]],
          url: 'https://tea.example', /* docs: { path: 'blog' } */
        }`,
      'docs/tea.mdx': 'x',
      'docs/intro.md': 'x',
      'docs/_part.md': 'x',
      'website/blog/news.md': 'x',
      'website/i18n/fr/docusaurus-plugin-content-docs/current/intro.md': 'x',
      'website/i18n/pt-BR/docusaurus-plugin-content-docs/current/tea.mdx': 'x',
      'website/i18n/fr/docusaurus-plugin-content-docs/version-1.0/intro.md': 'x',
    })
    expect(pages).to.deep.equal(['en intro', 'en tea', 'fr intro', 'pt-br tea'])
    expect(message).to.include(
      'website/i18n/{locale:fr|pt-BR}/docusaurus-plugin-content-docs/current/{path}.md,',
    )
    expect(notes).to.include('Files of navigation and parts of pages left out: 1, first docs/_part.md')
    expect(notes).to.include('Markdown files that match no layout: 2')
  })

  it('finds the chapters of mdBook, without its table of contents', async () => {
    const { message, pages } = await recognize({
      'guide/book.toml': '[book]\nsrc = "chapters"\nlanguage = "ja"\n',
      'guide/chapters/SUMMARY.md': '- [Tea](tea.md)\n',
      'guide/chapters/tea.md': 'x',
      'README.md': 'x',
    })
    expect(pages).to.deep.equal(['ja tea'])
    expect(message).to.include('mdBook').and.include('guide/book.toml')
  })

  it('finds the content of Hugo; _index.md is the page of its folder', async () => {
    const { message, pages } = await recognize({
      'hugo.toml': 'baseURL = "https://tea.example"\ndefaultContentLanguage = "ru"\n',
      'content/_index.md': 'x',
      'content/green/_index.md': 'x',
      'content/green/sencha/index.md': 'x',
      'themes/x/README.md': 'x',
    })
    expect(message).to.include('Hugo with the layout content/{path:_index}.md@ru (hugo.toml)')
    expect(pages).to.deep.equal(['ru green', 'ru green/sencha', 'ru index'])
  })

  it('finds the languages of Hugo in suffixes, in folders, and in contentDir of the configuration', async () => {
    const config = 'languages:\n  en: {weight: 1}\n  fr: {weight: 2}\n'
    expect(
      (await recognize({ 'config.yaml': config, 'content/tea.en.md': 'x', 'content/tea.fr.md': 'x' })).pages,
    ).to.deep.equal(['en tea', 'fr tea'])
    expect(
      (await recognize({ 'config.yaml': config, 'content/en/tea.md': 'x', 'content/fr/the.md': 'x' })).pages,
    ).to.deep.equal(['en tea', 'fr the'])
    expect(
      (
        await recognize({
          'config/_default/hugo.toml': 'defaultContentLanguage = "en"\n',
          'config/_default/languages.toml':
            '[en]\ncontentDir = "content/english"\n[fr]\ncontentDir = "content/french"\n',
          'content/english/tea.md': 'x',
          'content/french/tea.md': 'x',
        })
      ).pages,
    ).to.deep.equal(['en tea', 'fr tea'])
  })

  it('does not take the config.toml of another program for Hugo', async () => {
    const { message } = await recognize({ 'config.toml': 'title = "x"\n', 'tea.md': 'x' })
    expect(message).to.equal(
      'Recognized plain Markdown with the layout {path}.md. Override it with --layout.',
    )
  })

  it('finds the pages of VitePress and its folders of languages', async () => {
    const { message, pages } = await recognize({
      'site/.vitepress/config.mts': "export default { lang: 'en', srcDir: './src', cleanUrls: true }",
      'site/src/tea/sencha.md': 'x',
      'site/src/tea/gyokuro.md': 'x',
      'site/src/zh/tea/sencha.md': 'x',
      'site/src/io/streams.md': 'x',
    })
    expect(message).to.include('VitePress').and.include('site/src/{locale:zh}/{path}.md')
    expect(pages).to.deep.equal(['en io/streams', 'en tea/gyokuro', 'en tea/sencha', 'zh tea/sencha'])
  })

  it('finds the pages of Nextra and of Next.js, with suffixes and folders', async () => {
    const nextra =
      "import nextra from 'nextra'\nexport default { i18n: { locales: ['en-US', 'ja'], defaultLocale: 'en-US' } }"
    const suffixes = await recognize({
      'next.config.mjs': nextra,
      'pages/tea.en-US.mdx': 'x',
      'pages/tea.ja.mdx': 'x',
      'pages/_app.mdx': 'x',
    })
    expect(suffixes.message).to.include('Nextra')
    expect(suffixes.pages).to.deep.equal(['en-us tea', 'ja tea'])
    const folders = await recognize({
      'next.config.js': "module.exports = { i18n: { locales: ['en', 'ja'] } }",
      'src/content/en/tea.mdx': 'x',
      'src/content/ja/tea.mdx': 'x',
    })
    expect(folders.message).to.include('Next.js')
    expect(folders.pages).to.deep.equal(['en tea', 'ja tea'])
  })

  it('finds the pages of the app router of Next.js', async () => {
    const { message, pages } = await recognize({
      'next.config.ts': 'export default {}',
      'app/docs/tea/page.mdx': 'x',
      'app/docs/tea/part.mdx': 'x',
      'content/mate.mdx': 'x',
    })
    expect(message).to.include('app/{path}/page.mdx@en, content/{path}.mdx@en')
    expect(pages).to.deep.equal(['en docs/tea', 'en mate'])
  })

  it('finds the pages of Zensical and of Starlight', async () => {
    const zensical = await recognize({
      'zensical.toml': '[project]\ndocs_dir = "manual"\n[project.theme]\nlanguage = "fr"\n',
      'manual/the.md': 'x',
    })
    expect(zensical.message).to.include('Zensical with the layout manual/{path}.md@fr (zensical.toml)')
    const starlight = await recognize({
      'astro.config.mjs':
        "export default { integrations: [starlight({ defaultLocale: 'root', locales: { root: { label: 'x', lang: 'de' }, fr: { label: 'y' } } })] }",
      'src/content/docs/tee/sencha.md': 'x',
      'src/content/docs/fr/tee/sencha.mdx': 'x',
    })
    expect(starlight.message).to.include('Starlight')
    expect(starlight.pages).to.deep.equal(['de tee/sencha', 'fr tee/sencha'])
  })

  it('prefers another generator to GitBook, whose folder is often the whole repository', async () => {
    const { message } = await recognize({
      '.gitbook.yaml': 'structure:\n  summary: docs/README.md\n',
      'mkdocs.yml': 'site_name: Tea\n',
      'docs/tea.md': 'x',
      'README.md': 'x',
    })
    expect(message).to.include('MkDocs')
  })

  it('takes the site with the most pages', async () => {
    const { pages } = await recognize({
      'packages/a/mkdocs.yml': 'site_name: A\n',
      'packages/a/docs/one.md': 'x',
      'packages/b/mkdocs.yml': 'site_name: B\n',
      'packages/b/docs/two.md': 'x',
      'packages/b/docs/three.md': 'x',
    })
    expect(pages).to.deep.equal(['en three', 'en two'])
  })

  it('ignores configuration files of tests, examples and themes, and of sites without pages', async () => {
    const { message } = await recognize({
      'tests/mkdocs.yml': 'site_name: A\n',
      'tests/docs/one.md': 'x',
      'examples/x/book.toml': '[book]\n',
      'examples/x/src/one.md': 'x',
      'mkdocs.yml': 'docs_dir: ../elsewhere\n',
      'book.toml': '[book\n',
      'tea.md': 'x',
    })
    expect(message).to.include('plain Markdown')
  })

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
  it('finds the pages of Wiki.js by their front matter, with folders of languages', async () => {
    const { message, pages } = await recognize({
      'home.md': WIKIJS_PAGE,
      'tea/sencha.md': WIKIJS_PAGE,
      'fr/tea/sencha.md': WIKIJS_PAGE,
    })
    expect(message).to.include('Wiki.js').and.include('(front matter with editor and dateCreated)')
    expect(pages).to.deep.equal(['en home', 'en tea/sencha', 'fr tea/sencha'])
  })

  it('finds Gollum by its sidebar or home page: Home is the front page, and navigation is left out', async () => {
    const { message, pages, notes } = await recognize({
      'Home.md': 'x',
      'Green-Tea.markdown': 'x',
      '_Sidebar.md': 'x',
      'sub/_Footer.md': 'x',
    })
    expect(message).to.equal(
      'Recognized Gollum with the layouts {path:Home}.md@en, {path:Home}.markdown@en (Home.md). Override it with --layout.',
    )
    expect(pages).to.deep.equal(['en Green-Tea', 'en index'])
    expect(notes).to.include('Files of navigation and parts of pages left out: 2')
  })

  it('finds a vault of Obsidian by its settings', async () => {
    const { message, pages } = await recognize({
      'vault/.obsidian/app.json': '{}',
      'vault/Green tea.md': 'x',
      'README.md': 'x',
    })
    expect(message).to.include('Obsidian with the layout vault/{path}.md@en (vault/.obsidian)')
    expect(pages).to.deep.equal(['en Green tea'])
  })

  it('finds GitBook by .gitbook.yaml or SUMMARY.md', async () => {
    const configured = await recognize({
      '.gitbook.yaml': 'root: ./manual/\n',
      'manual/SUMMARY.md': 'x',
      'manual/tea.md': 'x',
    })
    expect(configured.message).to.include('GitBook with the layout manual/{path}.md@en (.gitbook.yaml)')
    expect(configured.pages).to.deep.equal(['en tea'])
    const legacy = await recognize({ 'SUMMARY.md': 'x', 'LANGS.md': 'x', 'en/tea.md': 'x', 'fr/tea.md': 'x' })
    expect(legacy.pages).to.deep.equal(['en tea', 'fr tea'])
  })

  it('finds Jekyll, without layouts and drafts; in a subfolder only with three pages', async () => {
    const top = await recognize({
      '_config.yml': 'title: Tea\nlang: de\n',
      'tea.md': 'x',
      '_posts/2024-01-01-news.markdown': 'x',
      '_layouts/x.md': 'x',
      '_drafts/x.md': 'x',
    })
    expect(top.message).to.include('Jekyll')
    expect(top.pages).to.deep.equal(['de _posts/2024-01-01-news', 'de tea'])
    const sub = { 'docs/_config.yml': 'theme: x\n', 'docs/index.md': 'x', 'tea.md': 'x' }
    expect((await recognize(sub)).message).to.include('plain Markdown')
    const three = await recognize({ ...sub, 'docs/a.md': 'x', 'docs/b.md': 'x' })
    expect(three.pages).to.deep.equal(['en a', 'en b', 'en index'])
  })

  it('of a plain repository takes every .md file, and other extensions only if there is none', async () => {
    const plain = await recognize({ 'en/tea.md': 'x', 'mate.mdx': 'x' })
    expect(plain.pages).to.deep.equal(['en en/tea'])
    expect(plain.notes).to.equal('Markdown files that match no layout: 1, first mate.mdx')
    const other = await recognize({ 'tea.mkd': 'x', 'mate.markdown': 'x', 'notes.txt': 'x' })
    expect(other.message).to.include('layouts {path}.markdown, {path}.mkd')
    expect(other.pages).to.deep.equal(['en mate', 'en tea'])
  })
})

describe('import git: options and recognition', () => {
  it('--layout overrides the recognition, and nothing is printed', async () => {
    const { message, pages } = await recognize(
      { 'mkdocs.yml': 'site_name: Tea\n', 'docs/tea.md': 'x' },
      { layouts: ['{path}.md'] },
    )
    expect(message).to.equal(null)
    expect(pages).to.deep.equal(['en docs/tea'])
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
        ...[
          'de',
          'en',
          'es',
          'fr',
          'it',
          'ja',
          'ko',
          'nl',
          'pl',
          'pt',
          'ru',
          'sv',
          'tr',
          'uk',
          'vi',
          'zh',
        ].flatMap((locale) => ['tea', 'mate'].map((page) => [`docs/${locale}/some/folder/${page}.md`, 'x'])),
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
