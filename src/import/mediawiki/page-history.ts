/** Which revisions of a page a dump has: a dump of current pages has only the newest one. */
export class PageHistory {
  readonly #read = new Set<number>()
  /** Parents that were named, but not read so far. */
  readonly #missingParents = new Set<number>()

  /** @param parent id of the revision before it; undefined for the first one */
  add(id: number, parent: number | undefined): void {
    this.#read.add(id)
    this.#missingParents.delete(id)
    if (parent !== undefined && !this.#read.has(parent)) this.#missingParents.add(parent)
  }

  /** Whether no revision names a parent that the dump does not have. */
  get isComplete(): boolean {
    return this.#read.size > 0 && this.#missingParents.size === 0
  }
}
