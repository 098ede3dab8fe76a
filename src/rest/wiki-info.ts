import { WikiDocument } from '../generated/queries.ts'
import type { PrepareStoredQuery } from '../graphql.ts'
import type { WikiInfo } from './route.ts'

/** How long the wiki's name and languages are believed, milliseconds; a change that is heard of counts at once. */
const KEPT_MS = 5_000

export interface WikiInfoCache {
  get(): Promise<WikiInfo>
  /** The wiki changed. */
  forget(): void
}

/** The wiki's name, languages and license, which every request needs, read once in a while. */
export const makeWikiInfo = (prepare: PrepareStoredQuery, now = () => performance.now()): WikiInfoCache => {
  const query = prepare(WikiDocument)
  let kept: { at: number; info: Promise<WikiInfo> } | undefined
  return {
    get: () => {
      if (kept === undefined || now() - kept.at > KEPT_MS) {
        const reading = { at: now(), info: query({}).then(({ wiki }) => wiki) }
        kept = reading
        reading.info.catch(() => {
          if (kept === reading) kept = undefined
        })
      }
      return kept.info
    },
    forget: () => {
      kept = undefined
    },
  }
}
