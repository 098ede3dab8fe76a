import { UsageError } from '../../errors.ts'
import { FIELD_BYTES_MAX } from '../../limits.ts'
import { ownName, parseSourceLocale } from '../../wiki/locales.ts'
import { quote } from '../../wiki/text.ts'
import type { StoredContentQueries } from '../../write/records.ts'
import { type ImportRecord, type ImportSource, type WikiRecord, wikiRecord } from '../../write/records.ts'
import { toSingleLine } from '../single-line.ts'
import { parseLayout } from './layouts.ts'
import { GitNotes } from './notes.ts'
import { type FoundPages, findPages, type GitPage } from './pages.ts'
import { CategoryNames, readPages } from './records.ts'
import { commitOf, openRepository, type Repository } from './repository.ts'
import { knownRevisionsOf } from './stored.ts'

export interface GitOptions {
  /** Where pages lie, first match wins: `pages/{locale}/{path}.md`, `{path}.md@en`; none: `{path}.md`. */
  layouts: string[]
  /** Branch, tag or commit; default HEAD. */
  ref?: string
  /** Language of files whose layout names none; default en. */
  defaultLocale?: string
  /** Default: what the repository's folder is called. */
  name?: string
  /** Address of the license, http or https. */
  license?: string
  /** What the wiki already has, asked while records are read: texts of its edits are not read again. */
  stored?: () => StoredContentQueries
}

/** Pages are read in portions of so many edits at least: one question to `known` and one run of git each. */
const EDITS_AT_ONCE = 1000

/**
 * A git repository of Markdown files as a wiki: the files that the layouts name are its pages, and each
 * commit that gave one new content is an edit. Nothing is checked out, fetched or changed. Its tree and
 * history are read here, the texts while the records are taken, page by page.
 * @throws UsageError when the folder is no repository, the ref unknown, a layout unusable or matching no file
 */
export const openGitSource = async (path: string, options: GitOptions): Promise<ImportSource> => {
  const locale = parseSourceLocale(options.defaultLocale ?? 'en')
  if (locale === null) {
    throw new UsageError(`${quote(options.defaultLocale ?? '')} is no locale code; one is en or pt-br.`)
  }
  const texts = options.layouts.length > 0 ? options.layouts : ['{path}.md']
  const layouts = texts.map((text) => parseLayout(text, locale))
  const repository = await openRepository(path)
  const head = await commitOf(repository, options.ref ?? 'HEAD')
  const foundNotes = new GitNotes()
  if (repository.shallow) foundNotes.add('shallow')
  const found = await findPages(repository, head, layouts, foundNotes)
  refuseIdleLayouts(texts, found)
  wikiOf(repository, new Map(), locale, options) // what is wrong with it is said before anything is read
  const total = found.pages.reduce((sum, page) => sum + page.revisions.length, 0)
  let done = 0
  let readingNotes = new GitNotes()
  const read = async function* (): AsyncGenerator<ImportRecord> {
    done = 0
    readingNotes = new GitNotes()
    const categories = new CategoryNames()
    const livePages = new Map<string, number>()
    for (const some of portions(found.pages)) {
      const known = await knownRevisionsOf(some, options.stored?.(), readingNotes)
      const before = done
      let pagesBefore = 0
      for await (const { page, record, edits, shown } of readPages(repository, some, known, readingNotes)) {
        if (shown) {
          categories.add(page.locale, shown)
          livePages.set(page.locale, (livePages.get(page.locale) ?? 0) + 1)
        }
        done = before + pagesBefore + edits
        if (shown !== undefined) pagesBefore += page.revisions.length
        yield record
      }
    }
    yield* categories.records()
    yield wikiOf(repository, livePages, locale, options)
  }
  return {
    records: { [Symbol.asyncIterator]: read },
    progress: () => ({ done, total, unit: 'edits' }),
    notes: () => [...foundNotes.lines(), ...readingNotes.lines()],
    // An id names commit and file; which page the file is, the layouts say (D74).
    moves: true,
    covers: () => 'wiki',
  }
}

const refuseIdleLayouts = (texts: string[], { filesOfLayout, samples }: FoundPages): void => {
  const idle = texts.find((_, index) => filesOfLayout[index] === 0)
  if (idle === undefined) return
  const there = samples.length > 0 ? ` Files there are: ${samples.map(quote).join(', ')}` : ''
  throw new UsageError(
    `The layout ${quote(idle)} matches no file${texts.length > 1 ? ' that no layout before it takes' : ''}.${there}`,
  )
}

/**
 * The wiki with the languages that guests can see pages in, which is known only when all pages are read.
 * @param livePages how many there are of each language
 */
const wikiOf = (
  repository: Repository,
  livePages: ReadonlyMap<string, number>,
  defaultLocale: string,
  options: GitOptions,
): WikiRecord => {
  const locales = livePages.size === 0 ? [defaultLocale] : [...livePages.keys()].sort()
  const largest = [...locales].sort((a, b) => (livePages.get(b) ?? 0) - (livePages.get(a) ?? 0))[0]
  const parsed = wikiRecord.safeParse({
    type: 'wiki',
    name: toSingleLine(options.name ?? repository.name, FIELD_BYTES_MAX.title),
    default_locale: [defaultLocale, 'en'].find((locale) => locales.includes(locale)) ?? largest,
    license: options.license,
    locales: locales.map((locale) => ({ locale, name: ownName(locale) })),
  })
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  throw new UsageError(`${issue.path.join('.')}: ${issue.message}`)
}

function* portions(pages: GitPage[]): Generator<GitPage[]> {
  let some: GitPage[] = []
  let edits = 0
  for (const page of pages) {
    some.push(page)
    edits += page.revisions.length
    if (edits < EDITS_AT_ONCE) continue
    yield some
    some = []
    edits = 0
  }
  if (some.length > 0) yield some
}
