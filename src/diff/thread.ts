import { parentPort } from 'node:worker_threads'
import { diffLines } from '@lectern/wiki/diff/line-diff'
import { patchOf } from '@lectern/wiki/diff/patch'
import { DIFF_LIMITS } from '@lectern/wiki/limits'
import type { DiffJob, DiffReport } from './differ.ts'

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
