import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder that only this user can enter, and those above it. The recursive mode of Node never returns below a
 * folder that accepts none, as /proc.
 * @throws the system's error
 */
export const makeFolders = (folder: string): void => {
  if (existsSync(folder)) return
  makeFolders(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // another process was faster
  }
}
