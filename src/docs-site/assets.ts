import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { packagePath } from '../paths.ts'
import { memoize } from '../shared/memoize.ts'
import { assetResponse } from './branding.ts'
import { browserFiles } from './code.ts'
import { ASSETS_PATH } from './paths.ts'
import { shellTexts } from './template.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
}

/**
 * All assets by their path on the listener, read with the first request for one. A name that is not in this list is never
 * looked up on the disk.
 */
export const assets = memoize(async () => {
  const folder = packagePath('site', 'assets')
  const names = (await readdir(folder, { recursive: true })).filter((name) => extname(name) in TYPES)
  const own = names.map((name): [string, string] => [name.split(sep).join('/'), join(folder, name)])
  const read = [...own, ...Object.entries(browserFiles())]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(async ([name, path]) => ({ name, body: await readFile(path) }))
  const words = [...(await shellTexts())].map(([language, texts]) => ({
    name: `reader/words/${language}.js`,
    body: Buffer.from(`export default ${JSON.stringify(texts)}\n`),
  }))
  const files = [...(await Promise.all(read)), ...words]
  const hash = createHash('sha256')
  for (const { name, body } of files) hash.update(`${name} ${body.length}\n`).update(body)
  // One version for all assets, so that modules can import each other by relative names.
  const version = hash.digest('hex').slice(0, 16)
  const byPath = new Map(
    files.map(({ name, body }) => [
      `${ASSETS_PATH}${version}/${name}`,
      assetResponse(TYPES[extname(name)]!, body, version),
    ]),
  )
  return { version, byPath }
})
