import { FIELD_BYTES_MAX } from './limits.ts'

/** What a name, path or key cannot contain: C0 and C1 controls. U+001F separates a sort key from a path in `next`. */
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f]/

/** Whether a text can be a path, key, title or name: it has no control characters and no lone surrogates. */
export const isPlainText = (text: string): boolean => text.isWellFormed() && !CONTROL_CHARACTER.test(text)

/** More combining marks in a row than any writing system needs: sorting n of them takes O(n²) time. @see Unicode, stream-safe text */
const LONG_MARK_RUN = /(?<!\p{M})\p{M}{257}/u

/** NFC, in linear time: a text with a longer run of combining marks stays unchanged, so the result is deterministic. (D111) */
export const nfc = (text: string): string => (hasLongMarkRun(text) ? text : text.normalize('NFC'))

const hasLongMarkRun = (text: string): boolean => text.length > 256 && LONG_MARK_RUN.test(text)

/** Offset after the line that has a position, and after its line feed. */
export const lineEnd = (text: string, position: number): number =>
  text.indexOf('\n', position) + 1 || text.length

/** A word of a command line, between quotes if a shell would read it as something else. */
export const forShell = (word: string): string =>
  /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

export const addToList = <Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void => {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

/** Replaces what begins at signs. @param read what is written instead of it, and where it ends; null if it stays */
export const replaceAt = (
  text: string,
  signs: RegExp,
  read: (at: number) => { text: string; end: number } | null,
): string => {
  let [written, from] = ['', 0]
  for (const { index } of text.matchAll(signs)) {
    const found = index < from ? null : read(index)
    if (found === null) continue
    written += text.slice(from, index) + found.text
    from = found.end
  }
  return written + text.slice(from)
}

/** What is before the first of a character, and after it; the second is empty if there is none. */
export const splitAt = (text: string, mark: string): [string, string] => {
  const index = text.indexOf(mark)
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)]
}

export const byteLength = (text: string): number => Buffer.byteLength(text, 'utf8')

/**
 * The sort key of a page without one: its title with compatibility forms and case folded, in NFC as cursors (lower case can
 * decompose letters: J\u030c), truncated, because one letter can become eighteen.
 */
export const sortKeyOf = (title: string): string =>
  truncateBytes(
    nfc((hasLongMarkRun(title) ? title : title.normalize('NFKC')).toLowerCase()),
    FIELD_BYTES_MAX.sortKey,
  )

/** The longest prefix of a text that takes at most `bytes` bytes in UTF-8. Never splits a character. */
export const truncateBytes = (text: string, bytes: number): string =>
  text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read)

/** Truncates a text for the log, and marks the cut with `…`. @param length UTF-16 code units */
export const truncate = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}…` : text

/** A text for a message, at most so many characters. U+FFFD replaces what could manipulate a terminal or reverse a line. */
export const quote = (text: string, length = 80): string => {
  const clean = text.toWellFormed().replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd')
  return clean.length > length ? `${clean.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…` : clean
}

/** Replaces user and password of every URL in a text, up to the last `@` before the next `//`. */
export const redactPasswords = (text: string): string =>
  text.replace(/\/\/(?:(?:\/?[^/])*|[^\s,]*)@/g, '//…@')

/** Accepts the format of RFC 9562 only. PostgreSQL also accepts braces and missing hyphens. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** A number with its noun: `1 page`, `2 pages`. @param plural default: the singular with an s */
export const formatCount = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count} ${count === 1 ? singular : plural}`

// Not in html.ts, whose parser and sanitizer take time to load, and only rendering processes need them.

/** The source of a text, escaped and preformatted: the replacement for HTML that cannot be rendered. */
export const sourceAsHtml = (markdown: string): string => `<pre>${escapeText(wellFormed(markdown))}</pre>\n`

/** Replaces what a text must not contain, and keeps its length. */
export const wellFormed = (markdown: string): string => markdown.toWellFormed().replaceAll('\u0000', '\ufffd')

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
