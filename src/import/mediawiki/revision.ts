import { ImportError } from '../../errors.ts'
import { CATEGORIES_MAX, FIELD_BYTES_MAX } from '../../limits.ts'
import { byteLength, quote, sortKeyOf } from '../../wiki/text.ts'
import { parseInstant, timestampFromInstant } from '../../wiki/time.ts'
import type { RevisionRecord } from '../../write/records.ts'
import { toSingleLine } from '../single-line.ts'
import type { CategoryOfText, WikitextPage } from '../wikitext/conversion.ts'
import { type Converted, convertWikitext } from '../wikitext/convert.ts'
import { codeBlock } from '../wikitext/markdown.ts'
import { NS, type Title } from '../wikitext/site.ts'
import type { DumpRevision } from './export-reader.ts'
import type { MediawikiNotes } from './notes.ts'
import { mediawikiRevisionId } from './revision-id.ts'

/** A page while its edits are read. */
export interface OpenPage {
  title: Title
  wikitext: WikitextPage
  /** As readers see it, unless a text says otherwise. */
  shownTitle: string
  isRedirect: boolean
  database: string
}

/** An edit's record, and what its text says beside it. */
export interface ConvertedRevision {
  record: RevisionRecord
  /** Names of its categories, by key. */
  categories: Map<string, string>
  converted: Converted | null
}

/** Languages of code blocks, by MediaWiki's models of content. */
const CODE: Record<string, string> = {
  Scribunto: 'lua',
  css: 'css',
  'sanitized-css': 'css',
  javascript: 'javascript',
  json: 'json',
}

/**
 * An edit of a dump as a record. One whose text is hidden is `rejected` and empty, so that importing again
 * takes away what a dump before it still showed.
 * @returns null where the dump has no text for it
 */
export const readRevision = (
  page: OpenPage,
  revision: DumpRevision,
  notes: MediawikiNotes,
): ConvertedRevision | null => {
  const place = `${page.shownTitle}, edit ${revision.id}`
  if (revision.textState === 'missing') {
    notes.add('missing', place)
    return null
  }
  const isHidden = revision.textState === 'hidden'
  if (isHidden) notes.add('hidden', place)
  else if (revision.contributor === undefined) notes.add('hidden author', place)
  const { markdown, converted } = isHidden ? { markdown: '', converted: null } : textOf(page, revision, notes)
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
      notes.add('too many categories', place)
      break
    }
    members.push(member)
    categories.set(member.key, category.name)
  }
  const { locale, path } = page.wikitext
  return {
    record: {
      id: mediawikiRevisionId(page.database, locale, path, revision.id),
      created_at: momentAt(revision),
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

const momentAt = ({ timestamp, line }: DumpRevision): string => {
  const instant = parseInstant(timestamp)
  if (instant === null)
    throw new ImportError(`Line ${line}: <timestamp> ${quote(JSON.stringify(timestamp))} is no date-time`)
  return timestampFromInstant(instant)
}

/** Templates are programs in wikitext: they are shown as they are written, and only their categories are read. */
const textOf = (
  page: OpenPage,
  { text, model, id }: DumpRevision,
  notes: MediawikiNotes,
): { markdown: string; converted: Converted | null } => {
  if (model !== 'wikitext') {
    notes.add('other model', `${page.shownTitle}, edit ${id}`)
    return { markdown: `${codeBlock(text.toWellFormed(), CODE[model])}\n`, converted: null }
  }
  const converted = convertWikitext(text, page.wikitext, page.isRedirect)
  if (page.title.namespace !== NS.template || converted.isRedirect)
    return { markdown: converted.markdown, converted }
  return { markdown: `${codeBlock(text, 'wikitext')}\n`, converted: { ...converted, unconverted: new Map() } }
}

/** MediaWiki lets a page be shown otherwise only where it stays the same title: `iPhone`, in italics. */
const titleOf = ({ shownTitle }: OpenPage, converted: Converted | null): string => {
  const shown = (converted?.displayTitle ?? '')
    .replace(/'{2,}|<[^<>]{0,300}>/g, '')
    .replaceAll('_', ' ')
    .trim()
  return shown.toLowerCase() === shownTitle.toLowerCase() ? shown : shownTitle
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
