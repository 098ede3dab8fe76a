import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FolderWatch, folderVersion } from '@lectern/import-files/folder/watch'
import { expect } from 'chai'
import { failureOf } from '../../../test/support/failures.ts'
import { newNotesFolder, writeFiles } from '../../../test/support/folder.ts'
import type { Files } from '../../../test/support/git.ts'
import { until } from '../../../test/support/until.ts'

describe('the version of a folder', () => {
  type Change = (folder: string) => void
  const write =
    (files: Files, at?: string): Change =>
    (folder) =>
      writeFiles(folder, files, at)

  const rename: Change = (folder) => renameSync(join(folder, 'tea.md'), join(folder, 'mate.md'))

  for (const [what, isChanged, change] of [
    ['stays the same if nothing has changed', false, () => {}],
    ['changes with the name of a page', true, rename],
    ['changes with the size of a page', true, write({ 'tea.md': 'xx' })],
    ['changes with the time of a page', true, write({ 'tea.md': 'x' }, '2024-05-01T12:00:01Z')],
    ['changes with a new page', true, write({ 'sub/new.md': 'x' })],
    ['changes with the content of an image', true, write({ 'img/cup.png': 'other' })],
    ['changes with the name of an image, which links name', true, write({ 'img/new.png': 'x' })],
    ['changes with the content of another file, which pages may link', true, write({ 'a.txt': 'other' })],
    ['does not change with hidden files', false, write({ '.trash/tea.md': 'x', '.x.txt': 'x' })],
    ['changes with the configuration of tools', true, write({ '.vitepress/config.js': 'x' })],
  ] as readonly (readonly [string, boolean, Change])[])
    it(what, async () => {
      const folder = newNotesFolder()
      writeFiles(folder, { 'tea.md': 'x', 'img/cup.png': 'x', 'a.txt': 'x', '.obsidian/app.json': '{}' })
      const before = await folderVersion(folder)
      change(folder)
      expect((await folderVersion(folder)) !== before).to.equal(isChanged)
    })

  it('of a folder that is gone is an error that says so', async () => {
    const folder = newNotesFolder()
    rmSync(folder, { recursive: true })
    expect((await failureOf(folderVersion(folder))).message).to.include('does not exist')
  })
})

for (const isRecursive of [false, true])
  describe(`the watch of a folder, ${isRecursive ? 'by a recursive watch' : 'by a watch of each folder'}`, () => {
    let folder: string
    let changes = 0
    let failures: string[] = []
    let watch: FolderWatch | undefined

    beforeEach(async () => {
      folder = newNotesFolder()
      writeFiles(folder, { 'tea.md': 'x', 'sub/cup.md': 'x', 'sub/deep/a.md': 'x' })
      changes = 0
      failures = []
      watch = new FolderWatch(
        folder,
        { onChange: () => (changes += 1), onFailure: (reason) => failures.push(reason) },
        isRecursive,
      )
      await watch.ready
    })
    afterEach(() => watch?.close())

    const reported = (count: number) => until(`${count} changes are reported`, () => changes === count)

    it('reports changes that belong together once', async () => {
      for (const name of ['tea.md', 'new.md', 'sub/cup.md', 'sub/deep/a.md'])
        writeFiles(folder, { [name]: 'y' })
      await reported(1)
      appendFileSync(join(folder, 'sub/deep/a.md'), 'z')
      await reported(2)
    })

    it('reports a change in a folder that is new', async () => {
      mkdirSync(join(folder, 'new/deep'), { recursive: true })
      await reported(1)
      writeFiles(folder, { 'new/deep/a.md': 'x' })
      await reported(2)
    })

    it('reports a change in a folder that was renamed', async () => {
      renameSync(join(folder, 'sub'), join(folder, 'other'))
      await reported(1)
      appendFileSync(join(folder, 'other/deep/a.md'), 'z')
      await reported(2)
    })

    it('reports a change in a folder that was removed and created again', async () => {
      if (isRecursive) return // The recursive watch of Node 20 misses it on Linux. It is not used there.
      rmSync(join(folder, 'sub'), { recursive: true })
      writeFiles(folder, { 'sub/deep/a.md': 'x' })
      await reported(1)
      appendFileSync(join(folder, 'sub/deep/a.md'), 'z')
      await reported(2)
    })

    it('fails without a crash if the folder disappears', async () => {
      rmSync(folder, { recursive: true })
      await until('the failure is reported', () => failures.length > 0)
      expect(failures).to.deep.equal(['the folder is gone'])
      expect(changes).to.equal(1)
    })

    it('ends if another folder takes its place: the watch would see the former one', async () => {
      if (isRecursive) return // The same.
      renameSync(folder, `${folder}-former`)
      writeFiles(folder, { 'tea.md': 'y' })
      await until('the failure is reported', () => failures.length > 0)
      expect(failures).to.deep.equal(['the folder is gone'])
    })

    it('ends if the folder is removed and made again: it may have the inode of the former one', async () => {
      if (isRecursive) return // The same.
      const onDisk = mkdtempSync(join(tmpdir(), 'lectern-watch-'))
      try {
        const watch = new FolderWatch(onDisk, {
          onChange: () => {},
          onFailure: (reason) => failures.push(reason),
        })
        await watch.ready
        rmSync(onDisk, { recursive: true })
        mkdirSync(onDisk)
        await until('the failure is reported', () => failures.length > 0)
      } finally {
        rmSync(onDisk, { recursive: true, force: true })
      }
    })

    it('reports nothing after it was closed', async () => {
      appendFileSync(join(folder, 'tea.md'), 'z')
      watch?.close()
      const other = { changes: 0 }
      const second = new FolderWatch(folder, { onChange: () => (other.changes += 1), onFailure: () => {} })
      await second.ready
      appendFileSync(join(folder, 'tea.md'), 'z')
      await until('the second watch reports', () => other.changes === 1).finally(() => second.close())
      expect(changes).to.equal(0)
    })
  })

describe('the watch of a folder', () => {
  it('takes one watch of the system for each folder, not for each file', async () => {
    if (process.platform !== 'linux') return
    const folder = newNotesFolder()
    writeFiles(folder, Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`d${i % 4}/f${i}.md`, 'x'])))
    mkdirSync(join(folder, '.git/objects'), { recursive: true })
    const before = systemWatches()
    const watch = new FolderWatch(folder, { onChange: () => {}, onFailure: () => {} })
    await watch.ready
    expect(systemWatches() - before).to.equal(5)
    watch.close()
  })

  it('fails if there is no folder', async () => {
    const failures: string[] = []
    const watch = new FolderWatch('/nowhere', {
      onChange: () => {},
      onFailure: (reason) => failures.push(reason),
    })
    await watch.ready
    expect(failures.join()).to.include('ENOENT')
  })
})

/** Watches of inotify of this process. */
const systemWatches = (): number => {
  let count = 0
  for (const fd of readdirSync('/proc/self/fdinfo')) {
    try {
      count += readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8').match(/^inotify/gm)?.length ?? 0
    } catch {
      // It was closed meanwhile.
    }
  }
  return count
}
