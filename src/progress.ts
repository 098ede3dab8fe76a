import { SingleBar } from 'cli-progress'

export interface Progress {
  done: number
  /** Absent: unknown. */
  total?: number
  unit: string
}

/** A line for the person at the terminal. */
export const say = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

/** How often a line is printed where there is no terminal, milliseconds. */
const PLAIN_EVERY = 5_000

/** Progress of long work: a bar with rate on a terminal; elsewhere a plain line now and then. On stderr. */
export const progressLine = (stream: NodeJS.WriteStream = process.stderr) => {
  const started = performance.now()
  let bar: SingleBar | undefined
  let lastPlain = started

  const rateOf = ({ done, unit }: Progress): string => {
    const seconds = Math.max((performance.now() - started) / 1000, 0.001)
    return unit === 'bytes'
      ? `${(done / 1e6 / seconds).toFixed(1)} MB/s`
      : `${Math.round(done / seconds)} ${unit}/s`
  }
  const showBar = (so: Progress) => {
    bar ??= new SingleBar({
      stream,
      format: '{bar} {percentage} % | {rate} | {eta_formatted} left',
      hideCursor: true,
    })
    if (!bar.isActive) bar.start(so.total!, so.done, { rate: rateOf(so) })
    else bar.update(so.done, { rate: rateOf(so) })
  }
  const showPlain = (so: Progress) => {
    if (performance.now() - lastPlain < PLAIN_EVERY) return
    lastPlain = performance.now()
    stream.write(`${so.done}${so.total === undefined ? '' : ` of ${so.total}`} ${so.unit}, ${rateOf(so)}\n`)
  }
  return {
    show: (so: Progress): void => (stream.isTTY && so.total !== undefined ? showBar(so) : showPlain(so)),
    end: (): void => bar?.stop(),
  }
}
