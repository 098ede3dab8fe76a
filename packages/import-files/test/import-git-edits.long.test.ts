import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  commit,
  git,
  gitFolder,
  newRepository,
  signature,
  storedWithKnown,
  take,
} from '../../../test/support/git.ts'

describe('import git: revisions', () => {
  it('are the commits that changed the content of the file, oldest first, with committer date, author and subject', async () => {
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

  it('do not include a change of mode alone or a deletion; a file that returns continues its history', async () => {
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

  it('include both sides of a merge, and the merge itself where its text is that of neither side', async () => {
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

  it('use the author names of the mailmap at the ref', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'x', '.mailmap': 'Ada Lovelace <ada@tea.example>\n' })
    writeFileSync(join(folder, '.mailmap'), 'Not Committed <ada@tea.example>\n')
    expect((await take(folder)).page('tea').revisions[0]?.author).to.equal('Ada Lovelace')
  })

  it('have authors in UTF-8 whatever the encoding of the commit; invalid bytes are replaced', async () => {
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
      const file = join(gitFolder(), 'commit')
      writeFileSync(file, raw(encoding))
      git(folder, ['update-ref', 'refs/heads/raw', git(folder, ['hash-object', '-t', 'commit', '-w', file])])
      authors.push((await take(folder, { ref: 'raw' })).page('tea').revisions[0]?.author)
    }
    expect(authors).to.deep.equal(['René', 'Ren\ufffd'])
  })

  it('have a UUID of version 8 as id, which is stable and differs by file', async () => {
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

  it('take the time of the revision that they replace where a clock ran backwards, with a note', async () => {
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

  it('are those of the ref that is given', async () => {
    const folder = newRepository()
    const first = commit(folder, { 'tea.md': 'one' })
    commit(folder, { 'tea.md': 'two' })
    expect((await take(folder, { ref: first })).page('tea').revisions).to.have.length(1)
  })
})

describe('import git: a page in several files', () => {
  it('joins both histories of a renamed file in one page', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'one' }, { at: '2024-05-01T12:00:00Z' })
    commit(folder, { 'tea.md': null, 'tea.mdx': 'two' }, { at: '2024-05-02T12:00:00Z' })
    commit(folder, { 'tea.mdx': 'three' }, { at: '2024-05-03T12:00:00Z' })
    const { pages, notes } = await take(folder, { layouts: ['{path}.md', '{path}.mdx'] })
    expect(pages).to.have.length(1)
    expect(pages[0]?.revisions.map(({ markdown }) => markdown)).to.deep.equal(['one', 'two', 'three'])
    expect(pages[0]?.state).to.equal('live')
    expect(notes).to.include('histories are joined: 1, first tea.md → tea.mdx')
  })

  it('takes the revisions of the second file only from the time before the first existed, when both are at the ref', async () => {
    const folder = newRepository()
    commit(folder, { 'tea/index.md': 'index 1' }, { at: '2024-05-01T12:00:00Z' })
    commit(folder, { 'tea.md': 'tea 1', 'tea/index.md': 'index 2' }, { at: '2024-05-02T12:00:00Z' })
    commit(folder, { 'tea/index.md': 'index 3' }, { at: '2024-05-03T12:00:00Z' })
    const { pages, notes } = await take(folder)
    expect(pages).to.have.length(1)
    expect(pages[0]?.revisions.map(({ markdown }) => markdown)).to.deep.equal(['index 1', 'tea 1'])
    expect(notes).to.include('Pages with two files; the first file is used: 1, first tea.md, tea/index.md')
  })

  it('prefers the file of the first layout until that is gone; then the text of the other becomes a revision', async () => {
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

  it('takes a revision of the old file on a branch that had not yet renamed it', async () => {
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

describe('import git: reading a repository again', () => {
  it('yields every page with its state, but only the revisions that are not stored yet', async () => {
    const folder = newRepository()
    commit(folder, { 'a.md': 'one', 'b.md': '---\npublished: false\n---\n' }, { at: '2024-05-01T12:00:00Z' })
    const first = await take(folder)
    const ids = new Set(first.pages.flatMap(({ revisions }) => revisions.map(({ id }) => id!)))
    commit(folder, { 'a.md': 'two' }, { at: '2024-05-02T12:00:00Z' })
    const asked: string[] = []
    const known = async (some: { id: string }[]) => {
      asked.push(...some.map(({ id }) => id))
      return new Set(asked.filter((id) => ids.has(id)))
    }
    const { page, source } = await take(folder, { stored: () => storedWithKnown(known) })
    expect(page('a').revisions.map(({ markdown }) => markdown)).to.deep.equal(['two'])
    expect(page('b')).to.include({ state: 'draft' }).and.have.property('revisions').that.is.empty
    expect(asked).to.have.length(3)
    expect(source.progress()).to.deep.equal({ done: 3, total: 3, unit: 'edits' })
  })
})
