import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Files } from './git.ts'

let temporary: string | undefined

/** Makes an empty folder. It is removed when the process ends. */
export const newNotesFolder = (): string => {
  if (temporary === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-folder-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    temporary = folder
  }
  return mkdtempSync(join(temporary, 'notes-'))
}

/** Writes the files (null removes one), with the time when they were changed. */
export const writeFiles = (folder: string, files: Files, at = '2024-05-01T12:00:00Z'): void => {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name)
    if (content === null) rmSync(file, { recursive: true })
    else {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
      utimesSync(file, new Date(at), new Date(at))
    }
  }
}
