import type { RankedPage } from './bm25.ts'

/** Between two pages. No lexeme contains it. */
const SEPARATOR = '\u0001'

/** A page that may be in the tail. */
interface CandidatePage extends RankedPage {
  id: string
  locale: string
}

/**
 * Calls back for each page that the statement `search_matches` found for the tail. One object stands for all of them, because
 * there are hundreds.
 * @param lines id, locale, score, length, 1 if the page has all words, and positions
 */
export const eachCandidate = (lines: string, callback: (page: CandidatePage) => void): void => {
  const page: CandidatePage = { id: '', locale: '', prior: 0, length: 0, hasAll: false, positions: '' }
  let at = 0
  const field = (): string => {
    const start = at
    at = lines.indexOf(' ', start) + 1
    return lines.slice(start, at - 1)
  }
  while (at < lines.length) {
    page.id = field()
    page.locale = field()
    page.prior = Number(field())
    page.length = Number(field())
    page.hasAll = field() === '1'
    const end = lines.indexOf(SEPARATOR, at)
    page.positions = lines.slice(at, end < 0 ? lines.length : end)
    at = end < 0 ? lines.length : end + 1
    callback(page)
  }
}
