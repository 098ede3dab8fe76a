import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/** Creates a folder that only this user can enter. The recursive mode of Node never returns below one such as /proc. */
export const makeFolders = (folder: string): void => {
  if (existsSync(folder)) return
  makeFolders(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // another process was faster
  }
}

/** The folder with the bytes of the files that a file in NDJSON names: `wiki.files` beside `wiki.ndjson.gz`. */
export const filesFolderOf = (file: string): string =>
  `${file.replace(/(?<=[^/\\])(?:\.ndjson)?(?:\.gz)?$/, '')}.files`

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

export const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '')

/** The segments of a path relative to a folder, without empty ones and `.`. @returns null if it leads above the top */
export const resolveSegments = (
  folder: readonly string[],
  path: string,
  read = (segment: string) => segment,
): string[] | null => {
  const segments = [...folder]
  for (const segment of path.split('/')) {
    if (segment === '..' && segments.pop() === undefined) return null
    if (!['', '.', '..'].includes(segment)) segments.push(read(segment))
  }
  return segments
}
