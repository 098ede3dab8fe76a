import fc from 'fast-check'
import type { ModelPage, ModelRevision, ModelWiki, State, Status } from './model.ts'

/**
 * Random wikis, small and full of what goes wrong: ties, odd paths, every state. Each text that an editor
 * wrote holds a mark of its own (`mark17x`), so that whatever leaks says where it came from.
 */
export interface RandomWiki {
  locales: string[]
  /** What is imported first, in two parts; a page may stand in both. */
  parts: [ModelPage[], ModelPage[]]
  categories: ModelWiki['categories']
  /** Imports that follow, each of pages with other states and statuses. */
  changes: ModelPage[][]
}

/** The marks in a text. */
export const marksIn = (text: string): string[] => text.toLowerCase().match(/mark\d+x/g) ?? []

export const RANDOM_LICENSE = 'https://license.example/'

/** Moments as an import may write them, and as answers must: some are the same, some a microsecond apart. */
export const MOMENTS: readonly (readonly [written: string, answered: string])[] = [
  ['2024-05-01T12:00:00Z', '2024-05-01T12:00:00.000000Z'],
  ['2024-05-01T14:00:00.000+02:00', '2024-05-01T12:00:00.000000Z'],
  ['2024-05-01T12:00:00.000001Z', '2024-05-01T12:00:00.000001Z'],
  ['2024-05-01t11:59:59.999999z', '2024-05-01T11:59:59.999999Z'],
  ['2024-05-01T12:00:00.1Z', '2024-05-01T12:00:00.100000Z'],
  ['2024-05-01T12:00:00.100001Z', '2024-05-01T12:00:00.100001Z'],
  ['2024-02-29T23:59:60Z', '2024-03-01T00:00:00.000000Z'],
  ['1969-12-31T23:59:59.999999Z', '1969-12-31T23:59:59.999999Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
  ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
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

const SORT_KEYS = ['a', 'A', 'a b', 'j\u0308', 'k', 'ä', '\uff5e', '🍵', '%+&=#', 'a\u3000b']
const TITLES = ['Tea', 'J\u030c', 'ÄÉ', '🍵', '\uff34ea', 'k']

const status = fc.constantFrom<Status>('accepted', 'accepted', 'accepted', 'pending', 'rejected', 'draft')
const state = fc.constantFrom<State>('live', 'live', 'live', 'draft', 'deleted')

const plannedRevision = fc.record({
  moment: fc.nat(MOMENTS.length - 1),
  status,
  title: fc.nat(TITLES.length - 1),
  categories: fc.uniqueArray(
    fc.record({ key: fc.nat(KEYS.length - 1), sortKey: fc.option(fc.nat(SORT_KEYS.length - 1)) }),
    { selector: ({ key }) => key, maxLength: 3 },
  ),
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

const carriedOut = ({ locales, categories, pages: planned, changes }: Plan): RandomWiki => {
  let marks = 100
  const mark = () => `mark${marks++}x`
  // Two of a plan's languages may be one of the wiki: the first of two pages at an address counts.
  const seen = new Set<string>()
  const pages = planned.flatMap((page) => {
    const locale = locales[page.locale % locales.length]!
    const path = PATHS[page.path]!.normalize('NFC')
    if (seen.has(`${locale} ${path}`)) return []
    seen.add(`${locale} ${path}`)
    const revisions = page.revisions.map((revision, i) => ({
      part: page.part === 0 ? 0 : revision.part,
      revision: {
        id: idOf(marks),
        created_at: MOMENTS[revision.moment]![1],
        author: `Ada ${mark()}`,
        comment: i % 2 === 0 ? '' : `comment ${mark()}`,
        status: revision.status,
        title: `${TITLES[revision.title]} ${mark()}`,
        markdown: `# Lantern ${mark()}\n\n🍵 [чай](чай) ${mark()}`,
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
        revisions: revisions.filter((one) => !isSplit || one.part === part).map(({ revision }) => revision),
      }))
  let latest: ModelPage[] = pages.map(({ page, revisions }) => ({
    ...page,
    revisions: revisions.map(({ revision }) => revision),
  }))
  return {
    locales,
    parts: [partOf(0), partOf(1)],
    categories: lastOfEach(
      categories.map(({ locale, key }) => ({
        locale: locales[locale % locales.length]!,
        key: KEYS[key]!.normalize('NFC'),
        name: `Name ${mark()}`,
      })),
    ),
    changes: changes.map((some) => {
      const changed = new Set<ModelPage>()
      for (const { page, state, statuses } of some) {
        const at = page % latest.length
        const before = latest[at]!
        const after = {
          ...before,
          state,
          revisions: before.revisions.map((one, i) => ({ ...one, status: statuses[i]! })),
        }
        latest = latest.with(at, after)
        changed.delete(before)
        changed.add(after)
      }
      return [...changed]
    }),
  }
}

/** Ids in an order that has nothing to do with anything, the smallest and the greatest among them. */
const idOf = (number: number): string => {
  if (number === 100) return '00000000-0000-0000-0000-000000000000'
  if (number % 97 === 7) return `ffffffff-ffff-ffff-ffff-${String(number).padStart(12, 'f')}`
  const scattered = ((number * 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')
  return `${scattered}-0000-4000-8000-${String(number).padStart(12, '0')}`
}

const lastOfEach = (categories: ModelWiki['categories']) => [
  ...new Map(categories.map((category) => [`${category.locale} ${category.key}`, category])).values(),
]

export const randomWiki: fc.Arbitrary<RandomWiki> = plan.map(carriedOut)
