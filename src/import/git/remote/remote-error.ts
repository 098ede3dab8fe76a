import { UsageError } from '../../../errors.ts'
import { type RemoteRepository, redactUrls } from './remote-url.ts'

/** Messages of git, ssh and curl, and what they mean. The first match counts. */
const REASONS: [RegExp, (shown: string, folder: string) => string][] = [
  [
    /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/i,
    (_, folder) => `The disk of ${folder} is full. Free some space, then run the command again.`,
  ],
  [
    /Could not resolve host|Name or service not known|Temporary failure in name resolution|unable to look up/i,
    (shown) => `The host of ${shown} is unknown. Check the URL and the network connection.`,
  ],
  [
    /Host key verification failed|host key is (?:un)?known|REMOTE HOST IDENTIFICATION/i,
    (shown) =>
      `ssh does not know the key of the host of ${shown}. Connect once with ssh to accept the key, then run the command again.`,
  ],
  [
    /could not read (?:Username|Password)|terminal prompts disabled|Authentication failed|HTTP Basic: Access denied|Permission denied|Invalid username or password|requested URL returned error: 40[13]/i,
    (shown) =>
      `${shown} does not exist, or it needs a login, and Lectern asks for no password. ` +
      'Use an ssh URL and a key, or a credential helper of git, or clone the repository and import the folder.',
  ],
  [
    /not found|does not appear to be a git repository|does not exist|no such file or directory|Repository unavailable|access denied or repository not exported|requested URL returned error: 404/i,
    (shown) => `There is no git repository at ${shown}. Check the URL.`,
  ],
  [
    /timed out|Connection refused|Failed to connect|Couldn't connect|unreachable|Operation too slow|Connection reset|unable to connect/i,
    (shown) => `The host of ${shown} does not respond. Check the URL and the network connection.`,
  ],
  [
    /\.lock': File exists|Another git process/i,
    (_, folder) =>
      `Another command is fetching this repository, or was interrupted. If none is running, delete ${folder}, then run the command again.`,
  ],
  [
    /dubious ownership/i,
    (_, folder) =>
      `${folder}, or the repository of a file URL, belongs to another user, so git refuses to read it.`,
  ],
]

/** Explains why a repository could not be fetched. The message is bounded and contains no password. */
export const remoteError = (remote: RemoteRepository, folder: string, message: string): UsageError => {
  const reason = REASONS.find(([pattern]) => pattern.test(message))?.[1](remote.shown, folder)
  const original = redactUrls(message)
  return new UsageError(
    reason === undefined
      ? `${remote.shown} cannot be fetched: ${original}. If the copy in ${folder} is damaged, delete it.`
      : `${reason} (${original})`,
  )
}
