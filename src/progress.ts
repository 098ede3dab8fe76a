import { styleText } from 'node:util'
import cliProgress, { type SingleBar } from 'cli-progress'

export interface Progress {
  done: number
  /** Absent: unknown. */
  total?: number
  /** Of what is done, what was so before this run: it says nothing of how fast it goes. */
  before?: number
  unit: string
}

/** A line for the person at the terminal. */
export const printLine = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

/** How often a line is printed where there is no terminal, milliseconds: in the first minute, and then. */
const PLAIN = { firstMs: 5_000, laterMs: 30_000, firstFor: 60_000 }

export interface ProgressOptions {
  stream?: NodeJS.WriteStream
  /** What to say when a signal ends the work. */
  whenStopped?: string
}

/**
 * Progress of long work, with its rate and what time is left: a bar on a terminal; elsewhere, as in a log, a
 * plain line now and then. On stderr unless told otherwise.
 */
export const progressLine = ({ stream = process.stderr, whenStopped }: ProgressOptions = {}) => {
  const started = performance.now()
  let bar: SingleBar | undefined
  let lastPlain = started

  const textOf = (so: Progress): string => {
    const seconds = Math.max((performance.now() - started) / 1000, 0.001)
    const perSecond = (so.done - (so.before ?? 0)) / seconds
    const left =
      so.total === undefined || perSecond <= 0 || so.done >= so.total
        ? []
        : [`${formatDuration((so.total - so.done) / perSecond)} left`]
    return [amountOf(so), rateOf(perSecond, so.unit), ...left].join(', ')
  }
  const showBar = (so: Progress) => {
    bar ??= new cliProgress.SingleBar({
      stream,
      hideCursor: true,
      gracefulExit: false, // it would take the first Ctrl-C for itself, and let the work go on
      format: (options, { progress }, { so }: { so: Progress }) =>
        so.total === undefined
          ? textOf(so)
          : `${styleText('cyan', cliProgress.Format.BarFormat(progress, options), { stream })} ${Math.floor(progress * 100)} %  ${textOf(so)}`,
    })
    const total = so.total ?? so.done
    if (!bar.isActive) bar.start(total, so.done, { so })
    else bar.update(so.done, { so })
  }
  const showPlain = (so: Progress) => {
    const now = performance.now()
    const every = now - started < PLAIN.firstFor ? PLAIN.firstMs : PLAIN.laterMs
    if (now - lastPlain < every) return
    lastPlain = now
    stream.write(`${textOf(so)}\n`)
  }
  const end = (): void => {
    bar?.stop()
    for (const signal of SIGNALS) process.off(signal, stop)
  }
  /** Leaves the terminal as it was, with its cursor, before the signal does what it does. */
  const stop = (signal: NodeJS.Signals): void => {
    end()
    if (whenStopped) printLine(whenStopped)
    process.kill(process.pid, signal)
  }
  for (const signal of SIGNALS) process.once(signal, stop)

  return { show: stream.isTTY ? showBar : showPlain, end }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

const amountOf = ({ done, total, unit }: Progress): string => {
  const of = (amount: number) => (unit === 'bytes' ? (amount / 1e6).toFixed(1) : String(amount))
  return `${of(done)}${total === undefined ? '' : ` of ${of(total)}`} ${unit === 'bytes' ? 'MB' : unit}`
}

const rateOf = (perSecond: number, unit: string): string =>
  unit === 'bytes' ? `${(perSecond / 1e6).toFixed(1)} MB/s` : `${Math.round(perSecond)}/s`

/** As `3 min 20 s`: two units at most. */
export const formatDuration = (seconds: number): string => {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}
