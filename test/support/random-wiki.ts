import fc from 'fast-check'
import type { ModelPage, ModelRevision, ModelWiki, State, Status } from './model.ts'

/**
 * A small random wiki full of special cases: equal timestamps, unusual paths, all states. Each text of an editor has its
 * own mark (`mark17x`), which shows the source of any leak.
 */
interface RandomWiki {
  locales: string[]
  /** The first two imports. A page may be in both. */
  parts: [ModelPage[], ModelPage[]]
  categories: ModelWiki['categories']
  /** The imports after that. Each changes the state of pages and the status of revisions. */
  changes: ModelPage[][]
}

/** The marks in a text. */
export const marksIn = (text: string): string[] => text.toLowerCase().match(/mark\d+x/g) ?? []

/** Timestamps as responses write them. Some are equal, some differ by a microsecond. */
const TIMESTAMPS = [
  '2024-05-01T12:00:00.000000Z',
  '2024-05-01T12:00:00.000000Z',
  '2024-05-01T12:00:00.000001Z',
  '2024-05-01T11:59:59.999999Z',
  '2024-05-01T12:00:00.100000Z',
  '2024-05-01T12:00:00.100001Z',
  '2024-03-01T00:00:00.000000Z',
  '1969-12-31T23:59:59.999999Z',
  '0001-01-01T00:00:00.000000Z',
  '9999-12-31T23:59:59.999999Z',
]

const KEYS = [
  'green mark1x',
  'a/b+mark2x',
  '100%-mark3x',
  'чай:mark4x',
  '🍵&mark5x',
  'history/mark6x',
  'e\u0301=mark7x?#',
]

const PATHS = [
  ...KEYS.map((key) => `category:${key}`),
  'tea-mark10x',
  'TEA-MARK11X',
  'tea-mark12x/',
  'tea-mark12x/sub mark13x',
  'tea-mark10x/history',
  'mark14x%2Fsub',
  '100% +mark15x',
  'чай/mark16x',
  'お茶 mark17x',
  '🍵 mark18x',
  '\uff5e mark19x',
  'cafe\u0301 mark20x',
  '?mark21x=1&x#y',
  '"<mark22x>"\\^`{|}',
  "it's;mark23x,@",
  '//mark24x//',
  '..mark25x/../x',
  'help:mark26x',
  'Template:mark27x',
  'template:mark28x',
  'template:a/mark29x',
  'page_template:mark30x',
  'page_template:🍵mark31x',
  'module:mark32x',
  'module:\uffeemark33x',
  'category:mark34x',
  '\u{10fffd}mark35x',
]

/** Paths to which pages link. Some of them have no page, or a hidden one. */
const LINK_TARGETS = ['чай', 'tea-mark10x', 'чай/mark16x', 'お茶 mark17x', '🍵 mark18x', 'template:mark28x']

const SORT_KEYS = ['a', 'A', 'a b', 'j\u0308', 'k', 'ä', '\uff5e', '🍵', '%+&=#', 'a\u3000b']
const TITLES = ['Tea', 'J\u030c', 'ÄÉ', '🍵', '\uff34ea', 'k']

const status = fc.constantFrom<Status>('accepted', 'accepted', 'accepted', 'pending', 'rejected', 'draft')
const state = fc.constantFrom<State>('live', 'live', 'live', 'draft', 'deleted')

const plannedRevision = fc.record({
  timestamp: fc.nat(TIMESTAMPS.length - 1),
  status,
  title: fc.nat(TITLES.length - 1),
  categories: fc.uniqueArray(
    fc.record({ key: fc.nat(KEYS.length - 1), sortKey: fc.option(fc.nat(SORT_KEYS.length - 1)) }),
    { selector: ({ key }) => key, maxLength: 3 },
  ),
  links: fc.array(fc.nat(LINK_TARGETS.length - 1), { maxLength: 3 }),
  part: fc.nat(1),
})

const plannedPage = fc.record({
  locale: fc.nat(3),
  path: fc.nat(PATHS.length - 1),
  state,
  group: fc.option(fc.nat(2)),
  part: fc.nat(1),
  revisions: fc.array(plannedRevision, { maxLength: 4, size: 'max' }),
})

const change = fc.record({
  page: fc.nat(23),
  state,
  statuses: fc.array(status, { minLength: 4, maxLength: 4 }),
})

const plan = fc.record({
  locales: fc.constantFrom<string[]>(
    ['en', 'ru'],
    ['pt-br', 'ja'],
    ['ja', 'en', 'ru'],
    ['en', 'ru', 'ja', 'pt-br'],
  ),
  categories: fc.uniqueArray(fc.record({ locale: fc.nat(3), key: fc.nat(KEYS.length - 1) }), {
    selector: ({ locale, key }) => `${locale} ${key}`,
    maxLength: 6,
  }),
  pages: fc.uniqueArray(plannedPage, {
    selector: ({ locale, path }) => `${locale} ${path}`,
    minLength: 6,
    maxLength: 24,
    size: 'max',
  }),
  changes: fc.array(fc.array(change, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 }),
})

type Plan = typeof plan extends fc.Arbitrary<infer Value> ? Value : never

const wikiOfPlan = ({ locales, categories, pages: planned, changes }: Plan): RandomWiki => {
  let marks = 100
  const mark = () => `mark${marks++}x`
  // Several locale numbers of a plan can mean the same locale. Of pages with the same address, the first one stays.
  const addresses = new Set<string>()
  const pages = planned.flatMap((page) => {
    const locale = locales[page.locale % locales.length]!
    const path = PATHS[page.path]!.normalize('NFC')
    if (addresses.has(`${locale} ${path}`)) return []
    addresses.add(`${locale} ${path}`)
    const revisions = page.revisions.map((revision, i) => ({
      part: page.part === 0 ? 0 : revision.part,
      revision: {
        id: idOf(marks),
        created_at: TIMESTAMPS[revision.timestamp]!,
        author: `Ada ${mark()}`,
        comment: i % 2 === 0 ? '' : `comment ${mark()}`,
        status: revision.status,
        title: `${TITLES[revision.title]} ${mark()}`,
        markdown: `# Lantern ${mark()}\n\n🍵 ${revision.links.map(linkTo(locale)).join(' ')} ${mark()}`,
        categories: revision.categories.map(({ key, sortKey }) => ({
          key: KEYS[key]!.normalize('NFC'),
          ...(sortKey === null ? {} : { sort_key: SORT_KEYS[sortKey]!.normalize('NFC') }),
        })),
      } satisfies ModelRevision,
    }))
    const group =
      page.group === null ? {} : { translation_group: `group ${page.group} mark${page.group + 90}x` }
    return [{ page: { locale, path, state: page.state, ...group }, isSplit: page.part === 1, revisions }]
  })
  const partOf = (part: 0 | 1) =>
    pages
      .filter(({ isSplit, revisions }) => isSplit || (part === 0) === (revisions.length % 2 === 0))
      .map(({ page, isSplit, revisions }) => ({
        ...page,
        revisions: revisions
          .filter((planned) => !isSplit || planned.part === part)
          .map(({ revision }) => revision),
      }))
  let latest: ModelPage[] = pages.map(({ page, revisions }) => ({
    ...page,
    revisions: revisions.map(({ revision }) => revision),
  }))
  return {
    locales,
    parts: [partOf(0), partOf(1)],
    categories: lastByKey(
      categories.map(({ locale, key }) => ({
        locale: locales[locale % locales.length]!,
        key: KEYS[key]!.normalize('NFC'),
        name: `Name ${mark()}`,
      })),
    ),
    changes: changes.map((pageChanges) => {
      const changed = new Set<ModelPage>()
      for (const { page, state, statuses } of pageChanges) {
        const index = page % latest.length
        const before = latest[index]!
        const after = {
          ...before,
          state,
          revisions: before.revisions.map((revision, i) => ({ ...revision, status: statuses[i]! })),
        }
        latest = latest.with(index, after)
        changed.delete(before)
        changed.add(after)
      }
      return [...changed]
    }),
  }
}

/** A link by the path on the wiki, whose text is a part of the target's path. */
const linkTo = (locale: string) => (target: number) => {
  const path = LINK_TARGETS[target]!
  return `[${path.slice(0, 3)}](/${locale}/${path.split('/').map(encodeURIComponent).join('/')})`
}

/** Ids in random order. They include the smallest and the greatest UUIDs. */
const idOf = (number: number): string => {
  if (number === 100) return '00000000-0000-0000-0000-000000000000'
  if (number % 97 === 7) return `ffffffff-ffff-ffff-ffff-${String(number).padStart(12, 'f')}`
  const scattered = ((number * 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')
  return `${scattered}-0000-4000-8000-${String(number).padStart(12, '0')}`
}

const lastByKey = (categories: ModelWiki['categories']) => [
  ...new Map(categories.map((category) => [`${category.locale} ${category.key}`, category])).values(),
]

export const randomWiki: fc.Arbitrary<RandomWiki> = plan.map(wikiOfPlan)
