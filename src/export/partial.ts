import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../errors.ts'
import { isWithoutSockets, lockFolder, type ProcessLock } from '../process-lock/process-lock.ts'
import { prepareSocketDirectory } from '../process-lock/socket-directory.ts'
import type { ExportView, PageAddress } from '../read/snapshot.ts'

/** A part of the file: the wiki and its categories, or some pages in order. */
export interface ExportPart {
  /** The part holds the pages after this address. Null: the part before all pages. */
  after: PageAddress | null
  /** Address of its last page. */
  to: PageAddress | null
  pages: number
  revisions: number
  /** Digest of the wiki's content when the part was written. */
  digest: string
  /** Position in the data file, bytes. */
  offset: number
  length: number
}

/** What all parts of a file have in common. Parts of another format cannot be reused. */
interface ExportFormat {
  view: ExportView
  gzip: boolean
}

/** Incremented when the same wiki gives different bytes. */
const FORMAT_VERSION = 3

/** What an export has written so far. While it is open, no other process can use it. */
export interface PartialExport {
  /** Parts that earlier runs wrote. */
  readonly completedParts: Iterable<ExportPart>
  /** The completed part that starts after this address. */
  nextCompletedPart(after: ExportPart['after']): ExportPart | undefined
  /** Writes some bytes of the next part. */
  append(bytes: Uint8Array): Promise<void>
  /** Completes the part that consists of the bytes appended since the last one. It is on the disk when this resolves. */
  end(part: Omit<ExportPart, 'offset' | 'length'>): Promise<ExportPart>
  /** Creates the file from these parts, in this order. Replaces an older file. */
  finish(parts: readonly ExportPart[]): Promise<void>
  /** @returns whether another run can continue from here */
  close(): Promise<boolean>
}

/** The folder of the parts until the file is complete. */
export const partialFolder = (file: string): string => `${file}.partial`

/**
 * Opens the partial export of an earlier run, or starts a new one. The folder contains `data`, the parts in the order
 * in which they were written, and `parts`, one line for each completed part. (D62)
 * @throws UsageError if another process exports to the file, or the folder cannot be used
 */
export const openPartial = async (file: string, format: ExportFormat): Promise<PartialExport> => {
  const folder = partialFolder(file)
  await createFolder(folder)
  const lock = await acquireLock(file, folder)
  const handles: FileHandle[] = []
  const openIn = async (name: string): Promise<FileHandle> => {
    const handle = await open(join(folder, name), 'a+')
    handles.push(handle)
    return handle
  }
  try {
    const data = await openIn('data')
    const log = await openIn('parts')
    return await makePartial({ file, folder, data, log, format, release: lock.release })
  } catch (error) {
    for (const handle of handles) await handle.close()
    await lock.release()
    throw folderError(folder, error)
  }
}

/** Creates the folder unless it exists. @throws UsageError if a file has its name */
const createFolder = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const isFolder = (await stat(folder).catch(() => undefined))?.isDirectory()
    if (isFolder) return
    throw new UsageError(
      `${folder} is not a folder, but the export needs a folder of this name for its parts. Rename or remove it, or export to another file.`,
    )
  }
}

const acquireLock = async (file: string, folder: string): Promise<ProcessLock> => {
  let lock: ProcessLock | null
  try {
    lock = await lockFolder(prepareSocketDirectory(folder))
  } catch (error) {
    throw folderError(folder, error)
  }
  if (lock !== null) return lock
  throw new UsageError(
    `Another process is exporting to ${file}. Wait until it ends, or export to another file.`,
  )
}

/** Explains why the folder of an export cannot be used; returns other errors unchanged. */
export const folderError = (folder: string, error: unknown): unknown => {
  const { code = '' } = error as NodeJS.ErrnoException
  if (isWithoutSockets(error)) {
    return new UsageError(
      `The file system of ${folder} does not support sockets (${code}). An export uses a socket to lock its file against a second export. Export to a local disk and copy the file.`,
    )
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new UsageError(
      `Cannot write ${folder}: permission denied. Make it writable for this user, or remove it to start the export again.`,
    )
  }
  return error
}

interface PartialFiles {
  file: string
  folder: string
  data: FileHandle
  log: FileHandle
  format: ExportFormat
  release(): Promise<void>
}

const makePartial = async ({
  file,
  folder,
  data,
  log,
  format,
  release,
}: PartialFiles): Promise<PartialExport> => {
  const heading = `${JSON.stringify({ version: FORMAT_VERSION, ...format })}\n`
  const { size } = await data.stat()
  const completed = readParts(await log.readFile('utf8'), heading, size)
  let end = 0
  for (const { offset, length } of completed.values()) end = Math.max(end, offset + length)
  // Removes an incomplete part, and all parts of another format.
  await data.truncate(end)
  if (completed.size === 0) {
    await log.truncate(0)
    await log.appendFile(heading)
  } else await log.appendFile('\n') // the last line may be incomplete

  let pendingBytes = 0
  const close = async () => {
    await Promise.all([data.close(), log.close()])
  }
  return {
    completedParts: [...completed.values()],
    nextCompletedPart: (after) => completed.get(keyOf(after)),
    append: async (bytes) => {
      await data.appendFile(bytes)
      pendingBytes += bytes.length
    },
    end: async (part) => {
      const written: ExportPart = { ...part, offset: end, length: pendingBytes }
      await data.datasync()
      await log.appendFile(`${JSON.stringify(written)}\n`)
      await log.datasync()
      end += pendingBytes
      pendingBytes = 0
      completed.set(keyOf(part.after), written)
      return written
    },
    finish: async (parts) => {
      const whole = isInOrder(parts, end) ? join(folder, 'data') : await copyParts(parts, data, folder)
      await close()
      await rename(whole, file)
      await rm(folder, { recursive: true, force: true })
      await release()
    },
    close: async () => {
      await close()
      if (completed.size === 0) await rm(folder, { recursive: true, force: true })
      await release()
      return completed.size > 0
    },
  }
}

const keyOf = (after: ExportPart['after']): string => JSON.stringify(after)

/** Parts by their start. If several parts have the same start, the last one counts. */
const readParts = (log: string, heading: string, size: number): Map<string, ExportPart> => {
  const parts = new Map<string, ExportPart>()
  if (!log.startsWith(heading)) return parts
  for (const line of log.slice(heading.length).split('\n')) {
    const part = parsePart(line)
    if (part && part.offset + part.length <= size) parts.set(keyOf(part.after), part)
  }
  return parts
}

/** @returns undefined for an incomplete line */
const parsePart = (line: string): ExportPart | undefined => {
  try {
    return JSON.parse(line) as ExportPart
  } catch {
    return undefined
  }
}

/** Whether the data file can become the file without a copy: no part was written twice. */
const isInOrder = (parts: readonly ExportPart[], end: number): boolean => {
  let position = 0
  for (const { offset, length } of parts) {
    if (offset !== position) return false
    position += length
  }
  return position === end
}

const copyParts = async (parts: readonly ExportPart[], data: FileHandle, folder: string): Promise<string> => {
  const path = join(folder, 'whole')
  const whole = await open(path, 'w')
  try {
    const bytes = Buffer.allocUnsafe(1 << 20)
    for (const { offset, length } of parts) {
      for (let copied = 0; copied < length; ) {
        const count = Math.min(bytes.length, length - copied)
        const { bytesRead } = await data.read(bytes, 0, count, offset + copied)
        if (bytesRead === 0) throw new Error(`${join(folder, 'data')} ends before its last part`)
        await whole.appendFile(bytes.subarray(0, bytesRead))
        copied += bytesRead
      }
    }
    await whole.datasync()
  } finally {
    await whole.close()
  }
  return path
}
