/** Limits of responses: what lists and pages contain at the request of `include`, and how bodies are sent. */

/** The summary of a text: its length, and the part of the text that is read for it, UTF-16 code units. (D102) */
export const SUMMARY_LENGTH = { max: 500, read: 16_384 } as const
/** Authors of a page that `contributors` names: those with the most edits. */
export const CONTRIBUTORS_MAX = 100

/**
 * A part of a list with `include`. (D101) `bytes`: length of the body. `textBytes`: length of all texts that are read.
 * `ms`: the time after which nothing more is added. `stepBytes`: texts that are read at a time. `stepItems`: items of
 * one statement; `pageItems`: those with data of their pages; `summaryItems`: those with only a summary, which reads 16 KiB;
 * `renderedItems`: those whose texts are rendered, since other requests wait for the same processes.
 */
export const LIST_CONTENT_LIMITS = {
  bytes: 4 * 1024 * 1024,
  textBytes: 4 * 1024 * 1024,
  ms: 2_000,
  stepBytes: 1024 * 1024,
  stepItems: 200,
  pageItems: 50,
  renderedItems: 8,
  summaryItems: 64,
} as const

/** The longest body that the response cache stores of a list with `include`, bytes. A mirror reads each part once. */
export const STORED_LIST_BYTES_MAX = 256 * 1024

/** Size of the cache of files of one part, of one process, bytes. (`scaledToHeap`) */
export const MEDIA_CACHE_BYTES = 32 * 1024 * 1024

/** Size of the cache of what texts became (HTML, plain text, sections), of one process, bytes. (`scaledToHeap`) */
export const HTML_CACHE_BYTES = 32 * 1024 * 1024

/** Larger bodies are made and compressed one at a time, and made in parts of this size, bytes or UTF-16 code units. */
export const LARGE_BODY = 256 * 1024
/** Bodies up to this size are compressed in the main thread, bytes. */
export const SMALL_BODY = 8 * 1024
/** Size of the parts in which the database stores files, bytes. */
export const FILE_PART_BYTES = 256 * 1024

/** Size of one write to a socket, bytes. A larger body is written in several chunks. */
export const WRITE_CHUNK_BYTES = 128 * 1024
