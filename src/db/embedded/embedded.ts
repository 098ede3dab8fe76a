import { setTimeout } from 'node:timers/promises'
import { UsageError } from '../../errors.ts'
import type { SocketDirectory } from '../../process-lock/socket-directory.ts'
import { DiskFull, prepareDataDirectory } from './data-directory.ts'
import { type DatabaseOwnership, joinOwner, startOwner } from './ownership.ts'
import { snapshotPath } from './snapshot.ts'

/** An embedded database that this process owns, or has joined as a client of the process that owns it. */
export interface EmbeddedDatabase {
  /** What a `pg.Pool` needs: a folder that holds `.s.PGSQL.5432`, or 127.0.0.1 where there are no unix sockets. */
  readonly host: string
  readonly port: number
  /**
   * Whether this process owns the database. One that joined may become the owner when the owner goes; the
   * connections of then are lost, but new ones to the same place are served after a moment.
   */
  readonly owner: boolean
  /** Resolves, if ever, when the database ended and could not be opened again: connections are refused for good. */
  readonly failed: Promise<Error>
  /**
   * Leaves. An owner refuses new connections, and lets those of other processes finish the transactions that
   * they are in or wait for: up to ten minutes, since an import is one. Then it closes the database, and
   * another process that joined it goes on as the owner. Killing it instead does no harm to the data.
   */
  close(): Promise<void>
}

export interface EmbeddedOptions {
  /** 127.0.0.1 instead of a unix socket: the default on Windows. Any user of the machine can connect to it. */
  isTcp?: boolean
  /** Folder that a new database is a copy of. Default: the one of this build, if it is there. */
  snapshot?: string
  /** Told when the database has ended for want of space, before it is opened again and again until there is some. */
  onNoSpace?: (error: Error) => void
}

/** How long to wait for an owner that lives but does not let anyone in, milliseconds. */
const OWNER_TIMEOUT_MS = 60_000
const RETRY_MS = 50
/** Between attempts to open a database again whose disk is full, milliseconds: each takes a second of a processor. */
const DISK_FULL_RETRY_MS = 3_000

/**
 * Opens the embedded database of a folder, which several processes may do at a time: the first owns it.
 * Users are `postgres` and `lectern_reader`; the name of the database does not matter.
 * Throws a UsageError that names the folder when it cannot be used.
 */
export const openEmbeddedDatabase = async (
  dataDir: string,
  options: EmbeddedOptions = {},
): Promise<EmbeddedDatabase> => {
  const directory = prepareDataDirectory(dataDir)
  const data = {
    directory,
    isTcp: options.isTcp ?? process.platform === 'win32',
    snapshot: options.snapshot ?? snapshotPath(),
  }
  const attempts: AcquireOwnership[] = [() => joinOwner(directory, data.isTcp), () => startOwner(data)]
  if (data.isTcp) attempts.reverse() // until the owner has said otherwise, the port noted may be anybody's

  const closing = new AbortController()
  const acquire = (): Promise<DatabaseOwnership> => acquireOwnership(directory, attempts, closing.signal)
  /** A full disk is somebody's to mend, and does no harm to what is stored: readers wait for that. (D83) */
  const acquireAgain = async (isTold = false): Promise<DatabaseOwnership> => {
    try {
      return await acquire()
    } catch (error) {
      if (!(error instanceof DiskFull) || closing.signal.aborted) throw error
      if (!isTold) options.onNoSpace?.(error)
      await setTimeout(DISK_FULL_RETRY_MS, undefined, closing).catch(() => {})
      return acquireAgain(true)
    }
  }
  let ownership = await acquire()
  let following: Promise<void> = Promise.resolve()
  let fail: (error: Error) => void = () => {}
  const failed = new Promise<Error>((resolve) => {
    fail = resolve
  })
  const follow = async (): Promise<void> => {
    await ownership.ended
    if (closing.signal.aborted) return
    following = acquireAgain().then(
      (next) => {
        ownership = next
        void follow()
      },
      (error: Error) => {
        if (!closing.signal.aborted) fail(error)
      },
    )
  }
  void follow()

  return {
    host: data.isTcp ? '127.0.0.1' : directory.socketFolder,
    get port() {
      return ownership.port
    },
    get owner() {
      return ownership.isOwner
    },
    failed,
    async close() {
      closing.abort()
      await following
      await ownership.close()
    },
  }
}

type AcquireOwnership = () => Promise<DatabaseOwnership | 'going' | null>

const acquireOwnership = async (
  directory: SocketDirectory,
  attempts: AcquireOwnership[],
  givenUp: AbortSignal,
): Promise<DatabaseOwnership> => {
  const now = () => performance.now()
  for (let end = now() + OWNER_TIMEOUT_MS; now() < end && !givenUp.aborted; await setTimeout(RETRY_MS)) {
    for (const attempt of attempts) {
      const ownership = await attempt()
      if (ownership === 'going') {
        end = now() + OWNER_TIMEOUT_MS
        break
      }
      if (ownership) return ownership
    }
  }
  throw new UsageError(
    `${directory.path} is in use by another process, which does not answer: end it, then try again`,
  )
}
