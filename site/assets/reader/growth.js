/**
 * How many bytes an edit has added to its page. Undefined for the last edit of a part of a history: the one before it is
 * in the next part. The server runs this module as well.
 * @param {{ items: { size: number }[], next: string }} part newest first @param {number} i
 */
export const growthOf = ({ items, next }, i) => {
  const older = items[i + 1] ?? (next === '' ? { size: 0 } : undefined)
  return older && items[i].size - older.size
}
