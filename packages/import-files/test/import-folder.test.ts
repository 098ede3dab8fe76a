import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { FileSourceOptions } from '@lectern/import-files/files/layouts'
import { openFolderSource } from '@lectern/import-files/folder/source'
import { convertWikitextFile } from '@lectern/import-mediawiki/wikitext/file'
import { type ImportRecord, type PageRecord, wikiFileRecord } from '@lectern/wiki/records'
import { expect } from 'chai'
import { refuseWrongSource } from '../../../src/import/source-kind.ts'
import { cpuTimeOfAll } from '../../../test/support/cpu-time.ts'
import { failureOf } from '../../../test/support/failures.ts'
import { newNotesFolder, writeFiles } from '../../../test/support/folder.ts'
import { commit, type Files, git } from '../../../test/support/git.ts'
import { asLine } from '../../../test/support/importing.ts'

/** Reads a folder as an import does. Fails when a record is not valid. */
const take = async (folder: string, options: Partial<FileSourceOptions> = {}) => {
  await refuseWrongSource(folder)
  const source = await openFolderSource(folder, { layouts: [], wikitext: convertWikitextFile, ...options })
  const records: ImportRecord[] = []
  for await (const record of source.records) {
    expect(wikiFileRecord.parse(asLine(record))).to.deep.equal(asLine(record))
    records.push(asLine(record))
  }
  const pages = records.filter((record) => record.type === 'page')
  return {
    source,
    wiki: records.find((record) => record.type === 'wiki'),
    categories: records.filter((record) => record.type === 'category'),
    paths: pages.map(({ locale, path }) => `${locale} ${path}`),
    page: (path: string): PageRecord => pages.find((page) => page.path === path)!,
    /** Without the pages that have no title: most texts here have none. */
    notes: source
      .notes()
      .filter((note) => !note.startsWith('Pages whose title'))
      .join('\n'),
    untitled: source.notes().find((note) => note.startsWith('Pages whose title')),
  }
}

const takeFiles = (files: Files, options: Partial<FileSourceOptions> = {}) => {
  const folder = newNotesFolder()
  writeFiles(folder, files)
  return take(folder, options)
}

describe('import folder: pages', () => {
  it('have the language of the wiki, and the recognition says so, if it is that of the source in a region', async () => {
    const files = { 'tea.md': '# Tea' }
    const { paths, source } = await takeFiles(files, { wikiLocale: 'en-us' })
    expect(paths).to.deep.equal(['en-us tea'])
    expect(source.recognition).to.include('is that of the wiki, en-us')
    for (const options of [{ wikiLocale: 'de-at' }, { wikiLocale: 'en-us', defaultLocale: 'en' }])
      expect((await takeFiles(files, options)).paths).to.deep.equal(['en tea'])
  })

  it('makes one edit of each page, dated at the time when the file was changed', async () => {
    const { page, wiki, source } = await takeFiles(
      { 'tea/sencha.md': '# Sencha\n\nSteamed.' },
      { name: 'Tea' },
    )
    expect(source.recognition).to.equal(
      'Recognized plain Markdown with the layout {path}.md. Override it with --layout, or the language alone with --locale de.',
    )
    expect(wiki).to.deep.equal({
      type: 'wiki',
      name: 'Tea',
      default_locale: 'en',
      license: undefined,
      locales: [{ locale: 'en', name: 'English' }],
    })
    const [revision, ...others] = page('tea/sencha').revisions
    expect(others).to.deep.equal([])
    expect(revision).to.include({
      created_at: '2024-05-01T12:00:00.000000Z',
      author: '',
      comment: '',
      status: 'accepted',
      title: 'Sencha',
      markdown: '# Sencha\n\nSteamed.',
    })
  })

  it('is named after its folder, with or without a slash at the end', async () => {
    const folder = newNotesFolder()
    writeFiles(folder, { 'tea.md': 'x' })
    for (const path of [folder, `${folder}/`])
      expect((await take(path)).wiki).to.include({ name: basename(folder) })
  })

  it('recognizes a vault of Obsidian by its hidden folder, and converts its links and tags', async () => {
    const { source, page, paths, categories, notes } = await takeFiles({
      '.obsidian/app.json': '{}',
      'Books.base': 'x',
      '.obsidian/plugins/some/README.md': 'x',
      '.trash/old.md': 'x',
      'Tea.md': 'See [[Sencha]] and ![[cup.png]]. #hot ![[pour.mp3]] ![[a/plan.pdf]] [[plan.pdf#page=2]]',
      'Green/Sencha.md': '---\ntags: [green]\n---\nx',
      'img/cup.png': 'x',
      'a/plan.pdf': 'x',
      'a/pour.mp3': 'x',
    })
    expect(source.recognition).to.include('Recognized Obsidian')
    expect(notes).to.match(/^Bases of Obsidian .*: 1, first Books\.base$/m)
    expect(paths).to.deep.equal(['en Green/Sencha', 'en Tea'])
    expect(page('Tea').revisions[0]!.markdown).to.equal(
      'See [[Sencha]] and ![](/img/cup.png). #hot ![[a/pour.mp3]] [plan.pdf](/a/plan.pdf) [plan.pdf > page=2](/a/plan.pdf#page=2)',
    )
    expect(categories.map((record) => record.type === 'category' && record.key)).to.deep.equal([
      'green',
      'hot',
    ])
  })

  it('shows the properties of notes above their texts, without those that are used otherwise', async () => {
    const properties = [
      'title: Brew\ntags: [green]\naliases: [b]\ncssclasses: wide\npublish: true\nempty:\nnone: []',
      'author: "[[Lu Yu|Lu]]"\nfrom: [[Tea, Green]]\nmakers:\n  - "[[A]]"\n  - B & C, D\nrating: 7\npublished: 2024-01-01',
      'done: true\nsold: false\nsite: See https://tea.example/a_b|c.\nbook: by [Lu](https://lu.example)\ncategories: [x, "[[Y]]"]\ndescription: Hot',
      'odd: "#no $x$ ==m== %%open | <b>*x*"\nlines: |\n  one\n  two\nnested: {a: {b: "c|d"}}\nown: &own {part: *own}\ncover: cup.png\nphoto: "![[cup.png]]"',
    ]
    const files = { 'Tea.md': `---\n${properties.join('\n')}\n---\nText %%hidden%%`, 'cup.png': 'x' }
    const { page, categories } = await takeFiles({ ...files, '.obsidian/app.json': '{}' })
    expect(page('Tea').revisions[0]!.markdown).to.equal(
      [
        '|  |  |\n| --- | --- |\n| author | [[Lu Yu\\|Lu]] |\n| from | [[Tea, Green]] |\n| makers | [[A]], B & C\\, D  |',
        '| rating | 7 |\n| published | 2024-01-01 |\n| done | ☑ |\n| sold | ☐ |\n| site | See <https://tea.example/a_b%7Cc>. |',
        '| book | by [Lu](https://lu.example) |\n| categories | x, [[Y]]  |\n| description | Hot |',
        '| odd | \\#no \\$x\\$ =\\=m=\\= %\\%open \\| \\<b>\\*x\\* |\n| lines | one two |',
        '| nested | `{"a":{"b":"c\\|d"}}` |\n| own | `…` |\n| cover | [cup.png](/cup.png) |\n| photo | [cup.png](/cup.png) |\n\nText ',
      ].join('\n'),
    )
    expect(categories.map((one) => one.type === 'category' && one.name)).to.deep.equal(['green', 'x', 'Y'])
    const plain = await takeFiles(files)
    expect(plain.page('Tea').revisions[0]!.markdown).to.equal('Text %%hidden%%')
  })

  it('says that comments are hidden because notes link others by name, counts them, and reads them as text if told so', async () => {
    const files = { 'a.md': 'See [[b]].', 'b.md': 'A %%hidden%% C', 'c.md': '%%PATH%% and %%TEMP%%' }
    const hiding = await takeFiles(files)
    expect(hiding.source.recognition).to.match(
      /^Recognized plain Markdown .* hidden; .* set --layout markdown\.$/,
    )
    expect(hiding.notes).to.match(
      /^Pages with comments of Obsidian .*, set --layout markdown: 2, first b\.md, c\.md$/m,
    )
    expect(hiding.page('b').revisions[0]!.markdown).to.equal('A  C')
    const none = await takeFiles({ ...files, 'b.md': 'x', 'c.md': '`%%x%%`' })
    expect(none.source.recognition).to.match(/ or the language alone with --locale de\.$/)
    expect(none.notes).to.equal('')
    const plain = await takeFiles({ ...files, 'mkdocs.yml': '' }, { layouts: ['markdown'] })
    expect([plain.source.recognition, plain.notes]).to.deep.equal([null, ''])
    expect(plain.paths).to.deep.equal(['en a', 'en b', 'en c'])
    expect(plain.page('b').revisions[0]!.markdown).to.equal(files['b.md'])
    // What has the settings of a vault is one, with each of its folders.
    const parent = newNotesFolder()
    writeFiles(parent, { '.obsidian/app.json': '{}', 'Public/a.md': 'A %%hidden%% C', 'Public/b.md': 'x' })
    expect((await take(`${parent}/Public`)).page('a').revisions[0]!.markdown).to.equal('A  C')
    const vault = await takeFiles({ ...files, '.obsidian/app.json': '{}' }, { layouts: ['markdown'] })
    expect(vault.page('b').revisions[0]!.markdown).to.equal('A  C')
    expect(vault.notes).to.match(
      /^Pages with comments .*, because the folder \.obsidian .*: 2, first b\.md, c\.md$/m,
    )
  })

  it('excludes no more files than the first 200 patterns, in bounded time', async () => {
    const patterns = Array.from({ length: 3_000 }, (_, i) => `/name${i}.md`).join('\n  ')
    const files = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`docs/name${i}.md`, 'x']))
    const { paths } = await takeFiles({ ...files, 'mkdocs.yml': `exclude_docs: |\n  ${patterns}` })
    expect(paths).to.have.length(300)
  })

  it('gives a post of Jekyll without a title the words of its name, and shows the dates of posts', async () => {
    const post = { '_posts/2016-05-19-codeblocks-ahoy.md': 'x' }
    const { page } = await takeFiles({ '_config.yml': '', ...post })
    const { title, markdown } = page('_posts/2016-05-19-codeblocks-ahoy').revisions[0]!
    expect(title).to.equal('Codeblocks Ahoy')
    expect(markdown).to.equal('2016-05-19\n\nx')
    const text = '+++\ndate = 2016-05-20T10:00:00Z\n+++\n# Tea\n\nx'
    const hugo = await takeFiles({ 'hugo.toml': '', 'content/blog/a.md': text, 'content/b.md': text })
    const texts = ['blog/a', 'b'].map((path) => hugo.page(path).revisions[0]!.markdown)
    expect(texts).to.deep.equal(['# Tea\n\n2016-05-20\n\nx', '# Tea\n\nx'])
    expect((await takeFiles(post)).page('_posts/2016-05-19-codeblocks-ahoy').revisions[0]!.markdown).to.equal(
      'x',
    )
  })

  it('shows the authors of posts, with the names that the blog gives them, and no mark after a teaser', async () => {
    const { page } = await takeFiles({
      'docusaurus.config.js': '',
      'docs/a.md': 'x',
      'blog/authors.yml': 'ann:\n  name: Ann _T_\n  title: Writer',
      'blog/2024-05-01-a.md': '---\nauthors: [ann, bob]\n---\nx\n\n<!-- truncate -->\n\ny',
      'blog/2024-05-02-b.mdx':
        '---\nauthors:\n  - name: "[Cat D](https://x.example/) ([E](/e))"\n---\nx\n{/* truncate */}\ny <!--more-->',
    })
    const texts = ['01-a', '02-b'].map((name) => page(`blog/2024-05-${name}`).revisions[0]!.markdown)
    expect(texts).to.deep.equal([
      '2024-05-01 · Ann \\_T\\_, bob\n\nx\n\n\n\ny',
      '2024-05-02 · Cat D (E)\n\nx\n\ny <!--more-->',
    ])
    const material = { 'mkdocs.yml': '', 'docs/blog/.authors.yml': 'authors:\n  ann: { name: Ann }' }
    const post = {
      'docs/blog/posts/a.md': '---\ndate: 2024-05-03\nauthors: [ann]\n---\n# A\n\nx\n<!-- more -->',
    }
    const { markdown } = (await takeFiles({ ...material, ...post })).page('blog/posts/a').revisions[0]!
    expect(markdown).to.equal('# A\n\n2024-05-03 · Ann\n\nx\n\n')
  })

  it('names no license if the wiki has one', async () => {
    const files = { 'a.md': '# A', LICENSE: 'x' }
    expect((await takeFiles(files)).notes).to.include('set --license')
    expect((await takeFiles(files, { wikiLicense: 'https://license.example/' })).notes).to.equal('')
  })

  it('counts pages whose title is the name of their file, and names the first three', async () => {
    const untitled = 'Pages whose title is the name of their file, because nothing gives them one: 4, first'
    const texts = { 'c.md': 'x', 'd.md': '# T', 'e.md': '---\ndraft: true\n---\nx', 'index.md': 'x' }
    const folder = await takeFiles({ 'a.md': 'x', 'b/index.md': 'x', 'b/f.md': 'x', ...texts })
    expect(folder.untitled).to.equal(`${untitled} a.md, b/index.md, b/f.md`)
    const vault = await takeFiles({ 'a.md': 'x' }, { layouts: ['obsidian'] })
    expect(vault.untitled).to.equal(undefined)
  })

  it('recognizes site generators whose configuration is in a hidden folder', async () => {
    for (const config of ['.vitepress/config.ts', '.vuepress/config/index.js']) {
      const { source, paths } = await takeFiles({
        [`docs/${config}`]: '',
        'docs/tea.md': 'x',
        'README.md': 'x',
      })
      expect(source.recognition).to.match(/Recognized Vu?i?t?ePress/)
      expect(paths).to.deep.equal(['en tea'])
    }
    const gitbook = await takeFiles({ '.gitbook.yaml': 'root: ./pages/\n', 'pages/tea.md': 'x', 'b.md': 'x' })
    expect(gitbook.paths).to.deep.equal(['en tea'])
  })

  it('refuses a folder with several projects, of which it recognizes one, and names them', async () => {
    const texts = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`code/${n}.md`, 'x']))
    const files = {
      ...texts,
      'a b/vault/.obsidian/app.json': '{}',
      'a b/vault/tea.md': 'x',
      'site/mkdocs.yml': '',
      'site/docs/a.md': 'x',
    }
    expect(await failureOf(takeFiles(files))).to.match(
      /contains 22 texts of several projects: (?=.*\bsite\/)(?=.*\ba b\/vault\/).* \(`lectern serve '?.*\/(?:site|a b\/vault)\/'?`\), .* --layout '\{path\}\.md'/,
    )
    expect((await takeFiles(files, { layouts: ['{path}.md'] })).paths).to.have.length(22)
    // A project has a README, and may have few of its texts in its site.
    expect((await takeFiles({ ...files, 'README.md': 'x' })).paths).to.have.length(1)
  })

  it('leaves out hidden files and folders, and node_modules', async () => {
    const { paths, notes } = await takeFiles({
      'tea.md': 'x',
      '.hidden.md': 'x',
      '.github/PULL_REQUEST.md': 'x',
      'docs/.drafts/x.md': 'x',
      'node_modules/some/README.md': 'x',
      'docs/node_modules/some/README.md': 'x',
    })
    expect(paths).to.deep.equal(['en tea'])
    expect(notes).to.equal('')
  })

  it('reads texts of Gollum whose names begin with a dot', async () => {
    const { paths, notes } = await takeFiles({
      'Home.md': 'x',
      '.NET.md': 'x',
      'a/.NET.md': 'x',
      '.a/b.md': 'x',
    })
    expect(paths).to.deep.equal(['en .NET', 'en a/.NET', 'en index'])
    expect(notes).to.equal('')
  })

  it('reads languages, drafts, and files in UTF-16 and Latin-1', async () => {
    const { paths, page, wiki, notes } = await takeFiles(
      {
        'en/tea.md': Buffer.from('\ufeff# Tea — hot\r\n', 'utf16le'),
        'fr/tea.md': Buffer.from('Th\xe9 vert', 'latin1'),
        'fr/cup.md': '---\npublished: false\n---\nx',
        'fr/pot.md': '---\npublished: perhaps\n---\nx',
      },
      { layouts: ['{locale}/{path}.md'] },
    )
    expect(paths).to.deep.equal(['en tea', 'fr cup', 'fr pot', 'fr tea'])
    expect(page('tea')).to.include({ translation_group: 'tea', state: 'live' })
    expect(page('tea').revisions[0]!.markdown).to.equal('# Tea — hot\r\n')
    expect(page('cup')).to.include({ state: 'draft' })
    expect(page('cup').revisions[0]).to.include({ status: 'draft' })
    expect(wiki?.type === 'wiki' && wiki.locales.map(({ locale }) => locale)).to.deep.equal(['en', 'fr'])
    expect(notes).to.include('Edits in UTF-16, which was decoded: 1').and.include('Latin-1')
    expect(notes).to.include('because the front matter hides them: 1, first fr/cup.md')
    expect(notes).to.include('to hide them, write draft: true: 1, first fr/pot.md (published: perhaps)')
  })

  it('normalizes names as macOS writes them, so that the path is in NFC', async () => {
    const { paths } = await takeFiles({ ['Th\u00e9.md'.normalize('NFD')]: 'x' })
    expect(paths).to.deep.equal(['en Th\u00e9'])
  })

  it('uses the first of two files of one page, and names both', async () => {
    const { page, notes } = await takeFiles(
      { 'tea.md': 'one', 'tea/index.md': 'two' },
      { layouts: ['{path}.md'] },
    )
    expect(page('tea').revisions[0]!.markdown).to.equal('one')
    expect(notes).to.include('Pages with two files; the first file is used: 1, first tea.md, tea/index.md')
  })

  it('names files that differ only in case', async () => {
    const { paths, notes } = await takeFiles({ 'Tea.md': 'x', 'tea.md': 'x' })
    expect(paths).to.deep.equal(['en Tea', 'en tea'])
    expect(notes).to.include('Pages whose files differ only in case').and.include('Tea.md, tea.md')
  })

  it('names files with a license, unless the license is set', async () => {
    const files = { 'a.md': 'x', LICENSE: 'x', 'COPYING.md': 'x', 'b/LICENSE': 'x', 'licensed.md': 'x' }
    expect((await takeFiles(files)).notes).to.match(/--license .*: 2, first COPYING.md, LICENSE$/m)
    const set = await takeFiles(files, { layouts: [], license: 'https://license.example/' })
    expect(set.notes).not.to.include('--license')
  })

  it('names pointers of Git LFS', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n'
    expect((await takeFiles({ 'tea.md': pointer })).notes)
      .to.include('Git LFS pointers')
      .and.include('tea.md')
  })

  it('hides a page whose text is too long', async () => {
    const { page, notes } = await takeFiles({ 'tea.md': 'x'.repeat(8_388_609), 'cup.md': 'x' })
    expect(page('tea')).to.deep.include({ state: 'draft', revisions: [] })
    expect(notes).to.include('pages that guests do not see, because their text has more than 8388608 bytes')
  })

  it('dates an edit at the time of the import if the file is dated in the future', async () => {
    const folder = newNotesFolder()
    writeFiles(folder, { 'tea.md': 'x' }, '2024-05-01T12:00:00Z')
    const { page, notes } = await take(folder, { now: Date.parse('2024-01-01T00:00:00.007Z') })
    expect(page('tea').revisions[0]!.created_at).to.equal('2024-01-01T00:00:00.007000Z')
    expect(notes).to.include('dated in the future').and.include('tea.md')
  })
})

describe('import folder: what is not a readable file', () => {
  it('follows symbolic links within the folder, and no others', async () => {
    const outside = newNotesFolder()
    writeFiles(outside, { 'secret.md': 'secret' })
    const folder = newNotesFolder()
    writeFiles(folder, { 'tea/sencha.md': '# Sencha', '.hidden.md': 'x' })
    symlinkSync('tea/sencha.md', join(folder, 'start.md'))
    symlinkSync(join(outside, 'secret.md'), join(folder, 'absolute.md'))
    symlinkSync(`../${basename(outside)}/secret.md`, join(folder, 'outside.md'))
    symlinkSync(outside, join(folder, 'folder'))
    symlinkSync('circle.md', join(folder, 'circle.md'))
    symlinkSync('.hidden.md', join(folder, 'hidden.md'))
    const { paths, page, notes } = await take(folder)
    expect(paths).to.deep.equal(['en start', 'en tea/sencha'])
    expect(page('start').revisions[0]!.title).to.equal('Sencha')
    expect(notes).to.include('Symbolic links left out').and.include(': 4, first ')
  })

  it('leaves out pipes and folders that are called like pages', async () => {
    const folder = newNotesFolder()
    writeFiles(folder, { 'tea.md': 'x', 'folder.md/cup.md': 'x' })
    execFileSync('mkfifo', [join(folder, 'pipe.md')])
    expect((await take(folder)).paths).to.deep.equal(['en folder.md/cup', 'en tea'])
  })

  it('reads nothing outside the folder if a file or a folder becomes a link after it was found', async () => {
    const outside = newNotesFolder()
    writeFiles(outside, { 'a.md': 'secret', 'b.md': 'secret' })
    const folder = newNotesFolder()
    writeFiles(folder, { 'a.md': 'x', 'sub/b.md': 'x', 'c.md': 'x' })
    const source = await openFolderSource(folder, { layouts: [] })
    rmSync(join(folder, 'a.md'))
    symlinkSync(join(outside, 'a.md'), join(folder, 'a.md'))
    rmSync(join(folder, 'sub'), { recursive: true })
    symlinkSync(outside, join(folder, 'sub'))
    const records: ImportRecord[] = []
    for await (const record of source.records) records.push(record)
    expect(JSON.stringify(records)).not.to.include('secret')
    expect(source.notes().join('\n')).to.include(
      'files that cannot be read. If a page was imported before, it stays as it was: 2, first ELOOP: a.md, outside the folder: sub/b.md',
    )
  })

  it('names a file whose size is always another one than what can be read', async () => {
    const { readFolderFile } = await import('@lectern/import-files/folder/files')
    expect(await readFolderFile(`/proc/${process.pid}`, 'status', 1_000_000)).to.include({
      bytes: null,
      reason: 'changed while it was read',
    })
  })

  it('names files whose names are not UTF-8', async () => {
    const folder = newNotesFolder()
    writeFiles(folder, { 'tea.md': 'x' })
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/th`), Buffer.from([0xe9]), Buffer.from('.md')]), 'x')
    const { paths, notes } = await take(folder)
    expect(paths).to.deep.equal(['en tea'])
    expect(notes).to.include('a path is UTF-8').and.include('th\ufffd.md')
  })

  it('has no version, by which the next import would do nothing, if a file cannot be read', async () => {
    const files = { 'book.toml': '', 'src/tea.md': '{{#include a.rs}}', 'src/a.rs': 'one' }
    const versionWithout = async (gone: Files) => {
      const folder = newNotesFolder()
      writeFiles(folder, files)
      const source = await openFolderSource(folder, { layouts: [] })
      writeFiles(folder, gone)
      for await (const _ of source.records);
      return source.nothingNew!().version
    }
    expect(await versionWithout({})).to.match(/^[0-9a-f]{64}$/)
    for (const gone of ['src/tea.md', 'src/a.rs']) expect(await versionWithout({ [gone]: null })).to.equal('')
  })

  it('removes nothing if a folder cannot be read, and names it', async () => {
    const folder = newNotesFolder()
    writeFiles(folder, { 'tea.md': 'x' })
    // A path beyond the 4,096 bytes of Linux: also root cannot open it.
    const [short, long] = [join(folder, 'd'), join(folder, 'd'.repeat(250))]
    mkdirSync(short + `/${'d'.repeat(200)}`.repeat(Math.floor((4_090 - short.length) / 201)), {
      recursive: true,
    })
    renameSync(short, long)
    const { source, paths, notes } = await take(folder).finally(() => renameSync(long, short))
    expect(paths).to.deep.equal(['en tea'])
    expect(source.covers?.()).to.equal('some')
    expect(source.nothingNew?.().version).to.equal('')
    expect(notes).to.include('folders that cannot be read. Nothing was removed').and.include('ENAMETOOLONG')
  })

  it('leaves out folders in more than 64 folders', async () => {
    const folder = newNotesFolder()
    writeFiles(folder, {
      'tea.md': 'x',
      [`${'d/'.repeat(64)}deep.md`]: 'x',
      [`${'e/'.repeat(65)}deep.md`]: 'x',
    })
    const { paths, notes } = await take(folder)
    expect(paths).to.deep.equal([`en ${'d/'.repeat(64)}deep`, 'en tea'])
    expect(notes).to.include('more than 64 folders: 1')
  })

  it('says that git has the history if the folder is in a repository, and that the configuration is above', async () => {
    const folder = newNotesFolder()
    git(folder, ['init', '-q'])
    writeFiles(folder, { 'docs/tea.md': 'x' })
    expect((await take(join(folder, 'docs'))).notes).to.equal('')
    commit(folder, {})
    writeFiles(folder, { 'untracked/tea.md': 'x' })
    expect((await take(join(folder, 'untracked'))).notes).to.equal('')
    const { paths, notes } = await take(join(folder, 'docs'))
    expect(paths).to.deep.equal(['en tea'])
    expect(notes).to.equal(
      `The folder is in a git repository. To import its history, too, use \`lectern import git ${realpathSync(folder)} --layout 'docs/{path}.md'\`.`,
    )
    const vault = await take(join(folder, 'docs'), { layouts: ['obsidian'] })
    expect(vault.notes).to.include(`import git ${realpathSync(folder)} --layout obsidian:docs`)
    commit(folder, { 'mkdocs.yml': 'site_name: Tea', 'docs/cups/tall.md': 'x' })
    const site = realpathSync(folder)
    expect((await take(join(folder, 'docs'))).notes).to.include(`import git ${site}\`.`)
    const warning = `WARNING: ${site}/mkdocs.yml is the configuration of these pages, but it is not in the folder, so it was not read. Use \`lectern serve ${site}\`.`
    expect((await take(join(folder, 'docs/cups'))).notes).to.include(warning)
    expect((await take(join(folder, 'untracked'))).notes).not.to.include('WARNING')
  })

  it('does not read all pages for each configuration above', async () => {
    const folder = newNotesFolder()
    writeFiles(folder, Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`a/b/${i}.md`, 'x'])))
    const cpuTime = () => cpuTimeOfAll(() => take(join(folder, 'a/b')))
    await cpuTime()
    const alone = await cpuTime()
    const names = Array.from({ length: 40 }, (_, i) => `${i % 2 ? 'a/' : ''}mkdocs.${i}.yml`)
    writeFiles(folder, Object.fromEntries(names.map((name) => [name, ''])))
    expect(await cpuTime()).to.be.below(5 * alone)
  })

  it('refuses what is not a folder with pages, and says what to do', async () => {
    const folder = newNotesFolder()
    const message = async (path: string, options: Partial<FileSourceOptions> = {}) =>
      (await failureOf(take(path, options))).message
    expect(await message(folder)).to.include('contains no Markdown files')
    writeFiles(folder, { 'tea.md': 'x' })
    expect(await message(join(folder, 'absent'))).to.include('does not exist')
    expect(await message(join(folder, 'tea.md'))).to.include(
      `is a file, not a folder. Import its folder: ${folder}`,
    )
    expect(await message('https://tea.example/x.git')).to.include('lectern import git')
    expect(await message(folder, { layouts: ['{path}.rst'] })).to.equal(
      'The layout {path}.rst matches no file. The folder has files such as tea.md',
    )
    expect(await message(folder, { defaultLocale: 'x' })).to.include('is not a locale code')
    expect(await message(folder, { license: 'ftp://x' })).to.include('license')
    mkdirSync(join(folder, 'empty'))
    expect(await message(join(folder, 'empty'))).to.include('contains no Markdown files')
  })
})
