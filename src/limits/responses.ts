/** Limits of how responses are sent. */

/** Size of one write to a socket, bytes. A larger body is written in several chunks. */
export const WRITE_CHUNK_BYTES = 128 * 1024
/**
 * Responses that are sent as one text. `body`: the longest body, bytes; Node sends up to 16 KB of text without copying
 * it to the heap. `process`: the texts that a process keeps. (`scaledToHeap`, D132)
 */
export const PREBUILT_BYTES = { body: 14 * 1024, process: 8 * 1024 * 1024 } as const
