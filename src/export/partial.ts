import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../errors.ts'
import { lockWithoutClients, type ProcessLock } from '../process-lock/process-lock.ts'
import { prepareSocketDirectory } from '../process-lock/socket-directory.ts'
import type { ExportView, PageAddress } from '../read/snapshot.ts'

/** A piece of the file: the wiki and its categories, or some pages in order. */
export interface ExportPart {
  /** The address behind which its pages begin; null: the part before all pages. */
  after: PageAddress | null
  /** That of its last page. */
  to: PageAddress | null
  pages: number
  revisions: number
  /** Digest of what was in the wiki when it was written. */
  digest: string
  /** Bytes of the data file. */
  offset: number
  length: number
}

/** What all parts of a file have in common; parts of another form are of no use. */
interface ExportFormat {
  view: ExportView
  gzip: boolean
}

/** Counts up when the same wiki would give other bytes. */
const FORM = 2

/** What an export has written so far, beside the file that it will be; this process's alone while it is open. */
export interface PartialExport {
  /** Parts that earlier runs wrote. */
  readonly completedParts: Iterable<ExportPart>
  /** The one that begins behind this address. */
  nextCompletedPart(after: ExportPart['after']): ExportPart | undefined
  /** Writes some of the bytes of the next part. */
  append(bytes: Uint8Array): Promise<void>
  /** Ends the part that has the bytes appended since the one before: it is on the disk when this resolves. */
  end(part: Omit<ExportPart, 'offset' | 'length'>): Promise<ExportPart>
  /** Makes the file of these parts, in this order, and takes the place of an older one. */
  finish(parts: readonly ExportPart[]): Promise<void>
  /** @returns whether there is something that another run can go on from */
  close(): Promise<boolean>
}

/** The folder that holds what is written before the file is whole. */
export const partialFolder = (file: string): string => `${file}.partial`

/**
 * Opens what an earlier run left of an export to this file, or begins. The folder holds `data`, the parts in the
 * order in which they were written, and `parts`, a line for each that is whole. (D62)
 * @throws UsageError when another process exports to the file, or the folder cannot be used
 */
export const openPartial = async (file: string, form: ExportFormat): Promise<PartialExport> => {
  const folder = partialFolder(file)
  await makeFolder(folder)
  const claim = await claimFor(file, folder)
  const opened: FileHandle[] = []
  const openIn = async (name: string): Promise<FileHandle> => {
    const handle = await open(join(folder, name), 'a+')
    opened.push(handle)
    return handle
  }
  try {
    const data = await openIn('data')
    const log = await openIn('parts')
    return await makePartial({ file, folder, data, log, form, release: claim.release })
  } catch (error) {
    for (const handle of opened) await handle.close()
    await claim.release()
    throw folderError(folder, error)
  }
}

/** Makes the folder where there is none. @throws UsageError when something else has its name */
const makeFolder = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const isFolder = (await stat(folder).catch(() => undefined))?.isDirectory()
    if (isFolder) return
    throw new UsageError(
      `${folder} is in the way: an export needs a folder of this name for what it has written so far. Rename or remove it, or give the export another name.`,
    )
  }
}

const claimFor = async (file: string, folder: string): Promise<ProcessLock> => {
  let claim: ProcessLock | null
  try {
    claim = await lockWithoutClients(prepareSocketDirectory(folder))
  } catch (error) {
    throw folderError(folder, error)
  }
  if (claim !== null) return claim
  throw new UsageError(
    `Another process is exporting to ${file} just now: wait until it is done, or give another file.`,
  )
}

/** Calls that make the sockets of a claim, and how they fail where the file system has none. */
const SOCKET_CALLS = new Set(['listen', 'link'])
const NO_SOCKETS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'ENOSYS'])

/** What to tell when the folder of an export cannot be used; other errors are left as they are. */
export const folderError = (folder: string, error: unknown): unknown => {
  const { syscall = '', code = '' } = error as NodeJS.ErrnoException
  if (SOCKET_CALLS.has(syscall) && NO_SOCKETS.has(code)) {
    return new UsageError(
      `${folder} is on a file system without sockets (${code}), and an export needs one to keep a second export out. Export to a local disk and copy the file.`,
    )
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new UsageError(
      `${folder} cannot be written: permission is denied. Make it writable for this user, or remove it to begin the export anew.`,
    )
  }
  return error
}

interface Opened {
  file: string
  folder: string
  data: FileHandle
  log: FileHandle
  form: ExportFormat
  release(): Promise<void>
}

const makePartial = async ({ file, folder, data, log, form, release }: Opened): Promise<PartialExport> => {
  const heading = `${JSON.stringify({ form: FORM, ...form })}\n`
  const { size } = await data.stat()
  const known = readParts(await log.readFile('utf8'), heading, size)
  let end = 0
  for (const { offset, length } of known.values()) end = Math.max(end, offset + length)
  // What a run was writing when it ended is cut off; of another form, everything.
  await data.truncate(end)
  if (known.size === 0) {
    await log.truncate(0)
    await log.appendFile(heading)
  } else await log.appendFile('\n') // behind a line that was not finished

  let begun = 0
  const close = async () => {
    await Promise.all([data.close(), log.close()])
  }
  return {
    completedParts: [...known.values()],
    nextCompletedPart: (after) => known.get(keyOf(after)),
    append: async (bytes) => {
      await data.appendFile(bytes)
      begun += bytes.length
    },
    end: async (part) => {
      const written: ExportPart = { ...part, offset: end, length: begun }
      await data.datasync()
      await log.appendFile(`${JSON.stringify(written)}\n`)
      await log.datasync()
      end += begun
      begun = 0
      known.set(keyOf(part.after), written)
      return written
    },
    finish: async (parts) => {
      const whole = isInOrder(parts, end) ? join(folder, 'data') : await copyOf(parts, data, folder)
      await close()
      await rename(whole, file)
      await rm(folder, { recursive: true, force: true })
      await release()
    },
    close: async () => {
      await close()
      if (known.size === 0) await rm(folder, { recursive: true, force: true })
      await release()
      return known.size > 0
    },
  }
}

const keyOf = (after: ExportPart['after']): string => JSON.stringify(after)

/** Parts by where they begin; of several, the last that was written. */
const readParts = (log: string, heading: string, size: number): Map<string, ExportPart> => {
  const parts = new Map<string, ExportPart>()
  if (!log.startsWith(heading)) return parts
  for (const line of log.slice(heading.length).split('\n')) {
    const part = parsePart(line)
    if (part && part.offset + part.length <= size) parts.set(keyOf(part.after), part)
  }
  return parts
}

/** Undefined for a line that was not finished. */
const parsePart = (line: string): ExportPart | undefined => {
  try {
    return JSON.parse(line) as ExportPart
  } catch {
    return undefined
  }
}

/** Whether the data file is the file already, as when no part was written a second time. */
const isInOrder = (parts: readonly ExportPart[], end: number): boolean => {
  let at = 0
  for (const { offset, length } of parts) {
    if (offset !== at) return false
    at += length
  }
  return at === end
}

const copyOf = async (parts: readonly ExportPart[], data: FileHandle, folder: string): Promise<string> => {
  const path = join(folder, 'whole')
  const whole = await open(path, 'w')
  try {
    const bytes = Buffer.allocUnsafe(1 << 20)
    for (const { offset, length } of parts) {
      for (let done = 0; done < length; ) {
        const { bytesRead } = await data.read(bytes, 0, Math.min(bytes.length, length - done), offset + done)
        if (bytesRead === 0) throw new Error(`${path} ends before its parts do`)
        await whole.appendFile(bytes.subarray(0, bytesRead))
        done += bytesRead
      }
    }
    await whole.datasync()
  } finally {
    await whole.close()
  }
  return path
}
