import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises'
import { UsageError } from '@lectern/wiki/errors'

/** A file that gets its name when it is complete. */
export interface TemporaryFile {
  handle: FileHandle
  /** Writes what is in memory to the disk, and gives the file its name. It replaces an older file. */
  finish(): Promise<void>
  /** Removes the file. After `finish`, it does nothing. */
  discard(): Promise<void>
}

/** Where an export writes until it is complete. */
const temporaryPath = (file: string): string => `${file}.partial`

/**
 * Creates the temporary file of an export. It replaces that of an earlier export, which was interrupted, or which still
 * runs: that one notices at its end, because the path then leads to another file.
 */
export const createTemporaryFile = async (file: string): Promise<TemporaryFile> => {
  const path = temporaryPath(file)
  await rm(path, { force: true })
  const handle = await open(path, 'wx')
  const { ino } = await handle.stat()
  const isOwn = async () => (await lstat(path).catch(() => undefined))?.ino === ino
  let isFinished = false
  return {
    handle,
    finish: async () => {
      await handle.sync()
      if (!(await isOwn()))
        throw new UsageError(
          `Another export to ${file} began meanwhile, and replaced the temporary file of this one. Export to different files, or one after the other.`,
        )
      await rename(path, file)
      isFinished = true
      await handle.close()
    },
    discard: async () => {
      if (isFinished) return
      if (await isOwn()) await rm(path, { force: true })
      await handle.close()
    },
  }
}
