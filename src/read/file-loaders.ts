import type { Database } from '../db/database.ts'
import { statement } from '../db/statements.ts'
import type { StatementRows } from '../generated/statement-rows.ts'
import type { BatchLoaders } from './batch-loader.ts'
import type { FileOfPageRow, FileRow, PageRow } from './rows.ts'

interface FilesKey {
  prefix: string
  /** A media type, or its beginning up to the slash. */
  type?: string | null
  after?: string | null
  afterLocale?: string | null
  first: number
}

const columnsOfList = ({ prefix, after, afterLocale, first }: FilesKey) => [
  after ?? '',
  afterLocale ?? '',
  prefix,
  first,
]

const rowsOfList = ({ first }: { first: number }): number => first

/** Pages mostly show some files, of the thousands that they could. */
const FILES_EXPECTED = 10

export const fileLoaders = (load: BatchLoaders) => ({
  filesOfPage: load(
    'files_of_page',
    (pageId: string) => [pageId],
    (rows): FileOfPageRow[] => rows,
    () => FILES_EXPECTED,
  ),
  file: load(
    'file_by_path',
    (key: { locale: string; path: string }) => [key.locale, key.path],
    ([row]): FileRow | null => row ?? null,
  ),
  files: load('files_after', columnsOfList, (rows): FileRow[] => rows, rowsOfList),
  /** The same of a media type. */
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
  fileByHash: load(
    'file_by_hash',
    (key: { sha256: string; name: string }) => [key.sha256, key.name],
    ([row]): StoredBytes | null => row ?? null,
  ),
})

/** A file whose bytes guests may read. */
type StoredBytes = Omit<StatementRows['file_by_hash'], 'n'>

/** Reads a part of a file. Undefined: guests may no longer read it. */
export type ReadFilePart = (blobId: string, part: number) => Promise<Buffer | undefined>

export const makeFilePartReader =
  (database: Database): ReadFilePart =>
  async (blobId, part) =>
    (await database.query(statement('file_part'), [blobId, part]))[0]?.data
