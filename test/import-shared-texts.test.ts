import type { BatchLimits } from '@lectern/wiki/import/page-batch'
import type { ImportRecord } from '@lectern/wiki/records'
import { expect } from 'chai'
import { runImport } from '../src/write/run-import.ts'
import { testDatabase } from './support/database.ts'
import { PAGE, REVISION, WIKI } from './support/importing.ts'
import { clearWorld } from './support/world.ts'

const { owner } = await testDatabase()

/** Lines of a long text, most of them beyond ASCII. */
const LINES = Array.from({ length: 1200 }, (_, line) => `- 🍵 Tee für ${line} Gäste`)

/** A text with another line in the place of one. */
const textWith = (line: string, at = 600): string => LINES.with(at, line).join('\n')

const revision = (day: number, markdown: string, status = 'accepted') => ({
  ...REVISION,
  id: `00000000-0000-4000-8000-${String(day).padStart(12, '0')}`,
  created_at: `2024-01-${String(day).padStart(2, '0')}T00:00:00.000000Z`,
  categories: [],
  status,
  markdown,
})

const TEXTS = [
  textWith('- first'),
  textWith('- 🍵 second'),
  // Half of the pair of surrogates is equal, at the beginning and at the end.
  textWith('- first').replace('🍵', '🍶'),
  textWith('- first').replace(/🍵(?!.*🍵)/s, '\u{1d375}'),
  `${textWith('- first')}\nat the end`,
  `at the beginning\n${textWith('- first')}`,
  'short',
  textWith('- first').slice(0, 30_000),
  textWith('- last'),
]

describe('import: texts of a page that differ little', () => {
  beforeEach(clearWorld)

  const run = (revisions: ReturnType<typeof revision>[], batchLimits?: BatchLimits, more: object = {}) =>
    runImport(
      owner,
      async () => ({
        records: (async function* (): AsyncGenerator<ImportRecord> {
          yield WIKI as ImportRecord
          for (const one of revisions)
            yield { ...PAGE, ...more, revisions: [one], hasAllRevisions: true } as unknown as ImportRecord
        })(),
        covers: () => 'wiki' as const,
        progress: () => ({ done: 0, unit: 'records' }),
        notes: () => [],
      }),
      { from: { name: 'main', isConfirmed: true }, batchLimits },
    )
  const select = async (text: string) =>
    (await owner.query<{ value: string }>({ name: '', text }, [])).map(({ value }) => value)
  const seen = () => select('select markdown as value from guest.revision order by created_at')
  const stored = () =>
    select(
      'select wiki.whole_text(base_id, base_start, base_end, markdown) as value from wiki.revision order by created_at',
    )
  const shared = () => select("select convert_from(text, 'UTF8') as value from wiki.live_shared_text")
  const revisions = TEXTS.map((text, i) => revision(i + 1, text))

  for (const batchLimits of [undefined, { pages: 500, revisions: 3, bytes: 4 * 1024 * 1024 }]) {
    it(`are stored once, in batches of ${batchLimits?.revisions ?? 'any number of'} edits`, async () => {
      await run(revisions, batchLimits)
      expect(await seen()).to.deep.equal(TEXTS)
      expect(await shared()).to.have.lengthOf(1)
      const [bytes] = await select('select sum(octet_length(markdown))::text as value from wiki.revision')
      expect(Number(bytes)).to.be.lessThan(70_000)
      const [wrong] = await select(
        'select count(*)::text as value from guest.revision where size <> octet_length(markdown)',
      )
      expect(wrong).to.equal('0')
    })
  }

  it('change nothing when they are imported again', async () => {
    await run(revisions)
    const { summary } = await run(revisions)
    expect(summary.changedRevisions).to.equal(0)
    expect(await shared()).to.have.lengthOf(1)
    expect(await seen()).to.deep.equal(TEXTS)
  })

  const changes: [string, (all: typeof revisions) => typeof revisions][] = [
    ['is removed', ([, ...rest]) => rest],
    ['is hidden', ([, ...rest]) => [revision(1, TEXTS[0]!, 'pending'), ...rest]],
    ['has another text', ([, ...rest]) => [revision(1, 'another'), ...rest]],
  ]
  for (const [change, changed] of changes) {
    it(`stay when the edit ${change} whose text the others share, which is stored nowhere else then`, async () => {
      await run(revisions)
      const after = changed(revisions)
      await run(after)
      expect(await stored()).to.deep.equal(after.map(({ markdown }) => markdown))
      expect(await shared()).to.deep.equal([])
    })
  }

  it('are shared by later imports with one edit each, also after that edit is removed whose text they share', async () => {
    const days = Array.from({ length: 20 }, (_, i) => revision(i + 1, textWith(`- import ${i}`)))
    for (const [i] of days.entries()) await run(days.slice(0, i + 1))
    expect(await seen()).to.deep.equal(days.map(({ markdown }) => markdown))
    expect(await shared()).to.deep.equal([days[1]!.markdown])
    const [bytes] = await select('select sum(octet_length(markdown))::text as value from wiki.revision')
    expect(Number(bytes)).to.be.lessThan(Buffer.byteLength(days[0]!.markdown) + 2_000)
    const rest = days.toSpliced(1, 1)
    await run(rest)
    expect(await shared()).to.deep.equal([])
    expect(await stored()).to.deep.equal(rest.map(({ markdown }) => markdown))
  })

  it('share no draft of an earlier import', async () => {
    const [first, second, third] = TEXTS as [string, string, string]
    await run([revision(1, first, 'draft')])
    await run([revision(1, first, 'draft'), revision(2, second)])
    expect(await shared()).to.deep.equal([])
    await run([revision(1, first, 'draft'), revision(2, second), revision(3, third, 'pending')])
    expect(await shared()).to.deep.equal([])
    expect(await seen()).to.deep.equal([second])
    expect(await stored()).to.deep.equal([first, second, third])
  })

  it('share only a text that guests see', async () => {
    await run([revision(1, TEXTS[0]!, 'draft'), revision(2, TEXTS[1]!), revision(3, TEXTS[2]!, 'draft')])
    expect(await shared()).to.deep.equal([TEXTS[1]])
    expect(await seen()).to.deep.equal([TEXTS[1]])
    await run([revision(2, TEXTS[1]!), revision(3, TEXTS[2]!)], undefined, { state: 'draft' })
    expect(await shared()).to.deep.equal([])
    expect(await stored()).to.deep.equal(TEXTS.slice(1, 3))
  })
})
