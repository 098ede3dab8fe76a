import type { Plan, PlannedPage } from './world/plan.ts'
import { makeRandom } from './world/random.ts'

/** Pages, and what of them requests name, drawn from the whole world. */
export interface Sample {
  pages: PlannedPage[]
  /** One of them, of middling length. */
  hot: PlannedPage
  /** Ids of edits that a guest may see. */
  revisions: string[]
  /** Times of edits. */
  moments: string[]
}

const SAMPLE = 2000
/** Pages among which one of middling length is looked for. */
const HOT_AMONG = 101

export const takeSample = (plan: Plan): Sample => {
  const random = makeRandom(plan.seed + 1)
  const ids = Array.from({ length: SAMPLE * 2 }, (_, n) => 1 + random.below(plan.pages, n))
  const pages = [...new Set(ids)]
    .map((id) => plan.page(id))
    .filter(({ state, path }) => state === 'live' && !path.includes(':'))
    .slice(0, SAMPLE)
  const lengths = new Map(pages.slice(0, HOT_AMONG).map((page) => [page, textLength(plan, page)]))
  const byLength = [...lengths.keys()].sort((a, b) => lengths.get(a)! - lengths.get(b)!)
  const edits = pages.slice(0, SAMPLE / 2).map((page) => plan.edits(page).next().value!)
  return {
    pages,
    hot: byLength[byLength.length >> 1]!,
    revisions: edits.map(({ id }) => id),
    moments: edits.map(({ createdAt }) => createdAt),
  }
}

const textLength = (plan: Plan, page: PlannedPage): number =>
  Buffer.byteLength([...plan.edits(page)].at(-1)!.markdown)
