import { styleText } from 'node:util'
import type { ImportSource } from '@lectern/wiki/records'
import { formatDuration } from '@lectern/wiki/time'
import cliProgress, { type SingleBar } from 'cli-progress'

/** `unit`: `bytes`, which are shown as megabytes, or a plural noun. */
export type Progress = ReturnType<ImportSource['progress']>

/** Prints a line to standard error. */
export const printLine = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

/** How often a plain line is printed, milliseconds: every `firstMs` during the first `firstForMs`, later every `laterMs`. */
const PLAIN_INTERVALS = { firstMs: 5_000, laterMs: 30_000, firstForMs: 60_000 }

export interface ProgressOptions {
  stream?: NodeJS.WriteStream
  /** The line to print if a signal ends the work. */
  whenStopped?: string
  /** Milliseconds. */
  now?: () => number
}

/**
 * Shows the progress of long work, its rate and the remaining time: as a bar on a terminal, and otherwise as a plain
 * line from time to time. Default stream: standard error.
 */
export const progressLine = ({
  stream = process.stderr,
  whenStopped,
  now = () => performance.now(),
}: ProgressOptions = {}) => {
  const startedAt = now()
  let bar: SingleBar | undefined
  let lastPlainAt = startedAt
  let lastAmount = ''

  const format = (progress: Progress): string => {
    const seconds = Math.max((now() - startedAt) / 1000, 0.001)
    const perSecond = progress.done / seconds
    const remaining =
      progress.total === undefined || perSecond <= 0 || progress.done >= progress.total
        ? []
        : [`${formatDuration((progress.total - progress.done) / perSecond)} left`]
    return [formatAmount(progress), formatRate(perSecond, progress.unit), ...remaining].join(', ')
  }
  const showBar = (progress: Progress) => {
    bar ??= new cliProgress.SingleBar({
      stream,
      hideCursor: true,
      gracefulExit: false, // otherwise it handles the first Ctrl-C, and the work continues
      format: (options, { progress: share }, { current }: { current: Progress }) =>
        current.total === undefined
          ? format(current)
          : `${styleText('cyan', cliProgress.Format.BarFormat(share, options), { stream })} ${Math.floor(share * 100)} %  ${format(current)}`,
    })
    const total = progress.total ?? progress.done
    if (!bar.isActive) bar.start(total, progress.done, { current: progress })
    else bar.update(progress.done, { current: progress })
  }
  const showPlain = (progress: Progress) => {
    const time = now()
    const { firstMs, laterMs, firstForMs } = PLAIN_INTERVALS
    const amount = formatAmount(progress)
    const isEnd = progress.done === progress.total && lastAmount !== '' && amount !== lastAmount
    if (!isEnd && time - lastPlainAt < (time - startedAt < firstForMs ? firstMs : laterMs)) return
    lastPlainAt = time
    lastAmount = amount
    stream.write(`${format(progress)}\n`)
  }
  const end = (): void => {
    bar?.stop()
    for (const signal of SIGNALS) process.off(signal, stop)
  }
  /** Restores the terminal and its cursor, then lets the signal end the process. */
  const stop = (signal: NodeJS.Signals): void => {
    end()
    if (whenStopped) printLine(whenStopped)
    process.kill(process.pid, signal)
  }
  for (const signal of SIGNALS) process.once(signal, stop)

  return { show: stream.isTTY ? showBar : showPlain, end }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

export const withProgress = <Result>(
  options: ProgressOptions,
  work: (show: (progress: Progress) => void) => Promise<Result>,
): Promise<Result> => {
  const { show, end } = progressLine(options)
  return work(show).finally(end)
}

const formatAmount = ({ done, total, unit }: Progress): string => {
  const format = (amount: number) => (unit === 'bytes' ? (amount / 1e6).toFixed(1) : String(amount))
  return `${format(done)}${total === undefined ? '' : ` of ${format(total)}`} ${unit === 'bytes' ? 'MB' : unit}`
}

const formatRate = (perSecond: number, unit: string): string =>
  unit === 'bytes' ? `${(perSecond / 1e6).toFixed(1)} MB/s` : `${Math.round(perSecond)}/s`
