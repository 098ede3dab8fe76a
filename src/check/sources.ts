import type { Database } from '../db/database.ts'
import { followedSources, type SourceStatus, sourceFailures } from '../db/followed-sources.ts'
import { formatDuration } from '../wiki/duration.ts'
import { type Diagnostic, failure, ok, warning } from './diagnostic.ts'

/** Checks the sources that processes follow. @param isOwner whether the connection may read what failed */
export const checkSources = async (database: Database, isOwner: boolean): Promise<Diagnostic[]> => {
  const sources = await followedSources(database)
  const failures = isOwner && sources.length > 0 ? await sourceFailures(database) : new Map<string, string>()
  return sources.map((source) => checkSource(source, failures.get(source.name)))
}

const checkSource = (
  { name, checkedAgo, failingFor, isFollowed }: SourceStatus,
  message: string | undefined,
): Diagnostic => {
  const subject = `source ${name}`
  const age = checkedAgo === null ? 'never checked' : `last checked ${formatDuration(checkedAgo)} ago`
  if (!isFollowed)
    return warning(
      subject,
      `Its follower has ended without a word (${age}).`,
      'Start `lectern follow` or `lectern serve` with the source again.',
    )
  if (failingFor === null) return ok(subject, `up to date, ${age}`)
  return failure(
    subject,
    `Following it has failed for ${formatDuration(failingFor)} (${age})${message === undefined ? '.' : `: ${message}`}`,
    message === undefined ? 'Look at the log of the follower.' : undefined,
  )
}
