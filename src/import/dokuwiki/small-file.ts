import { open } from 'node:fs/promises'
import { UsageError } from '../../errors.ts'
import { quote } from '../../wiki/text.ts'

/** Bytes of a configuration file. */
const MAX_BYTES = 4 * 1024 * 1024

/**
 * The text of a configuration file; null if there is no such file.
 * @throws UsageError if it exists but cannot be read, or is too long: Lectern must not guess what it would allow
 */
export const readSmallFile = async (path: string): Promise<string | null> => {
  let file: Awaited<ReturnType<typeof open>> | undefined
  try {
    file = await open(path, 'r')
    const { size } = await file.stat()
    if (size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`)
    const bytes = Buffer.alloc(size)
    const { bytesRead } = await file.read(bytes, 0, size, 0)
    return bytes.toString('utf8', 0, bytesRead).replace(/^\ufeff/, '')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new UsageError(
      `Cannot read ${quote(path)}, which decides what guests may see: ${message}. Allow this user to read the file.`,
    )
  } finally {
    await file?.close()
  }
}
