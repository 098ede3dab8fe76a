import { lstat, open, rename, rm } from 'node:fs/promises'
import { UsageError } from '@lectern/wiki/errors'

export type TemporaryFile = Awaited<ReturnType<typeof createTemporaryFile>>

/**
 * Creates the temporary file of an export, which gets its name when it is complete. It replaces that of an earlier export, which was interrupted, or which still
 * runs: that one notices at its end, because the path then leads to another file.
 */
export const createTemporaryFile = async (file: string) => {
  const path = `${file}.partial`
  await rm(path, { force: true })
  const handle = await open(path, 'wx')
  const { ino } = await handle.stat()
  const isOwn = async () => (await lstat(path).catch(() => undefined))?.ino === ino
  let isFinished = false
  return {
    handle,
    /** Writes what is in memory to the disk, and gives the file its name. It replaces an older file. */
    finish: async (): Promise<void> => {
      await handle.sync()
      if (!(await isOwn()))
        throw new UsageError(
          `Another export to ${file} began meanwhile, and replaced the temporary file of this one. Export to different files, or one after the other.`,
        )
      await rename(path, file)
      isFinished = true
      await handle.close()
    },
    /** Removes the file. After `finish`, it does nothing. */
    discard: async (): Promise<void> => {
      if (isFinished) return
      if (await isOwn()) await rm(path, { force: true })
      await handle.close()
    },
  }
}
