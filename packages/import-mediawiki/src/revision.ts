import { ImportError } from '@lectern/wiki/errors'
import { codeBlock } from '@lectern/wiki/import/markdown'
import { revisionIdOf, toSingleLine } from '@lectern/wiki/import/wiki-record'
import { CATEGORIES_MAX, FIELD_BYTES_MAX } from '@lectern/wiki/limits'
import type { RevisionRecord } from '@lectern/wiki/records'
import { byteLength, quote, sortKeyOf } from '@lectern/wiki/text'
import { parseInstant, timestampFromInstant } from '@lectern/wiki/time'
import type { RevisionItem } from './items.ts'
import type { MediawikiNotes } from './wiki.ts'
import type { CategoryOfText, WikitextPage } from './wikitext/conversion.ts'
import { type Converted, convertWikitext } from './wikitext/convert.ts'
import { NS, type Title } from './wikitext/site.ts'

/**
 * The id of a revision of a MediaWiki: it begins with its number in MediaWiki. Lectern orders revisions by time, then id, so
 * two revisions in one second have the order that they have in MediaWiki.
 * @param database name of the database in the dump; it distinguishes two wikis of one language
 */
export const mediawikiRevisionId = (database: string, locale: string, path: string, id: number): string =>
  revisionIdOf(numberText(id), [database, locale, path, id].join('\0'))

/** A UUID that is just below the ids of all revisions with this number. */
export const lowestRevisionId = (id: number): string => {
  const first = numberText(id)
  return `${first.slice(0, 8)}-${first.slice(8)}-0000-0000-000000000000`
}

const numberText = (id: number): string => (id % 2 ** 48).toString(16).padStart(12, '0')

/** The page whose revisions are read. */
export interface OpenPage {
  title: Title
  wikitext: WikitextPage
  /** The title that readers see, unless a text sets another one. */
  displayTitle: string
  isRedirect: boolean
  database: string
}

/** The record of a revision, and the metadata in its text. */
export interface ConvertedRevision {
  record: RevisionRecord
  /** Names of its categories by key. */
  categories: Map<string, string>
  converted: Converted | null
}

/** Languages of code blocks by MediaWiki's content models. */
const CODE_LANGUAGES: Record<string, string> = {
  Scribunto: 'lua',
  css: 'css',
  'sanitized-css': 'css',
  javascript: 'javascript',
  json: 'json',
}

/**
 * Converts a revision to a record. A revision with a hidden text becomes `rejected` and empty, so that a
 * repeated import removes a text that an earlier import still showed.
 * @returns null if the source has no text for the revision
 */
export const readRevision = (
  page: OpenPage,
  revision: RevisionItem,
  notes: MediawikiNotes,
): ConvertedRevision | null => {
  const example = `${page.displayTitle}, edit ${revision.id}`
  if (revision.textState === 'missing') {
    notes.add('missing', example)
    return null
  }
  const isHidden = revision.textState === 'hidden'
  if (isHidden) notes.add('hidden', example)
  else if (revision.contributor === undefined) notes.add('hidden author', example)
  const { markdown, converted } = isHidden
    ? { markdown: '', converted: null }
    : convertText(page, revision, notes)
  const categories = new Map<string, string>()
  const members: RevisionRecord['categories'] = []
  const defaultSort = converted?.defaultSort
  for (const category of converted?.categories ?? []) {
    const member = memberOf(category, defaultSort, page)
    if (member === null) {
      notes.add('unfit category', category.name)
      continue
    }
    if (members.length === CATEGORIES_MAX) {
      notes.add('too many categories', example)
      break
    }
    members.push(member)
    categories.set(member.key, category.name)
  }
  const { locale, path } = page.wikitext
  return {
    record: {
      id: mediawikiRevisionId(page.database, locale, path, revision.id),
      created_at: timestampOf(revision),
      author: toSingleLine(revision.contributor ?? '', FIELD_BYTES_MAX.name),
      comment: toSingleLine(revision.comment ?? '', FIELD_BYTES_MAX.comment),
      status: isHidden ? 'rejected' : 'accepted',
      title: toSingleLine(titleOf(page, converted), FIELD_BYTES_MAX.title),
      markdown,
      categories: members,
    },
    categories,
    converted,
  }
}

const timestampOf = ({ timestamp, location }: RevisionItem): string => {
  const instant = parseInstant(timestamp)
  if (instant === null)
    throw new ImportError(`${location}: the timestamp ${quote(JSON.stringify(timestamp))} is not a date-time`)
  return timestampFromInstant(instant)
}

/** Templates are programs in wikitext: their source is shown, and only their categories are used. */
const convertText = (
  page: OpenPage,
  { text, model, id }: RevisionItem,
  notes: MediawikiNotes,
): { markdown: string; converted: Converted | null } => {
  if (model !== 'wikitext') {
    notes.add('other model', `${page.displayTitle}, edit ${id}`)
    return { markdown: `${codeBlock(text.toWellFormed(), CODE_LANGUAGES[model])}\n`, converted: null }
  }
  const converted = convertWikitext(text, page.wikitext, page.isRedirect)
  if (page.title.namespace !== NS.template || converted.isRedirect)
    return { markdown: converted.markdown, converted }
  return { markdown: `${codeBlock(text, 'wikitext')}\n`, converted: { ...converted, unconverted: new Map() } }
}

/** Like MediaWiki, accepts only a display title that is the same title in another case or format: `iPhone`. */
const titleOf = ({ displayTitle }: OpenPage, converted: Converted | null): string => {
  const custom = (converted?.displayTitle ?? '')
    .replace(/'{2,}|<[^<>]{0,300}>/g, '')
    .replaceAll('_', ' ')
    .trim()
  return custom.toLowerCase() === displayTitle.toLowerCase() ? custom : displayTitle
}

const memberOf = (
  { name, sortKey }: CategoryOfText,
  defaultSort: string | undefined,
  page: OpenPage,
): { key: string; sort_key: string } | null => {
  const key = name.replaceAll(' ', '_')
  if (byteLength(key) > FIELD_BYTES_MAX.key) return null
  const sort = toSingleLine(sortKey ?? defaultSort ?? '', FIELD_BYTES_MAX.sortKey) || page.title.name
  return { key, sort_key: sortKeyOf(sort) }
}
