/** The first count, and each that is at least twice the one before. */
const FIRST = 1000

/**
 * Says when to analyze tables that one transaction fills. Without statistics, PostgreSQL reads a whole table where an
 * index would do, and the time of an import grows with the square of its pages. (D93)
 */
export class Doublings {
  #next = FIRST

  /** @param count never smaller than before */
  isReached(count: number): boolean {
    if (count < this.#next) return false
    this.#next = 2 * count
    return true
  }
}
