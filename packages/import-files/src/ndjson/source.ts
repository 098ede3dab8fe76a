import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { FileLeftOut, ImportError, UsageError } from '@lectern/wiki/errors'
import { filesFolderOf } from '@lectern/wiki/folders'
import { sizeOfFile } from '@lectern/wiki/import/file-stream'
import { LINE_MAX, TRANSFER_BATCH } from '@lectern/wiki/limits'
import {
  type FileRecord,
  type ImportRecord,
  type ImportSource,
  makeRevisionBatch,
  ndjsonLine,
  type PageRecord,
  type PlacedPage,
  pageKey,
  type RevisionRecord,
  type SourceFile,
  type SourceFiles,
  type WikiRecord,
} from '@lectern/wiki/records'
import { quote } from '@lectern/wiki/text'
import { core, type z } from 'zod'
import { streamFile } from '../folder/files.ts'
import { isOnlySpace, type LineBounds, parseLine, readLines } from './lines.ts'

/** @throws ImportError with the line, the field and the expected value */
const parseRecord = (value: unknown, number: number): WikiLine => {
  const parsed = ndjsonLine.safeParse(value, { error: describeIssue })
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  const field = core.toDotPath(path) || 'the line'
  throw new ImportError(`Line ${number}: ${field}: ${message}`)
}

const TYPE_NAMES: Record<string, string> = { string: 'a string', array: 'an array', object: 'an object' }
const RECORD_TYPES = ndjsonLine.options.map((option) => option.shape.type.value)

const describeIssue = (issue: z.core.$ZodRawIssue): string | undefined => {
  if (issue.code === 'invalid_type')
    return `${issue.input === undefined ? 'is missing, ' : ''}must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`
  if (issue.code === 'invalid_value') return `must be ${oneOf(issue.values.map(String))}`
  if (issue.code === 'invalid_union') return `must be ${oneOf(RECORD_TYPES)}`
  if (issue.code === 'too_small') return 'must not be empty'
  if (issue.code === 'unrecognized_keys') return `has an unknown field, ${quote(issue.keys.join(', '))}`
  return undefined
}

const oneOf = (words: string[]): string =>
  words.map((word, i) => `${i === 0 ? '' : i === words.length - 1 ? ' or ' : ', '}"${word}"`).join('')

type WikiLine = z.output<typeof ndjsonLine>

/**
 * Reads a wiki in the interchange format, perhaps in gzip, as a stream.
 * @throws UsageError if the file cannot be read; its records throw ImportError with the line and the field
 */
export const openNdjsonSource = async (file: string, most: LineBounds = LINE_MAX): Promise<ImportSource> => {
  const total = await sizeOfFile(file, '.ndjson or .ndjson.gz')
  const bytes = createReadStream(file, { highWaterMark: 1 << 20 })
  let number = 0
  let wiki: WikiRecord | null = null
  const files = new Map<string, FileRecord>()
  const placed = new Map<string, PlacedPage>()
  let isEmpty = true
  const take = function* (line: WikiLine): Generator<ImportRecord> {
    if (line.type === 'wiki') wiki = line
    if (line.type === 'file') files.set(pageKey({ locale: line.locale ?? '', path: line.path }), line)
    else if (line.type === 'page') yield* pageRecords(line)
    else yield line
    if (line.type !== 'page' || (line.position ?? line.site_path) === undefined) return
    const {
      locale,
      path,
      position = null,
      group_title: group,
      nav_title: navTitle,
      site_path: sitePath,
    } = line
    const groupTitles = line.group_titles ?? (group ? [group] : undefined)
    placed.set(pageKey(line), { locale, path, position, groupTitles, navTitle, sitePath })
  }
  const read = async function* (): AsyncGenerator<ImportRecord> {
    try {
      for await (const line of readLines(decompress(bytes, file.endsWith('.gz')), most)) {
        number = line.number
        const hasByteOrderMark = number === 1 && line.bytes.indexOf('\ufeff') === 0
        const written = line.bytes.subarray(hasByteOrderMark ? 3 : 0)
        if (isOnlySpace(written)) continue
        isEmpty = false
        yield* take(parseRecord(parseLine(written, number, most), number))
      }
      if (isEmpty)
        throw new ImportError(
          `${file} is empty: it has no line with a wiki, a category or a page. Nothing was changed. Perhaps the program that writes the file has failed.`,
        )
    } catch (error) {
      throw error instanceof UsageError ? error : readError(file, number, error as NodeJS.ErrnoException)
    }
  }
  return {
    records: read(),
    lineOf: () => `Line ${number}`,
    progress: () => ({ done: bytes.bytesRead, total, unit: 'bytes' }),
    notes: () => [],
    // A file without a wiki record adds to the existing wiki.
    covers: () => (wiki === null ? 'some' : 'wiki'),
    order: () => (wiki === null ? undefined : [...placed.values()]),
    files: () => ndjsonFiles(file, files.values(), wiki?.file_roots ?? ['']),
  }
}

/** A line of a page, as records with a batch of its revisions each. The file has all of them; in how many lines is known only at its end. */
function* pageRecords({ source_path: sourcePath, revisions, ...page }: PageRecord): Generator<ImportRecord> {
  const source = sourcePath === undefined ? {} : { sourcePath }
  const recordOf = (revisions: RevisionRecord[]) => ({ ...page, revisions, hasAllRevisions: true, ...source })
  const batch = makeRevisionBatch(TRANSFER_BATCH)
  for (const revision of revisions) {
    const full = batch.add(revision)
    if (full) yield recordOf(full)
  }
  yield recordOf(batch.take())
}

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b])

/** The bytes of a file, or what they are compressed from. @param isGzip whether the file name says gzip; otherwise the first bytes decide, because a pipe has no file name */
export async function* decompress(bytes: AsyncIterable<Buffer>, isGzip = false): AsyncGenerator<Buffer> {
  const chunks = bytes[Symbol.asyncIterator]()
  let first = Buffer.alloc(0)
  while (first.length < GZIP_MAGIC.length) {
    const { value, done } = await chunks.next()
    if (done) break
    first = Buffer.concat([first, value])
  }
  const all = async function* () {
    yield first
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  // An empty callback: the stream that is read throws the errors of the pipeline.
  if (isGzip || first.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC))
    yield* pipeline(all, createGunzip({ chunkSize: 1 << 18 }), () => {})
  else yield* all()
}

const readError = (file: string, number: number, error: NodeJS.ErrnoException): UsageError => {
  if (error.syscall === 'open') return new UsageError(`Cannot read ${file}: ${error.message}`)
  const gzip = error.code?.startsWith('Z_') ? ' (the gzip file may be incomplete)' : ''
  return new ImportError(`Cannot read the file after line ${number}: ${error.message}${gzip}`)
}

/** The files that lines name, in the folder beside the file: under their paths or hashes. The last record of a path counts. */
const ndjsonFiles = (file: string, records: Iterable<FileRecord>, roots: string[]): SourceFiles => ({
  roots,
  list: async function* () {
    const folder = await realpath(filesFolderOf(file)).catch(() => null)
    for (const record of records) yield await fileOf(folder, record)
  },
})

const fileOf = async (folder: string | null, record: FileRecord): Promise<SourceFile> => {
  const found = folder === null ? null : await findFile(folder, [record.sha256, record.path])
  return {
    locale: record.locale ?? '',
    path: record.path,
    version: record.sha256,
    bytes: found?.bytes ?? 0,
    modifiedAt: record.modified_at ?? null,
    author: record.author ?? null,
    open: () => openFile(folder ?? '', found?.name, record.sha256),
  }
}

const findFile = async (folder: string, names: string[]) => {
  for (const name of names) {
    const stats = await lstat(join(folder, name)).catch(() => null)
    if (stats?.isFile()) return { name, bytes: stats.size }
  }
  return null
}

async function* openFile(folder: string, name: string | undefined, sha256: string): AsyncGenerator<Buffer> {
  if (name === undefined) throw new FileLeftOut('not in the folder beside the NDJSON file')
  const hash = createHash('sha256')
  for await (const bytes of streamFile(folder, name)) {
    hash.update(bytes)
    yield bytes
  }
  if (hash.digest('hex') !== sha256) throw new FileLeftOut('with other bytes than its line says')
}
