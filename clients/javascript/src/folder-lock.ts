import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const LOCK = '.mirror.lock'

/**
 * Keeps other processes of this machine from the folder, such as the next run of a cron job. The lock of a process
 * that was killed does not count. Node has no `fcntl`, so the lock is a file with a process id.
 * @returns what ends the lock
 * @throws Error if another process has the folder
 */
export const lockFolder = async (folder: string): Promise<() => Promise<void>> => {
  const lock = join(folder, LOCK)
  // A stale lock is removed once. If there is one again, another process was faster.
  for (let attempt = 1; ; attempt += 1) {
    try {
      await writeFile(lock, String(process.pid), { flag: 'wx' })
      return () => rm(lock, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const owner = await ownerOf(lock)
    if (attempt > 1 || isRunning(owner))
      throw new Error(
        `Process ${owner} keeps the folder ${folder}. If this is no mirror, remove the file ${lock}`,
      )
    await rm(lock, { force: true })
  }
}

/** The process of a lock; 0 if there is none. A lock is empty for a moment before it names its process. */
const ownerOf = async (lock: string): Promise<number> => {
  const read = () => readFile(lock, 'utf8').catch(() => '')
  let text = await read()
  if (text === '') {
    await wait(100)
    text = await read()
  }
  return Number(text) || 0
}

const isRunning = (pid: number): boolean => {
  if (pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
