import { type GitOptions, openGitSource } from '@lectern/import-files/git/source'
import type { ImportSource } from '@lectern/wiki/records'
import type { StoredContentQueries } from '@lectern/wiki/stored-content'
import { expect } from 'chai'
import { nothingNew, reportNothingNew } from '../../../src/commands/import-summary.ts'
import { identityOf, toConnectorOptions } from '../../../src/commands/source-options.ts'
import type { Database } from '../../../src/db/database.ts'
import { openDatabase } from '../../../src/db/open-database.ts'
import { withConnection } from '../../../src/db/write-lock.ts'
import { connectorOf } from '../../../src/import/connectors.ts'
import { reindex } from '../../../src/search/index/reindex.ts'
import type { NamedSource } from '../../../src/write/imported-content.ts'
import { runImport } from '../../../src/write/run-import.ts'
import { copyTemplate, MIGRATED } from '../../../test/support/database.ts'
import { commit, git, newRepository, signature } from '../../../test/support/git.ts'
import { storedContent } from '../../../test/support/importing.ts'
import { RANDOM_LAYOUTS, randomNumbers, randomRepository } from '../../../test/support/random-repository.ts'
import { rounds } from '../../../test/support/rounds.ts'

/** One import: of what, and with which options. */
interface Step {
  folder: string
  name: string
  ref: string
  layout?: string[]
  locale?: string
  history?: string
  title?: string
  version?: string
  adopt?: boolean
  keepMissing?: boolean
}

async function* halfOf({ records }: ImportSource) {
  yield* records
  throw new Error('The source ends early')
}

describe('import git: nothing new', () => {
  let databases: { owner: Database; remove(): Promise<void> }[] = []
  let fast: Database
  let slow: Database
  beforeEach(async () => {
    for (let i = 0; i < 2; i += 1) {
      const { place, remove } = await copyTemplate(MIGRATED)
      databases.push({ owner: await openDatabase(place, 'owner'), remove })
    }
    fast = databases[0]!.owner
    slow = databases[1]!.owner
  })
  afterEach(async () => {
    for (const { owner, remove } of databases) {
      await owner.close()
      await remove()
    }
    databases = []
  })

  const runSql = (database: Database, sql: string) =>
    withConnection(database, async (client) => void (await client.query(sql)))

  /** Removes the first page, as somebody with access to the database can. */
  const removePage = (database: Database) =>
    runSql(
      database,
      `do $$ declare removed bigint := (select id from wiki.page order by locale, path limit 1); begin
        delete from wiki.live_page where id = removed;
        delete from wiki.revision where page_id = removed;
        delete from wiki.page where id = removed;
      end $$`,
    )

  /** What a function prints, without printing it. */
  const printed = async (print: () => Promise<boolean>): Promise<string | null> => {
    const { write } = process.stderr
    let text = ''
    process.stderr.write = (part) => {
      text += part
      return true
    }
    try {
      return (await print()) ? text : null
    } finally {
      process.stderr.write = write
    }
  }

  /** Imports into a database. @returns what was printed if the source was not read; null if it was */
  const importing = async (database: Database, step: Step, fails = false) => {
    const { folder, name, title = 'Tea', layout = [], version = '1', adopt, keepMissing } = step
    const { locale, history, ref } = step
    const chosen = { source: name, name: title, layout, locale, history, ref, keepMissing }
    const ofSource = toConnectorOptions(chosen, '')
    const settings = `${version} ${identityOf(folder, ofSource)}`
    const from: NamedSource = { name, adopt, keepMissing, isConfirmed: true, settings }
    if (database === fast) {
      const last = await nothingNew(database, from)
      const told = await printed(() => reportNothingNew(last, from, connectorOf('git', folder, ofSource)))
      if (told !== null) return told
    }
    const options: GitOptions = { ...ofSource, defaultLocale: locale }
    const open = async (stored: StoredContentQueries) => {
      const source = await openGitSource(folder, { ...options, stored: () => stored })
      return fails ? { ...source, records: halfOf(source) } : source
    }
    await runImport(database, open, { from })
    return null
  }

  const both = async (work: (database: Database) => Promise<unknown>) => {
    await work(fast)
    await work(slow)
  }

  it('reads nothing, and tells what it told; anything else that differs lets it read the source', async () => {
    const folder = newRepository()
    commit(folder, {
      'mkdocs.yml': '',
      'docs/tea.md': '![](cup.png) ![](gone.png)',
      'docs/cup.png': 'GIF89a',
    })
    commit(folder, { 'README.md': 'x', 'docs/mate.md': '---\ntitle: [Mate\n---\n' })
    const main: Step = { folder, name: 'main', ref: 'HEAD' }
    expect(await importing(fast, main)).to.equal(null)
    const told = await importing(fast, main)
    expect(told).to.match(
      /^Recognized MkDocs with .*\nWARNING: pages whose front matter is invalid.*: 1, first docs\/mate.md \(line .*\nTexts that match no layout: 1, first README.md\nPages whose title .*\n1 reference to files .*\n.*\nRead 0 pages, 0 categories, 0 edits \(nothing new\) in \d+\.\d s: 0 edits\/s\n$/,
    )
    const isRead = async (step: Step) => (await importing(fast, step)) === null
    const others: Partial<Step>[] = [
      { layout: ['docs/{path}.md'] },
      { locale: 'fr' },
      { history: 'none' },
      { title: 'Mate' },
      { version: '2' },
      { ref: 'HEAD~1' },
      { adopt: true },
      { keepMissing: true },
    ]
    for (const other of others) {
      expect(await isRead({ ...main, ...other }), JSON.stringify(other)).to.equal(true)
      expect(await isRead(main), `after ${JSON.stringify(other)}`).to.equal(!other.adopt)
      expect(await isRead(main), `after ${JSON.stringify(other)}, again`).to.equal(false)
    }
    const changes = [
      () => removePage(fast),
      () => runSql(fast, 'delete from wiki.live_file_use; delete from wiki.live_file'),
      () => runSql(fast, "update wiki.live_page set title = 'Other' where path = 'tea'"),
      async () => void commit(folder, { 'docs/mate.md': 'z' }),
    ]
    for (const [i, change] of changes.entries()) {
      await change()
      expect(await isRead(main), `change ${i}`).to.equal(true)
      expect(await isRead(main), `change ${i}, again`).to.equal(false)
    }
    git(folder, ['clone', '-q', '--depth', '1', `file://${folder}`, `${folder}/shallow`])
    const shallow = { ...main, folder: `${folder}/shallow` }
    for (let i = 0; i < 3; i += 1) expect(await isRead(shallow)).to.equal(true)
  })

  it('reads a shallow clone of a vault again when it has its older commits', async () => {
    const folder = newRepository()
    commit(folder, { '.obsidian/app.json': '{}', 'tea.md': 'old' })
    commit(folder, { 'tea.md': 'new' })
    git(folder, ['clone', '-q', '--depth', '1', `file://${folder}`, `${folder}/shallow`])
    const shallow: Step = { folder: `${folder}/shallow`, name: 'shallow', ref: 'HEAD' }
    await importing(fast, shallow)
    git(shallow.folder, ['fetch', '-q', '--unshallow'])
    expect(await importing(fast, shallow)).to.equal(null)
  })

  it('reads the source again if a file or page was left out', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': '![](cup.png)' })
    git(folder, [
      'update-index',
      '--add',
      '--cacheinfo',
      `120000,${git(folder, ['hash-object', '-w', '--stdin']).trim()},cup.png`,
    ])
    git(folder, ['commit', '-q', '-m', 'link'], signature('2024-05-04T12:00:00Z'))
    const step: Step = { folder, name: 'left', ref: 'HEAD', locale: 'ja' }
    for (let i = 0; i < 3; i += 1) expect(await importing(fast, step)).to.equal(null)
    const other = newRepository()
    commit(other, { 'tea.md': 'x', 'mate.md': 'y' })
    const second: Step = { folder: other, name: 'second', ref: 'HEAD', locale: 'ja' }
    for (let i = 0; i < 3; i += 1) expect(await importing(fast, second)).to.equal(null)
  })

  it('a random sequence of imports gives the same content with and without it', async () => {
    const seed = Number(process.env.LECTERN_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))
    const random = randomNumbers(seed)
    const pick = <One>(all: readonly One[]): One => all[random(all.length)]!
    const repositories = [seed, seed + 1].map((one) => randomRepository(one, { commits: 10 }))
    let step: Step | undefined
    for (let i = 0; i < rounds(8); i += 1) {
      const kind = random(20)
      if (step === undefined || kind < 3) {
        const { folder, commits } = pick(repositories)
        step = {
          folder,
          ref: commits[7 + random(3)]!.hash,
          name: pick(['main', 'main', 'other']),
          layout: pick([RANDOM_LAYOUTS, RANDOM_LAYOUTS, ['docs/{path}.md']]),
          locale: pick([undefined, undefined, 'fr']),
          history: pick(['all', 'all', 'none']),
          version: pick(['1', '1', '2']),
          adopt: random(8) === 0,
          keepMissing: random(8) === 0,
        }
      } else if (kind < 6)
        step = {
          ...step,
          ...pick<Partial<Step>>([
            { locale: pick([undefined, 'fr']) },
            { layout: pick([RANDOM_LAYOUTS, ['docs/{path}.md']]) },
            { history: pick(['all', 'none']) },
            { version: pick(['1', '2']) },
            { adopt: !step.adopt },
            { keepMissing: !step.keepMissing },
          ]),
        }
      else if (kind === 6) await both(removePage)
      else if (kind === 7) await both((database) => reindex(database, { all: true }))
      else if (kind === 8) {
        const failing = { ...step, version: 'failing' }
        await both((database) => importing(database, failing, true).catch(() => {}))
      } else if (kind === 9) step = { ...step, name: step.name === 'main' ? 'other' : 'main' }
      const now = step
      const failed = (error: Error) => `failed: ${error.message}`
      await both((database) => importing(database, now).catch(failed))
      const [has, wanted] = [await storedContent(fast), await storedContent(slow)]
      const without = (rows: string[]) => rows.map((row) => row.replace(/"source_id": \d+/, ''))
      expect(without(has), `seed ${seed}, step ${i}: ${JSON.stringify(step)}`).to.deep.equal(without(wanted))
    }
  })
})
