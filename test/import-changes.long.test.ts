import type { BatchLimits } from '@lectern/wiki/import/page-batch'
import type { ImportRecord, ImportSource } from '@lectern/wiki/records'
import { expect } from 'chai'
import { statement } from '../src/db/statements.ts'
import type { NamedSource } from '../src/write/imported-content.ts'
import { type ImportSummary, runImport } from '../src/write/run-import.ts'
import { rowsOf, testDatabase } from './support/database.ts'
import { withService } from './support/service.ts'
import { clearWorld } from './support/world.ts'

const { owner } = await testDatabase()

const MAIN: NamedSource = { name: 'main' }

const WIKI: ImportRecord = {
  type: 'wiki',
  name: 'Tea Wiki',
  default_locale: 'en',
  locales: [{ locale: 'en', name: 'English' }],
}

const revision = (day: number, markdown = `Text of day ${day}`, categories: string[] = []) => ({
  id: `00000000-0000-4000-8000-${String(day).padStart(12, '0')}`,
  created_at: `2024-01-${String(day).padStart(2, '0')}T00:00:00.000000Z`,
  author: 'Ada',
  comment: '',
  status: 'accepted' as const,
  title: markdown,
  markdown,
  categories: categories.map((key) => ({ key })),
})

type Page = Extract<ImportRecord, { type: 'page' }>

const page = (path: string, days: number[], more: Partial<Page> = {}): Page => ({
  type: 'page',
  locale: 'en',
  path,
  state: 'live',
  revisions: days.map((day) => revision(day)),
  hasAllRevisions: true,
  ...more,
})

const absent = (path: string): ImportRecord => ({ type: 'absent', locale: 'en', path })

describe('import: what changed since the last import', () => {
  const test = withService()
  beforeEach(clearWorld)

  /** @returns the summary, and the state that the source was given */
  const run = async (
    records: ImportRecord[],
    covers: ReturnType<NonNullable<ImportSource['covers']>>,
    {
      from = MAIN,
      state,
      batchLimits,
    }: { from?: NamedSource; state?: unknown; batchLimits?: BatchLimits } = {},
  ): Promise<ImportSummary & { given: unknown }> => {
    let given: unknown
    const read = async function* () {
      yield* records
    }
    const { summary } = await runImport(
      owner,
      async (stored) => {
        given = await stored.sourceState()
        return {
          records: read(),
          progress: () => ({ done: 0, unit: 'edits' }),
          notes: () => [],
          covers: () => covers,
          state: () => state,
        }
      },
      { from, batchLimits },
    )
    test.service.invalidate()
    return { ...summary, given }
  }
  const paths = async () =>
    (await test.get('/pages?limit=200')).body.items.map(({ path }: { path: string }) => path)
  const formerPaths = async () =>
    (
      await rowsOf<{ path: string; current: string }>(
        `select f.path, l.path as current from guest.former_path f join guest.page l on l.id = f.page_id order by 1`,
      )
    ).map(({ path, current }) => `${path} is ${current}`)

  it('keeps the names of the categories that a page has after it lost its newest revision, and no others', async () => {
    const name = (key: string): ImportRecord => ({ type: 'category', locale: 'en', key, name: `The ${key}` })
    const older = revision(1, 'Older', ['green'])
    const newer = revision(2, 'Newer', ['black'])
    const records = [WIKI, name('black'), page('tea', [], { revisions: [older, newer] }), page('mate', [3])]
    await run(records, 'wiki')
    await run([name('green'), page('tea', [], { revisions: [older] })], 'changes')
    expect((await test.get('/categories/green')).body.category.name).to.equal('The green')
    expect(await rowsOf('select key from wiki.category order by key')).to.deep.equal([{ key: 'green' }])
  })

  it('removes the pages that the source names, and no others', async () => {
    await run([WIKI, page('sencha', [1]), page('matcha', [2]), page('mate', [3])], 'wiki')
    const { removed } = await run([absent('matcha'), absent('never-there'), page('assam', [4])], 'changes')
    expect(removed).to.deep.include({
      pages: 1,
      live: { pages: 1, first: [{ locale: 'en', path: 'matcha' }] },
    })
    expect(await paths()).to.deep.equal(['assam', 'mate', 'sencha'])
    expect((await test.get('/search?q=day+2')).body.items.map(({ path }: Page) => path)).not.to.include(
      'matcha',
    )
  })

  it('does not remove a page that the source names as gone, and has again', async () => {
    await run([WIKI, page('sencha', [1]), page('matcha', [2])], 'wiki')
    await run([absent('matcha'), page('matcha', [2, 3])], 'changes')
    expect(await paths()).to.deep.equal(['matcha', 'sencha'])
    expect((await test.get('/pages/matcha/history')).body.items).to.have.length(2)
  })

  it('removes revisions that a complete page no longer has, and keeps those that it names without a text', async () => {
    await run([WIKI, page('sencha', [1, 2, 3]), page('matcha', [4, 5, 6])], 'wiki')
    const unreadRevisions = [revision(1).id]
    const { removed } = await run([page('sencha', [7], { unreadRevisions })], 'changes')
    expect(removed).to.deep.include({ pages: 0, revisions: 2 })
    const history = (await test.get('/pages/sencha/history')).body.items
    expect(history.map(({ id }: { id: string }) => id)).to.deep.equal([revision(7).id, revision(1).id])
    expect((await test.get(`/revisions/${revision(2).id}`)).status).to.equal(404)
  })

  it('keeps all revisions of a page with more of them than a batch, if its last record says that it is complete', async () => {
    const records = (): ImportRecord[] => [
      WIKI,
      page('sencha', [1, 2], { hasAllRevisions: undefined }),
      page('sencha', [3, 4], { hasAllRevisions: undefined }),
      page('sencha', [5, 6, 7, 8]),
    ]
    const batchLimits = { pages: 1, revisions: 1, bytes: 1_000 }
    await run(records(), 'wiki', { batchLimits })
    const { removed } = await run(records(), 'wiki', { batchLimits })
    expect(removed).to.include({ pages: 0, revisions: 0 })
    expect((await test.get('/pages/sencha/history')).body.items).to.have.length(8)
  })

  it('compares the removed revisions with all of the source', async () => {
    await run([WIKI, page('sencha', [1, 2, 3]), page('matcha', [4, 5, 6])], 'wiki')
    const { removed } = await run([page('sencha', [1])], 'changes')
    expect(removed).to.deep.include({ revisions: 2 })
    const error = await run([page('matcha', [9])], 'changes').catch((thrown: Error) => thrown)
    expect(error).to.be.instanceOf(Error)
    expect((error as Error).message).to.match(/^The import would remove 3 of 5 edits .*--yes/)
  })

  it('a source with a wiki record and no page removes all pages, if somebody confirms it', async () => {
    await run([WIKI, page('sencha', [1])], 'wiki')
    const error = await run([WIKI], 'wiki').catch((thrown: Error) => thrown)
    expect((error as Error).message).to.match(/^The import would remove 1 of 1 live page/)
    await run([WIKI], 'wiki', { from: { ...MAIN, isConfirmed: true } })
    expect(await paths()).to.deep.equal([])
  })

  it('gives the source its state of the last import; an import without a state has none', async () => {
    const pages = [WIKI, page('sencha', [1])]
    expect((await run(pages, 'wiki', { state: { commit: 'a' } })).given).to.equal(null)
    expect((await run([], 'changes', { state: { commit: 'b' } })).given).to.deep.equal({ commit: 'a' })
    expect((await run([], 'some', { from: { name: 'other' } })).given).to.equal(null)
    expect((await run(pages, 'wiki')).given).to.deep.equal({ commit: 'b' })
    expect((await run(pages, 'wiki')).given).to.equal(null)
  })

  it('stores no state if the import fails', async () => {
    await run([WIKI, page('sencha', [1])], 'wiki', { state: 1 })
    await run([absent('sencha')], 'changes', { state: 2 }).catch(() => {})
    expect(await owner.query(statement('source_state'), [await idOf('main')])).to.deep.equal([{ state: 1 }])
  })

  const idOf = async (name: string): Promise<number> =>
    (await owner.query(statement('source_id'), [name]))[0]!.id

  it('remembers the paths that a live page had before, until the source no longer says so', async () => {
    const former = { locale: 'en', path: 'sencha', revisions: [revision(1).id] }
    const moved = page('tea/sencha', [1], { formerPaths: [former] })
    await run([WIKI, moved, page('matcha', [2]), page('mate', [3])], 'wiki')
    expect(await formerPaths()).to.deep.equal(['sencha is tea/sencha'])
    await run([page('matcha', [2, 4])], 'changes')
    expect(await formerPaths()).to.deep.equal(['sencha is tea/sencha'])
    await run(
      [{ ...moved, formerPaths: [{ locale: 'en', path: 'old/sencha', revisions: 'any' }] }],
      'changes',
    )
    expect(await formerPaths()).to.deep.equal(['old/sencha is tea/sencha'])
    await run([absent('tea/sencha')], 'changes')
    expect(await formerPaths()).to.deep.equal([])
  })

  it('a page that moved has the links by its former name, and is found by it, until another page has this name', async () => {
    const former = (path: string) => ({ formerPaths: [{ locale: 'en', path, revisions: 'any' as const }] })
    const linking = page('from', [], { revisions: [{ ...revision(1, '[[old cup]]'), title: 'From' }] })
    const linkedFrom = async (...pages: Page[]) => {
      await run(pages, 'changes')
      const { items } = (await test.get('/links?from=from')).body
      return items.map(({ path }: { path: string }) => path).join()
    }
    await run([WIKI, linking], 'wiki')
    expect(await linkedFrom(page('tea/new', [2], former('cups/Old Cup')))).to.equal('tea/new')
    for (const find of ['/search?q=', '/suggest?q='])
      expect((await test.get(`${find}OLD+cup`)).body.items[0].path, find).to.equal('tea/new')
    expect(await linkedFrom(page('tea/new', [2], former('cups/bowl')))).to.equal('old cup')
    expect(await linkedFrom(page('tea/new', [2], former('Old Cup')))).to.equal('tea/new')
    expect(await linkedFrom(page('tea/other', [3], former('Old Cup')))).to.equal('tea/other')
    expect(await linkedFrom(page('more/old cup', [4]))).to.equal('more/old cup')
  })

  it('does not remember a path at which guests could see no page', async () => {
    const pending = { ...revision(2), status: 'pending' as const }
    const paths = [
      { path: 'live' },
      { path: 'draft' },
      { path: 'never' },
      { path: 'pending', revisions: [pending.id] },
      { path: 'of another', revisions: [pending.id] },
      { path: 'unknown', revisions: [revision(9).id] },
      { path: 'accepted', revisions: [pending.id, revision(1).id] },
    ].map((former) => ({ locale: 'en', ...former }))
    const others = [page('live', [5]), page('draft', [6], { state: 'draft' }), page('of another', [7])]
    await run([WIKI, ...others], 'wiki')
    const moved = page('sencha', [], { revisions: [revision(1), pending], formerPaths: paths })
    await run([WIKI, moved], 'wiki', { from: { ...MAIN, isConfirmed: true } })
    expect(await formerPaths()).to.deep.equal(['accepted is sencha', 'live is sencha'])
  })

  it('a page that moved to another path does not count as removed', async () => {
    await run([WIKI, page('sencha', [1])], 'wiki')
    const moved = page('tea/sencha', [2], { formerPaths: [{ locale: 'en', path: 'sencha' }] })
    const { removed } = await run([absent('sencha'), moved], 'changes')
    expect(removed).to.deep.include({ pages: 1, hiddenPages: 0, live: { pages: 0, first: [] } })
    expect(await paths()).to.deep.equal(['tea/sencha'])
  })

  it('does not show the former path of a page that guests do not see', async () => {
    const moved = page('plan', [1], { state: 'draft', formerPaths: [{ locale: 'en', path: 'secret-plan' }] })
    await run([WIKI, moved, page('matcha', [2])], 'wiki')
    expect(await formerPaths()).to.deep.equal([])
    expect(await rowsOf('select path from wiki.live_former_path')).to.deep.equal([])
  })
})
