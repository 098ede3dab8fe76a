import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { commit, newRepository, refusalOf, take } from '../../../test/support/git.ts'

describe('import git: layouts', () => {
  it('without a layout takes each .md file as a page, with its folders in the path', async () => {
    const folder = newRepository()
    commit(folder, { 'tea/green.md': 'x', 'notes.txt': 'x' })
    const { pages } = await take(folder)
    expect(pages.map(({ path, locale }) => [locale, path])).to.deep.equal([['en', 'tea/green']])
  })

  it('reads {locale} as a locale code in lower case; pages of one path are a translation group', async () => {
    const folder = newRepository()
    commit(folder, {
      'pages/en/tea.md': 'x',
      'pages/pt-BR/tea.md': 'x',
      'pages/shared-parts-x/tea.md': 'x',
    })
    const { pages } = await take(folder, { layouts: ['pages/{locale}/{path}.md'] })
    expect(pages.map((page) => [page.locale, page.path, page.translation_group])).to.deep.equal([
      ['en', 'tea', 'tea'],
      ['pt-br', 'tea', 'tea'],
    ])
  })

  it('accepts a {locale} with _, scripts, regions and variants', async () => {
    const folder = newRepository()
    const codes = ['pt_BR', 'zh_Hant_TW', 'zh-Hant', 'es-419', 'sr_Latn', 'ca_valencia', 'de-1996', 'yue']
    commit(folder, Object.fromEntries(codes.map((code) => [`pages.${code}/tea.md`, 'x'])))
    const { pages, wiki, notes } = await take(folder, { layouts: ['pages.{locale}/{path}.md'] })
    const expected = ['ca-valencia', 'de-1996', 'es-419', 'pt-br', 'sr-latn', 'yue', 'zh-hant', 'zh-hant-tw']
    expect(pages.map(({ locale }) => locale)).to.deep.equal(expected)
    expect(wiki?.type === 'wiki' && wiki.locales.map(({ locale }) => locale)).to.deep.equal(expected)
    expect(notes).to.equal('')
  })

  it('takes two folders of one language as one language; of a page in both, one file counts', async () => {
    const folder = newRepository()
    commit(folder, { 'pt_BR/tea.md': 'tea', 'pt-br/tea.md': 'other tea', 'pt-br/mate.md': 'mate' })
    const { pages, notes } = await take(folder, { layouts: ['{locale}/{path}.md'] })
    expect(pages.map(({ locale, path }) => [locale, path])).to.deep.equal([
      ['pt-br', 'mate'],
      ['pt-br', 'tea'],
    ])
    expect(pages[1]?.revisions.map(({ markdown }) => markdown)).to.deep.equal(['other tea'])
    expect(notes).to.include(
      'Pages with two files; the first file is used: 1, first pt-br/tea.md, pt_BR/tea.md',
    )
  })

  it('accepts _ in the languages of --locale and after @', async () => {
    const folder = newRepository()
    commit(folder, { 'ru/tea.md': 'x', 'tea.md': 'x' })
    const { pages } = await take(folder, {
      layouts: ['ru/{path}.md@sr_Latn', '{path}.md'],
      defaultLocale: 'PT_br',
    })
    expect(pages.map(({ locale }) => locale)).to.deep.equal(['pt-br', 'sr-latn'])
  })

  it('counts the Markdown files that match no layout, and names the first three', async () => {
    const folder = newRepository()
    commit(folder, {
      'docs/tea.md': 'x',
      'pages.shared/a.md': 'x',
      'pages.shared/b.MDX': 'x',
      'pages.shared/c.markdown': 'x',
      'pages.shared/d.mkd': 'x',
      'pages.shared/e.txt': 'x',
    })
    const { notes } = await take(folder, { layouts: ['docs/{path}.md'] })
    expect(notes).to.equal(
      'Markdown files that match no layout: 4, first pages.shared/a.md, pages.shared/b.MDX, pages.shared/c.markdown',
    )
  })

  it('accepts {locale} as part of a segment', async () => {
    const folder = newRepository()
    commit(folder, { 'tea/green.ru.md': 'x' })
    const { pages } = await take(folder, { layouts: ['{path}.{locale}.md'] })
    expect(pages.map(({ path, locale }) => [locale, path])).to.deep.equal([['ru', 'tea/green']])
  })

  it('takes the language from @ru at the end; without a language in the layout makes no translation group', async () => {
    const folder = newRepository()
    commit(folder, { 'ru/tea.md': 'x', 'en/tea.md': 'x' })
    const { page } = await take(folder, { layouts: ['ru/{path}.md@ru', 'en/{path}.md'] })
    expect(page('tea', 'ru').translation_group).to.equal('tea')
    expect(page('tea', 'en')).to.not.have.property('translation_group')
  })

  it('uses the first layout that matches', async () => {
    const folder = newRepository()
    commit(folder, { 'ru/tea.md': 'x', 'mate.md': 'x' })
    const { pages } = await take(folder, { layouts: ['ru/{path}.md@ru', '{path}.md'] })
    expect(pages.map(({ path, locale }) => [locale, path])).to.deep.equal([
      ['en', 'mate'],
      ['ru', 'tea'],
    ])
  })

  it('takes the index of a folder as the page of the folder; the index of the top folder stays index', async () => {
    const folder = newRepository()
    commit(folder, { 'index.md': 'x', 'tea/index.md': 'x' })
    const { pages } = await take(folder)
    expect(pages.map(({ path }) => path)).to.deep.equal(['index', 'tea'])
  })

  it('with {path:_index|README} takes files of these names, too, as the page of their folder', async () => {
    const folder = newRepository()
    commit(folder, {
      '_index.md': 'x',
      'tea/_index.md': 'x',
      'mate/README.md': 'x',
      'rooibos/index.md': 'x',
      'x/my_index.md': 'x',
    })
    const { pages } = await take(folder, { layouts: ['{path:_index|README}.md'] })
    expect(pages.map(({ path }) => path)).to.deep.equal(['index', 'mate', 'rooibos', 'tea', 'x/my_index'])
  })

  it('with {locale:fr|pt_BR} matches these languages alone', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.fr.md': 'x', 'tea.pt_BR.md': 'x', 'tea.dev.md': 'x' })
    const { pages } = await take(folder, { layouts: ['{path}.{locale:fr|pt_BR}.md', '{path}.md@en'] })
    expect(pages.map(({ locale, path }) => `${locale} ${path}`)).to.deep.equal([
      'en tea.dev',
      'fr tea',
      'pt-br tea',
    ])
  })

  it('matches literal text literally', async () => {
    const folder = newRepository()
    commit(folder, { 'a+b (c)/tea.md': 'x', 'aab c/mate.md': 'x', 'a+b (c)/teaxmd': 'x' })
    const { pages } = await take(folder, { layouts: ['a+b (c)/{path}.md'] })
    expect(pages.map(({ path }) => path)).to.deep.equal(['tea'])
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
      const folder = newRepository()
      commit(folder, { 'tea.md': 'x' })
      const { message } = await refusalOf(folder, { layouts: [layout] })
      expect(message).to.include(layout).and.include(words).and.include('{path}.md, docs/{path}.md@en')
    })
  }

  it('refuses a layout that matches no file, and names files that exist', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'x' })
    const { message } = await refusalOf(folder, { layouts: ['{path}.md', 'docs/{path}.md'] })
    expect(message).to.include('docs/{path}.md').and.include('tea.md')
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
    const folder = newRepository()
    commit(folder, { 'cafe\u0301.md': 'x' })
    expect((await take(folder)).pages[0]?.path).to.equal('caf\u00e9')
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
    const folder = newRepository()
    const path = `${'a'.repeat(200)}/${'b'.repeat(200)}/${'c'.repeat(110)}`
    commit(folder, { [`${path}.md`]: 'x' })
    expect((await take(folder)).pages[0]?.path).to.have.length(512)
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
    const folder = newRepository()
    commit(folder, { 'tea.md': 'x', 'folder/mate.md': 'x' })
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
    const folder = newRepository()
    commit(folder, { 'tea.md': 'x', 'tea/other.md': 'x' })
    symlinkSync('../tea.md', join(folder, 'tea/index.md'))
    commit(folder, {})
    const { pages, notes } = await take(folder)
    expect(pages.map(({ path }) => path)).to.deep.equal(['tea', 'tea/other'])
    expect(notes).to.equal('')
  })

  it('of more than 20 symbolic links to one file are left out', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'x' })
    for (let i = 0; i < 23; i += 1) symlinkSync('tea.md', join(folder, `link${i}.md`))
    commit(folder, {})
    const { pages, notes } = await take(folder)
    expect(pages).to.have.length(21)
    expect(notes).to.include(': 3, first ')
  })
})
