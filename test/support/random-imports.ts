import type { ImportRecord, ImportSource } from '@lectern/wiki/records'
import type { runImport } from '../../src/write/run-import.ts'
import type { ModelPage as Page, ModelRevision as Revision } from './model.ts'
import type { RandomChoices } from './random-choices.ts'

const LOCALES = ['en', 'ru', 'de']
const PATHS = ['tea', 'mate', 'a/b', 'чай', 'template:cup', 'module:pot', 'category:drinks', 'category:x']
const KEYS = ['drinks', 'x', 'y']
const STATUSES = ['accepted', 'accepted', 'accepted', 'pending', 'rejected', 'draft'] as const
const STATES = ['live', 'live', 'live', 'draft', 'deleted'] as const

interface RandomImport {
  title: string
  source: ImportSource
  options: Parameters<typeof runImport>[2]
  /** Whether the source fails in the end, so that nothing is stored. */
  fails: boolean
  /** Whether guests see no change. */
  isHidden: boolean
}

const keyOf = ({ locale, path }: { locale: string; path: string }) => `${locale} ${path}`

/**
 * Random imports of one source, each of which knows what the ones before it have stored: new pages, changed ones, changed
 * edits, moves, pages that are gone, names of categories. Long: the kinds of imports share the pages.
 */
export const importStep = ({ below, once, pick }: RandomChoices): (() => RandomImport) => {
  let pages = new Map<string, Page>()
  let numbers = 0
  // Another wiki in the same database, of an earlier test, has other ids.
  const wiki = below(0x10000).toString(16).padStart(4, '0')

  const newRevision = (): Revision => {
    numbers += 1
    return {
      id: `00000000-${wiki}-4000-8000-${String(numbers).padStart(12, '0')}`,
      created_at: `2024-01-${String(1 + below(28)).padStart(2, '0')}T00:00:00Z`,
      ...{ author: pick(['Ada', 'Bob']), comment: pick(['', 'why']), status: pick(STATUSES) },
      ...{ title: `Title ${numbers}`, markdown: `Text ${below(9)}.`, categories: randomCategories() },
    }
  }
  const randomCategories = () =>
    KEYS.filter(() => once(3)).map((key) => ({ key, sort_key: pick(['a', 'b']) }))

  const changed = (page: Page): Page => {
    const revisions = page.revisions.map((revision) => (once(3) ? changedRevision(revision) : revision))
    if (once(2) || revisions.length === 0) revisions.push(newRevision())
    const group = once(5) ? pick([undefined, 'g', 'h']) : page.translation_group
    return { ...page, translation_group: group, state: once(3) ? pick(STATES) : page.state, revisions }
  }
  const changedRevision = (revision: Revision): Revision => {
    const fresh = newRevision()
    const name = pick([
      'created_at',
      'author',
      'comment',
      'status',
      'title',
      'markdown',
      'categories',
    ] as const)
    return { ...revision, [name]: fresh[name] }
  }

  const recordOf = (page: Page, more: object = {}): ImportRecord =>
    ({ type: 'page', ...page, ...more }) as unknown as ImportRecord
  const wikiRecord = (): ImportRecord =>
    ({
      ...{ type: 'wiki', name: 'Wiki', default_locale: 'en', license: 'https://license.example/' },
      locales: ['en', ...(once(2) ? ['ru'] : [])].map((locale) => ({ locale, name: locale })),
    }) as unknown as ImportRecord

  /** Records of a page: one, or several, so that batches show and hide it. */
  const recordsOfPage = (page: Page): ImportRecord[] =>
    once(3)
      ? [
          recordOf({ ...page, state: pick(STATES), revisions: [] }),
          recordOf({ ...page, revisions: [] }),
          recordOf(page),
        ]
      : [recordOf(page)]

  const shuffled = <Item>(items: Item[]): Item[] => {
    const rest = [...items]
    return items.map(() => rest.splice(below(rest.length), 1)[0]!)
  }

  const somePages = (after: Map<string, Page>): ImportRecord[] =>
    shuffled(
      Array.from({ length: 1 + below(5) }, () => {
        const address = { locale: pick(LOCALES), path: pick(PATHS) }
        const page = after.get(keyOf(address)) ?? {
          ...{ ...address, state: pick(STATES), translation_group: pick([undefined, 'g']), revisions: [] },
        }
        const next = changed(page)
        after.set(keyOf(page), next)
        return next
      }),
    )
      .filter((page) => after.get(keyOf(page)) === page)
      .flatMap(recordsOfPage)

  const wholeWiki = (after: Map<string, Page>): ImportRecord[] => {
    for (const [key, page] of after) {
      const choice = below(4)
      if (choice === 0) after.delete(key)
      if (choice === 1) after.set(key, { ...page, revisions: page.revisions.filter(() => !once(4)) })
    }
    const extra = somePages(after)
    const rest = [...after.values()].map((page) => recordOf(page, { hasAllRevisions: true }))
    return [...extra, ...rest]
  }

  const moves = (after: Map<string, Page>): ImportRecord[] => {
    const records: ImportRecord[] = []
    for (const page of shuffled([...after.values()]).slice(0, 1 + below(2))) {
      const path = pick(PATHS.filter((one) => one !== page.path))
      if (after.has(keyOf({ ...page, path })) || page.revisions.length === 0) continue
      after.delete(keyOf(page))
      const moved = { ...page, path }
      after.set(keyOf(moved), moved)
      records.push(recordOf(moved, { formerPaths: [{ locale: page.locale, path: page.path }] }))
    }
    return records
  }

  const absentPages = (after: Map<string, Page>): ImportRecord[] =>
    shuffled([...after.values()])
      .slice(0, 2)
      .map(({ locale, path }) => {
        after.delete(keyOf({ locale, path }))
        return { type: 'absent', locale, path } as ImportRecord
      })

  /** Edits that wait or were refused, and anything of pages that are hidden. */
  const hidden = (after: Map<string, Page>): ImportRecord[] =>
    [...after.values()].map((page) => {
      const isLive = page.state === 'live' && page.revisions.some(({ status }) => status === 'accepted')
      const isOpen = ({ status }: Revision) => isLive && status === 'accepted'
      const revisions: Revision[] = page.revisions.map((revision) =>
        isOpen(revision) || once(2)
          ? revision
          : { ...changedRevision(revision), status: pick(['pending', 'rejected', 'draft'] as const) },
      )
      revisions.push({
        ...newRevision(),
        status: isLive || page.state === 'live' ? 'pending' : pick(STATUSES),
      })
      const next = { ...page, revisions }
      after.set(keyOf(page), next)
      return recordOf(next)
    })

  const categoryNames = (): ImportRecord[] => [
    {
      ...{ type: 'category', locale: pick(LOCALES), key: pick(KEYS), name: `Name ${below(3)}` },
    } as unknown as ImportRecord,
  ]

  return () => {
    const title = pick([
      ...(['some', 'some', 'some', 'whole', 'moves', 'absent', 'categories', 'again', 'hidden'] as const),
    ])
    const after = new Map([...pages].map(([key, page]) => [key, structuredClone(page)]))
    const records: ImportRecord[] = {
      some: () => somePages(after),
      whole: () => wholeWiki(after),
      moves: () => moves(after),
      absent: () => absentPages(after),
      categories: categoryNames,
      hidden: () => hidden(after),
      again: () => [...after.values()].map((page) => recordOf(page)),
    }[title]()
    const fails = once(8)
    if (!fails) pages = after
    async function* stream() {
      yield wikiRecord()
      yield* records
      if (fails) throw new Error('The source fails.')
    }
    const covers = { whole: 'wiki', absent: 'changes', moves: 'changes' } as const
    return {
      title,
      fails,
      isHidden: title === 'hidden' || title === 'again' || fails,
      source: {
        records: stream(),
        progress: () => ({ done: 0, unit: 'records' }),
        notes: () => [],
        covers: () => covers[title as keyof typeof covers] ?? 'some',
      },
      options: {
        from: { name: 'main', isConfirmed: true },
        batchLimits: { pages: 1 + below(4), revisions: 100, bytes: 100_000 },
      },
    }
  }
}
