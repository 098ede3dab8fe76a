import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { FILES_FOLDER } from './file-names.ts'
import { lockFolder } from './folder-lock.ts'
import { makeLimit } from './waiting.ts'

/** What a mirror copies. It stays the same for the life of a folder. */
export interface Subject {
  base: string
  locale?: string | undefined
  ns?: string | undefined
  extension: string
  /** Whether it has the pictures and documents of the pages. */
  files?: true | undefined
}

/** A folder with a mirror in it. Files are named by their paths in the folder, with `/`. */
export interface Store {
  /** The cursor stored last. Undefined: nothing was stored, or it is no longer good. */
  readonly cursor: string | undefined
  /** Whether the file system takes `Tea` and `tea` for the same name. */
  readonly foldsCase: boolean
  setCursor(cursor: string | undefined): Promise<void>
  /** Writes files, except those that have this content already. */
  write(files: [file: string, content: string | Uint8Array][]): Promise<void>
  /** The content of a file; undefined if it is not there. */
  read(file: string): Promise<Buffer | undefined>
  has(file: string): Promise<boolean>
  /** Removes files, and folders that are empty then. A file that is not there is no error. */
  remove(files: string[]): Promise<void>
  /** The files of pages. */
  files(): Promise<string[]>
  /** All files in a folder of this folder. */
  filesIn(inFolder: string): Promise<string[]>
  close(): Promise<void>
}

const STATE = '.mirror.json'
const TEMPORARY = '.mirror.tmp'
/** Files that are written at a time: more do not make it faster. */
const PARALLEL_WRITES = 8

/** @throws Error if the folder cannot be that of this mirror */
export const openStore = async (folder: string, subject: Subject): Promise<Store> => {
  await mkdir(folder, { recursive: true })
  const unlock = await lockFolder(folder)
  try {
    await rm(join(folder, TEMPORARY), { recursive: true, force: true })
    await mkdir(join(folder, TEMPORARY))
    return await openState(folder, subject, async () => {
      await rm(join(folder, TEMPORARY), { recursive: true, force: true })
      await unlock()
    })
  } catch (error) {
    await unlock()
    throw error
  }
}

const openState = async (folder: string, subject: Subject, close: () => Promise<void>): Promise<Store> => {
  const written = JSON.stringify(subject)
  const stored = await readState(folder)
  if (stored && JSON.stringify(stored.subject) !== written)
    throw new Error(`The folder ${folder} is a mirror of something else: ${JSON.stringify(stored.subject)}`)
  const foldsCase: boolean = stored?.folds_case ?? (await findFoldsCase(folder))
  let number = 0
  let cursor: string | undefined = stored?.cursor ?? undefined

  /** Replaces a file as a whole. After a loss of power, it has its old or its new content. */
  const replace = async (file: string, content: string | Uint8Array) => {
    const temporary = join(folder, TEMPORARY, String(number++))
    const target = join(folder, file)
    await withFile(temporary, async (handle) => {
      await handle.writeFile(content)
      await handle.sync()
    })
    await mkdir(dirname(target), { recursive: true })
    await rename(temporary, target)
  }
  const setCursor = async (value: string | undefined) => {
    cursor = value
    await replace(STATE, `${JSON.stringify({ subject, folds_case: foldsCase, cursor: value ?? null })}\n`)
  }
  if (!stored) await setCursor(undefined)
  return {
    get cursor() {
      return cursor
    },
    foldsCase,
    setCursor,
    write: async (files) => {
      const limit = makeLimit(PARALLEL_WRITES)
      await Promise.all(
        files.map(([file, content]) =>
          limit(async () => {
            if (!(await contentOf(join(folder, file)))?.equals(Buffer.from(content)))
              await replace(file, content)
          }),
        ),
      )
    },
    remove: async (files) => {
      for (const file of files) await removeFile(folder, file)
    },
    read: (file) => contentOf(join(folder, file)),
    has: async (file) => (await stat(join(folder, file)).catch(unless('ENOENT', 'ENOTDIR'))) !== undefined,
    files: async () =>
      (await filesUnder(folder, '')).filter(
        (file) => file.endsWith(subject.extension) && !file.startsWith(`${FILES_FOLDER}/`),
      ),
    filesIn: (inFolder) => filesUnder(folder, inFolder),
    close,
  }
}

/** What an earlier run stored. @throws Error if the folder has files, but no mirror */
const readState = async (folder: string) => {
  const text = await contentOf(join(folder, STATE))
  if (text !== undefined) return JSON.parse(text.toString())
  const names = await readdir(folder)
  if (names.some((name) => !name.startsWith('.mirror')))
    throw new Error(`The folder ${folder} has files, but no mirror: choose a new or empty folder`)
  return undefined
}

const findFoldsCase = async (folder: string): Promise<boolean> => {
  await withFile(join(folder, TEMPORARY, 'case'), async () => undefined)
  return stat(join(folder, TEMPORARY, 'CASE')).then(
    () => true,
    () => false,
  )
}

const withFile = async (file: string, use: (handle: FileHandle) => Promise<void>): Promise<void> => {
  const handle = await open(file, 'w')
  try {
    await use(handle)
  } finally {
    await handle.close()
  }
}

const contentOf = (file: string): Promise<Buffer | undefined> =>
  readFile(file).catch(unless('ENOENT', 'ENOTDIR'))

const removeFile = async (folder: string, file: string): Promise<void> => {
  await unlink(join(folder, file)).catch(unless('ENOENT', 'ENOTDIR'))
  for (let parent = dirname(file); parent !== '.'; parent = dirname(parent)) {
    const isEmpty = await rmdir(join(folder, parent)).then(
      () => true,
      unless('ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EPERM'),
    )
    if (!isEmpty) break
  }
}

/** A handler that ignores errors with these codes. */
const unless =
  (...codes: string[]) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (!codes.includes(error.code ?? '')) throw error
  }

/** The files in a folder and its folders, without hidden ones. None if there is no such folder. */
const filesUnder = async (folder: string, start: string): Promise<string[]> => {
  const files: string[] = []
  const read = async (inFolder: string): Promise<void> => {
    const entries = await readdir(join(folder, inFolder), { withFileTypes: true }).catch(unless('ENOENT'))
    for (const entry of entries ?? []) {
      if (entry.name.startsWith('.')) continue
      const file = inFolder === '' ? entry.name : `${inFolder}/${entry.name}`
      if (entry.isDirectory()) await read(file)
      else files.push(file)
    }
  }
  await read(start)
  return files
}
