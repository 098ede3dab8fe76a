import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Timestamp } from '../../wiki/time.ts'
import { timestampFromInstant } from '../../wiki/time.ts'

/** The content of a file, and when it was changed. */
export interface FileVersion {
  /** Null: more bytes than allowed. */
  bytes: Buffer | null
  modifiedAt: Timestamp
}

/** A file that cannot be read, with the reason as a short text: `EACCES`. */
export interface UnreadableFile {
  reason: string
}

/** Pauses before a file that changed while it was read is read again, milliseconds. */
const PAUSES_MS = [20, 100, 500]

/** `O_NONBLOCK`: to open a pipe must not wait for a writer. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Reads a regular file in a folder. Never follows a symbolic link, so that nothing outside the folder is read, even if
 * somebody replaces a file or a folder meanwhile.
 * @param root the real path of the folder
 */
export const readFolderFile = async (
  root: string,
  name: string,
  maxBytes: number,
): Promise<FileVersion | UnreadableFile> => {
  const file = join(root, name)
  try {
    for (const pause of [...PAUSES_MS, null]) {
      const handle = await open(file, FLAGS)
      try {
        if ((await realpath(dirname(file))) !== dirname(file)) return { reason: 'outside the folder' }
        const version = await readVersion(handle, maxBytes)
        if (version !== 'changed') return version
      } finally {
        await handle.close()
      }
      if (pause !== null) await wait(pause)
    }
    return { reason: 'changed while it was read' }
  } catch (error) {
    return { reason: (error as NodeJS.ErrnoException).code ?? (error as Error).message }
  }
}

const readVersion = async (
  handle: FileHandle,
  maxBytes: number,
): Promise<FileVersion | UnreadableFile | 'changed'> => {
  const before = await handle.stat({ bigint: true })
  if (!before.isFile()) return { reason: 'not a regular file' }
  const modifiedAt = timestampFromNanoseconds(before.mtimeNs)
  if (before.size > maxBytes) return { bytes: null, modifiedAt }
  // One byte more, to see whether the file has grown.
  const buffer = Buffer.alloc(Number(before.size) + 1)
  let length = 0
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  const after = await handle.stat({ bigint: true })
  const isSame =
    after.mtimeNs === before.mtimeNs && after.size === before.size && BigInt(length) === before.size
  return isSame ? { bytes: buffer.subarray(0, length), modifiedAt } : 'changed'
}

/** @param nanoseconds since 1970; they can be negative */
const timestampFromNanoseconds = (nanoseconds: bigint): Timestamp => {
  const fraction = ((nanoseconds % NANOS) + NANOS) % NANOS
  const seconds = Number((nanoseconds - fraction) / NANOS)
  return timestampFromInstant({ seconds, fraction: String(fraction).padStart(9, '0') })
}

const NANOS = 1_000_000_000n
