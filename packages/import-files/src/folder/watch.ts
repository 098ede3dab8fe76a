import { type FSWatcher, watch } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isLeftOutName, versionOfFiles, walkFolder } from './files.ts'
import { hasCurrentEditsOnly, openFolder } from './pages.ts'

/** A text that changes when an import of the folder would find something new. @throws UsageError if the folder or `--history` is refused */
export const folderVersion = async (path: string, history?: string): Promise<string> => {
  hasCurrentEditsOnly(history)
  const root = await openFolder(path)
  const { files } = await walkFolder(root)
  return (await versionOfFiles(root, files)).version
}

export interface WatchListener {
  /** Something in the folder may have changed: files whose names are not hidden, or folders. */
  onChange(): void
  /** The folder can no longer be watched, for this reason. The watch is closed. */
  onFailure(reason: string): void
}

/** Milliseconds without a further change before a change is reported, since programs save in steps; and at the longest. */
const DELAY_MS = { quiet: 300, longest: 3_000 } as const

const FOLDERS_MAX = 20_000

/** Tells a folder from another one that takes its place, which can have its inode. */
const identityOf = (folder: string): Promise<string> =>
  stat(folder).then(({ dev, ino, birthtimeMs }) => `${dev} ${ino} ${birthtimeMs}`)

/**
 * Watches a folder and the folders in it. It can miss changes, as on network file systems: compare `folderVersion` now and then.
 * On Linux, each folder has a watch: the recursive one of Node 20 needs one for each file, of which the system has a limit, and misses
 * a folder that was removed and created again.
 */
export class FolderWatch {
  /** Settles when all folders are watched. A change before that may not be noticed. Never rejects. */
  readonly ready: Promise<void>
  readonly #listener: WatchListener
  readonly #isRecursive: boolean
  /** Watches by folder: empty for the top folder, otherwise with a slash at the end. */
  readonly #watchers = new Map<string, FSWatcher>()
  /** What appeared or disappeared since the last report, with a slash at the end: it can be a folder. */
  #names = new Set<string>()
  #quiet: NodeJS.Timeout | undefined
  #longest: NodeJS.Timeout | undefined
  #isClosed = false
  #root = ''
  #identity = ''

  constructor(path: string, listener: WatchListener, isRecursive = process.platform !== 'linux') {
    this.#listener = listener
    this.#isRecursive = isRecursive
    this.ready = this.#start(path)
  }

  /** Ends the watch. Nothing is called back after it. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#quiet)
    clearTimeout(this.#longest)
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  async #start(path: string): Promise<void> {
    try {
      this.#root = await realpath(path)
      this.#identity = await identityOf(this.#root)
      await this.#watchAll('')
      if (!this.#isClosed && !this.#watchers.has('')) this.#fail('the folder is gone')
    } catch (error) {
      this.#fail((error as Error).message)
    }
  }

  /** A folder of this name can be gone, new, or another one than before: its former watches see nothing more. */
  async #watchAll(top: string): Promise<void> {
    for (const [name, watcher] of this.#watchers) {
      if (!name.startsWith(top)) continue
      watcher.close()
      this.#watchers.delete(name)
    }
    const folders = [top]
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      if (this.#isClosed || !this.#watch(folder) || this.#isRecursive) return
      const entries = await readdir(join(this.#root, folder), { withFileTypes: true }).catch(() => [])
      for (const entry of entries)
        if (entry.isDirectory() && !isLeftOutName(entry.name)) folders.push(`${folder}${entry.name}/`)
    }
  }

  /** @returns false if the watch was closed, because the folder cannot be watched */
  #watch(folder: string): boolean {
    if (this.#watchers.has(folder)) return true
    try {
      const watcher = watch(join(this.#root, folder), { recursive: this.#isRecursive })
      watcher.on('change', (event, name) => this.#onEvent(folder, event, String(name ?? '')))
      // Windows reports the deletion of a watched folder as an error.
      watcher.on('error', () => this.#onEvent(folder, 'rename', ''))
      this.#watchers.set(folder, watcher)
      return this.#watchers.size <= FOLDERS_MAX || this.#fail(`it has more than ${FOLDERS_MAX} folders`)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code === 'ENOSPC')
        return this.#fail('the system allows no more watches (on Linux, raise fs.inotify.max_user_watches)')
      if (code === 'EMFILE' || code === 'ENFILE') return this.#fail(message)
      return true // It is gone, or nobody may read it.
    }
  }

  #onEvent(folder: string, event: string, name: string): void {
    if (this.#isClosed || name.split(/[\\/]/).some(isLeftOutName)) return
    const changed = (folder + name).replace(/\/?$/, '/')
    if (event === 'rename' && changed !== '/') this.#names.add(changed)
    this.#quiet?.refresh()
    this.#quiet ??= setTimeout(() => void this.#report(), DELAY_MS.quiet)
    this.#longest ??= setTimeout(() => void this.#report(), DELAY_MS.longest)
  }

  /** Watches new folders before it reports the change, so that the receiver misses nothing in them. */
  async #report(): Promise<void> {
    clearTimeout(this.#quiet)
    clearTimeout(this.#longest)
    this.#quiet = undefined
    this.#longest = undefined
    const names = this.#names
    this.#names = new Set()
    const isHere = (await identityOf(this.#root).catch(() => '')) === this.#identity
    if (!this.#isRecursive) for (const name of names) await this.#watchAll(name)
    if (this.#isClosed) return
    this.#listener.onChange()
    if (!isHere) this.#fail('the folder is gone')
  }

  #fail(reason: string): false {
    if (!this.#isClosed) {
      this.close()
      this.#listener.onFailure(reason)
    }
    return false
  }
}
