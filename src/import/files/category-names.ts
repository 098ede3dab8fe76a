import type { CategoryRecord } from '../../write/records.ts'
import type { DocumentTag } from './document.ts'

/** Names of categories on the pages that guests see. The spelling of the newest revision counts. */
export class CategoryNames {
  readonly #newest = new Map<string, { record: CategoryRecord; order: string }>()

  /** @param revision the revision of a page that guests see, and its tags */
  add(locale: string, revision: { createdAt: string; id: string }, tags: readonly DocumentTag[]): void {
    const order = `${revision.createdAt} ${revision.id}`
    for (const { key, name } of tags) {
      const id = `${locale} ${key}`
      if ((this.#newest.get(id)?.order ?? '') > order) continue
      this.#newest.set(id, { record: { type: 'category', locale, key, name }, order })
    }
  }

  keys(): { locale: string; key: string }[] {
    return [...this.#newest.values()].map(({ record }) => record)
  }

  /** Sorted by locale and key. */
  *records(): Generator<CategoryRecord> {
    for (const [, { record }] of [...this.#newest].sort(([a], [b]) => (a < b ? -1 : 1))) yield record
  }
}
