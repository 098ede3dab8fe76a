import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import type { Config } from '../config.ts'
import { type Diagnostic, failure, ok, warning } from './diagnostic.ts'

/** The oldest Node that is supported: `engines` of package.json. */
const NODE = [20, 19] as const

export const checkNode = (version: string): Diagnostic => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isEnough = major > NODE[0] || (major === NODE[0] && minor >= NODE[1])
  return isEnough
    ? ok('node', `Node ${version}`)
    : failure('node', `Node ${version} is too old.`, `Install Node ${NODE.join('.')} or newer.`)
}

export const checkWorkers = ({ workers }: Config): Diagnostic[] => {
  const cores = availableParallelism()
  return workers > cores
    ? [
        warning(
          'workers',
          `WORKERS is ${workers}, and there are ${cores} cores.`,
          `Set WORKERS to ${cores} or less.`,
        ),
      ]
    : []
}

/** Free space of the embedded database's disk, bytes: under the first it will fail soon, under the second some day. */
const DISK = { least: 200e6, enough: 1e9 }

export const checkDisk = async (dataDir: string): Promise<Diagnostic> => {
  let folder = dataDir
  while (!existsSync(folder)) folder = dirname(folder)
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const says = `${(free / 1e9).toFixed(1)} GB are free for the embedded database in ${dataDir}`
  if (free < DISK.least) return failure('disk', `${says}.`, 'Make room, or set DATA_DIR to another disk.')
  if (free < DISK.enough) return warning('disk', `${says}.`, 'Make room, or set DATA_DIR to another disk.')
  return ok('disk', says)
}

/** How long a service on the internal port may take to say that it lives, milliseconds. */
const LIVE_MS = 2_000

/** A port is as it should be when nobody has it, or a service of ours. */
export const checkPorts = async ({
  port,
  host,
  internalPort,
  internalHost,
}: Config): Promise<Diagnostic[]> => {
  if (port !== 0 && port === internalPort) {
    return [failure('ports', `PORT and INTERNAL_PORT are both ${port}.`, 'Set one of them to another port.')]
  }
  const isServing = await isLive(internalPort, internalHost)
  const check = async (variable: string, number: number, at?: string): Promise<Diagnostic> => {
    const code = await listenFailure(number, at)
    const place = `port ${number}${at ? ` of ${at}` : ''}`
    if (!code) return ok('ports', `${variable}: ${place} is free`)
    if (code === 'EADDRINUSE') {
      return isServing
        ? ok('ports', `${variable}: ${place} is a running Lectern's`)
        : failure(
            'ports',
            `${variable}: ${place} is another program's.`,
            `Stop that, or set ${variable} to another port.`,
          )
    }
    if (code === 'EACCES') {
      return failure(
        'ports',
        `${variable}: this user may not listen on ${place}.`,
        `Set ${variable} to 1024 or more.`,
      )
    }
    const host = variable.replace('PORT', 'HOST')
    return failure(
      'ports',
      `${variable}: nobody can listen on ${place} (${code}).`,
      `Set ${host} to an address of this machine.`,
    )
  }
  return [await check('PORT', port, host), await check('INTERNAL_PORT', internalPort, internalHost)]
}

/** Code of what stands against listening; undefined where nothing does. */
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

const isLive = async (port: number, host: string): Promise<boolean> => {
  const reached = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  try {
    const address = `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}/live`
    const answer = await fetch(address, { signal: AbortSignal.timeout(LIVE_MS) })
    return ((await answer.json()) as { status?: unknown }).status === 'live'
  } catch {
    return false
  }
}
