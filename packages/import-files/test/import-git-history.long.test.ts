import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { PageRecord } from '@lectern/wiki/records'
import { expect } from 'chai'
import { commit, git, gitFolder, merge, newRepository, signature, take } from '../../../test/support/git.ts'

/** The text that guests see: that of the last accepted revision by time, then id; null if there is none. */
const shownText = (page: PageRecord | undefined): string | null => {
  if (page?.state !== 'live') return null
  const accepted = page.revisions
    .filter(({ status }) => status === 'accepted')
    .sort((a, b) => (`${a.created_at} ${a.id}` < `${b.created_at} ${b.id}` ? -1 : 1))
  return accepted.at(-1)?.markdown ?? null
}

const history = (page: PageRecord): string[] =>
  page.revisions.map(
    ({ created_at, comment, markdown }) => `${created_at.slice(8, 10)} ${comment}: ${markdown}`,
  )

describe('import git: guests see the texts of the ref', () => {
  const diverged = ({ mainAt = '2024-05-02T12:00:00Z', sideAt = '2024-05-03T12:00:00Z' } = {}): string => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'base' }, { at: '2024-05-01T12:00:00Z', message: 'base' })
    git(folder, ['checkout', '-q', '-b', 'side'])
    commit(folder, { 'tea.md': 'side' }, { at: sideAt, message: 'side' })
    git(folder, ['checkout', '-q', 'main'])
    commit(folder, { 'tea.md': 'main' }, { at: mainAt, message: 'main' })
    return folder
  }

  it('a merge that takes the text of the older side is an edit', async () => {
    const folder = diverged()
    merge(folder, ['side'], { 'tea.md': 'main' }, { at: '2024-05-04T12:00:00Z' })
    const { page, notes } = await take(folder)
    expect(history(page('tea'))).to.deep.equal([
      '01 base: base',
      '02 main: main',
      '03 side: side',
      '04 merge: main',
    ])
    expect(notes).to.equal('')
  })

  it('a merge that takes the text of the newer side is not an edit', async () => {
    const folder = diverged()
    merge(folder, ['side'], { 'tea.md': 'side' }, { at: '2024-05-04T12:00:00Z' })
    const { page } = await take(folder)
    expect(history(page('tea'))).to.deep.equal(['01 base: base', '02 main: main', '03 side: side'])
  })

  it('a merge that discards a branch (-s ours) is an edit of the pages that the branch changed', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'base', 'mate.md': 'base' }, { at: '2024-05-01T12:00:00Z', message: 'base' })
    git(folder, ['checkout', '-q', '-b', 'side'])
    commit(folder, { 'tea.md': 'side' }, { at: '2024-05-02T12:00:00Z', message: 'side' })
    git(folder, ['checkout', '-q', 'main'])
    commit(folder, { 'mate.md': 'main' }, { at: '2024-05-03T12:00:00Z', message: 'main' })
    merge(folder, ['side'], {}, { at: '2024-05-04T12:00:00Z', options: ['-s', 'ours'] })
    const { page } = await take(folder)
    expect(history(page('tea'))).to.deep.equal(['01 base: base', '02 side: side', '04 merge: base'])
    expect(history(page('mate'))).to.deep.equal(['01 base: base', '03 main: main'])
  })

  it('a merge with another text or a new file is an edit', async () => {
    const folder = diverged()
    merge(folder, ['side'], { 'tea.md': 'both', 'mate.md': 'new' }, { at: '2024-05-04T12:00:00Z' })
    const { page } = await take(folder)
    expect(history(page('tea')).at(-1)).to.equal('04 merge: both')
    expect(history(page('mate'))).to.deep.equal(['04 merge: new'])
  })

  it('a merge of three branches can take the text of each', async () => {
    for (const text of ['main', 'side', 'third', 'own']) {
      const folder = diverged()
      git(folder, ['checkout', '-q', '-b', 'third', 'main~1'])
      commit(folder, { 'tea.md': 'third' }, { at: '2024-05-02T18:00:00Z', message: 'third' })
      git(folder, ['checkout', '-q', 'main'])
      const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: folder, input: text })
      const tree = execFileSync('git', ['mktree'], {
        cwd: folder,
        input: `100644 blob ${blob.toString().trim()}\ttea.md\n`,
      })
      const octopus = git(
        folder,
        ['commit-tree', tree.toString().trim(), '-p', 'main', '-p', 'side', '-p', 'third', '-m', 'octopus'],
        signature('2024-05-05T12:00:00Z'),
      )
      const { page } = await take(folder, { ref: octopus })
      expect(shownText(page('tea')), text).to.equal(text)
      expect(page('tea').revisions, text).to.have.length(text === 'side' ? 4 : 5)
    }
  })

  it('a commit dated before its parent, and a merge dated before its sides', async () => {
    const folder = diverged({ mainAt: '2024-04-02T12:00:00Z', sideAt: '2024-06-03T12:00:00Z' })
    expect(shownText((await take(folder)).page('tea'))).to.equal('main')
    merge(folder, ['side'], { 'tea.md': 'main' }, { at: '2024-03-01T12:00:00Z' })
    const { page, notes } = await take(folder)
    expect(history(page('tea'))).to.deep.equal([
      '01 base: base',
      '01 main: main',
      '03 side: side',
      '03 merge: main',
    ])
    expect(notes).to.match(/a clock was wrong.*: 2, first tea\.md at/)
  })

  it('a file renamed in a merge, while another branch edits the old name', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'base' }, { at: '2024-05-01T12:00:00Z', message: 'base' })
    git(folder, ['checkout', '-q', '-b', 'side'])
    commit(folder, { 'tea.md': 'side' }, { at: '2024-05-03T12:00:00Z', message: 'side' })
    git(folder, ['checkout', '-q', 'main'])
    commit(folder, { 'tea.md': null, 'tea.mdx': 'moved' }, { at: '2024-05-02T12:00:00Z', message: 'move' })
    merge(folder, ['side'], {}, { at: '2024-05-04T12:00:00Z', options: ['-s', 'ours'] })
    const { page } = await take(folder, { layouts: ['{path}.md', '{path}.mdx'] })
    expect(history(page('tea'))).to.deep.equal([
      '01 base: base',
      '02 move: moved',
      '03 side: side',
      '04 merge: moved',
    ])
  })

  it('a subtree merged into another folder', async () => {
    const other = newRepository()
    commit(other, { 'tea.md': 'of the other' }, { at: '2024-05-02T12:00:00Z', message: 'other' })
    const folder = newRepository()
    commit(folder, { 'tea.md': 'ours' }, { at: '2024-05-01T12:00:00Z', message: 'ours' })
    git(folder, ['fetch', '-q', other, 'main'])
    git(
      folder,
      ['merge', '-q', '-s', 'ours', '--no-commit', '--allow-unrelated-histories', 'FETCH_HEAD'],
      signature('2024-05-03T12:00:00Z'),
    )
    git(folder, ['read-tree', '--prefix=sub/', '-u', 'FETCH_HEAD'])
    git(folder, ['commit', '-q', '-m', 'subtree'], signature('2024-05-03T12:00:00Z'))
    const { page } = await take(folder)
    expect(shownText(page('tea'))).to.equal('ours')
    expect(history(page('sub/tea'))).to.deep.equal(['03 subtree: of the other'])
  })

  it('a revert restores the old text', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'one' }, { at: '2024-05-01T12:00:00Z' })
    commit(folder, { 'tea.md': 'two' }, { at: '2024-05-02T12:00:00Z' })
    git(folder, ['revert', '--no-edit', 'HEAD'], signature('2024-05-03T12:00:00Z'))
    expect(shownText((await take(folder)).page('tea'))).to.equal('one')
  })

  it('a shallow clone, cut before or after a merge', async () => {
    const folder = diverged()
    merge(folder, ['side'], { 'tea.md': 'main' }, { at: '2024-05-04T12:00:00Z' })
    commit(folder, { 'mate.md': 'x' }, { at: '2024-05-05T12:00:00Z' })
    for (const depth of ['1', '2', '3']) {
      const clone = join(gitFolder(), `shallow-${depth}`)
      git(gitFolder(), ['clone', '-q', '--depth', depth, `file://${folder}`, clone])
      const { page } = await take(clone)
      expect(shownText(page('tea')), depth).to.equal('main')
    }
  })

  it('leaves out a folder named ".."', async () => {
    const folder = newRepository()
    const file = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: folder, input: 'x' })
      .toString()
      .trim()
    const tree = (...entries: string[]) =>
      execFileSync('git', ['mktree'], { cwd: folder, input: entries.map((entry) => `${entry}\n`).join('') })
        .toString()
        .trim()
    const inner = tree(`100644 blob ${file}\ttea.md`)
    const root = tree(`040000 tree ${inner}\t..`, `100644 blob ${file}\tmate.md`)
    const hash = git(folder, ['commit-tree', root, '-m', 'edit'], signature('2024-05-01T12:00:00Z'))
    const { pages } = await take(folder, { layouts: ['{path}.md'], ref: hash })
    expect(pages.map(({ path }) => path)).to.deep.equal(['mate'])
  })
})
