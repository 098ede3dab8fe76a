import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ImportError, UsageError } from '@lectern/wiki/errors'
import { makeFolders } from '@lectern/wiki/folders'
import type { RangeOf } from '@lectern/wiki/import/web-client'
import { type FetchProgress, type GitRepositoryOptions, runGit } from '../process.ts'
import { checkedRemote, type RemoteRepository, redactUrls } from './address.ts'

/** What errors mean for `{url}`, or its clone in `{folder}`, and how git, ssh and curl tell them. The first match counts. */
const REASONS: Readonly<Record<string, RegExp>> = {
  'The disk of {folder} is full. Free some space, then run the command again.':
    /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/i,
  'The host of {url} is unknown. Check the URL and the network connection.':
    /Could not resolve host|Name or service not known|Temporary failure in name resolution|unable to look up/i,
  'ssh does not know the key of the host of {url}. Connect once with ssh to accept the key, then run the command again.':
    /Host key verification failed|host key is (?:un)?known|REMOTE HOST IDENTIFICATION/i,
  '{url} redirects to another address. Name the address of the repository itself.':
    /unable to update url base from redirection|requested URL returned error: 30\d/i,
  '{url} does not exist, or it needs a login, and Lectern asks for no password. Use an ssh URL and a key, or a credential helper of git, or clone the repository and import the folder.':
    /could not read (?:Username|Password)|terminal prompts disabled|Authentication failed|HTTP Basic: Access denied|Permission denied|Invalid username or password|requested URL returned error: 40[13]/i,
  'There is no git repository at {url}. Check the URL.':
    /not found|does not appear to be a git repository|does not exist|no such file or directory|Repository unavailable|access denied or repository not exported|requested URL returned error: 404/i,
  'The host of {url} does not respond. Check the URL and the network connection.':
    /timed out|Connection refused|Failed to connect|Couldn't connect|unreachable|Operation too slow|Connection reset|unable to connect/i,
  'Another command is fetching this repository, or was interrupted. If none is running, delete {folder}, then run the command again.':
    /\.lock': File exists|Another git process/i,
  '{folder}, or the repository of a file URL, belongs to another user, so git refuses to read it.':
    /dubious ownership/i,
}

/** Explains why a repository could not be fetched. The message is bounded and contains no password. */
export const remoteError = (remote: RemoteRepository, folder: string, message: string): UsageError => {
  const [reason] = Object.entries(REASONS).find(([, pattern]) => pattern.test(message)) ?? []
  const original = redactUrls(message)
  return new UsageError(
    reason === undefined
      ? `${remote.shown} cannot be fetched: ${original.replace(/\.$/, '')}. If the copy in ${folder} is damaged, delete it.`
      : `${reason.replace('{url}', () => remote.shown).replace('{folder}', () => folder)} (${original})`,
  )
}

export interface CloneOptions {
  /** The folder with all clones. It is created. */
  sourcesFolder: string
  /** Tests replace it. */
  rangeOf?: RangeOf
  onProgress?: (progress: FetchProgress) => void
}

/** Asks a remote repository. @param ask gets its URL and options of git @throws UsageError that says why it cannot be fetched, without passwords */
export const atRemote = async <Answer>(
  remote: RemoteRepository,
  folder: string,
  { onProgress, rangeOf }: Pick<CloneOptions, 'onProgress' | 'rangeOf'>,
  ask: (url: string, connecting: GitRepositoryOptions) => Promise<Answer>,
): Promise<Answer> => {
  try {
    const { url, config } = await checkedRemote(remote.url, rangeOf)
    return await ask(url, { folder: '/', config: [...NETWORK_SETTINGS, ...config], network: { onProgress } })
  } catch (error) {
    if (error instanceof UsageError && !(error instanceof ImportError)) throw error
    throw remoteError(remote, folder, (error as Error).message)
  }
}

/** Fetches a remote repository into its bare clone, which then has its branches, tags and HEAD, also rewritten or deleted ones. */
export const updateClone = async (remote: RemoteRepository, options: CloneOptions): Promise<string> => {
  const { sourcesFolder } = options
  const folder = join(sourcesFolder, remote.folderName)
  await atRemote(remote, folder, options, async (url, connecting) => {
    // Before anything is created, because the URL may be wrong.
    const head = await runGit(connecting, ['ls-remote', '--symref', '--', url, 'HEAD'])
    // Other users of the machine must not read a private repository here.
    makeFolders(sourcesFolder)
    if (!existsSync(join(folder, 'HEAD')))
      await runGit({ folder: sourcesFolder }, ['init', '--bare', '--quiet', '--template=', '--', folder])
    await fetchAll({ ...remote, url }, folder, head, connecting)
  })
  return folder
}

/** @param head what the remote repository says of its HEAD */
const fetchAll = async (
  remote: RemoteRepository,
  folder: string,
  head: string,
  connecting: GitRepositoryOptions,
): Promise<void> => {
  const local = { folder, gitDir: folder }
  // `ref: refs/heads/main<TAB>HEAD`, and `<hash><TAB>HEAD`
  const branch = /^ref: (refs\/heads\/\S+)\tHEAD$/m.exec(head)?.[1]
  const isDetached = branch === undefined && /\tHEAD$/m.test(head)
  await runGit({ ...connecting, ...local }, [
    ...['fetch', '--progress', '--force', '--prune', '--no-tags', '--update-shallow'],
    ...['--no-write-fetch-head', '--no-auto-maintenance', '--no-recurse-submodules', '--', remote.url],
    ...['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'],
    ...(isDetached ? [`+HEAD:${DETACHED_HEAD}`] : []),
  ])
  if (branch !== undefined) await runGit(local, ['symbolic-ref', 'HEAD', branch])
  else if (isDetached) {
    const commit = await runGit(local, ['rev-parse', '--verify', `${DETACHED_HEAD}^{commit}`])
    await runGit(local, ['update-ref', '--no-deref', 'HEAD', commit.trim()])
  } else if ((await runGit(local, ['for-each-ref', '--count=1'])) === '')
    throw new UsageError(`The repository ${remote.shown} is empty.`)
}

const DETACHED_HEAD = 'refs/lectern/HEAD'

/** No prompt of a program, no endless wait for a server that sends nothing, and nothing that runs afterwards. */
const NETWORK_SETTINGS = [
  ...['core.askPass=', 'credential.interactive=false'],
  ...['http.lowSpeedLimit=100', 'http.lowSpeedTime=120'],
  ...['gc.auto=0', 'maintenance.auto=false', 'submodule.recurse=false', 'fetch.recurseSubmodules=false'],
]
