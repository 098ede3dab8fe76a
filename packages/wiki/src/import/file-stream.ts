import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { FileLeftOut } from '../errors.ts'

/** A text that changes when a file of a folder changes: its size and time. */
export const fileVersion = ({ size, mtimeNs }: Pick<BigIntStats, 'size' | 'mtimeNs'>): string =>
  `${size}-${mtimeNs}`

const CHUNK_BYTES = 64 * 1024

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
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES)
      if (bytesRead === 0) break
      length += BigInt(bytesRead)
      yield buffer.subarray(0, bytesRead)
    }
    await refuseChanged(true)
  } finally {
    await handle.close()
  }
}
