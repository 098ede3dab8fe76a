/** Limits of MCP. (D109) */

/**
 * Characters of one answer to an agent (MCP). `least` leaves room for content beside the longest path and URL, and
 * the default is about 5,000 tokens of English text.
 */
export const MCP_ANSWER_CHARACTERS = { least: 4_000, default: 20_000, most: 100_000 } as const
/** Messages in one batch of the MCP revision that has batches. Each counts as a request of the rate limit. */
export const MCP_BATCH_MAX = 20
/**
 * MCP over standard input and output: the longest message, bytes, and how long running requests may take after the
 * input has ended, milliseconds.
 */
export const MCP_STDIO = { messageBytes: 1024 * 1024, drainMs: 10_000 } as const
/**
 * A remote wiki that `lectern mcp` reads. Milliseconds: the longest time of one request, and the longest total wait
 * that a 429 or 503 may cause. Bytes: the longest response, and the cache of responses.
 */
export const REMOTE_WIKI = {
  timeoutMs: 30_000,
  waitMs: 20_000,
  bodyBytes: 64 * 1024 * 1024,
  cacheBytes: 32 * 1024 * 1024,
} as const
