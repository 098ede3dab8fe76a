import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that exists while the tests of a `describe` run. */
export interface TemporaryFolder {
  /** Path of the folder, or of a file in it, which need not exist. */
  path(name?: string): string
  /** Writes a file. @returns its path */
  write(name: string, content: string): string
}

/** Makes the folder before the tests of a `describe`, and removes it after them. */
export const withTemporaryFolder = (): TemporaryFolder => {
  let root: string
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'lectern-test-'))
  })
  after(() => rmSync(root, { recursive: true, force: true }))
  const path = (name = '') => join(root, name)
  const write = (name: string, content: string) => {
    writeFileSync(path(name), content)
    return path(name)
  }
  return { path, write }
}
