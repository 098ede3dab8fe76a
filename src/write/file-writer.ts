import { FileLeftOut, ImportError } from '@lectern/wiki/errors'
import { describeFile, type FileDescription } from '@lectern/wiki/files/media-type'
import { fileNameKey } from '@lectern/wiki/files/references'
import { FILE_BYTES_MAX, FILE_PATH_BYTES_MAX } from '@lectern/wiki/limits'
import type { SourceFile, SourceFiles } from '@lectern/wiki/records'
import { byteLength, isPlainText } from '@lectern/wiki/text'
import { column, columns, inBatches } from '../db/bulk.ts'
import type { RunStatement } from '../db/statements.ts'
import { BlobWriter, type OutsideStore, type ReadFile, type SmallFile } from './blobs.ts'

export interface FileLimits {
  bytesMax: number
  allows(mediaType: string, path: string): boolean
  /** Differs for other limits: files that were stored with others are read again. */
  key: string
}

interface FileSettings {
  fileBytesMax: number
  /** Media types, their beginnings, or extensions: `application/pdf`, `image`, `.zip`. Absent: all known types. */
  filesAllow?: readonly string[] | undefined
  filesUrl?: string | undefined
}

export const makeFileLimits = ({ fileBytesMax, filesAllow, filesUrl }: FileSettings): FileLimits => ({
  bytesMax: fileBytesMax,
  allows: (mediaType, path) =>
    filesAllow?.some((one) =>
      one.startsWith('.') ? path.toLowerCase().endsWith(one) : `${mediaType}/`.startsWith(`${one}/`),
    ) ?? mediaType !== 'application/octet-stream',
  key: `${filesAllow ?? ''} ${fileBytesMax} ${filesUrl === undefined ? '' : 'outside '}`,
})

export const DEFAULT_FILE_LIMITS = makeFileLimits({ fileBytesMax: FILE_BYTES_MAX })

/** What an import did with the files of its source. */
export type FilesResult = ReturnType<typeof noFiles>

export const noFiles = () => ({
  /** Files that live pages use, and their bytes. */
  files: 0,
  bytes: 0,
  /** How many of them are new or have changed. */
  stored: 0,
  /** References to files that lead to none: how many, and the first three, each with the path of its page. */
  missing: 0,
  firstMissing: [] as { reference: string; page: string }[],
  /** Files that live pages would use, by the reason why they were left out: how many, and the paths of the first three. */
  leftOut: new Map<string, { files: number; first: string[] }>(),
  /** Why unused bytes outside the database could not be deleted. The next import tries it again. */
  notDeleted: undefined as string | undefined,
})

/** Files that are listed with one statement. */
const LISTED = 1_000
/** Files whose bytes are stored with one statement: how many, and how many bytes they have together. */
const BATCH = { pages: 64, bytes: 2 * 1024 * 1024 }

/** A file, what it is, and its bytes or where they are stored. */
type Described<Bytes> = { file: SourceFile } & FileDescription & Bytes

interface FileWriterOptions {
  /** Null: the import has no named source. Then its files may be those of any page. */
  sourceId: number | null
  rules: FileLimits
  result: FilesResult
  outside: OutsideStore | undefined
}

/**
 * Stores the files of a source that its live pages use, at the end of an import: only then is it certain which these are.
 * The source is asked for the bytes of those that are not stored yet. (D139)
 */
export class FileWriter {
  readonly #run: RunStatement
  readonly #options: FileWriterOptions
  readonly #blobs: BlobWriter
  #source: SourceFiles | undefined
  #isWhole = false
  /** Files whose bytes are stored, and whose rows are not. */
  #accepted: Described<ReadFile>[] = []

  constructor(run: RunStatement, options: FileWriterOptions) {
    this.#run = run
    this.#options = options
    this.#blobs = new BlobWriter(run, options.rules.bytesMax, options.outside)
  }

  /**
   * Call it before pages are indexed: other roots let all pages of the source refer to other files.
   * @param source undefined: it has no files
   * @param isWhole whether a stored file that is not listed is gone
   */
  async take(source: SourceFiles | undefined, isWhole: boolean): Promise<void> {
    this.#source = source
    this.#isWhole = isWhole
    const roots = source === undefined ? null : JSON.stringify(source.roots)
    const { rows } = await this.#run('set_file_roots', [this.#options.sourceId, roots])
    if (rows.length > 0) await this.#run('record_pages_of_source', [this.#options.sourceId])
  }

  /** Call it after pages were indexed. Files that lost their last page are deleted, whether `take` was called or not. */
  async store(): Promise<void> {
    if (this.#source !== undefined || this.#isWhole) await this.#storeUsed(this.#source)
    await this.#run('delete_unused_files', [])
    if (this.#source === undefined) return
    Object.assign(this.#options.result, (await this.#run('file_summary', [this.#options.sourceId])).rows[0]!)
    const { rows } = await this.#run('missing_files', [this.#options.sourceId])
    this.#options.result.missing = rows[0]?.references ?? 0
    this.#options.result.firstMissing = rows.map(({ reference, page }) => ({ reference, page }))
  }

  async #storeUsed(source: SourceFiles | undefined): Promise<void> {
    await this.#run('begin_imported_files', [])
    await this.#run('begin_imported_file_uses', [])
    const listed = source === undefined ? new Map<string, SourceFile>() : await this.#list(source)
    if (listed.size > 0) {
      await this.#run('analyze_files', [])
      await this.#run('resolve_files', [this.#options.sourceId])
      await this.#read(listed)
    }
    await this.#run('store_file_uses', [this.#options.sourceId, this.#isWhole])
  }

  /** Lists the files of the source to which live pages may refer, by `fileKey`. */
  async #list(source: SourceFiles): Promise<Map<string, SourceFile>> {
    const found = new Map<string, SourceFile>()
    let batch: SourceFile[] = []
    const record = async (): Promise<void> => {
      const byKey = new Map(batch.map((file) => [fileKey(file), file]))
      batch = []
      const files = [...byKey.values()]
      const { rows } = await this.#run('record_files', [
        ...columns(files, ['locale', 'path']),
        files.map(({ path }) => fileNameKey(path)),
        files.map(({ version }) => this.#options.rules.key + version),
      ])
      for (const row of rows) found.set(fileKey(row), byKey.get(fileKey(row))!)
    }
    for await (const file of source.list())
      if (isPath(file.path) && batch.push(file) >= LISTED) await record()
    if (batch.length > 0) await record()
    return found
  }

  async #read(listed: ReadonlyMap<string, SourceFile>): Promise<void> {
    const { rows } = await this.#run('files_to_read', [this.#options.sourceId])
    const leftOut: SourceFile[] = []
    const leaveOut = (file: SourceFile, error: unknown): void => {
      if (!(error instanceof ImportError)) throw error
      leftOut.push(file)
      const reason = error instanceof FileLeftOut ? error.message : 'could not be read'
      const { files, first } = this.#options.result.leftOut.get(reason) ?? { files: 0, first: [] }
      this.#options.result.leftOut.set(reason, { files: files + 1, first: [...first, file.path].slice(0, 3) })
    }
    const files: SourceFile[] = []
    for (const row of rows) {
      const file = listed.get(fileKey(row))!
      if (row.isOfOther) leaveOut(file, new FileLeftOut('another source has a file at its path'))
      else if (file.bytes > this.#options.rules.bytesMax)
        leaveOut(file, new FileLeftOut('larger than FILE_BYTES_MAX'))
      else files.push(file)
    }
    // One batch is stored while the next one is read.
    let stored = Promise.resolve()
    for (const batch of inBatches(files, BATCH)) {
      const small: Described<SmallFile>[] = []
      for (const file of batch) {
        try {
          const read = await this.#readOne(file)
          if ('blobId' in read) this.#accepted.push(read)
          else small.push(read)
        } catch (error) {
          leaveOut(file, error)
        }
      }
      await stored
      stored = this.#storeSmall(small)
      stored.catch(() => {})
    }
    await stored
    await this.#storeAccepted()
    await this.#run('leave_out_files', columns(leftOut, ['locale', 'path']))
  }

  async #readOne(file: SourceFile): Promise<Described<ReadFile | SmallFile>> {
    let description: FileDescription | undefined
    const read = await this.#blobs.read(file.open(), (head) => {
      description = describeFile(head, file.path)
      if (!this.#options.rules.allows(description.mediaType, file.path))
        throw new FileLeftOut('of a type that FILES_ALLOW does not have')
    })
    return { file, ...description!, ...read }
  }

  async #storeSmall(files: readonly Described<SmallFile>[]): Promise<void> {
    const ids = files.length > 0 ? await this.#blobs.storeSmall(files) : []
    for (const [i, { data, sha256, ...file }] of files.entries())
      this.#accepted.push({ ...file, blobId: ids[i]! })
    if (this.#accepted.length >= LISTED) await this.#storeAccepted()
  }

  async #storeAccepted(): Promise<void> {
    const files = this.#accepted
    this.#accepted = []
    this.#options.result.stored += files.length
    const changes = await Promise.all(files.map(async ({ file }) => (await file.lastChange?.()) ?? file))
    await this.#run('store_files', [
      this.#options.sourceId,
      ...columns(column(files, 'file'), ['locale', 'path']),
      files.map(({ file }) => this.#options.rules.key + file.version),
      ...columns(files, ['blobId', 'mediaType', 'bytes', 'width', 'height']),
      ...columns(changes, ['modifiedAt', 'author']),
    ])
  }
}

const fileKey = ({ locale, path }: { locale: string; path: string }): string => `${locale}\0${path}`

/** Whether a path can be that of a file: without control characters, dot segments and empty segments. */
const isPath = (path: string): boolean =>
  isPlainText(path) &&
  byteLength(path) <= FILE_PATH_BYTES_MAX &&
  path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..')
