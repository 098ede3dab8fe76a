/** Numbers that have one home: validation, OpenAPI and the database's checks are fed from here. */

/** Items of a list: the most, and how many without `limit`. */
export const LIST_LIMIT = { max: 200, default: 50 } as const
/** Hits of a search: the most, and how many without `limit`. */
export const SEARCH_LIMIT = { max: 50, default: 20 } as const
/**
 * The most results that a search passes over: what comes later costs the database as much as all before it. It lies
 * below the matches that are held to the order of words, so that no part of a walk costs more than the first. (D76)
 */
export const OFFSET_MAX = 1_000
/** A query's text, as typed and as folded: characters (UTF-16 code units) and terms that are looked at; what follows is ignored. */
export const QUERY_LIMITS = { characters: 256, terms: 24 } as const
/**
 * Matches of a search that are put in order by their words, and matches of a level (by score) that are held to
 * the order of words that a phrase asks for. @see docs/search.md
 */
export const SEARCH_CANDIDATES = { ranked: 200, ordered: 2000, partial: 600, partialPerTerm: 20 } as const
/** How long all statements of one search may run, milliseconds: what takes longer keeps others from searching. (D76) */
export const SEARCH_TIMEOUT_MS = 1_500
/**
 * The first pages of all by score, which are searched before all are: how many there are when they are chosen, the
 * least and the most that may become of them, and up to how many pages a wiki needs no such. @see docs/search.md
 */
export const SEARCH_HOT_SET = { pages: 20_000, least: 15_000, most: 30_000, from: 30_000 } as const
/** Passages of a hit; in UTF-16 code units the length of one, and what is read of all sections that are shown. */
export const PASSAGE_LIMITS = { max: 3, length: 300, read: 2_000_000 } as const
/** Bytes (UTF-8) of a stored path, category key or sort key, title, its key for search, author and comment. */
export const FIELD_BYTES_MAX = {
  path: 512,
  key: 255,
  sortKey: 1020,
  title: 1020,
  titleKey: 1020,
  name: 255,
  comment: 8192,
} as const
/**
 * Bytes (UTF-8) of one text. Written as JSON, where a byte may become six, it stays under the 64 MiB that the
 * embedded database takes at a time, and an import holds it within 400 MB. (D70)
 */
export const TEXT_BYTES_MAX = 8 * 1024 * 1024
/** Categories of one edit. (D70) */
export const CATEGORIES_MAX = 500
/**
 * What moves at a time between a source or a file and the database: so many pages, edits, or bytes of them. One edit
 * that is larger goes alone. (D70)
 */
export const TRANSFER_BATCH = { pages: 500, revisions: 2_000, bytes: 4 * 1024 * 1024 } as const
/**
 * Bytes of a line of the interchange form: of one that is parsed at once, of one edit in a longer line, of what in
 * that edit is not within strings, and of what a line holds besides its edits. (D71)
 */
export const LINE_BYTES_MAX = {
  whole: 4 * 1024 * 1024,
  revision: 6 * TEXT_BYTES_MAX + 8 * 1024 * 1024,
  structure: 1024 * 1024,
  rest: 8 * 1024 * 1024,
} as const
/** Characters of one element of a MediaWiki dump that are read; more stops the import. MediaWiki itself takes 2 MB. */
export const DUMP_ELEMENT_CHARACTERS_MAX = 32 * 1024 * 1024
/**
 * Front matter: characters that are read at all; characters that the YAML library is given, and levels of nesting
 * that any library is. That one took 24 s for 40,000 keys, and ends the process where its recursion is deep. (D73)
 */
export const FRONT_MATTER_LIMITS = { characters: 65_536, yamlCharacters: 4_096, nesting: 200 } as const
/** Characters of wikitext that are converted; a longer text is kept as it is. */
export const WIKITEXT_CHARACTERS_MAX = 4 * 1024 * 1024
/** How long a 404 may be kept, seconds. */
export const NOT_FOUND_MAX_AGE_SECONDS = 10
/** How long a browser may keep a preflight, seconds. */
export const PREFLIGHT_MAX_AGE_SECONDS = 86_400
/** Bytes of request line and headers that are read. */
export const HEADER_BYTES_MAX = 16 * 1024
/**
 * A client must have sent its headers, and its whole request, within so many milliseconds. Node looks at the two
 * every half minute by itself, which would let them pass three times over.
 */
export const REQUEST_TIMEOUTS = { headersMs: 10_000, requestMs: 15_000, checkMs: 1_000 } as const
/** How long an idle connection is kept, milliseconds: longer than the minute that load balancers keep theirs. */
export const KEEP_ALIVE_MS = 65_000
/** Open connections of a listener; one more closes the one that has been idle for longest. */
export const CONNECTIONS_MAX = 10_000
/**
 * File descriptors: with fewer nothing starts, and how many are for everything but clients' connections. The
 * embedded database has up to 200 files open, loading modules 60 at a time. (D82)
 */
export const FILE_DESCRIPTORS = { least: 512, reserved: 384 } as const
/** Parts of the other descriptors that clients' connections may take, by listener. */
export const CONNECTION_SHARES = { public: 0.75, internal: 0.25 } as const
/** Bounds of caches are full where JavaScript may use so many bytes, and smaller in proportion where it may less. */
export const REFERENCE_HEAP_BYTES = 1024 * 1024 * 1024
/** Requests of one connection that may wait for the answer to the one before; more are answered only if kept. */
export const PIPELINE_DEPTH_MAX = 100
/** Requests that wait behind others on one connection, and on all of a process, before a connection is cut. (D78) */
export const PIPELINE_LIMITS = { connection: 256, process: 10_000 } as const
/**
 * Bytes of answers that clients have not read yet, of one connection with more than one answer, and of all of a
 * process, before a connection is cut; smaller bodies than `from` are not counted. (D78)
 */
export const UNREAD_RESPONSE_BYTES = {
  connection: 16 * 1024 * 1024,
  process: 256 * 1024 * 1024,
  countedFrom: 16 * 1024,
} as const
/**
 * Answers that are made at a time, how many wait to be, how long at most, and how long both may take together by
 * the pace of those before. Each kind has bounds of its own, since they cost so differently: with 64 lists of 200
 * items at a time the event loop stood still for 0.4 s, with 16 for 0.05 s, while pages are read in batches of 64;
 * a search takes the database tens of milliseconds, and a person would rather wait than be refused. (D41) Four
 * searches keep two cores busy, and more of them take these from pages and lists; of one client there are two. (D76)
 */
export const ADMISSION_LIMITS = {
  page: { running: 64, runningPerClient: 64, queued: 4_000, queueTimeoutMs: 200, latencyMs: 300 },
  list: { running: 16, runningPerClient: 16, queued: 1_000, queueTimeoutMs: 200, latencyMs: 300 },
  search: { running: 4, runningPerClient: 2, queued: 1_000, queueTimeoutMs: 300, latencyMs: 420 },
} as const
/** A larger body is handed over in pieces of this size, bytes. */
export const WRITE_CHUNK_BYTES = 128 * 1024
/** A client that takes nothing for the grace, and for what is waiting at this pace besides, is cut. */
export const SLOW_READER = { graceMs: 10_000, bytesPerSecond: 32 * 1024, checkMs: 1_000 } as const
/**
 * Stopping: how long idle connections may still bring a request, the longest wait for running ones, how often
 * idle ones are looked for, and when the process ends whatever happens, milliseconds.
 */
export const SHUTDOWN = {
  graceMs: 1_000,
  longestMs: 8_000,
  checkMs: 50,
  endMs: 9_250,
  /** Of workers' primary, a little later than theirs. */
  fleetMs: 9_700,
} as const
/**
 * The log, and all that is printed while serving. Bytes: of the lines that wait to be written, of one write
 * (lines in a pipe that others write to as well stay whole up to 4,096). Milliseconds: how long lines are
 * gathered for one write, how soon a full pipe and one that failed are tried again, and how long the end of the
 * process waits. UTF-16 code units: of a request's address, and of an error's message or stack. (D77)
 */
export const LOG_LIMITS = {
  pendingBytes: 1024 * 1024,
  chunkBytes: 4096,
  gatherMs: 10,
  fullMs: 20,
  failedMs: 1_000,
  flushMs: 200,
  addressLength: 1_000,
  textLength: 8_000,
} as const
/**
 * Refused requests in the log: of a window (milliseconds) the lines of one client and of all, how many clients
 * are counted apart, and how many of these a window's summary names. (D78)
 */
export const REFUSAL_LOG_LIMITS = {
  windowMs: 60_000,
  perClient: 10,
  lines: 1_000,
  clients: 10_000,
  named: 20,
} as const
/** Upper bounds of the histogram of answers' times, milliseconds. */
export const LATENCY_BUCKETS_MS = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000] as const
/** Answers smaller than this are not compressed, bytes. */
export const COMPRESSION_MIN_BYTES = 1024
/** Bounds of the internal GraphQL endpoint. @see DECISIONS.md, D10 */
export const GRAPHQL_LIMITS = {
  bodyBytes: 16 * 1024,
  tokens: 2000,
  depth: 15,
  aliases: 30,
  cost: 20_000,
} as const
/**
 * Free space of the embedded database's disk below which no more is written, bytes: what one batch of an import may
 * take, its log included. `lectern check` warns earlier. (D83)
 */
export const EMBEDDED_RESERVE_BYTES = 128 * 1024 * 1024
/** What a process keeps of finished answers, bytes: their bodies, and the addresses that lead to them. (`withinHeap`) */
export const RESPONSE_CACHE = { bytes: 64 * 1024 * 1024, aliasBytes: 8 * 1024 * 1024 } as const
/** What a process remembers of words and their stems, of all languages together, bytes: about 300,000 words. (`withinHeap`) */
export const STEM_CACHE_BYTES = 64 * 1024 * 1024
/** What a process keeps of rendered HTML, bytes. (`withinHeap`) */
export const HTML_CACHE_BYTES = 32 * 1024 * 1024
/** How long a wiki's name and languages are believed, milliseconds; a change that is heard of counts at once. */
export const WIKI_INFO_TTL_MS = 5_000
/** Bounds of turning Markdown into HTML. @see DECISIONS.md, D43 and D44 */
export const RENDER_LIMITS = {
  /** Processes at most. */
  processes: 4,
  /** A text that takes longer than so many milliseconds is a long one. */
  longMs: 100,
  /** How many processes may be at long texts; the others take turns at new ones, and at starting anew. */
  longProcesses: 2,
  /** The most that a text may take, milliseconds. */
  limitMs: 1_000,
  /** The most that JavaScript may use in a process, megabytes. */
  memoryMb: 256,
  /** The longest text that is tried, UTF-16 code units, and the most HTML that it may give, bytes. */
  textLength: 1024 * 1024,
  htmlBytes: 2 * 1024 * 1024,
  /** Texts that may wait for a process, their UTF-16 code units, and how long one waits, and a long one, milliseconds. */
  waiting: 256,
  waitingLength: 16 * 1024 * 1024,
  waitMs: 5_000,
  longWaitMs: 15_000,
  /** A process with nothing to do ends after so many milliseconds, but for one. */
  idleMs: 30_000,
} as const
/** Texts that gave no HTML: how many are remembered, and for how long, surely or not, milliseconds. */
export const RENDER_FAILURE_CACHE = { max: 10_000, ms: 600_000, unsureMs: 10_000 } as const
/** Addresses whose clients are remembered. */
export const CLIENT_KEY_CACHE_SIZE = 20_000
/** The window of the rate limit, milliseconds. */
export const RATE_WINDOW_MS = 60_000
/** Requests a minute for the pages for people and what they load; a first visit to all of them takes about 30. (D52) */
export const DOCS_SITE_REQUESTS_PER_MINUTE = 600
/** Clients whose windows a process keeps: those that came last. 100,000 take 17 MB. */
export const RATE_LIMIT_CLIENTS_MAX = 100_000
/** Longest wait for Redis to count a request, milliseconds: with what timers are late, under 100. */
export const REDIS_TIMEOUT_MS = 75
/** The most worker processes. */
export const WORKERS_MAX = 64
/** Connections of a process for statements, to each server: enough to keep two cores busy, few enough for a small server. */
export const POOL_SIZE = { default: 10, max: 1_000 } as const
/** How long a connection to the database is used, seconds: after that its address is looked up again. */
export const CONNECTION_LIFETIME = { default: 1_800, max: 86_400 } as const
/** Round trips to the database that an answer may take one after the other: seven for a connection, three of a search. */
export const ROUND_TRIPS_MAX = 10
