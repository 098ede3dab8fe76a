import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import type { Config } from '../config.ts'
import { formatCount } from '../wiki/text.ts'
import { type Diagnostic, failure, ok, warning } from './diagnostic.ts'

/** The oldest supported version of Node: `engines` of package.json. */
const OLDEST_NODE = [20, 19] as const

export const checkNode = (version: string): Diagnostic => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isSupported = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
  return isSupported
    ? ok('node', `Node ${version}`)
    : failure('node', `Node ${version} is too old.`, `Install Node ${OLDEST_NODE.join('.')} or newer.`)
}

export const checkWorkers = ({ workers }: Config): Diagnostic[] => {
  const cores = availableParallelism()
  return workers > cores
    ? [
        warning(
          'workers',
          `WORKERS is ${workers}, but this machine has ${formatCount(cores, 'core')}.`,
          `Set WORKERS to ${cores} or less.`,
        ),
      ]
    : []
}

/** Free space of the embedded database's disk, bytes. Below `failBelow` writes will soon fail. */
const FREE_SPACE = { failBelow: 200e6, warnBelow: 1e9 }

/** A data folder that this user cannot write, or whose folder it cannot write to create it; undefined if it can. */
export const dataDirProblem = (dataDir: string): Diagnostic | undefined => {
  let folder = dataDir
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  const advice = 'Set DATA_DIR to a folder that this user can write, or use the user of the service.'
  try {
    if (!statSync(folder).isDirectory())
      return failure('disk', `DATA_DIR: ${folder} is a file, not a folder.`, advice)
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const purpose = folder === dataDir ? '' : `, so the service cannot create ${dataDir}`
    return failure('disk', `DATA_DIR: this user cannot write to ${folder}${purpose} (${code}).`, advice)
  }
}

export const checkDisk = async (dataDir: string): Promise<Diagnostic> => {
  let folder = dataDir
  while (!existsSync(folder)) folder = dirname(folder)
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const message = `${(free / 1e9).toFixed(1)} GB are free for the embedded database in ${dataDir}`
  const advice = 'Free some space, or set DATA_DIR to a folder on another disk.'
  if (free < FREE_SPACE.failBelow) return failure('disk', `${message}.`, advice)
  if (free < FREE_SPACE.warnBelow) return warning('disk', `${message}.`, advice)
  return ok('disk', message)
}
