import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import type { ImportRecord, ImportSource, SourceFile } from '@lectern/wiki/records'
import type { Database } from '../../src/db/database.ts'
import { type FileLimits, makeFileLimits } from '../../src/write/file-writer.ts'
import type { NamedSource } from '../../src/write/imported-content.ts'
import { runImport } from '../../src/write/run-import.ts'
import { testDatabase } from './database.ts'
import { emptyDatabase, recordsOf, type WorldSpec } from './world.ts'

/** A file of a fake source. */
export interface FileSpec extends Partial<Omit<SourceFile, 'open'>> {
  path: string
  data: Buffer | string
  /** Instead of the data, for sources that fail or that have too much to hold. */
  open?: SourceFile['open']
}

export const sha256 = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex')

/** The record of a file. @param opened gets the path of each file whose bytes are asked for */
const fileOf = ({ data, open, ...file }: FileSpec, opened: string[]): SourceFile => ({
  locale: '',
  version: sha256(data),
  bytes: Buffer.byteLength(data),
  modifiedAt: null,
  author: null,
  ...file,
  open: async function* () {
    opened.push(file.path)
    if (open) yield* open()
    else yield Buffer.from(data)
  },
})

/** All types, also unknown ones. */
const ANY_FILE = makeFileLimits({
  fileBytesMax: 25 * 1024 * 1024,
  filesAllow: ['application', 'audio', 'image', 'text', 'video'],
})

interface ImportOptions {
  /** Default: the shared one. */
  database?: Database
  from?: NamedSource
  covers?: 'wiki' | 'changes' | 'some'
  roots?: string[]
  /** Default: all files. */
  fileLimits?: FileLimits
  /** Where the source has each page, by path. */
  sourcePaths?: Record<string, string>
}

/** Imports a world with files. @param files undefined: the source has no files */
export const importFiles = async (
  spec: WorldSpec,
  files: FileSpec[] | undefined,
  {
    database,
    from = { name: 'tea', isConfirmed: true },
    covers = 'wiki',
    roots = [''],
    fileLimits = ANY_FILE,
    sourcePaths = {},
  }: ImportOptions = {},
) => {
  const { owner } = await testDatabase()
  const opened: string[] = []
  const records = recordsOf(spec).map(
    (record): ImportRecord =>
      record.type === 'page'
        ? { ...record, hasAllRevisions: true, sourcePath: sourcePaths[record.path] ?? `${record.path}.md` }
        : record,
  )
  const source: ImportSource = {
    covers: () => covers,
    records: (async function* () {
      yield* records
    })(),
    progress: () => ({ done: 0, unit: 'records' }),
    notes: () => [],
    ...(files && {
      files: () => ({
        roots,
        list: async function* () {
          for (const file of files) yield fileOf(file, opened)
        },
      }),
    }),
  }
  const { summary } = await runImport(database ?? owner, async () => source, { from, fileLimits })
  return { summary, opened }
}

/** Replaces the content of the shared test database with a world and its files. */
export const makeWorldWithFiles = async (
  spec: WorldSpec,
  files: FileSpec[],
  options: ImportOptions = {},
): ReturnType<typeof importFiles> => {
  await emptyDatabase((await testDatabase()).owner)
  return importFiles(spec, files, options)
}

/** A picture of one colour. @param red 0 to 255: pictures with other values have other bytes */
export const png = (width: number, height: number, red = 0): Buffer => {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    checksum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, checksum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const row = Buffer.alloc(1 + 3 * width)
  for (let x = 0; x < width; x++) row[1 + 3 * x] = red
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const crc32 = (bytes: Buffer): number => {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}
