import { FIELD_BYTES_MAX } from '@lectern/wiki/limits'
import { byteLength, isPlainText, nfc } from '@lectern/wiki/text'
import { type GuestAccess, matchHiddenPages } from './access.ts'
import { type DataFolder, decodeFileName } from './folders.ts'
import type { DokuwikiNotes } from './notes.ts'
import type { DokuwikiSettings } from './settings.ts'
import { cleanId } from './site.ts'

/** A page that guests may read, or could read before it was deleted. */
export interface DokuwikiPageFile {
  id: string
  /** Path of its files without extension, as DokuWiki encodes it. */
  file: string
  isDeleted: boolean
}

interface FoundFiles {
  pages: DataFolder
  meta: DataFolder
}

/**
 * Finds the pages that guests may read. All others are left out and counted, so that nothing of them can be seen.
 * @param access null: guests may read all pages
 */
export const findReadablePages = async (
  { pages, meta }: FoundFiles,
  settings: DokuwikiSettings,
  access: GuestAccess | null,
  notes: DokuwikiNotes,
): Promise<DokuwikiPageFile[]> => {
  const found = new Map<string, DokuwikiPageFile>()
  for await (const { path, kind } of pages.entries()) {
    if (kind !== 'file') notes.add(kind, path)
    else if (path.endsWith('.txt')) addPage(found, path.slice(0, -'.txt'.length), false, settings, notes)
  }
  for await (const { path, kind } of meta.entries()) {
    if (kind !== 'file' || !path.endsWith('.changes') || path.startsWith('_')) continue
    addPage(found, path.slice(0, -'.changes'.length), true, settings, notes)
  }
  const hidden = matchHiddenPages(settings.hiddenPages, [...found.keys()])
  return [...found.values()].filter(({ id }) => {
    const reason = hidden.has(id) ? 'hidden' : access === null || access.canRead(id) ? null : 'restricted'
    if (reason !== null) notes.add(reason, id)
    return reason === null
  })
}

const addPage = (
  found: Map<string, DokuwikiPageFile>,
  file: string,
  isDeleted: boolean,
  settings: DokuwikiSettings,
  notes: DokuwikiNotes,
): void => {
  const id = idOf(file, settings)
  if (id === null) {
    if (!isDeleted) notes.add('unreachable', file)
  } else if (byteLength(id) > FIELD_BYTES_MAX.path) {
    notes.add('long id', file)
  } else if (!found.has(id)) found.set(id, { id, file, isDeleted })
}

/**
 * The id of a page by its file. DokuWiki opens only ids that it has cleaned: no address leads to any other file.
 * @returns null for such a file
 */
export const idOf = (file: string, { fileNames, separator }: DokuwikiSettings): string | null => {
  const parts = file.split('/').map((part) => decodeFileName(part, fileNames))
  if (!parts.every((part): part is string => part !== null && part !== '' && !/[/:]/.test(part))) return null
  const id = nfc(parts.join(':'))
  // Whether ids have accents could have been set later, when the page existed.
  const clean = cleanId(id, { separator, useSlash: false, removeAccents: false })
  return isPlainText(id) && clean === id ? id : null
}
