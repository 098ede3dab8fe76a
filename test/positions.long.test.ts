import { expect } from 'chai'
import fc from 'fast-check'
import { rowsOf } from './support/database.ts'
import { testId } from './support/ids.ts'
import { withService } from './support/service.ts'
import { clearWorld, importRecords, type PageSpec, recordsOf } from './support/world.ts'

/** A revision that a test plans. */
interface PlannedRevision {
  number: number
  createdAt: string
  page: number
}

const PAGES = 12
const localeOf = (page: number) => (page % 3 === 0 ? 'ru' : 'en')
const pageOf = (page: number, revisions: PageSpec['revisions'], state: PageSpec['state'] = 'live') => ({
  path: `page-${page}`,
  locale: localeOf(page),
  state,
  revisions,
})

const importRevisions = (
  edits: PlannedRevision[],
  status: 'accepted' | 'rejected' = 'accepted',
  covers: 'changes' | 'some' = 'some',
) =>
  importRecords(
    recordsOf({
      pages: [...new Set(edits.map(({ page }) => page))].map((page) =>
        pageOf(
          page,
          edits
            .filter((edit) => edit.page === page)
            .map(({ number, createdAt }) => ({ id: testId(number), created_at: createdAt, status })),
        ),
      ),
    }),
    covers,
  )

/** Ids in the order of lists: newest first, then by id. All timestamps have the same number of digits. */
const expectedIds = (edits: PlannedRevision[]) =>
  edits
    .toSorted((a, b) =>
      a.createdAt === b.createdAt ? b.number - a.number : a.createdAt < b.createdAt ? 1 : -1,
    )
    .map(({ number }) => testId(number))

/** How clients in several languages print a date-time that they have parsed. */
const CLIENT_FORMATS: Record<string, (next: string) => string> = {
  'as it was read': (next) => next,
  'Python: microseconds, or none where they are 0': (next) =>
    `${next.replace('.000000', '').slice(0, -1)}+00:00`,
  'Go: no zeros at the end': (next) => next.replace(/\.?0*Z$/, 'Z'),
  'Java: groups of three digits, and no seconds that are 0': (next) =>
    next.replace(/(:00\.000000|\.000000|000)Z$/, 'Z'),
  'nine digits, in another zone': (next) =>
    `${new Date(Date.parse(next) - 5 * 3_600_000).toISOString().slice(0, 19)}${next.slice(19, -1)}000-05:00`,
}
const JAVASCRIPT = (next: string) => new Date(next).toISOString()

/** Positions by the numbers of the revisions, as in responses. */
const positions = async (): Promise<Map<number, string>> => {
  const rows = await rowsOf<{ id: string; position: string }>(
    'select revision_id as id, position from wiki.live_position',
  )
  return new Map(rows.map(({ id, position }) => [Number(id.slice(-12)), position]))
}

/** Expects what is always true of all positions. */
const expectValidPositions = async () => {
  const [violations] = await rowsOf<Record<string, number>>(`
    select count(*) filter (where extract(microseconds from position)::bigint % 1000 <> 0)::int as "finer",
           count(*) filter (where extract(microseconds from position)::bigint % 10000 = 0)::int as "tens",
           count(*) filter (where position <= created_at and created_at < '9999-01-01T00:00:00Z')::int as "early",
           count(*) filter (where position in (select created_at from wiki.revision_visible))::int as "taken",
           count(*) filter (where not exists (select from wiki.revision_visible v
                                               where v.id = p.revision_id and v.created_at = p.created_at
                                                 and v.page_id = p.page_id))::int as "hidden",
           (select count(*)::int
              from wiki.revision_visible v
             where not exists (select from wiki.live_position o where o.revision_id = v.id)
               and exists (select from wiki.revision_visible o where o.created_at = v.created_at and o.id <> v.id)) as "lacking"
      from wiki.live_position p`)
  expect(violations).to.deep.equal({ finer: 0, tens: 0, early: 0, taken: 0, hidden: 0, lacking: 0 })
}

describe('cursors between revisions of one timestamp', () => {
  const test = withService({ cacheSeconds: 0 })
  beforeEach(async () => {
    await clearWorld()
    test.service.invalidate()
  })

  const idsOfWalk = async (path: string, limit: number, written?: (next: string) => string) =>
    ((await test.walk(path, 'before', limit, written)) as { id: string }[]).map(({ id }) => id)

  const expectWalks = async (
    edits: PlannedRevision[],
    limits: number[],
    ways = Object.entries(CLIENT_FORMATS),
  ) => {
    test.service.invalidate()
    const page = edits[0]!.page
    const lists: [path: string, edits: PlannedRevision[]][] = [
      ['/recent', edits],
      ['/recent?locale=en', edits.filter((edit) => localeOf(edit.page) === 'en')],
      ['/recent?locale=ru', edits.filter((edit) => localeOf(edit.page) === 'ru')],
      [`/pages/page-${page}/history?locale=${localeOf(page)}`, edits.filter((edit) => edit.page === page)],
    ]
    for (const [path, of] of lists) {
      if (path.includes('ru') && of.length === 0) continue
      for (const limit of limits) {
        for (const [way, written] of ways)
          expect(await idsOfWalk(path, limit, written), `${path}, limit ${limit}, ${way}`).to.deep.equal(
            expectedIds(of),
          )
      }
    }
  }

  const secondOf = (micros: number) =>
    new Date(Date.UTC(2024, 4, 1) + micros / 1000).toISOString().slice(0, 20)
  const inMicros = (micros: number) => `${secondOf(micros)}${String(micros % 1_000_000).padStart(6, '0')}Z`

  /** Ties at microseconds, or only at milliseconds, and revisions between them. */
  const planOf = (unit: number) =>
    fc
      .record({
        ties: fc.uniqueArray(fc.nat(Math.floor(1_999_999 / unit)), { minLength: 1, maxLength: 4 }),
        edits: fc.array(
          fc.record({ at: fc.nat(5), page: fc.nat(PAGES - 1), apart: fc.nat(Math.floor(1_999_999 / unit)) }),
          {
            minLength: 40,
            maxLength: 120,
            size: 'max',
          },
        ),
        steps: fc.integer({ min: 1, max: 3 }),
        isReversed: fc.boolean(),
        withdrawn: fc.array(fc.nat(119), { maxLength: 20 }),
        limit: fc.integer({ min: 1, max: 9 }),
      })
      .map(({ ties, edits, ...rest }) => ({
        ...rest,
        edits: edits.map(({ at, page, apart }, number) => ({
          number,
          page,
          createdAt: inMicros(unit * (ties[at] ?? (at < 5 ? ties[0]! : apart))),
        })),
      }))

  for (const { title, unit, ways } of [
    { title: 'microseconds', unit: 1, ways: Object.entries(CLIENT_FORMATS) },
    {
      title: 'milliseconds, in the milliseconds of JavaScript too',
      unit: 1000,
      ways: [...Object.entries(CLIENT_FORMATS), ['JavaScript', JAVASCRIPT] as [string, typeof JAVASCRIPT]],
    },
  ]) {
    it(`lead through all revisions, however a client stores next: random ties at ${title}, imported in steps, some withdrawn`, () =>
      fc.assert(
        fc
          .asyncProperty(planOf(unit), async ({ edits, steps, isReversed, withdrawn, limit }) => {
            const ordered = isReversed ? edits.toReversed() : edits
            const size = Math.ceil(ordered.length / steps)
            for (let at = 0; at < ordered.length; at += size) {
              await importRevisions(ordered.slice(at, at + size))
              await expectValidPositions()
            }
            await expectWalks(edits, [limit, 200], ways)
            const gone = edits.filter(({ number }) => withdrawn.includes(number))
            if (gone.length === 0) return
            const before = await positions()
            await importRevisions(gone, 'rejected')
            await expectValidPositions()
            const left = edits.filter(({ number }) => !withdrawn.includes(number))
            if (left.length > 0) await expectWalks(left, [limit], ways)
            await importRevisions(gone)
            await expectValidPositions()
            const after = await positions()
            for (const { number } of left) expect(after.get(number)).to.equal(before.get(number))
          })
          .beforeEach(clearWorld),
        { numRuns: 2, interruptAfterTimeLimit: 100_000 },
      ))
  }

  it('lead through 300 revisions of one second, with limits 1, 50 and 200', async () => {
    const edits = Array.from({ length: 300 }, (_, number) => ({
      number,
      page: number % PAGES,
      createdAt: '2024-05-01T12:34:56.000000Z',
    }))
    await importRevisions(edits)
    await expectValidPositions()
    await expectWalks(edits, [50, 200], [...Object.entries(CLIENT_FORMATS), ['JavaScript', JAVASCRIPT]])
    expect(await idsOfWalk('/recent', 1, JAVASCRIPT)).to.deep.equal(expectedIds(edits))
    // 300 ties have their positions within 300 × 256 ms; the few that met another, within twice or four times that.
    const seconds = [...(await positions()).values()].map(
      (position) => (Date.parse(position) - Date.parse('2024-05-01T12:34:56Z')) / 1000,
    )
    expect(seconds).to.have.length(300)
    expect(Math.max(...seconds)).to.be.lessThan(4 * 77)
    expect(seconds.filter((one) => one <= 77).length).to.be.greaterThan(290)
  })

  const tie = (count: number, createdAt = '2024-05-01T12:34:56.123000Z') =>
    Array.from({ length: count }, (_, number) => ({ number, page: number % 2, createdAt }))

  it('do not exist for a single revision, and stay when more revisions get the same timestamp', async () => {
    await importRevisions(tie(1))
    expect((await positions()).size).to.equal(0)
    await importRevisions(tie(3))
    const three = await positions()
    expect([...three.keys()].sort()).to.deep.equal([0, 1, 2])
    await importRevisions(tie(40))
    const all = await positions()
    expect(all.size).to.equal(40)
    for (const [number, position] of three) expect(all.get(number)).to.equal(position)
    await importRevisions(tie(40))
    expect(await positions()).to.deep.equal(all)
  })

  it('change when a revision gets another timestamp', async () => {
    await importRevisions(tie(3))
    await importRevisions([{ number: 1, page: 1, createdAt: '2024-05-01T12:34:57.000000Z' }])
    await expectValidPositions()
    expect((await positions()).has(1)).to.equal(false)
    await importRevisions([{ number: 2, page: 0, createdAt: '2024-05-01T12:34:57.000000Z' }])
    await expectValidPositions()
    await expectWalks(
      [
        { number: 0, page: 0, createdAt: '2024-05-01T12:34:56.123000Z' },
        { number: 1, page: 1, createdAt: '2024-05-01T12:34:57.000000Z' },
        { number: 2, page: 0, createdAt: '2024-05-01T12:34:57.000000Z' },
      ],
      [1, 2],
    )
  })

  it('change when a revision has that very date as its timestamp; a client that has the old cursor misses nothing', async () => {
    const edits = tie(4)
    await importRevisions(edits)
    const { items, next } = (await test.get('/recent?limit=2')).body
    const taken = { number: 9, page: 5, createdAt: next }
    await importRevisions([taken])
    test.service.invalidate()
    await expectValidPositions()
    await expectWalks([...edits, taken], [1, 2, 3])
    const rest = await idsOfWalk(`/recent?before=${next}`, 200)
    const seen = new Set([...items.map(({ id }: { id: string }) => id), ...rest])
    expect(expectedIds(edits).filter((id) => !seen.has(id))).to.deep.equal([])
    expect((await test.get('/recent?limit=1')).body.next).to.equal(next)
  })

  it('miss nothing when their revision is withdrawn between two requests: revisions of its timestamp are repeated', async () => {
    const edits = tie(6)
    await importRevisions(edits)
    const { next } = (await test.get('/recent?limit=3')).body
    await importRevisions([edits[3]!], 'rejected')
    test.service.invalidate()
    expect(await idsOfWalk(`/recent?before=${next}`, 200)).to.deep.equal(
      expectedIds(edits.filter(({ number }) => number !== 3)),
    )
  })

  it('stay valid when a revision moves to another page, also when its former page is withdrawn', async () => {
    const edits = tie(4)
    await importRevisions(edits)
    const moved = edits.map((edit) => (edit.number === 2 ? { ...edit, page: 5 } : edit))
    await importRevisions([moved[2]!], 'accepted', 'changes')
    await expectValidPositions()
    await expectWalks(moved, [1, 3])
    await importRevisions([moved[0]!], 'rejected')
    await expectValidPositions()
    await expectWalks(moved.slice(1), [1, 2])
  })

  it('work at the first and at the last possible microsecond', async () => {
    const edits = [
      ...tie(5, '0001-01-01T00:00:00.000000Z'),
      ...tie(5, '9999-12-31T23:59:59.999999Z').map((edit) => ({ ...edit, number: edit.number + 5 })),
    ]
    await importRevisions(edits)
    await expectValidPositions()
    await expectWalks(edits, [1, 2, 3], [['as it was read', (next) => next]])
    for (const [number, position] of await positions())
      expect(position).to.match(number < 5 ? /^0001-01-01T00:00:0/ : /^9999-12-31T23:59:5/)
  })
})
