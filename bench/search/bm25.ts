import type { Terms } from './terms.ts'

/** Saturation of a term's frequency, and the weight of a page's length: the values that Lucene uses. */
const K1 = 1.2
const B = 0.75

export interface Bm25 {
  /** Ids of the best pages, the best one first. Ties keep the order of the pages. */
  search(query: string, first: number): string[]
}

/**
 * Okapi BM25 as Robertson and Lucene define it. It is written here because the packages for it have other formulas
 * (MiniSearch: BM25+) or tokenizers that only know English. (D112)
 */
export const makeBm25 = (pages: readonly { id: string; text: string }[], terms: Terms): Bm25 => {
  const postings = new Map<string, { page: number; frequency: number }[]>()
  const lengths = pages.map(({ text }, page) => {
    const all = terms(text)
    const frequencies = new Map<string, number>()
    for (const term of all) frequencies.set(term, (frequencies.get(term) ?? 0) + 1)
    for (const [term, frequency] of frequencies) {
      const known = postings.get(term)
      if (known) known.push({ page, frequency })
      else postings.set(term, [{ page, frequency }])
    }
    return all.length
  })
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, pages.length)
  const search = (query: string, first: number): string[] => {
    const scores = new Map<number, number>()
    for (const term of terms(query)) {
      const found = postings.get(term) ?? []
      const idf = Math.log(1 + (pages.length - found.length + 0.5) / (found.length + 0.5))
      for (const { page, frequency } of found) {
        const norm = K1 * (1 - B + (B * lengths[page]!) / meanLength)
        scores.set(page, (scores.get(page) ?? 0) + (idf * frequency * (K1 + 1)) / (frequency + norm))
      }
    }
    return [...scores]
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, first)
      .map(([page]) => pages[page]!.id)
  }
  return { search }
}
