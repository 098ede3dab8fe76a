import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openGitSource } from '@lectern/import-files/git/source'
import { expect } from 'chai'
import { runImport } from '../../../src/write/run-import.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { commit, git, merge, newRepository } from '../../../test/support/git.ts'
import { withService } from '../../../test/support/service.ts'
import { clearWorld } from '../../../test/support/world.ts'

const { owner } = await testDatabase()

describe('import git: when files were changed, and by whom', () => {
  const test = withService()
  beforeEach(clearWorld)

  const importing = async (folder: string) => {
    await runImport(owner, (stored) => openGitSource(folder, { layouts: [], stored: () => stored }), {
      from: { name: 'main', isConfirmed: true },
    })
    test.service.invalidate()
  }
  const at = (minute: number, by: string) => ({ at: `2024-01-01T00:0${minute}:00Z`, by })

  const fileOf = async (path: string) => {
    const { body } = await test.get(`/files/${path}`)
    return [body.author?.name, body.modified_at]
  }

  /** Expects of each file what git says about it. */
  const expectAsGit = async (folder: string, ...paths: string[]): Promise<void> => {
    for (const path of paths) {
      const [seconds, author] = git(folder, ['log', '-1', '--format=%ct %aN', '--', path]).split(' ')
      const time = new Date(Number(seconds) * 1000).toISOString().replace('.000Z', '.000000Z')
      expect(await fileOf(path), path).to.deep.equal([author, time])
    }
  }

  it('the last commit that changed a file counts, also if it was renamed, copied or reverted', async () => {
    const folder = newRepository()
    const names = ['a.pdf', 'b.pdf', 'moved.pdf', 'copy.pdf', 'back.pdf']
    const page = names.map((name) => `[x](${name})`).join(' ')
    commit(folder, { 'tea.md': page, 'a.pdf': 'a', 'b.pdf': 'b', 'back.pdf': 'one' }, at(1, 'Ada'))
    commit(folder, { 'b.pdf': 'b2', 'back.pdf': 'two', 'old.pdf': 'moved' }, at(2, 'Bob'))
    commit(folder, { 'old.pdf': null, 'moved.pdf': 'moved', 'copy.pdf': 'a' }, at(3, 'Eve'))
    commit(folder, { 'back.pdf': 'one', 'tea.md': `${page}.` }, at(4, 'Mia'))
    await importing(folder)
    await expectAsGit(folder, ...names)
    expect(await fileOf('back.pdf')).to.deep.equal(['Mia', '2024-01-01T00:04:00.000000Z'])
  })

  it('a merge does not count, unless it changes the file itself', async () => {
    const folder = newRepository()
    const page = '[x](a.pdf) [x](b.pdf) [x](c.pdf)'
    commit(folder, { 'tea.md': page, 'a.pdf': 'a', 'b.pdf': 'b', 'c.pdf': 'c' }, at(1, 'Ada'))
    git(folder, ['checkout', '-qb', 'side'])
    commit(folder, { 'a.pdf': 'a2', 'c.pdf': 'c-side' }, at(2, 'Bob'))
    git(folder, ['checkout', '-q', 'main'])
    commit(folder, { 'b.pdf': 'b2', 'c.pdf': 'c-main' }, at(3, 'Eve'))
    merge(folder, ['side'], { 'c.pdf': 'c-both' }, { at: '2024-01-01T00:04:00Z' })
    await importing(folder)
    await expectAsGit(folder, 'a.pdf', 'b.pdf', 'c.pdf')
    expect((await fileOf('a.pdf'))[0]).to.equal('Bob')
  })

  it('a later import keeps what it does not change, and knows files that a page shows only now', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': '[x](a.pdf) [x](b.pdf)', 'a.pdf': 'a', 'b.pdf': 'b' }, at(1, 'Ada'))
    commit(folder, { 'late.pdf': 'late' }, at(2, 'Bob'))
    await importing(folder)
    commit(folder, { 'b.pdf': 'b2' }, at(3, 'Eve'))
    await importing(folder)
    await importing(folder)
    await expectAsGit(folder, 'a.pdf', 'b.pdf')
    commit(folder, { 'tea.md': '[x](a.pdf) [x](b.pdf) [x](late.pdf)' }, at(4, 'Mia'))
    await importing(folder)
    await expectAsGit(folder, 'a.pdf', 'b.pdf', 'late.pdf')
    git(folder, ['mv', 'a.pdf', 'new.pdf'])
    commit(folder, { 'tea.md': '[x](new.pdf)' }, at(5, 'Leo'))
    await importing(folder)
    await expectAsGit(folder, 'new.pdf')
  })

  it('.mailmap names the authors, also after it has changed', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': '[x](a.pdf)', 'a.pdf': 'a' }, at(1, 'Ada'))
    await importing(folder)
    commit(folder, { '.mailmap': 'Ada Lovelace <ada@tea.example>\n' }, at(2, 'Bob'))
    await importing(folder)
    expect((await fileOf('a.pdf'))[0]).to.equal('Ada Lovelace')
  })

  it('a damaged one is left out, and those beside it are stored', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': '[x](a.pdf) [x](b.pdf) [x](c.pdf)', 'a.pdf': 'a', 'b.pdf': 'b', 'c.pdf': 'c' })
    const blob = git(folder, ['rev-parse', 'HEAD:b.pdf']).trim()
    rmSync(join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2)))
    await importing(folder)
    const { body } = await test.get('/files')
    expect(body.items.map(({ path }: { path: string }) => path)).to.deep.equal(['a.pdf', 'c.pdf'])
  })
})
