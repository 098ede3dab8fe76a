import { UsageError } from '../../errors.ts'
import { DiskFull } from './data-directory.ts'

/** An error that a thread reports to the one that started it. */
export interface Failure {
  message: string
  error: 'usage' | 'full-disk' | 'defect'
}

export const failureOf = (error: unknown): Failure => ({
  message: error instanceof Error ? error.message : String(error),
  error: error instanceof DiskFull ? 'full-disk' : error instanceof UsageError ? 'usage' : 'defect',
})

export const errorOf = ({ message, error }: Failure): Error => {
  if (error === 'full-disk') return Object.assign(new DiskFull('', ''), { message })
  return error === 'usage' ? new UsageError(message) : new Error(message)
}
