/** Limits of what lists and pages contain at the request of `include`. */

/** The summary of a text: its length, and the part of the text that is read for it, UTF-16 code units. (D102) */
export const SUMMARY_LENGTH = { max: 500, read: 16_384 } as const
/** Authors of a page that `contributors` names: those with the most edits. */
export const CONTRIBUTORS_MAX = 100
