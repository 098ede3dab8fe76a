import { constants, createReadStream, existsSync, readdirSync, type Stats } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { isMarkdownFile } from '@lectern/import-files/files/file-tree'
import { parseRemote, redactUrls, repositoryAt } from '@lectern/import-files/git/remote/address'
import { UsageError } from '@lectern/wiki/errors'
import { quote } from '@lectern/wiki/text'
import { packagePath } from '../paths.ts'

export type SourceKind = 'git' | 'folder' | 'ndjson' | 'dump' | 'mediawiki' | 'dokuwiki'

/** A location whose kind is known. It can differ from the given one: a page of a code host leads to its repository. */
interface KnownLocation {
  kind: SourceKind
  location: string
}

/**
 * Finds out what a location is: a URL, a folder or a file.
 * @param contact of whoever runs Lectern, for the operators of a MediaWiki
 * @throws UsageError if there is nothing, or nothing that Lectern can import
 */
export const recognizeLocation = async (location: string, contact?: string): Promise<KnownLocation> => {
  const stats = await statIfExists(location)
  if (stats?.isDirectory()) return { kind: folderKind(location), location }
  if (stats !== null) return { kind: await fileKind(location), location }
  if (/^https?:\/\//i.test(location)) return webLocation(location, contact)
  if (isAddress(location) && parseRemote(location)) return { kind: 'git', location }
  const examples = /^[\w-]+(?:\.[\w-]+)+\/./.test(location)
    ? `Did you mean https://${quote(location)}?`
    : 'Name a folder, a file or a URL, such as ../docs or https://wiki.example/tea.wiki.git.'
  throw new UsageError(`"${quote(location)}" does not exist. ${examples}`)
}

/** @throws UsageError that names the folder or the file that this user may not read */
const statIfExists = async (location: string): Promise<Stats | null> => {
  const refuse = (denied: string) => {
    throw new UsageError(
      `"${quote(location)}" cannot be read: permission denied for ${quote(denied)}. Let this user read it, and enter it if it is a folder.`,
    )
  }
  const stats = await stat(location).catch(async ({ code }) =>
    code === 'EACCES' ? refuse(await nearestFolder(dirname(resolve(location)))) : null,
  )
  const rights = stats?.isDirectory() ? constants.R_OK | constants.X_OK : constants.R_OK
  if (stats) await access(location, rights).catch(() => refuse(location))
  return stats
}

/** A folder, or the nearest one above it that can be seen. */
const nearestFolder = (folder: string): Promise<string> =>
  stat(folder).then(
    () => folder,
    () => nearestFolder(dirname(folder)),
  )

const webLocation = async (address: string, contact: string | undefined): Promise<KnownLocation> => {
  if (!URL.canParse(address)) throw new UsageError(`${quote(redactUrls(address))} is not a URL.`)
  const repository = await repositoryAt(address)
  if (repository !== null) return { kind: 'git', location: repository }
  const [{ findApi }, { PoliteHttp, WikiUnreachable }, { userAgentOf }] = await Promise.all([
    import('@lectern/import-mediawiki/api/discover'),
    import('@lectern/import-mediawiki/api/http'),
    import('@lectern/import-mediawiki/api/site'),
  ])
  const http = new PoliteHttp({ source: address, userAgent: userAgentOf(contact) })
  const { api } = await findApi(address, http).catch((error) => {
    if (!(error instanceof UsageError) || error instanceof WikiUnreachable) throw error
    throw new UsageError(
      `Lectern found no git repository at ${quote(redactUrls(address))}. A private repository needs an ssh URL. ` +
        `It is not a MediaWiki that Lectern can read, either: ${redactUrls(error.message)}`,
    )
  })
  return { kind: 'mediawiki', location: api.url }
}

/** Whether a folder is a git repository itself, and not only a part of one. */
const isRepository = (folder: string): boolean =>
  existsSync(join(folder, '.git')) ||
  ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)))

/** Whether a folder is an installation of DokuWiki, which can be a git repository, too, or its data. */
const isDokuwiki = (folder: string): boolean =>
  [
    ['data/pages', 'conf'],
    ['data/pages', 'data/meta'],
    ['pages', 'meta', 'attic'],
  ].some((parts) => parts.every((part) => existsSync(join(folder, part))))

const folderKind = (folder: string): SourceKind => {
  if (readdirSync(folder).length === 0) throw new UsageError(`${folder} is empty. Name a folder with files.`)
  if (isDokuwiki(folder)) return 'dokuwiki'
  return isRepository(folder) ? 'git' : 'folder'
}

const fileKind = async (file: string): Promise<SourceKind> => {
  await refuseWrongSource(file)
  if (/\.xml(?:\.gz|\.bz2)?$/i.test(file) || /\.bz2$/i.test(file)) return 'dump'
  if (/\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(file)) return 'ndjson'
  const beginning = (await firstText(file)).trimStart()
  if (beginning.startsWith('{')) return 'ndjson'
  if (beginning.startsWith('<')) return 'dump'
  if (beginning.startsWith('# v2 git bundle') || beginning.startsWith('# v3 git bundle')) return 'git'
  if (isMarkdownFile(file))
    throw new UsageError(`${file} is a file, not a folder. Import its folder: ${dirname(file)}`)
  throw new UsageError(
    `${file} is neither an NDJSON file of Lectern nor a MediaWiki dump. Name such a file, or a folder.`,
  )
}

/** The first characters of a file, decompressed if it is a gzip file. */
const firstText = async (file: string): Promise<string> => {
  const { decompress } = await import('@lectern/import-files/ndjson/source')
  try {
    for await (const chunk of decompress(createReadStream(file, { end: 65_535 })))
      return chunk.toString('utf8', 0, 512)
  } catch {
    // The beginning of a gzip file alone is incomplete.
  }
  return ''
}

/** What files are that are no wiki, by their first bytes, and what to do with them. */
const KINDS: readonly (readonly [beginning: RegExp, message: string])[] = [
  [/^(?:PK\x03\x04|7z\xbc\xaf\x27\x1c|Rar!|.{257}ustar)/s, 'is an archive. Unpack it, and name its content.'],
  [/^%PDF-/, 'is a PDF document, not a wiki.'],
  [
    /^SQLite format 3/,
    `is an SQLite database. ${packagePath('docs', 'ndjson.md')} explains how to turn it into a file for \`lectern import ndjson\`.`,
  ],
  [
    /^PGDMP/,
    'is a dump of PostgreSQL. Restore it with pg_restore, and set DATABASE_URL to the restored database.',
  ],
  [
    /^\s*(<!doctype html|<html)/i,
    'is an HTML page. Perhaps the download failed, or needed a login. Download the file itself.',
  ],
]

/** Whether a text is a URL, or names a repository as ssh does. */
const isAddress = (text: string) => /^[a-z][a-z\d+.-]*:\/\//i.test(text) || /^[\w.+-]+@[\w.-]+:/.test(text)

/**
 * Refuses a location that cannot be what an import needs, and says what it is. Reads only the beginning of regular files.
 * @throws UsageError
 */
export const refuseWrongSource = async (location: string): Promise<void> => {
  const stats = await stat(location).catch(() => null)
  if (stats === null && isAddress(location)) throw new UsageError(addressMessage(location))
  if (!stats?.isFile()) return
  if (stats.size === 0) throw new UsageError(`The file ${location} is empty. Has what writes it failed?`)
  const beginning = await beginningOf(location)
  const kind = KINDS.find(([pattern]) => pattern.test(beginning))
  if (kind) throw new UsageError(`${location} ${kind[1]}`)
}

const addressMessage = (address: string): string => {
  const name = quote(address.replace(/\/\/[^\s/@]*@/, '//'))
  return /^https?:/i.test(address) && !/\.git\/?$/i.test(address)
    ? `${name} is a URL. \`lectern serve URL\` recognizes git repositories and MediaWikis. Download a file first.`
    : `${name} is the URL of a repository. Use \`lectern import git ${name}\`.`
}

/** The first bytes of a file, as Latin-1. */
const beginningOf = (file: string): Promise<string> =>
  buffer(createReadStream(file, { end: 511 })).then(
    (bytes) => bytes.toString('latin1'),
    () => '', // opening the source tells why it cannot be read
  )
