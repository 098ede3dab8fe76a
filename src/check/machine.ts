import { once } from 'node:events'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
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

/** How long a running service has to respond on its internal port, milliseconds. */
const LIVE_TIMEOUT_MS = 2_000

/** A port is fine if it is free, or if a running Lectern listens on it. */
export const checkPorts = async ({
  port,
  host,
  internalPort,
  internalHost,
}: Config): Promise<Diagnostic[]> => {
  if (port !== 0 && port === internalPort) {
    return [failure('ports', `PORT and INTERNAL_PORT are both ${port}.`, 'Set one of them to another port.')]
  }
  const isRunning = await isLive(internalPort, internalHost)
  const checkPort = async (variable: string, number: number, address?: string): Promise<Diagnostic> => {
    const code = await listenFailure(number, address)
    const target = `port ${number}${address ? ` of ${address}` : ''}`
    if (!code) return ok('ports', `${variable}: ${target} is free`)
    if (code === 'EADDRINUSE') {
      return isRunning
        ? ok('ports', `${variable}: a running Lectern uses ${target}`)
        : failure(
            'ports',
            `${variable}: another program uses ${target}.`,
            `Stop that program, or set ${variable} to another port.`,
          )
    }
    if (code === 'EACCES') {
      return failure(
        'ports',
        `${variable}: this user cannot listen on ${target}.`,
        `Set ${variable} to 1024 or more.`,
      )
    }
    return failure(
      'ports',
      `${variable}: it is not possible to listen on ${target} (${code}).`,
      `Set ${variable.replace('PORT', 'HOST')} to an address of this machine.`,
    )
  }
  return [await checkPort('PORT', port, host), await checkPort('INTERNAL_PORT', internalPort, internalHost)]
}

/** @returns the code of the error; undefined if it is possible to listen */
const listenFailure = async (port: number, host?: string): Promise<string | undefined> => {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  } finally {
    server.close()
  }
}

const isLive = async (port: number, listenHost: string): Promise<boolean> => {
  const host = listenHost === '0.0.0.0' || listenHost === '::' ? 'localhost' : listenHost
  try {
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/live`
    const response = await fetch(url, { signal: AbortSignal.timeout(LIVE_TIMEOUT_MS) })
    return ((await response.json()) as { status?: unknown }).status === 'live'
  } catch {
    return false
  }
}
