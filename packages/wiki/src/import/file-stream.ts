import type { BigIntStats } from 'node:fs'
import { type FileHandle, stat } from 'node:fs/promises'
import { FileLeftOut, UsageError } from '../errors.ts'

/** A text that changes when a file of a folder changes: its size and time. */
export const fileVersion = ({ size, mtimeNs }: Pick<BigIntStats, 'size' | 'mtimeNs'>): string =>
  `${size}-${mtimeNs}`

/** Bytes of a file; undefined: it is a pipe. @param extensions for the message @throws UsageError if it cannot be read */
export const sizeOfFile = async (file: string, extensions: string): Promise<number | undefined> => {
  const stats = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      error.code === 'ENOENT' ? `The file ${file} does not exist.` : `Cannot read ${file}: ${error.message}`,
    )
  })
  if (stats.isDirectory()) throw new UsageError(`${file} is a folder. Specify a file, ${extensions}.`)
  return stats.isFile() ? stats.size : undefined
}

export const CHANGED = 'changed while it was read'

/** Reads and closes a file. @param version what it must be, and stay. Default: as it is now @throws FileLeftOut if it is not */
export async function* streamFileHandle(handle: FileHandle, version?: string): AsyncGenerator<Buffer> {
  let expected = version
  let length = 0n
  const refuseChanged = async (isRead: boolean): Promise<void> => {
    const stats = await handle.stat({ bigint: true })
    if (!stats.isFile()) throw new FileLeftOut('not a regular file')
    expected ??= fileVersion(stats)
    if (fileVersion(stats) !== expected || (isRead && stats.size !== length)) throw new FileLeftOut(CHANGED)
  }
  try {
    await refuseChanged(false)
    for await (const part of handle.createReadStream({ start: 0, autoClose: false })) {
      length += BigInt(part.length)
      yield part
    }
    await refuseChanged(true)
  } finally {
    await handle.close()
  }
}
