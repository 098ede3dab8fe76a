import type { MediawikiItem } from '../items.ts'
import type { MediawikiApi } from './client.ts'
import { listRevisions } from './listing.ts'
import { type FullTitle, formerPathsOf, readMoves } from './log-events.ts'
import { RevisionIndex, readRevisions, toPageItem } from './page-reader.ts'

interface CompleteReadingOptions {
  namespaces: ReadonlySet<number>
  /** Null: the title cannot be a path. */
  pathOf: (page: FullTitle) => string | null
  onProgress: (done: number, total: number | undefined) => void
}

/**
 * Reads all pages with all of their revisions. First, it lists the numbers of all revisions, 500 per request. Then it
 * reads the texts page by page, 50 revisions per request, whichever pages they are of. (D46)
 */
export async function* readEverything(
  api: MediawikiApi,
  { namespaces, pathOf, onProgress }: CompleteReadingOptions,
): AsyncGenerator<MediawikiItem> {
  const formerPaths = formerPathsOf(movesOfPaths(await readMoves(api), namespaces, pathOf))
  const index = new RevisionIndex()
  for await (const { revisions } of listRevisions(api, { namespaces, direction: 'newer' })) {
    for (const revision of revisions) index.add(revision)
    onProgress(0, undefined)
  }
  let openId: number | undefined
  let done = 0
  for (const ids of index.batches()) {
    for await (const page of readRevisions(api, ids)) {
      if (page.id !== openId) {
        if (openId !== undefined) yield { type: 'page end', hasAllRevisions: true }
        openId = page.id
        yield toPageItem(page, formerPaths.get(pathOf(page) ?? '') ?? [])
      }
      yield* page.revisions
    }
    done += ids.length
    onProgress(done, index.length)
  }
  if (openId !== undefined) yield { type: 'page end', hasAllRevisions: true }
}

/** Moves by paths, without those of titles that cannot be paths, or in namespaces that are not imported. */
export const movesOfPaths = (
  moves: readonly { from: FullTitle; to: FullTitle }[],
  namespaces: ReadonlySet<number>,
  pathOf: (page: FullTitle) => string | null,
): { from: string; to: string }[] =>
  moves.flatMap((move) => {
    const [from, to] = [move.from, move.to].map((page) =>
      namespaces.has(page.namespace) ? pathOf(page) : null,
    ) as [string | null, string | null]
    return from === null || to === null ? [] : [{ from, to }]
  })
