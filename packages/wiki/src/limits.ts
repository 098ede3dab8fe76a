/** Limits of content, and of lists of the API, that several packages use. `src/limits/service.ts` has those of the gateway. */

/** Items on one page of a list: the maximum, and the default of the parameter `limit`. */
export const LIST_LIMIT = { max: 200, default: 50 } as const
export const SEARCH_LIMIT = { max: 50, default: 20 } as const
/** The largest `offset` of a search, in results: the database sorts everything before it. (D41) */
export const OFFSET_MAX = 1_000
/** The used part of a query, as typed and normalized: UTF-16 code units, and words. A question in Thai has 40 pairs. (D111) */
export const QUERY_LIMITS = { characters: 512, terms: 64 } as const
/** Bytes of stored fields. `key`: of a category; `titleKey`: the normalized title of search; `name`: the author. */
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
 * Length of one text, bytes of UTF-8. In JSON, a byte can become six: such a text is still below the 64 MiB that the
 * embedded database accepts in one message, and an import needs less than 400 MB of memory for it. (D70)
 */
export const TEXT_BYTES_MAX = 8 * 1024 * 1024
/** Categories of one revision. It bounds the rows that one revision can create. (D70) */
export const CATEGORIES_MAX = 500
/**
 * One batch between a source or a file and the database: pages, revisions, or bytes of revisions. It bounds the memory
 * of imports and exports. A larger revision is a batch of its own. (D70)
 */
export const TRANSFER_BATCH = { pages: 500, revisions: 2_000, bytes: 4 * 1024 * 1024 } as const
/** A line of the interchange format: bytes, of which a text can need six for each of its own, and values. (D71) */
export const LINE_MAX = { bytes: 6 * TEXT_BYTES_MAX + 8 * 1024 * 1024, values: 1024 * 1024 } as const
/**
 * Front matter: characters that are read, characters that the YAML library gets, and levels of nesting that any
 * library gets. The YAML library took 24 s for 40,000 keys, and ends the process if its recursion is deep.
 */
export const FRONT_MATTER_LIMITS = { characters: 65_536, yamlCharacters: 4_096, nesting: 200 } as const

/** Length of the path of a file, and of a reference to one, bytes of UTF-8. Longer ones are left out. */
export const FILE_PATH_BYTES_MAX = 1024
export const FILE_REFERENCE_BYTES_MAX = 2_000
/** The largest file that an import stores, bytes. */
export const FILE_BYTES_MAX = 25 * 1024 * 1024

/**
 * Bounds of comparing two texts.
 *
 * - `lines`: lines between the first and the last change that are compared
 * - `edits`, `steps`: the work of jsdiff: how many of these lines differ, and that number times the number of lines
 * - `listed`, `patch`: what the hunks of a response, or a patch, may contain, in UTF-16 code units
 * - `highlightedCharacters`, `highlightEdits`: the work for highlights, in all lines and for each pair of lines
 * - `timeoutMs`: a comparison that takes longer is a defect, and ends, milliseconds
 */
export const DIFF_LIMITS = {
  lines: 50_000,
  edits: 400,
  steps: 10_000_000,
  listed: { lines: 10_000, characters: 1024 * 1024 },
  patch: { lines: 100_000, characters: 4 * 1024 * 1024 },
  highlightedCharacters: 50_000,
  highlightEdits: 60,
  timeoutMs: 30_000,
} as const
