import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { once } from '../shared/memoize.ts'

/** Adds the versions of the packages on which a package depends, and of those on which they depend. */
const addVersions = (packageJson: string, versions: Map<string, string>): void => {
  const { dependencies = {} } = JSON.parse(readFileSync(packageJson, 'utf8'))
  for (const name of Object.keys(dependencies)) {
    const folders = createRequire(packageJson).resolve.paths(name) ?? []
    const found = folders.map((folder) => join(folder, name, 'package.json')).find((file) => existsSync(file))
    if (found === undefined || versions.has(found)) continue
    versions.set(found, JSON.parse(readFileSync(found, 'utf8')).version)
    addVersions(found, versions)
  }
}

/**
 * Tells stored HTML of this renderer from that of others: a digest of its compiled code and of the versions of its
 * libraries. So what was stored before a library was repaired is not shown, even if the version of Lectern is the same.
 */
export const rendererVersion = once((): string => {
  const folder = dirname(fileURLToPath(import.meta.resolve('@lectern/wiki/html')))
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const code = names.filter((name) => name.endsWith('.js')).sort()
  const files = code.map((name) => readFileSync(join(folder, name), 'utf8'))
  const versions = new Map<string, string>()
  addVersions(join(dirname(folder), 'package.json'), versions)
  return hash('sha256', JSON.stringify([[...versions.values()], files]), 'base64')
})
