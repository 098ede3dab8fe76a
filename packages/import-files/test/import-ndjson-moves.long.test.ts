import { openGitSource } from '@lectern/import-files/git/source'
import { openNdjsonSource } from '@lectern/import-files/ndjson/source'
import type { BatchLimits } from '@lectern/wiki/import/page-batch'
import { expect } from 'chai'
import type { NamedSource } from '../../../src/write/imported-content.ts'
import { runImport } from '../../../src/write/run-import.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { commit, type Files, newRepository } from '../../../test/support/git.ts'
import { exportText, linesOfFile, storedContent, WIKI, withFile } from '../../../test/support/importing.ts'
import { randomChoices } from '../../../test/support/random-choices.ts'
import { rounds } from '../../../test/support/rounds.ts'
import { clearWorld } from '../../../test/support/world.ts'

const { owner } = await testDatabase()

const MAIN: NamedSource = { name: 'main' }

/** Long enough that git compares it after a swap. */
const text = (about: string) =>
  `${about}\n${Array.from({ length: 60 }, (_, i) => `${about} line ${i}`).join('\n')}\n`

describe('import ndjson: edits that moved to another page', () => {
  beforeEach(clearWorld)

  const importFile = async (content: string, from = MAIN, batchLimits?: BatchLimits) =>
    withFile('wiki.ndjson', content, async (file) => {
      const { summary } = await runImport(owner, () => openNdjsonSource(file), { from, batchLimits })
      return summary
    })

  /** Imports files one over the other. After each, the wiki must be as after an import of this file alone. */
  const expectAsFresh = async (files: string[], from: NamedSource, batchLimits?: BatchLimits) => {
    const fresh: { dump: string; content: string[] }[] = []
    for (const file of files) {
      await clearWorld()
      await importFile(file)
      fresh.push({ dump: await exportText(owner), content: await storedContent(owner) })
    }
    await clearWorld()
    for (const [i, file] of files.entries()) {
      await importFile(file, from, batchLimits)
      expect(await exportText(owner), `file ${i}`).to.equal(fresh[i]!.dump)
      expect(await storedContent(owner), `file ${i}`).to.deep.equal(fresh[i]!.content)
    }
  }

  /** Exports of a git wiki after each of these commits. */
  const dumpsOf = async (commits: Files[]): Promise<string[]> => {
    const folder = newRepository()
    const dumps: string[] = []
    for (const [i, files] of commits.entries()) {
      commit(folder, files, { at: `2024-05-${String(i + 1).padStart(2, '0')}T12:00:00Z` })
      await clearWorld()
      await runImport(owner, () => openGitSource(folder, { layouts: ['{locale}/{path}.md'], name: 'Tea' }), {
        from: MAIN,
      })
      dumps.push(await exportText(owner))
    }
    return dumps
  }

  const six = ['a', 'b', 'c', 'd', 'e', 'f']
  const first = Object.fromEntries(six.map((name) => [`en/${name}.md`, text(name)]))

  it('follow their page through exports of a git wiki, without a confirmation', async () => {
    const dumps = await dumpsOf([
      first,
      { 'en/a.md': text('a, edited') },
      { 'en/a.md': null, 'en/new.md': text('a, edited') }, // a rename
      { 'en/b.md': text('c'), 'en/c.md': text('b') }, // a swap
      { 'en/d.md': text('new page'), 'en/x.md': text('d') }, // a rename, and a new page in its place
      { 'en/e.md': null, 'en/f.md': text('e') }, // a rename over another page
      { 'en/new.md': null, 'en/z.md': text('a, edited'), 'en/b.md': null, 'en/new2.md': text('c') }, // two renames
      { 'en/z.md': null, 'ru/z.md': text('a, edited'), 'en/c.md': null }, // another language, and a deletion
      { 'ru/z.md': `---\ndraft: true\n---\n${text('a, edited')}` }, // hidden
    ])
    expect(dumps[2]).to.include('"path":"new"')
    await expectAsFresh(dumps, MAIN, { pages: 1, revisions: 1, bytes: 100 })
  })

  it('follow a chain: a becomes b, and b becomes c', async () => {
    const dumps = await dumpsOf([
      first,
      { 'en/a.md': null, 'en/b.md': text('a'), 'en/g.md': text('b') },
      { 'en/b.md': null, 'en/g.md': text('a'), 'en/h.md': text('b') },
    ])
    await expectAsFresh(dumps, MAIN)
  })

  it('leave nothing on their former page, which guests no longer find', async () => {
    const revision = { author: 'Ada', status: 'accepted', title: 'x', created_at: '2024-01-01T00:00:00Z' }
    const pageOf = (path: string, n: number, state = 'live') => ({
      ...{ type: 'page', locale: 'en', path, state },
      revisions: [{ ...revision, markdown: `${n}`, id: `00000000-0000-4000-8000-00000000000${n}` }],
    })
    await importFile(linesOfFile(WIKI, pageOf('a', 1), pageOf('b', 2), pageOf('c', 3)))
    const summary = await importFile(linesOfFile(WIKI, pageOf('d', 1), pageOf('b', 2, 'draft')), {
      ...MAIN,
      isConfirmed: true,
    })
    expect(summary).to.include({ movedRevisions: 1 })
    const dump = (await exportText(owner)).split('\n').filter((line) => line.includes('"page"'))
    expect(dump.map((line) => JSON.parse(line)).map(({ path, state }) => `${path} ${state}`)).to.deep.equal([
      'b draft',
      'd live',
    ])
  })

  it('come out as in a fresh import, whatever moves: random sequences', async () => {
    for (let seed = 1; seed <= rounds(2); seed += 1) {
      const choices = randomChoices(seed)
      const next = randomWikis(choices)
      const files = Array.from({ length: 3 }, () => next())
      const batchLimits = { pages: 1 + choices.below(4), revisions: 1 + choices.below(6), bytes: 10_000 }
      await expectAsFresh(files, { ...MAIN, isConfirmed: true }, batchLimits).catch((error) => {
        throw new Error(`seed ${seed}: ${error.message}`, { cause: error })
      })
    }
  })
})

interface Page {
  state: string
  revisions: object[]
}

/** Files of one wiki, each some changes after the one before. */
const randomWikis = ({ below, once, pick }: ReturnType<typeof randomChoices>): (() => string) => {
  const pages = new Map<string, Page>()
  let number = 0
  const address = () =>
    `${pick(['en', 'en', 'ru'])} ${pick(['a', 'b', 'c', 'd', 'template:e', 'category:k'])}`
  const revision = () => {
    number += 1
    return {
      id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
      created_at: `2024-01-0${1 + below(5)}T00:00:00Z`,
      author: 'Ada',
      status: pick(['accepted', 'accepted', 'accepted', 'pending', 'draft']),
      title: `Title ${number}`,
      markdown: `Text ${number}, see [a](a) and [[b]].`,
      categories: once(2) ? [{ key: 'k' }] : [],
    }
  }
  const changes: (() => void)[] = [
    () => {
      const at = address()
      const page = pages.get(at) ?? { state: 'live', revisions: [] }
      page.revisions.push(revision())
      pages.set(at, page)
    },
    // A rename, which can be over another page, or a swap.
    () => {
      const [from, to] = [pick([...pages.keys()]), address()]
      const [page, other] = [pages.get(from), pages.get(to)]
      if (page === undefined || from === to) return
      pages.set(to, page)
      if (other !== undefined && once(2)) pages.set(from, other)
      else pages.delete(from)
    },
    // Some revisions move to another page.
    () => {
      const [from, to] = [pages.get(pick([...pages.keys()])), pages.get(address())]
      if (from !== undefined && to !== undefined && from !== to)
        to.revisions.push(...from.revisions.splice(1))
    },
    () => void pages.delete(address()),
    () => {
      const page = pages.get(address())
      if (page) page.state = pick(['live', 'draft', 'deleted'])
    },
  ]
  return () => {
    for (let i = 0; i < 5; i += 1) pages.set(address(), { state: 'live', revisions: [revision()] })
    for (let i = below(8); i >= 0; i -= 1) pick(changes)()
    const records = [...pages].map(([key, page]) => {
      const [locale, path] = key.split(' ')
      return { type: 'page', locale, path, ...page }
    })
    // In any order, as the format allows.
    return linesOfFile(
      ...records.splice(0, below(records.length)).reverse(),
      { ...WIKI, locales: [...WIKI.locales] },
      ...records,
    )
  }
}
