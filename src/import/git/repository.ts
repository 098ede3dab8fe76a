import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { ImportError, UsageError } from '../../errors.ts'
import { quote } from '../../wiki/text.ts'
import { type GitRepositoryOptions, runGit } from './process.ts'

export interface Repository extends GitRepositoryOptions {
  gitDir: string
  /** What the folder is called, without `.git`. */
  name: string
  /** A clone whose history is cut. */
  shallow: boolean
}

/**
 * A repository: a work tree, a linked one, or bare.
 * @throws UsageError when the folder holds none, or git refuses to read another user's
 */
export const openRepository = async (path: string): Promise<Repository> => {
  const found = await stat(path).catch(() => null)
  if (found?.isFile()) {
    throw new UsageError(
      `${path} is a file. Make a repository of a bundle first: git clone --bare ${path} wiki.git`,
    )
  }
  if (!found?.isDirectory()) throw new UsageError(`There is no folder ${path}.`)
  const folder = await realpath(path)
  const answer = await runGit({ folder }, [
    'rev-parse',
    '--is-shallow-repository',
    '--absolute-git-dir',
  ]).catch((error: Error) => {
    throw error instanceof ImportError ? refusal(folder, error) : error
  })
  const [shallow, ...gitDir] = answer.trimEnd().split('\n')
  return { folder, gitDir: gitDir.join('\n'), name: nameOf(resolve(path)), shallow: shallow === 'true' }
}

/**
 * The commit that a ref names, as its full hash.
 * @throws UsageError when there is none
 */
export const commitOf = async (repository: Repository, ref: string): Promise<string> => {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]
  const answer = await runGit(repository, args).catch((error: Error) => {
    if (!(error instanceof ImportError)) throw error
    throw new UsageError(
      `${quote(ref)} names no commit of ${repository.folder}. Give a branch, tag or commit with --ref; \`git branch -a\` lists the branches.`,
    )
  })
  return answer.trim()
}

const refusal = (folder: string, error: ImportError): UsageError => {
  if (error.message.includes('dubious ownership')) {
    return new UsageError(
      `git does not read ${folder}, because it belongs to another user. ` +
        `If you trust it: git config --global --add safe.directory ${folder}`,
    )
  }
  if (error.message.includes('not a git repository')) {
    return new UsageError(
      `${folder} is no git repository. Give the folder that holds .git, or a bare repository; parts of it are chosen by a layout.`,
    )
  }
  return new UsageError(`${folder}: ${error.message}`)
}

const nameOf = (path: string): string => {
  const name = basename(path)
  return (name === '.git' ? basename(dirname(path)) : name.replace(/\.(git|bundle)$/, '')) || 'Wiki'
}
