import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { once } from '../shared/memoize.ts'

/** The libraries whose output `@lectern/wiki` returns. */
const LIBRARIES = ['marked', 'sanitize-html', 'temml']

/**
 * Tells stored HTML of this renderer from that of others: a digest of its compiled code and of the versions of its
 * libraries. So what was stored before a library was repaired is not shown, even if the version of Lectern is the same.
 */
export const rendererVersion = once((): string => {
  const entry = fileURLToPath(import.meta.resolve('@lectern/wiki/html'))
  const names = readdirSync(dirname(entry), { recursive: true, encoding: 'utf8' })
  const code = names.filter((name) => name.endsWith('.js')).sort()
  const require = createRequire(entry)
  const versions = LIBRARIES.map((name) => require(`${name}/package.json`).version)
  const files = code.map((name) => readFileSync(join(dirname(entry), name), 'utf8'))
  return hash('sha256', JSON.stringify([versions, files]), 'base64')
})
