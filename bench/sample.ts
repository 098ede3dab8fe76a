import type { Plan, PlannedPage } from './world/plan.ts'
import { makeRandom } from './world/random.ts'

/** A random sample of a data set: the pages, revision ids and timestamps that requests use. */
export interface Sample {
  pages: PlannedPage[]
  /** The page of the sample that the workloads of one hot page request. Its length is about the median. */
  hot: PlannedPage
  /** Ids of revisions that guests may see. */
  revisions: string[]
  /** Timestamps of revisions. */
  timestamps: string[]
}

const SAMPLE_SIZE = 2000
/** The hot page has the median length of this many pages. */
const HOT_PAGE_CANDIDATES = 101

export const takeSample = (plan: Plan): Sample => {
  const random = makeRandom(plan.seed + 1)
  const ids = Array.from({ length: SAMPLE_SIZE * 2 }, (_, n) => 1 + random.below(plan.pages, n))
  const pages = [...new Set(ids)]
    .map((id) => plan.page(id))
    .filter(({ state, path }) => state === 'live' && !path.includes(':'))
    .slice(0, SAMPLE_SIZE)
  const lengths = new Map(pages.slice(0, HOT_PAGE_CANDIDATES).map((page) => [page, textLength(plan, page)]))
  const byLength = [...lengths.keys()].sort((a, b) => lengths.get(a)! - lengths.get(b)!)
  const revisions = pages.slice(0, SAMPLE_SIZE / 2).map((page) => plan.revisions(page).next().value!)
  return {
    pages,
    hot: byLength[byLength.length >> 1]!,
    revisions: revisions.map(({ id }) => id),
    timestamps: revisions.map(({ createdAt }) => createdAt),
  }
}

const textLength = (plan: Plan, page: PlannedPage): number =>
  Buffer.byteLength([...plan.revisions(page)].at(-1)!.markdown)
