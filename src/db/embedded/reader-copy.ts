import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { copyPath } from './copy-files.ts'
import { Instance } from './instance.ts'
import type { SendMessages } from './session-backend.ts'
import type { RunOwn } from './shared-session.ts'

/** An instance of PGlite on a copy of the database. */
export interface ReaderCopy {
  send: SendMessages
  /** Resolves when the instance has ended, also by `close`. */
  ended: Promise<unknown>
  /** Ends the instance, and removes its files. */
  close(): Promise<void>
}

let copyCount = 0

/**
 * Copies the database of a data folder, and opens the copy. It has everything that was committed. Nobody may write to
 * the database until then; readers may read.
 * @param runOwn runs statements in the database
 * @throws Error when that is not possible, for example because the disk has no space
 */
export const openReaderCopy = async (
  dataDir: string,
  runOwn: RunOwn,
  signal: AbortSignal,
): Promise<ReaderCopy> => {
  // Recovery of the copy begins here. Without a checkpoint it might take long.
  await runOwn('checkpoint')
  const first = await runOwn('select pg_walfile_name(redo_lsn) from pg_control_checkpoint()')
  signal.throwIfAborted()
  const to = copyPath(dataDir, ++copyCount)
  const instance = new Instance({ kind: 'copy', from: join(dataDir, 'postgres'), to })
  const close = async (): Promise<void> => {
    await instance.terminate()
    await rm(to, { recursive: true, force: true })
  }
  const abort = () => void instance.terminate()
  signal.addEventListener('abort', abort)
  try {
    await instance.report()
    const last = await runOwn('select pg_walfile_name(pg_current_wal_insert_lsn())')
    instance.post({ first: first!, last: last! })
    await instance.report()
    return { send: instance.send, ended: instance.ended, close }
  } catch (error) {
    await close()
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
