import { parentPort } from 'node:worker_threads'
import { DIFF_LIMITS } from '../limits.ts'
import type { DiffJob, DiffReport } from './differ.ts'
import { diffLines } from './line-diff.ts'
import { patchOf } from './patch.ts'

const run = (job: DiffJob) =>
  job.kind === 'patch' ? patchOf(job) : diffLines(job.from, job.to, DIFF_LIMITS.listed, { highlights: true })

const reportOf = (job: DiffJob): DiffReport => {
  try {
    return { id: job.id, result: run(job) }
  } catch (error) {
    return { id: job.id, failure: String(error) }
  }
}

parentPort?.on('message', (job: DiffJob) => parentPort?.postMessage(reportOf(job)))
