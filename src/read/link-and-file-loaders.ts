import { Unavailable, UsageError } from '@lectern/wiki/errors'
import type { Namespace } from '@lectern/wiki/locales'
import type { PageKey } from '@lectern/wiki/records'
import { nfc } from '@lectern/wiki/text'
import type { Database } from '../db/database.ts'
import { statement } from '../db/statements.ts'
import type { StatementRows } from '../generated/statement-rows.ts'
import { FILE_PART_BYTES } from '../limits/responses.ts'
import { searchKey } from '../search/folding.ts'
import { type BatchLoaders, firstRow, rowsOfList } from './batch-loader.ts'
import type { FileOfPageRow, FileRow, LinkRow, PageRow } from './rows.ts'

interface LinksKey extends PageKey {
  /** Only listed pages of this namespace. */
  ns?: Namespace | null
  afterLocale?: string | null
  afterPath?: string | null
  first: number
}

const linkValues = ({ locale, path, ns, afterLocale, afterPath, first }: LinksKey) => {
  const cursor = [afterLocale ?? '', afterPath ?? '']
  return [locale, path, ns ?? null, ...cursor, first]
}

const linksOrNull = ([row]: { list: LinkCells[] | null }[]): LinkRow[] | null =>
  row ? (row.list ?? []).map(linkFromCells) : null

/** Pages have a dozen links, not as many as they could have: a list of 200 pages takes few statements. (D101) */
const LINKS_EXPECTED = 10
const linksExpected = ({ first }: LinksKey): number => Math.min(first, LINKS_EXPECTED)

/** The id and the title are null if the page does not exist. */
type LinkCells = [
  locale: string,
  ns: Namespace,
  path: string,
  id: string | null,
  title: string | null,
  isRedirect: boolean,
]

const linkFromCells = ([locale, ns, path, id, title, isRedirect]: LinkCells): LinkRow => ({
  locale,
  ns,
  path,
  page: id === null || title === null ? null : { id, locale, ns, path, title },
  isRedirect,
})

/** Names of one statement. */
const NAMES_MAX = 320

/** Null when there is neither the page nor a link to it. (D103) */
export const linkLoaders = (load: BatchLoaders) => ({
  linksTo: load('links_to', linkValues, linksOrNull, linksExpected),
  linksFrom: load('links_from', linkValues, linksOrNull, linksExpected),
  /** The page to which a link by name leads; null if there is none. (D124) */
  pageByName: load(
    'pages_by_name',
    ({ locale, name }: { locale: string; name: string }) => [locale, nfc(name), searchKey(name)],
    firstRow,
    undefined,
    NAMES_MAX,
  ),
})

interface FilesKey {
  prefix: string
  /** A media type, or its beginning up to the slash. */
  type?: string | null
  after?: string | null
  afterLocale?: string | null
  first: number
}

const columnsOfList = (key: FilesKey) => [key.after ?? '', key.afterLocale ?? '', key.prefix, key.first]

/** Pages mostly show some files, of the thousands that they could. */
const FILES_EXPECTED = 10

export const fileLoaders = (load: BatchLoaders) => ({
  filesOfPage: load(
    'files_of_page',
    (pageId: string) => [pageId],
    (rows): FileOfPageRow[] => rows,
    () => FILES_EXPECTED,
  ),
  file: load('file_by_path', (key: PageKey) => [key.locale, key.path], firstRow),
  files: load('files_after', columnsOfList, (rows): FileRow[] => rows, rowsOfList),
  filesOfType: load(
    'files_of_type',
    (key: FilesKey) => [...columnsOfList(key), key.type],
    (rows, { first }): FileRow[] => rows.slice(0, first),
    rowsOfList,
  ),
  pagesOfFile: load(
    'pages_of_file',
    (key: { id: string; first: number; afterLocale?: string | null; afterPath?: string | null }) => [
      key.id,
      key.afterLocale ?? '',
      key.afterPath ?? '',
      key.first,
    ],
    (rows): PageRow[] => rows,
    rowsOfList,
  ),
  /** A file whose bytes guests may read. */
  fileByHash: load(
    'file_by_hash',
    (key: { sha256: string; name: string }) => [key.sha256, key.name],
    firstRow,
  ),
})

/** Reads a part of a file. Undefined: guests may no longer read it. */
export type ReadFilePart = (blobId: string, part: number) => Promise<Buffer | undefined>

export const makeFilePartReader =
  (database: Database): ReadFilePart =>
  async (blobId, part) => {
    const [row] = await database.query(statement('file_part'), [blobId, part])
    return row && dataOf(row, part, database)
  }

/** The bytes of a part, wherever they are. @throws Unavailable if they are where this process cannot read them */
export const dataOf = async (
  { data, sha256, bytes }: StatementRows['file_part'],
  part: number,
  { fileStore }: Pick<Database, 'fileStore'>,
): Promise<Buffer> => {
  if (data !== null) return data
  const start = part * FILE_PART_BYTES
  if (fileStore) return fileStore.read(sha256, start, Math.min(start + FILE_PART_BYTES, bytes))
  const cause = new UsageError(
    'FILES_URL is not set, but an import with it has stored files outside the database',
  )
  throw new Unavailable('This file is not available at present.', 60, cause)
}
