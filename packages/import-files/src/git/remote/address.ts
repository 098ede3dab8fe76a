import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { UsageError } from '@lectern/wiki/errors'
import { AddressRefused, type RangeOf, WebClient, type WebResponse } from '@lectern/wiki/import/web-client'
import { decodeSegment } from '@lectern/wiki/references'
import { quote } from '@lectern/wiki/text'

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

/** The remote repository that an argument names; null for a folder. @throws UsageError for a URL of another protocol */
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
  const name = decodeSegment(last).replace(/(?:\.wiki)?(?:\.git)?$/, '')
  const digest = createHash('sha256').update(identity).digest('hex').slice(0, 12)
  const safeName = name.replace(/[^\w-]+/g, '-').replace(/^-+/, '')
  const folderName = `${safeName.slice(0, 60) || 'wiki'}-${digest}.git`
  return { url: argument, shown, name: name || 'Wiki', folderName }
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

/** How long a server may take to say whether it has a repository, milliseconds. */
const TIMEOUT_MS = 15_000
const REDIRECTS = 5

const QUESTION = '/info/refs?service=git-upload-pack'

/**
 * Asks as git does before it fetches, and follows redirects, but not to addresses where the source was not named.
 * @returns the response, and the URL of the repository, which differs from the given one if the server redirected
 * @throws AddressRefused, UsageError for a redirect to another protocol, or the error of Node.js
 */
const askRepository = async (repository: URL, web: WebClient): Promise<WebResponse & { url: URL }> => {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  let url = new URL(`${repository.href.replace(/\/+$/, '')}${QUESTION}`)
  for (let redirects = 0; ; redirects += 1) {
    const response = await web.get(url, { headers: { 'user-agent': 'git/2 (Lectern)' }, signal })
    const location = response.headers.get('location')
    if (response.status < 300 || response.status >= 400 || location === null || redirects === REDIRECTS)
      return { ...response, url: repositoryOf(url) ?? repository }
    response.body.destroy()
    const next = URL.canParse(location, url.href) ? new URL(location, url) : null
    if (next === null || !/^https?:$/.test(next.protocol))
      throw new UsageError(
        `${quote(redactUrls(repository.href))} redirects to ${quote(redactUrls(location))}, which is not a web address.`,
      )
    if (next.origin === url.origin) Object.assign(next, { username: url.username, password: url.password })
    url = next
  }
}

/**
 * The URL that git gets for a repository, and settings with which git connects where this was allowed: git itself
 * follows no redirect, and does not resolve the name again. (git before 2.37 does.)
 */
export const checkedRemote = async (given: string, rangeOf?: RangeOf) => {
  const config = ['http.followRedirects=false']
  if (!/^https?:/i.test(given)) return { url: given, config }
  const web = new WebClient(given, rangeOf)
  try {
    const { url, body } = await askRepository(new URL(given), web)
    body.destroy()
    const addresses = await web.addressesOf(url)
    const port = url.port || (url.protocol === 'https:' ? '443' : '80')
    const list = addresses.map(({ address, family }) => (family === 6 ? `[${address}]` : address)).join(',')
    if (!url.hostname.startsWith('[')) config.push(`http.curloptResolve=${url.hostname}:${port}:${list}`)
    return { url: url.href, config }
  } catch (error) {
    if (error instanceof UsageError) throw error
    // Not reachable from here. git may use a proxy, or says why it cannot reach it.
    return { url: given, config }
  }
}

/** @returns null if the URL is not that of git's question: git refuses such a redirect, too */
const repositoryOf = ({ href }: URL): URL | null =>
  href.endsWith(QUESTION) ? new URL(href.slice(0, -QUESTION.length)) : null

const ADVERTISEMENT = 'application/x-git-upload-pack-advertisement'

/**
 * The URL of the git repository at a web address, or at a page of a code host; null if there is none, or no answer.
 * @throws AddressRefused if the server redirects to where Lectern does not connect
 */
export const repositoryAt = async (address: string, rangeOf?: RangeOf): Promise<string | null> => {
  const web = new WebClient(address, rangeOf)
  const url = new URL(address)
  const path = url.pathname.replace(/\/+$/, '')
  if (path.endsWith('.git')) return address
  const [, github, gitlab] = WIKI_PAGE.exec(path) ?? []
  const project = github ?? gitlab
  Object.assign(url, { pathname: project === undefined ? path : `${project}.wiki.git`, search: '', hash: '' })
  try {
    const { status, headers, body } = await askRepository(url, web)
    const isOk = status >= 200 && status < 300
    const isSmart = headers.get('content-type') === ADVERTISEMENT
    if (!isOk || isSmart) body.destroy()
    return isOk && (isSmart || (await listsRefs(body))) ? url.href : null
  } catch (error) {
    if (error instanceof AddressRefused) throw error
    return null
  }
}

/** GitHub, Gitea and Forgejo show the wiki of a repository at `/wiki`, GitLab at `/-/wikis`. */
const WIKI_PAGE = /^(\/[^/]+\/[^/]+)\/wiki(?:\/.*)?$|^(\/.+)\/-\/wikis(?:\/.*)?$/

/** A server that only serves files sends `info/refs` as it is: lines with the hash of a commit and a name. */
const listsRefs = async (body: Readable): Promise<boolean> => {
  for await (const chunk of body) return /^[0-9a-f]{40,64}\trefs\//.test((chunk as Buffer).toString('latin1'))
  return false
}
