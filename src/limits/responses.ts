/** Limits of how responses are sent. */

/** Larger bodies are made and compressed one at a time, and made in parts of this size, bytes or UTF-16 code units. */
export const LARGE_BODY = 256 * 1024
/** Size of the parts in which the database stores files, bytes. */
export const FILE_PART_BYTES = 256 * 1024

/** Size of one write to a socket, bytes. A larger body is written in several chunks. */
export const WRITE_CHUNK_BYTES = 128 * 1024
