import { ImportError } from '../../../errors.ts'
import { MEDIAWIKI_API, MEDIAWIKI_FOLLOWING } from './limits.ts'
import type { ListedRevision } from './listing.ts'
import { requestBatches } from './request-batches.ts'

/** Numbers of a typed array, before it grows. */
const FIRST_CAPACITY = 1 << 16

/** The revisions of a wiki as numbers, because there may be millions: 16 bytes each. */
export class RevisionIndex {
  #ids = new Uint32Array(FIRST_CAPACITY)
  #pageIds = new Uint32Array(FIRST_CAPACITY)
  #sizes = new Uint32Array(FIRST_CAPACITY)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** @throws ImportError if there are too many */
  add({ id, pageId, size }: ListedRevision): void {
    if (this.#length === MEDIAWIKI_FOLLOWING.wholeRevisions)
      throw new ImportError(
        `The wiki has more than ${MEDIAWIKI_FOLLOWING.wholeRevisions} revisions. Import a dump of it instead.`,
      )
    if (id >= 2 ** 32 || pageId >= 2 ** 32)
      throw new ImportError(`The revision ${id} has a number that is too large.`)
    if (this.#length === this.#ids.length) {
      this.#ids = grown(this.#ids)
      this.#pageIds = grown(this.#pageIds)
      this.#sizes = grown(this.#sizes)
    }
    this.#ids[this.#length] = id
    this.#pageIds[this.#length] = pageId
    this.#sizes[this.#length] = Math.min(size, 2 ** 32 - 1)
    this.#length += 1
  }

  /** Ids of revisions whose texts one request reads: page by page, in the order of their ids. */
  *batches(): Generator<number[]> {
    const order = Uint32Array.from({ length: this.#length }, (_, i) => i)
    order.sort((a, b) => this.#pageIds[a]! - this.#pageIds[b]! || this.#ids[a]! - this.#ids[b]!)
    const max = { items: MEDIAWIKI_API.revisions, size: MEDIAWIKI_API.textBytes }
    for (const batch of requestBatches(order, max, (i) => this.#sizes[i]!))
      yield batch.map((i) => this.#ids[i]!)
  }
}

const grown = (array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> => {
  const larger = new Uint32Array(array.length * 2)
  larger.set(array)
  return larger
}
