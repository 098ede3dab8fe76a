import { open, stat } from 'node:fs/promises'
import { UsageError } from '@lectern/wiki/errors'
import { quote } from '@lectern/wiki/text'

/** What files are that are no wiki, by their first bytes, and what to do with them. */
const KINDS: readonly (readonly [beginning: RegExp, message: string])[] = [
  [/^PK\x03\x04/, 'is a zip archive. Unpack it, and name the folder or the file in it.'],
  [/^7z\xbc\xaf\x27\x1c/, 'is a 7z archive. Unpack it, and name the folder or the file in it.'],
  [/^Rar!/, 'is a rar archive. Unpack it, and name the folder or the file in it.'],
  [/^.{257}ustar/s, 'is a tar archive. Unpack it, and name the folder or the file in it.'],
  [/^%PDF-/, 'is a PDF document, not a wiki.'],
  [
    /^SQLite format 3/,
    'is an SQLite database. docs/ndjson.md explains how to turn it into a file for `lectern import ndjson`.',
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
const isAddress = (text: string): boolean =>
  /^[a-z][a-z\d+.-]*:\/\//i.test(text) || /^[\w.+-]+@[\w.-]+:/.test(text)

/**
 * Refuses a location that cannot be what an import needs, and says what it is. Reads only the beginning of regular files.
 * @throws UsageError
 */
export const refuseWrongSource = async (location: string): Promise<void> => {
  const stats = await stat(location).catch(() => null)
  if (stats === null && isAddress(location)) throw new UsageError(addressMessage(location))
  if (!stats?.isFile()) return
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
const beginningOf = async (file: string): Promise<string> => {
  const handle = await open(file).catch(() => null)
  if (handle === null) return ''
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(512), 0, 512, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await handle.close()
  }
}
