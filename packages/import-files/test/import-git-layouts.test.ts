import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asFormerly } from '@lectern/import-files/files/page-files'
import { pageKey } from '@lectern/wiki/records'
import { expect } from 'chai'
import { commit, newRepository, refusalOf, take } from '../../../test/support/git.ts'

/** The repository of files with these names. */
const repositoryOf = (...names: string[]): string => {
  const folder = newRepository()
  commit(folder, Object.fromEntries(names.map((name) => [name, 'x'])))
  return folder
}

/** Which pages and notes these files give: pages as `locale path`, and `*` after those with translations. */
const pagesOf = async (names: readonly string[], layouts: readonly string[], defaultLocale?: string) => {
  const { pages, notes } = await take(repositoryOf(...names), { layouts: [...layouts], defaultLocale })
  const texts = pages.map((page) => `${page.locale} ${page.path}${page.translation_group ? ' *' : ''}`)
  for (const page of pages) expect([undefined, page.path]).to.include(page.translation_group)
  return { pages: texts, notes }
}

const CODES = ['pt_BR', 'zh_Hant_TW', 'zh-Hant', 'es-419', 'sr_Latn', 'ca_valencia', 'de-1996', 'yue']

describe('import git: layouts', () => {
  for (const [title, layouts, names, pages] of [
    [
      'without a layout, each .md file is a page, with its folders in the path',
      [],
      ['tea/green.md', 'notes.txt'],
      ['en tea/green'],
    ],
    [
      '{locale} is a locale code in lower case; pages of one path are a translation group',
      ['pages/{locale}/{path}.md'],
      ['pages/en/tea.md', 'pages/pt-BR/tea.md', 'pages/shared-parts-x/tea.md'],
      ['en tea *', 'pt-br tea *'],
    ],
    [
      'a {locale} can have _, scripts, regions and variants',
      ['pages.{locale}/{path}.md'],
      CODES.map((code) => `pages.${code}/tea.md`),
      CODES.map((code) => `${code.toLowerCase().replaceAll('_', '-')} tea *`).sort(),
    ],
    ['{locale} can be part of a segment', ['{path}.{locale}.md'], ['tea/green.ru.md'], ['ru tea/green *']],
    [
      '@ru sets the language; without a language in the layout there is no translation group',
      ['ru/{path}.md@ru', 'en/{path}.md'],
      ['ru/tea.md', 'en/tea.md'],
      ['en tea', 'ru tea *'],
    ],
    [
      'the first layout that matches counts',
      ['ru/{path}.md@ru', '{path}.md'],
      ['ru/tea.md', 'mate.md'],
      ['en mate', 'ru tea *'],
    ],
    [
      'the index of a folder is the page of the folder; that of the top folder stays index',
      [],
      ['index.md', 'tea/index.md'],
      ['en index', 'en tea'],
    ],
    [
      'with {path:_index|README}, files of these names are the page of their folder, too',
      ['{path:_index|README}.md'],
      ['_index.md', 'tea/_index.md', 'mate/README.md', 'rooibos/index.md', 'x/my_index.md'],
      ['en index', 'en mate', 'en rooibos', 'en tea', 'en x/my_index'],
    ],
    [
      '{locale:fr|pt_BR} matches these languages alone',
      ['{path}.{locale:fr|pt_BR}.md', '{path}.md@en'],
      ['tea.fr.md', 'tea.pt_BR.md', 'tea.dev.md'],
      ['en tea.dev *', 'fr tea *', 'pt-br tea *'],
    ],
    [
      'literal text matches literally',
      ['a+b (c)/{path}.md'],
      ['a+b (c)/tea.md', 'aab c/mate.md', 'a+b (c)/teaxmd'],
      ['en tea'],
    ],
  ] as const)
    it(title, async () => {
      expect((await pagesOf(names, layouts)).pages).to.deep.equal(pages)
    })

  it('two folders of one language are one language; of a page in both, one file counts', async () => {
    const names = ['pt_BR/tea.md', 'pt-br/tea.md', 'pt-br/mate.md']
    const { pages, notes } = await pagesOf(names, ['{locale}/{path}.md'])
    expect(pages).to.deep.equal(['pt-br mate *', 'pt-br tea *'])
    expect(notes).to.equal(
      'Pages with two files; the first file is used: 1, first pt-br/tea.md, pt_BR/tea.md',
    )
  })

  it('pages whose title is the name of their file are counted by the texts that they show', async () => {
    const folder = newRepository()
    commit(folder, { 'a.md': 'x', 'b.md': 'x', 'c.md': 'x' })
    commit(folder, { 'a.md': 'y', 'b.md': '# B', 'c.md': null })
    expect((await take(folder)).untitled).to.equal(
      'Pages whose title is the name of their file, because nothing gives them one: 1, first a.md',
    )
  })

  it('the languages of --locale and after @ can have _', async () => {
    const { pages } = await pagesOf(['ru/tea.md', 'tea.md'], ['ru/{path}.md@sr_Latn', '{path}.md'], 'PT_br')
    expect(pages).to.deep.equal(['pt-br tea', 'sr-latn tea *'])
  })

  it('Markdown files that match no layout are counted, and the first three are named', async () => {
    const others = ['a.md', 'b.MDX', 'c.markdown', 'd.mkd', 'e.txt'].map((name) => `pages.shared/${name}`)
    const { notes } = await pagesOf(['docs/tea.md', ...others], ['docs/{path}.md'])
    expect(notes).to.equal(
      'Texts that match no layout: 4, first pages.shared/a.md, pages.shared/b.MDX, pages.shared/c.markdown',
    )
  })

  it('what --exclude names is no page, in no edit, and no link leads there by name', async () => {
    const folder = newRepository()
    const secret = { 'Private/Secret.md': 'x', 'Private/Other.md': 'y', 'a.draft.md': 'z' }
    commit(folder, { '.obsidian/app.json': '{}', 'tea.md': 'To [[Secret]].', ...secret })
    const whole = await take(folder, { layouts: [] })
    expect(whole.pages.map(({ path }) => path))
      .to.include('Private/Secret')
      .and.include('a.draft')
    const exclude = ['Private/**', '**/*.draft.md', 'Privat/**']
    const { pages, notes } = await take(folder, { layouts: [], exclude })
    expect(pages.map(({ path }) => path)).to.deep.equal(['tea'])
    expect(JSON.stringify(pages)).not.to.include('Private')
    expect(notes).to.include('Texts that --exclude leaves out: 3, first Private/Other.md')
    expect(notes).to.include('WARNING: patterns of --exclude that match no file: 1, first Privat/**')
  })

  for (const [layout, words] of [
    ['docs/page.md', '{path}'],
    ['{locale}/{path}.md@en', 'twice'],
    ['{path}.md@english-language', 'locale code'],
    ['{locale:en|english-language}/{path}.md', 'locale codes'],
    ['{locale:}/{path}.md', 'locale codes'],
    ['{path:}.md', 'names of files'],
    ['{path:a/b}.md', 'names of files'],
  ] as const) {
    it(`refuses ${layout} with an example`, async () => {
      const { message } = await refusalOf(repositoryOf('tea.md'), { layouts: [layout] })
      expect(message).to.include(layout).and.include(words).and.include('{path}.md, docs/{path}.md@en')
    })
  }

  it('refuses a layout that matches no file, and names files that exist', async () => {
    const { message } = await refusalOf(repositoryOf('tea.md'), { layouts: ['{path}.md', 'docs/{path}.md'] })
    expect(message).to.include('docs/{path}.md').and.include('tea.md').and.not.include('but text')
    const misspelt = await refusalOf(repositoryOf('tea.md'), { layouts: ['{local}/{path}.md'] })
    expect(misspelt.message).to.include('matches no file. {local} is no {locale}, {path} or')
  })

  it('accepts a layout whose files are all gone from the ref', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.mdx': 'x' })
    commit(folder, { 'tea.mdx': null, 'tea.md': 'x' })
    const { pages } = await take(folder, { layouts: ['{path}.md', '{path}.mdx'] })
    expect(pages).to.have.length(1)
  })
})

describe('import git: paths', () => {
  it('are normalised to NFC', async () => {
    expect((await take(repositoryOf('cafe\u0301.md'))).pages[0]?.path).to.equal('caf\u00e9')
  })

  it('that are too long, not UTF-8 or hold control characters are left out, counted, and the first is named', async () => {
    const folder = newRepository()
    const long = `${'a'.repeat(200)}/${'b'.repeat(200)}/${'c'.repeat(200)}`
    commit(folder, { 'fine.md': 'x', 'tab\there.md': 'x', [`${long}.md`]: 'x' })
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff]), Buffer.from('.md')]), 'x')
    commit(folder, {})
    const { pages, notes } = await take(folder)
    expect(pages.map(({ path }) => path)).to.deep.equal(['fine'])
    expect(notes).to.match(/Files left out.*: 3, first a/)
  })

  it('of 512 bytes are accepted', async () => {
    const path = `${'a'.repeat(200)}/${'b'.repeat(200)}/${'c'.repeat(110)}`
    expect((await take(repositoryOf(`${path}.md`))).pages[0]?.path).to.have.length(512)
  })

  it('of symbolic links are pages with the content and history of the file in the repository', async () => {
    const folder = newRepository()
    commit(folder, { 'docs/tea.md': 'one', 'about/TEXT': 'x' }, { at: '2024-05-01T12:00:00Z' })
    symlinkSync('docs/tea.md', join(folder, 'link.md'))
    symlinkSync('link.md', join(folder, 'again.md'))
    symlinkSync('../about/./TEXT', join(folder, 'docs/about.md'))
    commit(folder, { 'docs/tea.md': 'two' }, { at: '2024-05-02T12:00:00Z' })
    const { page, pages, notes } = await take(folder)
    expect(pages.map(({ path }) => path)).to.deep.equal(['again', 'docs/about', 'docs/tea', 'link'])
    for (const path of ['link', 'again'])
      expect(page(path).revisions.map(({ markdown }) => markdown)).to.deep.equal(['one', 'two'])
    expect(page('docs/about').revisions[0]?.markdown).to.equal('x')
    const ids = pages.flatMap(({ revisions }) => revisions.map(({ id }) => id))
    expect(new Set(ids).size).to.equal(ids.length)
    expect(notes).to.equal('')
  })

  it('of a symbolic link that was a file before are joined', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'tea', 'link.md': 'file' }, { at: '2024-05-01T12:00:00Z' })
    commit(folder, { 'link.md': null }, { at: '2024-05-02T12:00:00Z' })
    symlinkSync('tea.md', join(folder, 'link.md'))
    commit(folder, {}, { at: '2024-05-03T12:00:00Z' })
    commit(folder, { 'tea.md': 'more tea' }, { at: '2024-05-04T12:00:00Z' })
    const { page } = await take(folder)
    expect(page('link').revisions.map(({ markdown }) => markdown)).to.deep.equal(['file', 'tea', 'more tea'])
    expect(page('link').state).to.equal('live')
  })

  it('of symbolic links that lead outside, in a circle or to a folder are left out and named', async () => {
    const folder = repositoryOf('tea.md', 'folder/mate.md')
    symlinkSync('/etc/passwd', join(folder, 'a.md'))
    symlinkSync('../../secret.md', join(folder, 'b.md'))
    symlinkSync('d.md', join(folder, 'c.md'))
    symlinkSync('c.md', join(folder, 'd.md'))
    symlinkSync('folder', join(folder, 'e.md'))
    symlinkSync('tea.md', join(folder, 'fine.md'))
    commit(folder, {})
    const { pages, notes } = await take(folder)
    expect(pages.map(({ path }) => path)).to.deep.equal(['fine', 'folder/mate', 'tea'])
    expect(notes).to.match(/^Symbolic links left out.*: 5, first a\.md, b\.md, c\.md$/)
  })

  it('of a symbolic link to the file of the same page are one page', async () => {
    const folder = repositoryOf('tea.md', 'tea/other.md')
    symlinkSync('../tea.md', join(folder, 'tea/index.md'))
    commit(folder, {})
    const { pages, notes } = await take(folder)
    expect(pages.map(({ path }) => path)).to.deep.equal(['tea', 'tea/other'])
    expect(notes).to.equal('')
  })

  it('of more than 20 symbolic links to one file are left out', async () => {
    const folder = repositoryOf('tea.md')
    for (let i = 0; i < 23; i += 1) symlinkSync('tea.md', join(folder, `link${i}.md`))
    commit(folder, {})
    const { pages, notes } = await take(folder)
    expect(pages).to.have.length(21)
    expect(notes).to.include(': 3, first ')
  })

  it('other than those of the last import: pages are asked for 500 at a time, until one has another path', async () => {
    const asked: number[] = []
    const storedPages = async ({ length }: { length: number }) => {
      asked.push(length)
      return [{ liveId: asked.length === 2 ? 'x' : null }]
    }
    const paths = Array.from({ length: 1_200 }, (_, i) => `t${i}`)
    const current = new Map(
      paths.map((path) => [pageKey({ locale: 'en', path }), [{ file: { name: `docs/${path}.md` } }]]),
    )
    const notes = new Map<string, unknown>()
    const content = {
      ...{ current, defaultLocale: 'en', vaults: [], siteNotes: [], formerLayouts: [] },
      ...{
        recognized: [['en', 'docs/{path}.md']],
        notes: { add: (name: string, of: unknown) => notes.set(name, of) },
      },
    }
    const state = { recognized: [['en', '{path}.md']] }
    const options = { layouts: [], stored: () => ({ storedPages }) }
    await asFormerly(content as never, state, options as never, async () => content as never)
    expect(asked).to.deep.equal([500, 500])
    expect([...notes]).to.deep.equal([['other layout', ["--layout '{path}.md'"]]])
  })
})
