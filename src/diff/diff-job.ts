import type { LineDiff } from './line-diff.ts'
import type { PatchJob } from './patch.ts'

/** What the thread gets. */
export type DiffJob = { id: number } & (
  | { kind: 'lines'; from: string; to: string }
  | ({ kind: 'patch' } & PatchJob)
)

/** What it reports: the result of a job; or why it failed, which is a defect. */
export type DiffReport = { id: number } & ({ result: LineDiff | string | null } | { failure: string })
