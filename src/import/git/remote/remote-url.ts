import { createHash } from 'node:crypto'
import { UsageError } from '../../../errors.ts'
import { quote } from '../../../wiki/text.ts'

/** A repository on another machine, or behind a `file:` URL. */
export interface RemoteRepository {
  /** As git gets it. It can contain a password. */
  url: string
  /** The URL for messages, without a password. */
  shown: string
  /** The last segment of the path, without `.git` and `.wiki`. */
  name: string
  /** Name of the folder with the clone: the name, and a digest of the URL without a password. */
  folderName: string
}

const PROTOCOLS = ['https', 'http', 'ssh', 'git', 'file']
/** `git@host:path`, as ssh takes it. A drive of Windows has one letter. */
const SCP = /^(?:([\w.+-]+)@)?([\w][\w.-]+):(?!:|\/\/|\\)\S+$/

/**
 * The remote repository that an argument names; null for a folder of this machine.
 * @throws UsageError for a URL of another protocol
 */
export const parseRemote = (argument: string): RemoteRepository | null => {
  const protocol = /^([a-z][a-z\d+.-]*):\/\//i.exec(argument)?.[1]?.toLowerCase()
  if (protocol === undefined && /^[\w+.-]+::/.test(argument)) throw refused(argument)
  if (protocol !== undefined) {
    if (!PROTOCOLS.includes(protocol) || !URL.canParse(argument) || /[\s\p{Cc}]/u.test(argument))
      throw refused(argument)
  } else if (!SCP.test(argument)) return null
  const shown = redactUrls(argument)
  const identity = shown.replace(/\/+$/, '')
  const last = identity.split(/[/:]/).at(-1)!
  const name = decode(last)
    .replace(/\.git$/, '')
    .replace(/\.wiki$/, '')
  const digest = createHash('sha256').update(identity).digest('hex').slice(0, 12)
  const safeName =
    name
      .replace(/[^\w-]+/g, '-')
      .replace(/^-+/, '')
      .slice(0, 60) || 'wiki'
  return { url: argument, shown, name: name || 'Wiki', folderName: `${safeName}-${digest}.git` }
}

/** Replaces the user and password of http URLs, and the password of other URLs, in a text. */
export const redactUrls = (text: string): string =>
  text
    .replace(/\b(https?:\/\/)[^\s/?#]*@/gi, '$1…@')
    .replace(/\b([a-z][a-z\d+.-]{0,20}:\/\/[^\s/?#:@]*):[^\s/?#]*@/gi, '$1:…@')

const refused = (argument: string): UsageError =>
  new UsageError(
    `${quote(redactUrls(argument))} is not a URL that Lectern can fetch. Use https, http, ssh, git or file, or git@host:path.`,
  )

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
