import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect } from 'chai'
import { ImportError, UsageError } from '../src/errors.ts'
import { type GitOptions, openGitSource } from '../src/import/git/source.ts'
import { commit, git, gitFolder, newRepository, signature, take } from './support/git.ts'

const top = gitFolder()

/** The only revision of the only page that a single file gives. */
const revisionOf = async (content: string | Buffer, name = 'tea.md') => {
  const folder = newRepository()
  commit(folder, { [name]: content })
  const { pages, notes } = await take(folder, {
    layouts: [name.endsWith('.mdx') ? '{path}.mdx' : '{path}.md'],
  })
  expect(pages).to.have.length(1)
  return { ...pages[0]!.revisions[0]!, notes, state: pages[0]!.state }
}

const refusal = async (folder: string, options: Partial<GitOptions> = {}): Promise<Error> => {
  const error = await take(folder, options).then(
    () => null,
    (thrown: Error) => thrown,
  )
  if (!error) throw new Error('nothing was refused')
  expect(error).to.be.instanceOf(UsageError)
  return error
}

/** Sets environment variables of this process while something runs. */
const withEnvironment = async <T>(variables: Record<string, string>, run: () => Promise<T>): Promise<T> => {
  const before = { ...process.env }
  Object.assign(process.env, variables)
  try {
    return await run()
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name]
    Object.assign(process.env, before)
  }
}

/** Child processes of this one; one that has ended is counted until the event loop has gone round. */
const childrenRunning = async (): Promise<number> => {
  for (const _ of [1, 2]) await new Promise(setImmediate)
  return process.getActiveResourcesInfo().filter((resource) => resource === 'ProcessWrap').length
}

/** Settles when no more children run than before; one left running makes the test time out. */
const childrenEnded = async (before: number): Promise<void> => {
  while ((await childrenRunning()) > before);
}

describe('import from git', () => {
  describe('layouts', () => {
    it('without any, each .md file is a page, its folders in the path', async () => {
      const folder = newRepository()
      commit(folder, { 'tea/green.md': 'x', 'notes.txt': 'x' })
      const { pages } = await take(folder)
      expect(pages.map(({ path, locale }) => [locale, path])).to.deep.equal([['en', 'tea/green']])
    })

    it('{locale} is a locale code in lower case; pages of one path are one translation group', async () => {
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

    it('{locale} may be written with _, with scripts, regions and variants', async () => {
      const folder = newRepository()
      const codes = ['pt_BR', 'zh_Hant_TW', 'zh-Hant', 'es-419', 'sr_Latn', 'ca_valencia', 'de-1996', 'yue']
      commit(folder, Object.fromEntries(codes.map((code) => [`pages.${code}/tea.md`, 'x'])))
      const { pages, wiki, notes } = await take(folder, { layouts: ['pages.{locale}/{path}.md'] })
      const expected = [
        'ca-valencia',
        'de-1996',
        'es-419',
        'pt-br',
        'sr-latn',
        'yue',
        'zh-hant',
        'zh-hant-tw',
      ]
      expect(pages.map(({ locale }) => locale)).to.deep.equal(expected)
      expect(wiki?.type === 'wiki' && wiki.locales.map(({ locale }) => locale)).to.deep.equal(expected)
      expect(notes).to.equal('')
    })

    it('two folders of one language are one language; of a page in both, one file counts', async () => {
      const folder = newRepository()
      commit(folder, { 'pt_BR/tea.md': 'tea', 'pt-br/tea.md': 'other tea', 'pt-br/mate.md': 'mate' })
      const { pages, notes } = await take(folder, { layouts: ['{locale}/{path}.md'] })
      expect(pages.map(({ locale, path }) => [locale, path])).to.deep.equal([
        ['pt-br', 'mate'],
        ['pt-br', 'tea'],
      ])
      expect(pages[1]?.revisions.map(({ markdown }) => markdown)).to.deep.equal(['other tea'])
      expect(notes).to.include('two files claim; the first file counts: 1, first pt-br/tea.md, pt_BR/tea.md')
    })

    it('languages of --locale and after @ may be written with _', async () => {
      const folder = newRepository()
      commit(folder, { 'ru/tea.md': 'x', 'tea.md': 'x' })
      const { pages } = await take(folder, {
        layouts: ['ru/{path}.md@sr_Latn', '{path}.md'],
        defaultLocale: 'PT_br',
      })
      expect(pages.map(({ locale }) => locale)).to.deep.equal(['pt-br', 'sr-latn'])
    })

    it('Markdown files that none takes are counted, and the first three named', async () => {
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
        'Markdown files that no layout takes: 4, first pages.shared/a.md, pages.shared/b.MDX, pages.shared/c.markdown',
      )
    })

    it('{locale} can be part of a segment', async () => {
      const folder = newRepository()
      commit(folder, { 'tea/green.ru.md': 'x' })
      const { pages } = await take(folder, { layouts: ['{path}.{locale}.md'] })
      expect(pages.map(({ path, locale }) => [locale, path])).to.deep.equal([['ru', 'tea/green']])
    })

    it('@ru at the end says the language; without a language in the layout there is no translation group', async () => {
      const folder = newRepository()
      commit(folder, { 'ru/tea.md': 'x', 'en/tea.md': 'x' })
      const { page } = await take(folder, { layouts: ['ru/{path}.md@ru', 'en/{path}.md'] })
      expect(page('tea', 'ru').translation_group).to.equal('tea')
      expect(page('tea', 'en')).to.not.have.property('translation_group')
    })

    it('the first that matches wins', async () => {
      const folder = newRepository()
      commit(folder, { 'ru/tea.md': 'x', 'mate.md': 'x' })
      const { pages } = await take(folder, { layouts: ['ru/{path}.md@ru', '{path}.md'] })
      expect(pages.map(({ path, locale }) => [locale, path])).to.deep.equal([
        ['en', 'mate'],
        ['ru', 'tea'],
      ])
    })

    it('a folder’s index is the folder’s page; the top folder’s stays index', async () => {
      const folder = newRepository()
      commit(folder, { 'index.md': 'x', 'tea/index.md': 'x' })
      const { pages } = await take(folder)
      expect(pages.map(({ path }) => path)).to.deep.equal(['index', 'tea'])
    })

    it('literal text is literal', async () => {
      const folder = newRepository()
      commit(folder, { 'a+b (c)/tea.md': 'x', 'aab c/mate.md': 'x', 'a+b (c)/teaxmd': 'x' })
      const { pages } = await take(folder, { layouts: ['a+b (c)/{path}.md'] })
      expect(pages.map(({ path }) => path)).to.deep.equal(['tea'])
    })

    for (const [layout, words] of [
      ['docs/page.md', '{path}'],
      ['{locale}/{path}.md@en', 'twice'],
      ['{path}.md@english-language', 'locale code'],
    ] as const) {
      it(`${layout} is refused with an example`, async () => {
        const folder = newRepository()
        commit(folder, { 'tea.md': 'x' })
        const { message } = await refusal(folder, { layouts: [layout] })
        expect(message).to.include(layout).and.include(words).and.include('{path}.md, docs/{path}.md@en')
      })
    }

    it('one that matches no file is refused, naming files there are', async () => {
      const folder = newRepository()
      commit(folder, { 'tea.md': 'x' })
      const { message } = await refusal(folder, { layouts: ['{path}.md', 'docs/{path}.md'] })
      expect(message).to.include('docs/{path}.md').and.include('tea.md')
    })

    it('one whose files are all gone from the ref matches', async () => {
      const folder = newRepository()
      commit(folder, { 'tea.mdx': 'x' })
      commit(folder, { 'tea.mdx': null, 'tea.md': 'x' })
      const { pages } = await take(folder, { layouts: ['{path}.md', '{path}.mdx'] })
      expect(pages).to.have.length(1)
    })
  })

  describe('paths', () => {
    it('are NFC', async () => {
      const folder = newRepository()
      commit(folder, { 'cafe\u0301.md': 'x' })
      expect((await take(folder)).pages[0]?.path).to.equal('caf\u00e9')
    })

    it('too long, with control characters or not UTF-8 are left out, counted and the first named', async () => {
      const folder = newRepository()
      const long = `${'a'.repeat(200)}/${'b'.repeat(200)}/${'c'.repeat(200)}`
      commit(folder, { 'fine.md': 'x', 'tab\there.md': 'x', [`${long}.md`]: 'x' })
      writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff]), Buffer.from('.md')]), 'x')
      commit(folder, {})
      const { pages, notes } = await take(folder)
      expect(pages.map(({ path }) => path)).to.deep.equal(['fine'])
      expect(notes).to.match(/Files left out.*: 3, first a/)
    })

    it('of 512 bytes are taken', async () => {
      const folder = newRepository()
      const path = `${'a'.repeat(200)}/${'b'.repeat(200)}/${'c'.repeat(110)}`
      commit(folder, { [`${path}.md`]: 'x' })
      expect((await take(folder)).pages[0]?.path).to.have.length(512)
    })

    it('of symbolic links are no pages', async () => {
      const folder = newRepository()
      symlinkSync('tea.md', join(folder, 'link.md'))
      commit(folder, { 'tea.md': 'x' })
      const { pages, notes } = await take(folder)
      expect(pages.map(({ path }) => path)).to.deep.equal(['tea'])
      expect(notes).to.include('Symbolic links left out: 1, first link.md')
    })
  })

  describe('edits', () => {
    it('are the commits that gave the file new content, oldest first, with committer date, author and subject', async () => {
      const folder = newRepository()
      commit(
        folder,
        { 'tea.md': 'one' },
        { at: '2024-05-01T12:00:00+02:00', by: 'Ada', message: 'Start\n\nBody' },
      )
      commit(folder, { 'other.md': 'x' }, { at: '2024-05-02T12:00:00Z' })
      commit(folder, { 'tea.md': 'two' }, { at: '2024-05-03T12:00:00Z', by: 'Łukasz', message: 'Add ☕' })
      const { revisions } = (await take(folder)).page('tea')
      expect(revisions.map(({ id: _, ...rest }) => rest)).to.deep.equal([
        {
          created_at: '2024-05-01T10:00:00.000000Z',
          author: 'Ada',
          comment: 'Start',
          status: 'accepted',
          title: 'tea',
          markdown: 'one',
          categories: [],
        },
        {
          created_at: '2024-05-03T12:00:00.000000Z',
          author: 'Łukasz',
          comment: 'Add ☕',
          status: 'accepted',
          title: 'tea',
          markdown: 'two',
          categories: [],
        },
      ])
    })

    it('a change of mode alone and a deletion are none; a file that came back goes on', async () => {
      const folder = newRepository()
      commit(folder, { 'tea.md': 'one' }, { at: '2024-05-01T12:00:00Z' })
      chmodSync(join(folder, 'tea.md'), 0o755)
      commit(folder, {}, { at: '2024-05-02T12:00:00Z' })
      commit(folder, { 'tea.md': null }, { at: '2024-05-03T12:00:00Z' })
      commit(folder, { 'tea.md': 'two' }, { at: '2024-05-04T12:00:00Z' })
      const page = (await take(folder)).page('tea')
      expect(page.revisions.map(({ markdown }) => markdown)).to.deep.equal(['one', 'two'])
      expect(page.state).to.equal('live')
    })

    it('of both sides of a merge count, and the merge where its text is neither side’s', async () => {
      const folder = newRepository()
      commit(folder, { 'tea.md': '1\n2\n3\n' }, { at: '2024-05-01T12:00:00Z' })
      git(folder, ['checkout', '-q', '-b', 'side'])
      commit(folder, { 'tea.md': '1\n2\nthree\n' }, { at: '2024-05-02T12:00:00Z' })
      git(folder, ['checkout', '-q', 'main'])
      commit(folder, { 'tea.md': 'one\n2\n3\n' }, { at: '2024-05-03T12:00:00Z' })
      git(folder, ['merge', '-q', '-m', 'merge', 'side'], signature('2024-05-04T12:00:00Z'))
      const { page, notes } = await take(folder)
      expect(page('tea').revisions.map(({ comment, markdown }) => [comment, markdown])).to.deep.equal([
        ['edit', '1\n2\n3\n'],
        ['edit', '1\n2\nthree\n'],
        ['edit', 'one\n2\n3\n'],
        ['merge', 'one\n2\nthree\n'],
      ])
      expect(notes).to.equal('')
    })

    it('use the names of the ref’s mailmap', async () => {
      const folder = newRepository()
      commit(folder, { 'tea.md': 'x', '.mailmap': 'Ada Lovelace <ada@tea.example>\n' })
      writeFileSync(join(folder, '.mailmap'), 'Not Committed <ada@tea.example>\n')
      expect((await take(folder)).page('tea').revisions[0]?.author).to.equal('Ada Lovelace')
    })

    it('have authors in UTF-8, whatever the commit’s encoding; bytes of none are replaced', async () => {
      const folder = newRepository()
      commit(folder, { 'tea.md': 'x' })
      const tree = git(folder, ['rev-parse', 'HEAD^{tree}'])
      const raw = (encoding: string) =>
        Buffer.concat([
          Buffer.from(`tree ${tree}\nauthor Ren`),
          Buffer.from([0xe9]),
          Buffer.from(` <r@tea.example> 1714564800 +0000\ncommitter R <r@tea.example> 1714564800 +0000\n`),
          Buffer.from(`${encoding}\nedit\n`),
        ])
      const authors: (string | undefined)[] = []
      for (const encoding of ['encoding ISO-8859-1\n', '']) {
        const file = join(top, 'commit')
        writeFileSync(file, raw(encoding))
        git(folder, [
          'update-ref',
          'refs/heads/raw',
          git(folder, ['hash-object', '-t', 'commit', '-w', file]),
        ])
        authors.push((await take(folder, { ref: 'raw' })).page('tea').revisions[0]?.author)
      }
      expect(authors).to.deep.equal(['René', 'Ren\ufffd'])
    })

    it('have as id a UUID of version 8 that is the same each time and differs by file', async () => {
      const folder = newRepository()
      commit(folder, { 'a.md': 'x', 'b.md': 'x' })
      const { page } = await take(folder)
      const id = page('a').revisions[0]!.id!
      expect(id).to.match(/^00000000-0000-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect((await take(folder)).page('a').revisions[0]?.id).to.equal(id)
      expect(page('b').revisions[0]?.id).to.not.equal(id)
    })

    it('of one second have ids in the order of history', async () => {
      const folder = newRepository()
      for (let n = 0; n < 12; n += 1) commit(folder, { 'tea.md': `${n}` })
      const { revisions } = (await take(folder)).page('tea')
      expect(revisions.map(({ markdown }) => markdown)).to.deep.equal([...Array(12).keys()].map(String))
      const ids = revisions.map(({ id }) => id!)
      expect(ids).to.deep.equal([...ids].sort())
    })

    it('take the time of the edit that they replace where a clock ran backwards, and a note tells', async () => {
      const folder = newRepository()
      commit(folder, { 'tea.md': 'old' }, { at: '2024-05-02T12:00:00Z' })
      commit(folder, { 'tea.md': 'new' }, { at: '2024-05-01T12:00:00Z' })
      const { page, notes } = await take(folder)
      expect(page('tea').revisions.map(({ created_at, markdown }) => [created_at, markdown])).to.deep.equal([
        ['2024-05-02T12:00:00.000000Z', 'old'],
        ['2024-05-02T12:00:00.000000Z', 'new'],
      ])
      expect(notes).to.match(/a clock was wrong.*: 1, first tea\.md at [0-9a-f]{10}/)
    })

    it('are those of the ref', async () => {
      const folder = newRepository()
      const first = commit(folder, { 'tea.md': 'one' })
      commit(folder, { 'tea.md': 'two' })
      expect((await take(folder, { ref: first })).page('tea').revisions).to.have.length(1)
    })
  })

  describe('one page in several files', () => {
    it('a renamed file is one page with both histories', async () => {
      const folder = newRepository()
      commit(folder, { 'tea.md': 'one' }, { at: '2024-05-01T12:00:00Z' })
      commit(folder, { 'tea.md': null, 'tea.mdx': 'two' }, { at: '2024-05-02T12:00:00Z' })
      commit(folder, { 'tea.mdx': 'three' }, { at: '2024-05-03T12:00:00Z' })
      const { pages, notes } = await take(folder, { layouts: ['{path}.md', '{path}.mdx'] })
      expect(pages).to.have.length(1)
      expect(pages[0]?.revisions.map(({ markdown }) => markdown)).to.deep.equal(['one', 'two', 'three'])
      expect(pages[0]?.state).to.equal('live')
      expect(notes).to.include('histories are joined: 1, first tea.mdx, tea.md')
    })

    it('of two at the ref, the other’s edits count only while the first was not there', async () => {
      const folder = newRepository()
      commit(folder, { 'tea/index.md': 'index 1' }, { at: '2024-05-01T12:00:00Z' })
      commit(folder, { 'tea.md': 'tea 1', 'tea/index.md': 'index 2' }, { at: '2024-05-02T12:00:00Z' })
      commit(folder, { 'tea/index.md': 'index 3' }, { at: '2024-05-03T12:00:00Z' })
      const { pages, notes } = await take(folder)
      expect(pages).to.have.length(1)
      expect(pages[0]?.revisions.map(({ markdown }) => markdown)).to.deep.equal(['index 1', 'tea 1'])
      expect(notes).to.include('two files claim; the first file counts: 1, first tea.md, tea/index.md')
    })

    it('of two, the first by layout counts until it is gone, then the other’s text is an edit', async () => {
      const folder = newRepository()
      commit(folder, { 'tea.md': 'md 1' }, { at: '2024-05-01T12:00:00Z' })
      commit(folder, { 'tea.mdx': 'mdx 1' }, { at: '2024-05-02T12:00:00Z' })
      commit(folder, { 'tea.md': 'md 2' }, { at: '2024-05-03T12:00:00Z' })
      commit(folder, { 'tea.md': null }, { at: '2024-05-04T12:00:00Z' })
      const { page } = await take(folder, { layouts: ['{path}.md', '{path}.mdx'] })
      expect(
        page('tea').revisions.map(({ created_at, markdown }) => [created_at.slice(8, 10), markdown]),
      ).to.deep.equal([
        ['01', 'md 1'],
        ['03', 'md 2'],
        ['04', 'mdx 1'],
      ])
    })

    it('an edit of the old file on a branch that had not yet renamed it counts', async () => {
      const folder = newRepository()
      commit(folder, { 'tea.md': '1\n2\n3\n4\n5\n' }, { at: '2024-05-01T12:00:00Z' })
      git(folder, ['checkout', '-q', '-b', 'side'])
      commit(folder, { 'tea.md': '1\n2\n3\n4\nfive\n' }, { at: '2024-05-03T12:00:00Z' })
      git(folder, ['checkout', '-q', 'main'])
      commit(folder, { 'tea.md': null, 'tea.mdx': '1\n2\n3\n4\n5\n' }, { at: '2024-05-02T12:00:00Z' })
      git(folder, ['merge', '-q', '-m', 'merge', 'side'], signature('2024-05-04T12:00:00Z'))
      const { page } = await take(folder, { layouts: ['{path}.md', '{path}.mdx'] })
      expect(page('tea').revisions.map(({ created_at }) => created_at.slice(8, 10))).to.deep.equal([
        '01',
        '02',
        '03',
      ])
    })
  })

  describe('front matter', () => {
    it('in YAML gives title and tags and is taken off, with the blank line after it', async () => {
      const revision = await revisionOf(
        '---\ntitle: Green tea\ntags:\n  - Hot Drinks\n  - TEA\n---\n\n# Head\n\ntext\n',
      )
      expect(revision.title).to.equal('Green tea')
      expect(revision.categories).to.deep.equal([{ key: 'hot-drinks' }, { key: 'tea' }])
      expect(revision.markdown).to.equal('# Head\n\ntext\n')
    })

    it('in TOML too', async () => {
      const revision = await revisionOf('+++\ntitle = "Tea"\ntags = ["Hot"]\n+++\ntext\n')
      expect([revision.title, revision.categories, revision.markdown]).to.deep.equal([
        'Tea',
        [{ key: 'hot' }],
        'text\n',
      ])
    })

    it('may have tags as one text with commas, or categories; an empty value is none', async () => {
      expect((await revisionOf('---\ntags: hot, Cold Brew,,hot\n---\n')).categories).to.deep.equal([
        { key: 'hot' },
        { key: 'cold-brew' },
      ])
      expect((await revisionOf('---\ntags:\ncategories: [Hot]\n---\n')).categories).to.deep.equal([
        { key: 'hot' },
      ])
      expect((await revisionOf('---\ntags: \n---\n')).categories).to.deep.equal([])
    })

    it('with CRLF and a byte order mark is read; the text keeps its own line ends', async () => {
      const revision = await revisionOf('\ufeff---\r\ntitle: Tea\r\ntags: hot\r\n---\r\n\r\none\r\ntwo\r\n')
      expect([revision.title, revision.categories]).to.deep.equal(['Tea', [{ key: 'hot' }]])
      expect(revision.markdown).to.equal('one\r\ntwo\r\n')
    })

    it('titles that are numbers or dates become texts as written', async () => {
      expect((await revisionOf('---\ntitle: 1.10\n---\n')).title).to.equal('1.10')
      expect((await revisionOf('---\ntitle: 2024-05-01\n---\n')).title).to.equal('2024-05-01')
      expect((await revisionOf('+++\ntitle = 2024-05-01\n+++\n')).title).to.equal('2024-05-01')
    })

    it('that is broken stays in the text, is counted, and the first heading after it is the title', async () => {
      const text = '---\ntitle: Green tea\nSome prose.\n---\n\n# Tea\n'
      const revision = await revisionOf(text)
      expect([revision.title, revision.markdown, revision.status]).to.deep.equal(['Tea', text, 'accepted'])
      expect(revision.notes).to.match(/front matter cannot be read.*: 1, first tea\.md at [0-9a-f]{10}$/)
    })

    it('that is broken still hides a draft', async () => {
      expect((await revisionOf('---\nSome prose.\npublished: false\n---\nx')).status).to.equal('draft')
    })

    it('a thematic break at the top is none', async () => {
      const text = '---\n\nSome words\n\n---\n\nmore\n'
      const revision = await revisionOf(text)
      expect([revision.markdown, revision.notes]).to.deep.equal([text, ''])
    })

    it('a tag too long for a key is left out with a note', async () => {
      const revision = await revisionOf(`---\ntags: [ok, ${'x'.repeat(256)}]\n---\n`)
      expect(revision.categories).to.deep.equal([{ key: 'ok' }])
      expect(revision.notes).to.include('Tags left out')
    })
  })

  describe('titles', () => {
    for (const [what, text, title] of [
      [
        'an ATX heading',
        'text\n\n## Green *tea* and `__init__` [here](x.md) ##\n',
        'Green tea and __init__ here',
      ],
      ['a setext heading', '> quote\n\nGreen\ntea\n=====\n', 'Green tea'],
      ['a heading after a fence, not one in it', '```sh\n# no\n~~~\n# no\n```\n# Tea\n', 'Tea'],
      ['a heading after a comment, not one in it', '<!--\nno\n# no\n-->\n# Tea {#tea}\n', 'Tea'],
      ['no heading: the last segment of the path', 'snake_case #no\n', 'green'],
      ['a decomposed heading: in NFC', '# Cafe\u0301\n', 'Caf\u00e9'],
      ['an empty heading: the next one', '#\n\n# snake_case\n', 'snake_case'],
    ] as const) {
      it(`of a text with ${what}`, async () => {
        expect((await revisionOf(text, 'tea/green.md')).title).to.equal(title)
      })
    }

    it('are cut at a character to 1020 bytes', async () => {
      expect((await revisionOf(`# ${'茶'.repeat(400)}\n`)).title).to.equal('茶'.repeat(340))
      expect((await revisionOf(`---\ntitle: a${'🍵'.repeat(300)}\n---\n`)).title).to.equal(
        `a${'🍵'.repeat(254)}`,
      )
    })
  })

  describe('texts', () => {
    it('bytes that are not UTF-8 are replaced, U+0000 removed, and both counted', async () => {
      const revision = await revisionOf(Buffer.from([0x61, 0xff, 0x62, 0x00, 0x63]))
      expect(revision.markdown).to.equal('a\ufffdbc')
      expect(revision.notes).to.include(
        'not UTF-8, or U+0000; the former were replaced, the latter removed: 1',
      )
    })

    it('of MDX keep their import lines', async () => {
      const text = 'import Tea from "./tea"\n\n# Tea\n'
      expect(await revisionOf(text, 'tea.mdx')).to.include({ markdown: text, title: 'Tea' })
    })
  })

  describe('what guests see', () => {
    it('published: false makes the edit a draft, and the page when it is so at the ref', async () => {
      const folder = newRepository()
      commit(folder, { 'a.md': '---\npublished: false\n---\n1', 'b.md': '1' }, { at: '2024-05-01T12:00:00Z' })
      commit(folder, { 'a.md': '2', 'b.md': '---\npublished: false\n---\n2' }, { at: '2024-05-02T12:00:00Z' })
      const { page } = await take(folder)
      expect(page('a').state).to.equal('live')
      expect(page('a').revisions.map(({ status }) => status)).to.deep.equal(['draft', 'accepted'])
      expect(page('b').state).to.equal('draft')
      expect(page('b').revisions.map(({ status }) => status)).to.deep.equal(['accepted', 'draft'])
    })

    it('draft = true makes a draft too', async () => {
      expect(await revisionOf('+++\ndraft = true\n+++\nx')).to.include({ status: 'draft', state: 'draft' })
    })

    it('a page whose file is gone is deleted', async () => {
      const folder = newRepository()
      commit(folder, { 'tea.md': 'x', 'mate.md': 'x' })
      commit(folder, { 'tea.md': null })
      expect((await take(folder)).page('tea').state).to.equal('deleted')
    })

    it('a category has the newest spelling of its tag', async () => {
      const folder = newRepository()
      commit(folder, { 'b.md': '---\ntags: [HOT  Drinks]\n---\n' }, { at: '2024-05-02T12:00:00Z' })
      commit(folder, { 'a.md': '---\ntags: [hot drinks]\n---\n' }, { at: '2024-05-03T12:00:00Z' })
      commit(folder, { 'c.md': '---\ntags: [Hot Drinks]\n---\n' }, { at: '2024-05-01T12:00:00Z' })
      expect((await take(folder)).categories).to.deep.equal([
        { type: 'category', locale: 'en', key: 'hot-drinks', name: 'hot drinks' },
      ])
    })

    it('tags of drafts, deleted pages and older edits give no category', async () => {
      const folder = newRepository()
      const tagged = (tag: string, more = '') => `---\ntags: [${tag}]\n${more}---\n`
      commit(
        folder,
        { 'a.md': tagged('old'), 'b.md': tagged('gone'), 'c.md': tagged('hidden', 'published: false\n') },
        { at: '2024-05-01T12:00:00Z' },
      )
      commit(folder, { 'a.md': tagged('new'), 'b.md': null }, { at: '2024-05-02T12:00:00Z' })
      expect((await take(folder)).categories.map(({ key }) => key)).to.deep.equal(['new'])
    })

    it('nor do those of a draft that is dated after the edit that replaced it, read again or not', async () => {
      const folder = newRepository()
      const draft = '---\ntags: [hidden]\npublished: false\n---\n'
      commit(folder, { 'a.md': draft }, { at: '2024-05-02T12:00:00Z' })
      commit(folder, { 'a.md': '---\ntags: [open]\n---\n' }, { at: '2024-05-01T12:00:00Z' })
      for (const isKnown of [false, true]) {
        const stored = () => ({
          knownRevisions: async (some: { id: string }[]) => new Set(isKnown ? some.map(({ id }) => id) : []),
          storedPages: async () => [],
        })
        const { page, categories } = await take(folder, { stored })
        expect(page('a').state).to.equal('live')
        expect(categories.map(({ key }) => key)).to.deep.equal(['open'])
      }
    })
  })

  describe('the wiki', () => {
    it('is named after the folder, with the languages that have pages', async () => {
      const folder = newRepository('--bare')
      const work = newRepository()
      commit(work, { 'en/tea.md': 'x', 'ru/tea.md': 'x' })
      git(work, ['push', '-q', folder, 'main'])
      const bare = join(top, 'Tea Wiki.git')
      execFileSync('mv', [folder, bare])
      const { wiki, pages } = await take(bare, {
        layouts: ['{locale}/{path}.md'],
        license: 'https://tea.example/license',
      })
      expect(wiki).to.deep.equal({
        type: 'wiki',
        name: 'Tea Wiki',
        default_locale: 'en',
        license: 'https://tea.example/license',
        locales: [
          { locale: 'en', name: 'English' },
          { locale: 'ru', name: 'русский' },
        ],
      })
      expect(pages).to.have.length(2)
    })

    it('takes the name given, and as default language the given one, else en, else the largest', async () => {
      const folder = newRepository()
      commit(folder, { 'de/a.md': 'x', 'ru/a.md': 'x', 'ru/b.md': 'x' })
      const options = { layouts: ['{locale}/{path}.md'], name: 'Чай' }
      expect((await take(folder, options)).wiki).to.include({ name: 'Чай', default_locale: 'ru' })
      expect((await take(folder, { ...options, defaultLocale: 'de' })).wiki).to.include({
        default_locale: 'de',
      })
      commit(folder, { 'en/a.md': 'x' })
      expect((await take(folder, { ...options, defaultLocale: 'fr' })).wiki).to.include({
        default_locale: 'en',
      })
    })

    it('has the languages that guests can see a page in, and without any its own', async () => {
      const folder = newRepository()
      const locales = async () => {
        const { wiki } = await take(folder, { layouts: ['{locale}/{path}.md'] })
        return wiki?.type === 'wiki' ? [wiki.default_locale, ...wiki.locales.map(({ locale }) => locale)] : []
      }
      const draft = '---\npublished: false\n---\n'
      commit(folder, { 'de/a.md': 'x', 'fr/a.md': draft, 'ja/a.md': 'x', 'ru/a.md': 'x' })
      commit(folder, { 'ja/a.md': draft, 'ru/a.md': null })
      expect(await locales()).to.deep.equal(['de', 'de'])
      commit(folder, { 'de/a.md': null })
      expect(await locales()).to.deep.equal(['en', 'en'])
    })

    it('a license that is no address is refused', async () => {
      const folder = newRepository()
      commit(folder, { 'tea.md': 'x' })
      expect((await refusal(folder, { license: 'MIT' })).message).to.include('license')
    })
  })

  describe('reading again', () => {
    it('gives every page, with its state, but only the revisions that are not known', async () => {
      const folder = newRepository()
      commit(
        folder,
        { 'a.md': 'one', 'b.md': '---\npublished: false\n---\n' },
        { at: '2024-05-01T12:00:00Z' },
      )
      const first = await take(folder)
      const ids = new Set(first.pages.flatMap(({ revisions }) => revisions.map(({ id }) => id!)))
      commit(folder, { 'a.md': 'two' }, { at: '2024-05-02T12:00:00Z' })
      const asked: string[] = []
      const known = async (some: { id: string }[]) => {
        asked.push(...some.map(({ id }) => id))
        return new Set(asked.filter((id) => ids.has(id)))
      }
      const stored = () => ({ knownRevisions: known, storedPages: async () => [] })
      const { page, source } = await take(folder, { stored })
      expect(page('a').revisions.map(({ markdown }) => markdown)).to.deep.equal(['two'])
      expect(page('b')).to.include({ state: 'draft' }).and.have.property('revisions').that.is.empty
      expect(asked).to.have.length(3)
      expect(source.progress()).to.deep.equal({ done: 3, total: 3, unit: 'edits' })
    })
  })

  describe('the repository', () => {
    it('can be a linked worktree', async () => {
      const folder = newRepository()
      commit(folder, { 'tea.md': 'x' })
      const linked = join(top, 'linked')
      git(folder, ['worktree', 'add', '-q', '-b', 'other', linked])
      commit(linked, { 'mate.md': 'x' })
      expect((await take(linked)).pages).to.have.length(2)
    })

    it('is read as the ref has it, not as it is checked out', async () => {
      const folder = newRepository()
      commit(folder, { 'tea.md': 'committed' })
      writeFileSync(join(folder, 'tea.md'), 'not committed')
      expect((await take(folder)).page('tea').revisions[0]?.markdown).to.equal('committed')
    })

    it('that is shallow gives a note', async () => {
      const folder = newRepository()
      commit(folder, { 'tea.md': 'one' })
      commit(folder, { 'tea.md': 'two' })
      git(top, ['clone', '-q', '--depth', '1', `file://${folder}`, 'shallow'])
      const { page, notes } = await take(join(top, 'shallow'))
      expect(page('tea').revisions).to.have.length(1)
      expect(notes).to.include('shallow').and.include('git fetch --unshallow')
    })

    it('cannot redirect or be redirected: GIT_ variables and settings change nothing', async () => {
      const folder = newRepository()
      const other = newRepository()
      commit(folder, { 'tea.md': 'one' })
      commit(folder, { 'tea.md': 'two', '.mailmap': '' })
      commit(other, { 'mate.md': 'x' })
      for (const [name, value] of [
        ['log.showSignature', 'true'],
        ['log.showRoot', 'false'],
        ['color.ui', 'always'],
        ['diff.orderFile', 'missing'],
        ['diff.external', 'false'],
        ['core.pager', 'false'],
        ['core.hooksPath', 'nowhere'],
      ] as const) {
        git(folder, ['config', name, value])
      }
      const variables = {
        GIT_DIR: join(other, '.git'),
        GIT_EXTERNAL_DIFF: 'false',
        GIT_OBJECT_DIRECTORY: other,
      }
      const { pages } = await withEnvironment(variables, () => take(folder))
      expect(pages.map(({ path, revisions }) => [path, revisions.length])).to.deep.equal([['tea', 2]])
    })

    it('that is none, or a folder inside one, is refused', async () => {
      const folder = newRepository()
      commit(folder, { 'docs/tea.md': 'x' })
      expect((await refusal(join(folder, 'docs'))).message).to.include('is no git repository')
      expect((await refusal(join(top, 'nowhere'))).message).to.include('There is no folder')
    })

    it('of another user is refused with what to do', async () => {
      const folder = newRepository()
      commit(folder, { 'tea.md': 'x' })
      const variables: Record<string, string> = {
        HOME: join(top, 'nobody'),
        XDG_CONFIG_HOME: join(top, 'nobody'),
      }
      if (process.getuid?.() === 0) {
        for (const name of ['', '.git']) chownSync(join(folder, name), 12345, 12345)
      } else {
        // Only root can give a folder away. By a switch of its own tests git does what it does then.
        const programs = join(top, 'programs')
        mkdirSync(programs)
        const script = `#!/bin/sh\nPATH='${process.env.PATH}' GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec git "$@"\n`
        writeFileSync(join(programs, 'git'), script, { mode: 0o755 })
        variables.PATH = `${programs}:${process.env.PATH}`
      }
      const { message } = await withEnvironment(variables, () => refusal(folder))
      expect(message).to.include('git config --global --add safe.directory').and.include(folder)
    })

    it('without the ref is refused; a ref is never an option', async () => {
      const folder = newRepository()
      expect((await refusal(folder)).message)
        .to.include('HEAD names no commit')
        .and.include('--ref')
      commit(folder, { 'tea.md': 'x' })
      for (const ref of ['nowhere', '--all', '--git-dir', '']) {
        expect((await refusal(folder, { ref })).message, ref).to.include('names no commit')
      }
    })

    it('without git is refused', async () => {
      const folder = newRepository()
      const error = await withEnvironment({ PATH: top }, () => refusal(folder))
      expect(error.message).to.include('Install git')
    })

    it('that lacks a text, or holds a damaged one, ends the reading with ImportError and what git says', async () => {
      const folder = newRepository()
      commit(folder, { 'tea.md': 'x' })
      const blob = git(folder, ['rev-parse', 'HEAD:tea.md'])
      const file = join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2))
      chmodSync(file, 0o644)
      const children = await childrenRunning()
      for (const [content, words] of [
        ['damaged', 'unable to unpack'],
        [deflateSync('blob 100\0x'), 'is damaged'],
        [null, 'is missing'],
      ] as const) {
        if (content === null) rmSync(file)
        else writeFileSync(file, content)
        const error = await refusal(folder)
        expect(error).to.be.instanceOf(ImportError)
        expect(error.message)
          .to.match(/^git cat-file: /)
          .and.include(words)
        await childrenEnded(children)
      }
    })

    it('that lacks a folder of its history is refused with what git says', async () => {
      const folder = newRepository()
      commit(folder, { 'tea.md': 'one' })
      commit(folder, { 'tea.md': 'two' })
      const tree = git(folder, ['rev-parse', 'HEAD^^{tree}'])
      rmSync(join(folder, '.git/objects', tree.slice(0, 2), tree.slice(2)))
      const error = await refusal(folder)
      expect(error).to.be.instanceOf(ImportError)
      expect(error.message)
        .to.match(/^git log: /)
        .and.include(tree)
    })

    it('is left alone when the reading stops early: no git goes on, and nothing in it has changed', async () => {
      const folder = newRepository()
      // More than a pipe holds, so that git cannot have ended by itself.
      commit(folder, { 'a.md': 'x', 'b.md': 'x'.repeat(4_000_000) })
      const children = await childrenRunning()
      const before = readdirSync(join(folder, '.git'), { recursive: true })
      const source = await openGitSource(folder, { layouts: [] })
      await childrenEnded(children)
      for await (const record of source.records) {
        if (record.type !== 'page') continue
        expect(await childrenRunning()).to.equal(children + 1)
        break
      }
      await childrenEnded(children)
      expect(readdirSync(join(folder, '.git'), { recursive: true })).to.deep.equal(before)
    })
  })
})
