import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../errors.ts'
import { prepareSocketDirectory, type SocketDirectory } from '../../process-lock/socket-directory.ts'

/** Makes the data folder where there is none. Throws a UsageError when it cannot be used. */
export const prepareDataDirectory = (dataDir: string): SocketDirectory => {
  try {
    const directory = prepareSocketDirectory(dataDir)
    if (existsSync(join(directory.path, 'PG_VERSION'))) {
      throw new UsageError(
        `${directory.path} is the data folder of a PostgreSQL server: give the embedded database another`,
      )
    }
    return directory
  } catch (error) {
    throw directoryError(dataDir, error)
  }
}

/** The disk of the data folder is full. Nothing is lost by it: with room the database opens again. */
export class DiskFull extends UsageError {
  override name = 'NoSpace'

  /** @param said by the system or PostgreSQL */
  constructor(folder: string, said: string) {
    super(
      `No space is left on the disk of ${folder} (${said}): make room, or choose another folder. Nothing that was stored is lost.`,
    )
  }
}

/** What to tell when something cannot be done in a folder; errors that are no system's are left as they are. */
export const directoryError = (folder: string, error: unknown): unknown => {
  const code = (error as NodeJS.ErrnoException).code
  if (error instanceof UsageError || code === undefined) return error
  if (code === 'ENOSPC' || code === 'EDQUOT') return new DiskFull(folder, code)
  return new UsageError(
    `${folder} cannot hold the embedded database (${code}): make it writable, or choose another folder on a local disk`,
  )
}
