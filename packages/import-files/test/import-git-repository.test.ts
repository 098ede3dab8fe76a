import { chmodSync, chownSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { openGitSource } from '@lectern/import-files/git/source'
import { ImportError } from '@lectern/wiki/errors'
import { expect } from 'chai'
import { commit, git, gitFolder, newRepository, refusalOf, take } from '../../../test/support/git.ts'

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

/** Number of child processes. One that has ended is counted until the event loop has turned. */
const childrenRunning = async (): Promise<number> => {
  for (const _ of [1, 2]) await new Promise(setImmediate)
  return process.getActiveResourcesInfo().filter((resource) => resource === 'ProcessWrap').length
}

/** Resolves when no more child processes run than before. One that goes on makes the test time out. */
const childrenEnded = async (before: number): Promise<void> => {
  while ((await childrenRunning()) > before);
}

describe('import git: the repository', () => {
  it('names its submodules, which are left out, files that differ only in case, and a license', async () => {
    const folder = newRepository()
    const other = newRepository()
    commit(other, { 'other.md': 'x' })
    git(folder, ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'docs/other'])
    commit(folder, { 'Tea.md': 'x', 'tea.md': 'x', LICENSE: 'x' })
    const { pages, notes } = await take(folder)
    expect(pages.map(({ path }) => path)).to.deep.equal(['Tea', 'tea'])
    expect(notes).to.include(
      'Submodules left out; import their repositories as sources of their own: 1, first docs/other',
    )
    expect(notes).to.include('differ only in case').and.include('first Tea.md, tea.md')
    expect(notes).to.include('first LICENSE')
  })

  it('can be a linked worktree', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'x' })
    const linked = join(gitFolder(), 'linked')
    git(folder, ['worktree', 'add', '-q', '-b', 'other', linked])
    commit(linked, { 'mate.md': 'x' })
    expect((await take(linked)).pages).to.have.length(2)
  })

  it('is read at the ref, not as it is checked out', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'committed' })
    writeFileSync(join(folder, 'tea.md'), 'not committed')
    expect((await take(folder)).page('tea').revisions[0]?.markdown).to.equal('committed')
  })

  it('that is shallow gives a note', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'one' })
    commit(folder, { 'tea.md': 'two' })
    git(gitFolder(), ['clone', '-q', '--depth', '1', `file://${folder}`, 'shallow'])
    const { page, notes } = await take(join(gitFolder(), 'shallow'))
    expect(page('tea').revisions).to.have.length(1)
    expect(notes).to.include('shallow').and.include('git fetch --unshallow')
  })

  it('is read the same whatever GIT_ variables and settings say', async () => {
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

  it('is refused when it is not a repository, or a folder inside one', async () => {
    const folder = newRepository()
    commit(folder, { 'docs/tea.md': 'x' })
    expect((await refusalOf(join(folder, 'docs'))).message).to.include(
      `Use \`lectern import git ${realpathSync(folder)} --layout 'docs/{path}.md'\``,
    )
    expect((await refusalOf(join(gitFolder(), 'nowhere'))).message).to.include('nowhere does not exist')
  })

  it('of another user is refused, with what to do', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'x' })
    const variables: Record<string, string> = {
      HOME: join(gitFolder(), 'nobody'),
      XDG_CONFIG_HOME: join(gitFolder(), 'nobody'),
    }
    if (process.getuid?.() === 0) {
      for (const name of ['', '.git']) chownSync(join(folder, name), 12345, 12345)
    } else {
      // Only root can give a folder away. By a switch of its own tests git does what it does then.
      const programs = join(gitFolder(), 'programs')
      mkdirSync(programs)
      const script = `#!/bin/sh\nPATH='${process.env.PATH}' GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec git "$@"\n`
      writeFileSync(join(programs, 'git'), script, { mode: 0o755 })
      variables.PATH = `${programs}:${process.env.PATH}`
    }
    const { message } = await withEnvironment(variables, () => refusalOf(folder))
    expect(message).to.include('git config --global --add safe.directory').and.include(folder)
  })

  it('without the ref is refused; a ref is never taken as an option', async () => {
    const folder = newRepository()
    expect((await refusalOf(folder)).message)
      .to.include('HEAD is not a commit')
      .and.include('It has no commits yet.')
      .and.include(`: \`lectern import folder ${folder}\`.`)
    commit(folder, { 'tea.md': 'x' })
    for (const ref of ['nowhere', '--all', '--git-dir', '']) {
      expect((await refusalOf(folder, { ref })).message, ref).to.include('is not a commit of')
    }
    for (const name of ['master', 'maintenance', 'v1', 'v2', 'v3']) git(folder, ['branch', '-q', name])
    expect((await refusalOf(folder, { ref: 'mian' })).message).to.match(/such as main, /)
  })

  it('is refused on a machine without git', async () => {
    const folder = newRepository()
    const error = await withEnvironment({ PATH: gitFolder() }, () => refusalOf(folder))
    expect(error.message).to.include('Install git')
  })

  it('that lacks a text or holds a damaged one ends the import with ImportError and the message of git', async () => {
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
      const error = await refusalOf(folder)
      expect(error).to.be.instanceOf(ImportError)
      expect(error.message)
        .to.match(/^git cat-file: /)
        .and.include(words)
      await childrenEnded(children)
    }
  })

  it('that lacks a folder of its history is refused with the message of git', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'one' })
    commit(folder, { 'tea.md': 'two' })
    const tree = git(folder, ['rev-parse', 'HEAD^^{tree}'])
    rmSync(join(folder, '.git/objects', tree.slice(0, 2), tree.slice(2)))
    const error = await refusalOf(folder)
    expect(error).to.be.instanceOf(ImportError)
    expect(error.message)
      .to.match(/^git log: /)
      .and.include(tree)
  })

  it('is left unchanged when reading stops early, and closing the source ends all processes of git', async () => {
    const folder = newRepository()
    // More than a pipe holds, so that git cannot have ended by itself.
    commit(folder, { 'a.md': 'x', 'b.md': 'x'.repeat(4_000_000) })
    const children = await childrenRunning()
    const before = readdirSync(join(folder, '.git'), { recursive: true })
    const source = await openGitSource(folder, { layouts: [] })
    for await (const record of source.records) {
      if (record.type !== 'page') continue
      expect(await childrenRunning()).to.equal(children + 1)
      break
    }
    await source.close!()
    await childrenEnded(children)
    expect(readdirSync(join(folder, '.git'), { recursive: true })).to.deep.equal(before)
  })
})
