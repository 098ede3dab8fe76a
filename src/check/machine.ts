import { accessSync, constants, existsSync, mkdtempSync, rmdirSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { isFullDisk } from '@lectern/wiki/full-disk'
import { formatCount } from '@lectern/wiki/text'
import { nameWithOrigin } from '../config/messages.ts'
import type { Config } from '../config.ts'
import { foreignContent } from '../db/open-database.ts'
import { type Diagnostic, failure, ok, warning } from './diagnostic.ts'

export const checkWorkers = ({ workers }: Config): Diagnostic[] => {
  const cores = availableParallelism()
  if (workers <= cores) return []
  const message = `WORKERS is ${workers}, but this machine has ${formatCount(cores, 'core')}.`
  return [warning('workers', message, `Set WORKERS to ${cores} or less.`)]
}

/** Free space of the embedded database's disk, bytes. Below `failBelow` writes will soon fail. */
const FREE_SPACE = { failBelow: 200e6, warnBelow: 1e9 }

/** A folder, or else the nearest one above it that exists. */
const existingFolder = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : existingFolder(dirname(folder))

/** Why a folder cannot be the data folder; undefined if it can. Creates a folder there, and removes it. @param isEmbedded whether the database is there, too */
export const dataDirProblem = (dataDir: string, isEmbedded = true): Diagnostic | undefined => {
  const folder = existingFolder(dataDir)
  const name = nameWithOrigin('DATA_DIR')
  const advice = 'Set DATA_DIR to a folder that this user can write, or use the user of the service.'
  try {
    if (!statSync(folder).isDirectory())
      return failure('disk', `${name}: ${folder} is a file, not a folder.`, advice)
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    const foreign = isEmbedded && folder === dataDir ? foreignContent(folder) : undefined
    if (foreign !== undefined) return failure('disk', `${name}: ${foreign}`)
    // The rights of root do not tell whether a disk is read-only or full, or is none, as /proc.
    rmdirSync(mkdtempSync(join(folder, '.lectern-')))
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (isFullDisk(error))
      return failure('disk', `${name}: no space is left on the disk of ${folder} (${code}).`, FREE_ADVICE)
    const purpose = folder === dataDir ? '' : `, so the service cannot create ${dataDir}`
    return failure('disk', `${name}: this user cannot write to ${folder}${purpose} (${code}).`, advice)
  }
}

const FREE_ADVICE = 'Free some space, or set DATA_DIR to a folder on another disk.'

export const checkDisk = async (dataDir: string): Promise<Diagnostic> => {
  const { bavail, bsize } = await statfs(existingFolder(dataDir))
  const free = bavail * bsize
  const message = `${(free / 1e9).toFixed(2)} GB are free for the embedded database in ${dataDir}`
  const problem = `${nameWithOrigin('DATA_DIR')}: only ${message}, which needs ${FREE_SPACE.failBelow / 1e9} GB.`
  if (free < FREE_SPACE.failBelow) return failure('disk', problem, FREE_ADVICE)
  if (free < FREE_SPACE.warnBelow) return warning('disk', `${message}.`, FREE_ADVICE)
  return ok('disk', message)
}
