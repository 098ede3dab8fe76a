import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { memoize } from '../memoize.ts'
import { installedPath, packagePath } from '../paths.ts'
import { EncodedResponse } from '../rest/send.ts'
import { ASSETS_PATH } from './paths.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

/** A year: the address of a file that changes changes too. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable'

/** Files of packages, by the name that pages load them by; a license's notice lies beside its code. */
const OF_PACKAGES: Readonly<Record<string, string>> = {
  'diff.js': installedPath('diff', 'dist', 'diff.min.js'),
  'diff.js.LICENSE.txt': installedPath('diff', 'LICENSE'),
  'swagger-ui.css': installedPath('swagger-ui-dist', 'swagger-ui.css'),
  'swagger-ui-bundle.js': installedPath('swagger-ui-dist', 'swagger-ui-bundle.js'),
  'swagger-ui-bundle.js.LICENSE.txt': installedPath('swagger-ui-dist', 'swagger-ui-bundle.js.LICENSE.txt'),
}

interface SiteAssets {
  /** Of all of them together, so that modules can import each other by relative names. */
  version: string
  /** By their path on the listener. */
  byPath: ReadonlyMap<string, EncodedResponse>
}

/** Every asset, read when the first is asked for. What is no name of this list is not looked for on the disk. */
export const assets = memoize(async (): Promise<SiteAssets> => {
  const folder = packagePath('site', 'assets')
  const names = (await readdir(folder, { recursive: true })).filter((name) => extname(name) in TYPES)
  const own = names.map((name): [string, string] => [name.split(sep).join('/'), join(folder, name)])
  const files = await Promise.all(
    [...own, ...Object.entries(OF_PACKAGES)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(async ([name, path]) => ({ name, body: await readFile(path) })),
  )
  const hash = createHash('sha256')
  for (const { name, body } of files) hash.update(`${name} ${body.length}\n`).update(body)
  const version = hash.digest('hex').slice(0, 16)
  const ready = ({ name, body }: { name: string; body: Buffer }): [string, EncodedResponse] => [
    `${ASSETS_PATH}${version}/${name}`,
    new EncodedResponse({
      status: 200,
      headers: {
        'Content-Type': TYPES[extname(name)]!,
        'Cache-Control': CACHE_CONTROL,
        ETag: `"${version}"`,
      },
      body,
    }),
  ]
  return { version, byPath: new Map(files.map(ready)) }
})
