/** Every limit is defined here once. Validation, OpenAPI and the database's checks use these values. */

/** Pages of a sitemap, as https://www.sitemaps.org/protocol.html allows: a multiple of 200, which are read at once. */
export const SITEMAP_PAGES_MAX = 50_000
/** Suggestions of titles: the maximum, and the default of the parameter `limit`. */
export const SUGGEST_LIMIT = { max: 20, default: 10 } as const
/**
 * Matches that a search processes further. `ranked`: matches that are sorted by their words. `ordered`: matches of a
 * tier, by score, whose word order is compared with a phrase of `orderedWords` words; fewer for more words.
 * docs/search.md describes the order of matches.
 */
export const SEARCH_CANDIDATES = { ranked: 30, ordered: 350, orderedWords: 4 } as const
/**
 * Pages that contain some words of a query: about how many are candidates; how many of these are read and ranked at most,
 * for each word of the query, and if it has pairs of characters: at least, and for each of its terms, of which Korean has
 * many; and how many candidates the query for a pair of words, and that for the best pages of a common word, each add. (D112)
 */
export const TAIL_LIMITS = {
  pages: 400,
  read: 200,
  readOfWord: 40,
  readOfPairs: 40,
  readOfPairsInTerm: 20,
  pagesOfQuery: 60,
} as const
/**
 * The hot set: the pages with the highest scores, which a search tries before all others. It is chosen with `pages` pages,
 * and chosen again when it has fewer than `least` or more than `most`. Wikis of up to `from` pages need none. (D34)
 */
export const SEARCH_HOT_SET = { pages: 20_000, least: 15_000, most: 30_000, from: 30_000 } as const
/**
 * Words that are counted to learn how many pages contain each, in bytes as they are stored: those of some 5,000 pages.
 * More would take the memory of the embedded database. (D112)
 */
export const COUNTED_WORD_BYTES = 24 * 1024 * 1024
/**
 * Passages of a search hit: their number, the length of each in UTF-16 code units, and how long a search cuts passages
 * before the process handles other events, milliseconds.
 */
export const PASSAGE_LIMITS = { max: 3, length: 300, sliceMs: 1 } as const
/** How long caches may store a 404, seconds. It is short, so that a new page appears soon. */
export const NOT_FOUND_MAX_AGE_SECONDS = 10
export const PREFLIGHT_MAX_AGE_SECONDS = 86_400
/** Length of the request line and all headers, bytes. Node refuses a request with more. */
export const HEADER_BYTES_MAX = 16 * 1024
/**
 * How long a client has to send its headers, and its whole request, milliseconds; and how often Node checks this.
 * Node's default is a check every 30 s, which would let three times the limit pass.
 */
export const REQUEST_TIMEOUTS = { headersMs: 10_000, requestMs: 15_000, checkMs: 1_000 } as const
/** How long an idle connection stays open, milliseconds: longer than the 60 s of common load balancers. */
export const KEEP_ALIVE_MS = 65_000
/** Open connections of one listener. A further connection closes the one that has been idle longest. */
export const CONNECTIONS_MAX = 10_000
/**
 * File descriptors. With fewer than `least`, Lectern does not start. `reserved` are for everything except connections
 * of clients: the embedded database opens up to 200 files, and the module loader 60 at a time. (D70)
 */
export const FILE_DESCRIPTORS = { least: 512, reserved: 384 } as const
/** Fractions of the other file descriptors that the connections of each listener may use. */
export const CONNECTION_SHARES = { public: 0.75, internal: 0.25 } as const
/** The heap limit at which caches have their full size, bytes. With a smaller heap they shrink in proportion. */
export const REFERENCE_HEAP_BYTES = 1024 * 1024 * 1024
/** Pipelined requests that may wait on one connection. Deeper ones are served only from the response cache. */
export const PIPELINE_DEPTH_MAX = 100
/**
 * Pipelined requests that wait, on one connection and in one process. Beyond it, the server closes a connection,
 * because Node holds every waiting request in memory.
 */
export const PIPELINE_LIMITS = { connection: 256, process: 10_000 } as const
/**
 * Bytes of responses that clients have not read yet, on one connection with several responses and in one process.
 * Beyond it, the server closes a connection. Bodies below `countedFrom` bytes are not counted.
 */
export const UNREAD_RESPONSE_BYTES = {
  connection: 16 * 1024 * 1024,
  process: 256 * 1024 * 1024,
  countedFrom: 16 * 1024,
} as const
/**
 * Admission control. For each request class: requests that run at a time, in all and for one client; requests in the
 * queue; the longest wait there; and the longest total time, as estimated from the drain rate. (D41)
 *
 * With 64 lists of 200 items at a time the event loop stopped for 0.4 s, with 16 for 0.05 s, while pages are read in batches of
 * 64. Four searches keep two cores busy, so one client can have four; the fifth place is for others. A user
 * would rather wait than be refused. Comparisons take turns in one thread. A call of an agent waits for reads of these
 * classes.
 * `far`: how many times as many run if the database is far away, because they mostly wait for the network.
 */
export const ADMISSION_LIMITS = {
  page: { running: 64, runningPerClient: 64, queued: 4_000, queueTimeoutMs: 200, latencyMs: 300 },
  list: { running: 16, runningPerClient: 16, queued: 1_000, queueTimeoutMs: 200, latencyMs: 300 },
  search: { running: 5, runningPerClient: 4, far: 4, queued: 1_000, queueTimeoutMs: 300, latencyMs: 420 },
  diff: { running: 4, runningPerClient: 3, queued: 1_000, queueTimeoutMs: 1_000, latencyMs: 1_200 },
  bulk: { running: 4, runningPerClient: 2, far: 2, queued: 100, queueTimeoutMs: 3_000, latencyMs: 5_000 },
  agent: { running: 32, runningPerClient: 8, queued: 1_000, queueTimeoutMs: 300, latencyMs: 600 },
} as const
/**
 * The server disconnects a client that reads nothing for `graceMs`, plus the time that the unread bytes take at
 * `bytesPerSecond`. It checks every `checkMs`.
 */
export const SLOW_READER = { graceMs: 10_000, bytesPerSecond: 32 * 1024, checkMs: 1_000 } as const
/**
 * Streams of changes. `open`: in one process. `perClient`: of one client, if the rate limit distinguishes clients.
 * `heartbeatMs`: time between two comments, which keep proxies from closing the connection. `retryMs` and
 * `closingRetryMs`: how soon a client connects again after a loss, and after this process has ended the stream.
 * `partBytes`: a part that is read and sent at a time; one item alone can be longer. `unreadBytes`: of all streams.
 */
export const STREAM_LIMITS = {
  open: 2_000,
  perClient: 10,
  heartbeatMs: 15_000,
  retryMs: 3_000,
  closingRetryMs: 1_000,
  partBytes: 256 * 1024,
  unreadBytes: 64 * 1024 * 1024,
} as const
/**
 * Shutdown, milliseconds. `graceMs`: idle connections may still send a request. `longestMs`: running requests may
 * finish. `checkMs`: the interval between checks for idle connections. `endMs`: the process ends in any case.
 */
export const SHUTDOWN = {
  graceMs: 1_000,
  longestMs: 8_000,
  checkMs: 50,
  endMs: 9_250,
  /** The primary of several workers ends in any case: a little later than they do. */
  fleetMs: 9_700,
} as const
/**
 * The log, and all other output while serving.
 * Bytes: `pendingBytes` of lines that wait to be written, and `chunkBytes` of one write (up to 4,096 bytes, a line
 * stays whole in a pipe with several writers). Milliseconds: how long lines are collected for one write, how soon a
 * full pipe and a failed one are tried again, and how long the end of the process waits. UTF-16 code units:
 * `addressLength` of the URL of a request, `agentLength` of its user agent, and `textLength` of an error's message or stack.
 */
export const LOG_LIMITS = {
  pendingBytes: 1024 * 1024,
  chunkBytes: 4096,
  gatherMs: 10,
  fullMs: 20,
  failedMs: 1_000,
  flushMs: 200,
  addressLength: 1_000,
  agentLength: 200,
  textLength: 8_000,
} as const
/**
 * Refused requests in the log. In each window of `windowMs` milliseconds: the lines of one client and of all clients,
 * the clients that are counted separately, and the clients that the summary names.
 */
export const REFUSAL_LOG_LIMITS = {
  windowMs: 60_000,
  perClient: 10,
  lines: 1_000,
  clients: 10_000,
  named: 20,
} as const
/** The time between two lines of the log for one kind of 503, milliseconds: a lost database refuses every request. */
export const UNAVAILABLE_LOG_MS = 1_000
/** Upper bounds of the buckets of the response time histogram, milliseconds. */
export const LATENCY_BUCKETS_MS = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000] as const
export const COMPRESSION_MIN_BYTES = 1024
/** Bounds of one request to the internal GraphQL endpoint: its body in bytes, and its query. (D10) */
export const GRAPHQL_LIMITS = {
  bodyBytes: 16 * 1024,
  tokens: 2000,
  /** Nesting of braces, brackets and parentheses. */
  nesting: 60,
  /** Fields, inline fragments and spreads, with every fragment expanded. The longest introspection query has 240. */
  selections: 500,
  cost: 20_000,
} as const
/** Size of the response cache of one process, bytes: its bodies, and the URLs that lead to them. (`scaledToHeap`) */
export const RESPONSE_CACHE = { bytes: 64 * 1024 * 1024, aliasBytes: 8 * 1024 * 1024 } as const
/** Size of the cache of word stems of one process, bytes: about 300,000 words of all languages. (`scaledToHeap`) */
export const STEM_CACHE_BYTES = 64 * 1024 * 1024
/** Words of queries whose stems a process caches, and as many counts of pages with a word: at most about 2 MB each. (D114) */
export const QUERY_WORD_CACHE_SIZE = 10_000
/** How long the wiki's name and languages are cached, milliseconds. A notice of a change invalidates them at once. */
export const WIKI_INFO_TTL_MS = 5_000
/** How long the number of pages in the metrics is cached, milliseconds, because counting reads an index. */
export const PAGE_COUNT_TTL_MS = 60_000
export const RATE_WINDOW_MS = 60_000
/** Requests per minute for the documentation site. A first visit to all its pages takes about 30. (D52) */
export const DOCS_SITE_REQUESTS_PER_MINUTE = 600
/** Clients whose rate limit windows a process stores: the most recent ones. 100,000 windows take 17 MB. */
export const RATE_LIMIT_CLIENTS_MAX = 100_000
/** How long Redis has to count a request, milliseconds. Timers run late: in practice, the wait stays under 100. */
export const REDIS_TIMEOUT_MS = 75
export const WORKERS_MAX = 64
/** Connections of a process for statements, to each server. The default keeps two cores busy on a small server. */
export const POOL_SIZE = { default: 10, max: 1_000 } as const
/** How long a connection to the database is used, seconds. A new connection resolves the host name again. */
export const CONNECTION_LIFETIME = { default: 1_800, max: 86_400 } as const
/** Sequential round trips to the database that a response can take: seven for a connection, eleven for a search. */
export const ROUND_TRIPS_MAX = 18
/** The round trip from which on a database counts as far away, milliseconds. */
export const FAR_DATABASE_MS = 20
