/**
 * Bounds of comparing two texts. (D106)
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
  timeoutMs: 5_000,
} as const
