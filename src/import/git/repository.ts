import { existsSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { ImportError, UsageError } from '../../errors.ts'
import { quote } from '../../wiki/text.ts'
import { refuseWrongSource } from '../wrong-source.ts'
import { type GitRepositoryOptions, runGit } from './process.ts'
import { type FetchProgress, updateClone } from './remote/clone.ts'
import { parseRemote } from './remote/remote-url.ts'

export interface Repository extends GitRepositoryOptions {
  gitDir: string
  /** Name of the folder, without `.git`; of a remote repository, the last part of its URL. */
  name: string
  /** What messages call the repository: its folder, or its URL. */
  shown: string
  /** Whether it is a clone without its older history. */
  isShallow: boolean
}

interface OpenOptions {
  /** Folder for clones of remote repositories. */
  sourcesFolder: string
  onProgress?: (progress: FetchProgress) => void
}

/**
 * Opens the repository in a folder, or fetches the repository of a URL.
 * @throws UsageError if there is none, it cannot be fetched, or git refuses to read the repository of another user
 */
export const openRepository = async (
  location: string,
  { sourcesFolder, onProgress }: OpenOptions,
): Promise<Repository> => {
  const remote = existsSync(location) ? null : parseRemote(location)
  if (remote === null) return openFolder(location)
  const folder = await updateClone(remote, { sourcesFolder, onProgress })
  return { ...(await openFolder(folder)), name: remote.name, shown: remote.shown }
}

/**
 * Opens a repository: a work tree, a linked work tree, or a bare repository.
 * @throws UsageError if the folder contains none, or git refuses to read the repository of another user
 */
const openFolder = async (path: string): Promise<Repository> => {
  await refuseWrongSource(path)
  const stats = await stat(path).catch(() => null)
  if (stats?.isFile()) {
    throw new UsageError(
      `${path} is a file. If it is a bundle, create a repository from it first: git clone --bare ${path} wiki.git`,
    )
  }
  if (!stats?.isDirectory()) throw new UsageError(`The folder ${path} does not exist.`)
  const folder = await realpath(path)
  const output = await runGit({ folder }, [
    'rev-parse',
    '--is-shallow-repository',
    '--absolute-git-dir',
  ]).catch((error: Error) => {
    throw error instanceof ImportError ? explainError(folder, error) : error
  })
  const [isShallow, ...gitDir] = output.trimEnd().split('\n')
  return {
    folder,
    gitDir: gitDir.join('\n'),
    name: nameOf(resolve(path)),
    shown: folder,
    isShallow: isShallow === 'true',
  }
}

/**
 * The full hash of the commit that a ref names.
 * @throws UsageError if there is none
 */
export const commitOf = async (repository: Repository, ref: string): Promise<string> => {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]
  const output = await runGit(repository, args).catch((error: Error) => {
    if (!(error instanceof ImportError)) throw error
    throw new UsageError(
      `${quote(ref)} is not a commit of ${repository.shown}. Set --ref to a branch, tag or commit; \`git branch -a\` lists the branches.`,
    )
  })
  return output.trim()
}

const explainError = (folder: string, error: ImportError): UsageError => {
  if (error.message.includes('dubious ownership')) {
    return new UsageError(
      `git refuses to read ${folder}, because it belongs to another user. ` +
        `If you trust it, run: git config --global --add safe.directory ${folder}`,
    )
  }
  if (error.message.includes('not a git repository')) {
    return new UsageError(
      `${folder} is not a git repository. Specify the folder that contains .git, or a bare repository. To import only a part of it, use --layout.`,
    )
  }
  return new UsageError(`${folder}: ${error.message}`)
}

const nameOf = (path: string): string => {
  const name = basename(path)
  return (name === '.git' ? basename(dirname(path)) : name.replace(/\.(git|bundle)$/, '')) || 'Wiki'
}
