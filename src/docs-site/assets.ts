import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, extname, join, sep } from 'node:path'
import { packagePath } from '../paths.ts'
import type { RequestContext } from '../rest/route.ts'
import { textResponse } from '../rest/transport/responses.ts'
import { memoize } from '../shared/memoize.ts'
import { assetResponse } from './branding.ts'
import { ASSETS_PATH } from './paths.ts'

/** The frame that draws diagrams has no origin, and loads nothing but its scripts. (D52) */
const FRAME_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox allow-scripts",
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** All assets by path, read with the first request for one. No other name is ever looked up on the disk. */
export const assets = memoize(async () => {
  const folder = packagePath('dist', 'site')
  const names = (await readdir(folder, { recursive: true })).filter((name) => extname(name) in TYPES).sort()
  const files = await Promise.all(
    names.map(async (name) => ({
      name: name.split(sep).join('/'),
      body: await readFile(join(folder, name)),
    })),
  )
  const hash = createHash('sha256')
  for (const { name, body } of files) hash.update(`${name} ${body.length}\n`).update(body)
  // One version for all assets, so that style sheets and scripts can name others by relative addresses.
  const version = hash.digest('hex').slice(0, 16)
  const byPath = new Map(
    files.map(({ name, body }) => [
      `${ASSETS_PATH}${version}/${name}`,
      assetResponse(TYPES[extname(name)]!, body, version, name.endsWith('.html') ? FRAME_HEADERS : {}),
    ]),
  )
  return { version, byPath }
})

/** The response with the archive of a client. Unlike assets, it has the same URL in all versions. */
export const clientResponse = async (path: string, { settings }: RequestContext) => {
  const body = await readFile(packagePath('dist', 'site', 'clients', basename(path)))
  return textResponse(body, 'application/gzip', settings.cacheSeconds)
}
