/** How many letters one has to insert, remove or replace. */
const distance = (a, b) => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]
}

/**
 * The parameter that somebody probably meant.
 * @param {string} name as it was written
 * @param {string[]} known the parameters of the endpoint
 * @returns {string | undefined}
 */
export const meantBy = (name, known) => {
  const written = name.toLowerCase()
  const near = known
    .map((one) => ({ one, distance: distance(written, one) }))
    .sort((a, b) => a.distance - b.distance)[0]
  if (near && near.distance <= Math.max(1, Math.floor(near.one.length / 3))) return near.one
  return known.find((one) => written.startsWith(one) || one.startsWith(written))
}
