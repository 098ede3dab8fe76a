/**
 * Requests to the Action API of a MediaWiki. (D92)
 *
 * `revisions` with texts, `titles` and `listed` items without texts of one request are what MediaWiki allows guests.
 * `titlesLength`: characters of titles in one URL, because servers accept 8,000. `textBytes`: texts of one request. `responseBytes`: MediaWiki's own limit is 8 MB by default; in JSON, a byte can
 * become six. `htmlBytes`: how much of a web page is searched for the URL of the API.
 * `attempts` and `lagAttempts`: how often a request that fails, or that a busy server refuses, is sent.
 * Milliseconds: `timeoutMs` of one request; the pause after the first failure, which doubles up to the longest one;
 * and the longest pause that a server can ask for.
 */
export const MEDIAWIKI_API = {
  revisions: 50,
  titles: 50,
  titlesLength: 4_000,
  listed: 500,
  textBytes: 4 * 1024 * 1024,
  responseBytes: 64 * 1024 * 1024,
  htmlBytes: 1024 * 1024,
  redirects: 5,
  attempts: 8,
  lagAttempts: 60,
  timeoutMs: 120_000,
  firstPauseMs: 1_000,
  longestPauseMs: 60_000,
  longestRetryAfterMs: 300_000,
  /** Replication lag of the wiki's database at which it refuses requests of programs, seconds. */
  maxLag: 5,
} as const
/**
 * Following a MediaWiki. `overlapMs`: how far before the last reading the next one looks again, because events appear
 * late. `checkRequests`: requests of one round that compare older revisions. `comparedRevisions` of one request: what
 * MediaWiki allows guests. `wholeRevisions` and `changedRevisions`:
 * the most revisions of a complete reading and of a round, which memory holds as numbers. `logEvents`: events of the
 * overlap that the state names. `moves`: moves that a complete reading remembers. (D92)
 */
export const MEDIAWIKI_FOLLOWING = {
  overlapMs: 300_000,
  checkRequests: 2,
  comparedRevisions: 500,
  wholeRevisions: 10_000_000,
  changedRevisions: 200_000,
  logEvents: 2_000,
  moves: 100_000,
} as const

/** Limits of one round, which tests make smaller. */
export type RoundLimits = Record<'overlapMs' | 'checkRequests' | 'comparedRevisions', number>
