import { existsSync } from 'node:fs'
import { ImportError, UsageError } from '../../errors.ts'
import { quote } from '../../wiki/text.ts'
import { runGit } from './process.ts'
import { NETWORK_SETTINGS } from './remote/clone.ts'
import { remoteError } from './remote/remote-error.ts'
import { parseRemote, type RemoteRepository } from './remote/remote-url.ts'
import { commitOf, openRepository } from './repository.ts'

/**
 * The hash of the commit that an import would read now. A remote repository is asked for it, and nothing is fetched.
 * @param location a folder, or a URL
 * @param ref branch, tag or commit; default: HEAD
 * @throws UsageError if the repository cannot be reached, or the ref is unknown
 */
export const gitVersion = async (
  location: string,
  { ref = 'HEAD', sourcesFolder }: { ref?: string; sourcesFolder: string },
): Promise<string> => {
  const remote = existsSync(location) ? null : parseRemote(location)
  return remote === null
    ? commitOf(await openRepository(location, { sourcesFolder }), ref)
    : remoteVersion(remote, ref, sourcesFolder)
}

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

const remoteVersion = async (
  remote: RemoteRepository,
  ref: string,
  sourcesFolder: string,
): Promise<string> => {
  if (COMMIT.test(ref)) return ref
  const network = { folder: '/', config: NETWORK_SETTINGS, network: { onProgress: () => {} } }
  const output = await runGit(network, ['ls-remote', '--', remote.url, ...patternsOf(ref)]).catch(
    (error: Error) => {
      if (error instanceof UsageError && !(error instanceof ImportError)) throw error
      throw remoteError(remote, sourcesFolder, error.message)
    },
  )
  // Branches come before tags, and a tag before the commit that it names.
  const commit = /^([0-9a-f]+)\t/.exec(output)?.[1]
  if (commit !== undefined) return commit
  throw new UsageError(
    `${remote.shown} has no branch or tag ${quote(ref)}. Set --ref to one that it has, or leave it out.`,
  )
}

const patternsOf = (ref: string): string[] =>
  ref === 'HEAD' ? ['HEAD'] : [ref, `refs/heads/${ref}`, `refs/tags/${ref}`]
