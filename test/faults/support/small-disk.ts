import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { until } from '../../support/until.ts'
import { newFolder } from './postgres.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

/** A file system in memory, of a size that a test fills. */
export interface SmallDisk {
  /** Its folder, as those see it who are started `through` what leads there. */
  readonly path: string
  /** What a command line must begin with to see it: nothing where this process is root. */
  readonly through: readonly string[]
  /** The same folder, as this process sees it. */
  readonly seenFromHere: string
  /** Fills it, but for so many bytes. */
  fill(left?: number): void
  /** Takes away what `fill` wrote. */
  free(): void
  remove(): Promise<void>
}

/** Bytes that are written at a time. */
const PIECE = 64 * 1024

/**
 * Root mounts it. Anybody else mounts it in a user's namespace of its own, which lives as long as a process that
 * sleeps in it; `nsenter` leads there.
 * @throws Error where the system allows neither
 */
export const mountSmallDisk = async (bytes: number): Promise<SmallDisk> => {
  const folder = newFolder()
  const mount = `mount -t tmpfs -o size=${bytes},mode=777 lectern-test ${folder.path}`
  const isRoot = process.getuid?.() === 0
  const holder = isRoot ? undefined : await holdNamespace(mount)
  if (isRoot) {
    execFileSync('sh', ['-c', mount], { stdio: 'pipe' })
  }
  const seenFromHere = holder ? `/proc/${holder.pid}/root${folder.path}` : folder.path
  const ballast = `${seenFromHere}/ballast`
  const free = () => rmSync(ballast, { force: true })
  return {
    path: folder.path,
    through: holder ? ['nsenter', '-t', String(holder.pid), '-U', '-m', '--preserve-credentials', '--'] : [],
    seenFromHere,
    fill: (left = 0) => {
      free()
      const { bavail, bsize } = statfsSync(seenFromHere)
      writeBallast(ballast, bavail * bsize - left)
    },
    free,
    remove: async () => {
      if (holder) await holder.stop('SIGKILL')
      else execFileSync('umount', ['--lazy', folder.path], { stdio: 'pipe' })
      folder.remove()
    },
  }
}

const holdNamespace = async (mount: string): Promise<ServerProcess> => {
  const script = `${mount} && echo mounted && exec sleep 3600`
  const holder = startServerProcess({
    command: 'unshare',
    args: ['--user', '--map-root-user', '--mount', 'sh', '-c', script],
  })
  await until('a user may mount in a namespace of its own', () => holder.printed().includes('mounted')).catch(
    (error: Error) => {
      throw new Error(`No small disk: neither root nor user namespaces (${holder.printed().trim()})`, {
        cause: error,
      })
    },
  )
  return holder
}

/** What others take meanwhile may leave less room than was asked for. */
const writeBallast = (path: string, bytes: number): void => {
  const file = openSync(path, 'w')
  const piece = Buffer.alloc(PIECE)
  try {
    for (let left = bytes; left > 0; left -= PIECE) writeSync(file, piece, 0, Math.min(PIECE, left))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}
