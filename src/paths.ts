import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder that holds package.json: `schema/` and `sample/` stay there while the code runs from `dist/`. */
let root = import.meta.dirname
while (!existsSync(join(root, 'package.json'))) root = dirname(root)

/** Absolute path of a file of the package, from its top. */
export const packagePath = (...parts: string[]): string => join(root, ...parts)

const packageJson = (): { version: string; engines: { node: string } } =>
  JSON.parse(readFileSync(packagePath('package.json'), 'utf8'))

export const packageVersion = (): string => packageJson().version

export const leastNodeVersion = (): string => packageJson().engines.node.replace('>=', '')

/** The path of the API on its listener. It contains the version of the API. */
export const API_PATH = '/api/v1'

/** Where the site begins whose API has this base: an origin, perhaps with a path, without a slash at the end. @param base ends with `API_PATH` */
export const siteRootOf = (base: string): string => base.slice(0, -API_PATH.length)

/** The pages of the wiki where it has no website: the default of WIKI_ADDRESSES. (D6) */
export const WIKI_PAGES_PATH = '/wiki/'

/** Percent-encodes a part of a URL so that it also is safe between single quotes, in a shell or in a program. */
export const encodeInQuotes = (text: string): string => encodeURIComponent(text).replaceAll("'", '%27')
