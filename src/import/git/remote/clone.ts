import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ImportError, UsageError } from '../../../errors.ts'
import { type GitRepositoryOptions, runGit } from '../process.ts'
import { remoteError } from './remote-error.ts'
import type { RemoteRepository } from './remote-url.ts'

/** Progress of a fetch. The numbers start again in each phase: counting, receiving, resolving. */
export interface FetchProgress {
  done: number
  total?: number
  unit: string
}

interface CloneOptions {
  /** The folder with all clones. It is created. */
  sourcesFolder: string
  onProgress?: (progress: FetchProgress) => void
}

/**
 * Fetches a remote repository into its bare clone, and creates the clone first if there is none. Then the clone has the
 * branches, tags and HEAD of the remote repository: branches that were rewritten or deleted there are so here, too.
 * @returns the folder of the clone
 * @throws UsageError that says why it cannot be fetched, without passwords
 */
export const updateClone = async (
  remote: RemoteRepository,
  { sourcesFolder, onProgress }: CloneOptions,
): Promise<string> => {
  const folder = join(sourcesFolder, remote.folderName)
  try {
    // Other users of the machine must not read a private repository here.
    await mkdir(sourcesFolder, { recursive: true, mode: 0o700 })
    if (!existsSync(join(folder, 'HEAD')))
      await runGit({ folder: sourcesFolder }, ['init', '--bare', '--quiet', '--template=', '--', folder])
    await fetchAll(remote, folder, onProgress)
  } catch (error) {
    if (error instanceof UsageError && !(error instanceof ImportError)) throw error
    throw remoteError(remote, folder, (error as Error).message)
  }
  return folder
}

const fetchAll = async (
  remote: RemoteRepository,
  folder: string,
  onProgress: CloneOptions['onProgress'],
): Promise<void> => {
  const local = { folder, gitDir: folder }
  const network: GitRepositoryOptions = {
    ...local,
    config: NETWORK_SETTINGS,
    network: {
      onProgress: (line) => {
        const progress = onProgress && parseProgress(line)
        if (progress) onProgress(progress)
      },
    },
  }
  const { branch, isDetached } = parseHead(
    await runGit(network, ['ls-remote', '--symref', '--', remote.url, 'HEAD']),
  )
  await runGit(network, [
    ...['fetch', '--progress', '--force', '--prune', '--no-tags', '--update-shallow'],
    ...['--no-write-fetch-head', '--no-auto-maintenance', '--no-recurse-submodules', '--', remote.url],
    ...['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'],
    ...(isDetached ? [`+HEAD:${DETACHED_HEAD}`] : []),
  ])
  if (branch !== null) await runGit(local, ['symbolic-ref', 'HEAD', branch])
  else if (isDetached) {
    const commit = await runGit(local, ['rev-parse', '--verify', `${DETACHED_HEAD}^{commit}`])
    await runGit(local, ['update-ref', '--no-deref', 'HEAD', commit.trim()])
  } else if ((await runGit(local, ['for-each-ref', '--count=1'])) === '')
    throw new UsageError(`The repository ${remote.shown} is empty.`)
}

/** The commit of a remote HEAD that is not a branch. */
const DETACHED_HEAD = 'refs/lectern/HEAD'

/** No prompt of a program, no endless wait for a server that sends nothing, and nothing that runs afterwards. */
export const NETWORK_SETTINGS = [
  ...['core.askPass=', 'credential.interactive=false'],
  ...['http.lowSpeedLimit=100', 'http.lowSpeedTime=120'],
  ...['gc.auto=0', 'maintenance.auto=false', 'submodule.recurse=false', 'fetch.recurseSubmodules=false'],
]

/** Parses `ref: refs/heads/main<TAB>HEAD` and `<hash><TAB>HEAD`. */
const parseHead = (output: string): { branch: string | null; isDetached: boolean } => {
  const lines = output.split('\n').filter((line) => line.endsWith('\tHEAD'))
  const branch = lines
    .map((line) => /^ref: (refs\/heads\/\S+)\t/.exec(line)?.[1])
    .find((one) => one !== undefined)
  return { branch: branch ?? null, isDetached: branch === undefined && lines.length > 0 }
}

/** Parses `Receiving objects:  45% (450/1000), 1.2 MiB | 3 MiB/s` and `remote: Enumerating objects: 12, done.`. */
const parseProgress = (line: string): FetchProgress | null => {
  const [, phase = '', count, done, total] =
    /^(?:remote: )?([A-Z][a-z]+ [a-z]+): +(\d+)(?:% \((\d+)\/(\d+)\))?/.exec(line) ?? []
  if (count === undefined) return null
  const unit = `objects (${phase.split(' ')[0]!.toLowerCase()})`
  return done === undefined
    ? { done: Number(count), unit }
    : { done: Number(done), total: Number(total), unit }
}
