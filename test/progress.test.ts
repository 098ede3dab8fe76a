import { expect } from 'chai'
import { formatDuration, progressLine } from '../src/progress.ts'

/** A stream that is a terminal, as far as a bar asks. */
const terminal = () => {
  const written: string[] = []
  const stream = {
    isTTY: true,
    columns: 120,
    write: (text: string) => written.push(text),
    cursorTo: () => true,
    clearLine: () => true,
    moveCursor: () => true,
    on: () => stream,
    off: () => stream,
  }
  return { stream: stream as unknown as NodeJS.WriteStream, shown: () => written.join('') }
}

describe('progress of long work', () => {
  it('on a terminal shows its share, amount, rate and what time is left', () => {
    const { stream, shown } = terminal()
    const progress = progressLine({ stream })
    progress.show({ done: 500, total: 1600, unit: 'pages' })
    progress.end()
    expect(shown()).to.match(/31 % {2}500 of 1600 pages, \d+\/s, \d+ s left/)
  })

  it('tells nothing of time where the total is not known, or nothing was done yet', () => {
    for (const so of [
      { done: 500, unit: 'pages' },
      { done: 0, total: 1600, unit: 'pages' },
      { done: 400, before: 400, total: 1600, unit: 'pages' },
    ]) {
      const { stream, shown } = terminal()
      const progress = progressLine({ stream })
      progress.show(so)
      progress.end()
      expect(shown())
        .to.match(/pages, \d+\/s/)
        .and.not.include('left')
    }
  })

  it('takes two units for a time', () => {
    expect([0.2, 59, 61, 3599.5, 7260].map(formatDuration)).to.deep.equal([
      '1 s',
      '59 s',
      '1 min 1 s',
      '1 h 0 min',
      '2 h 1 min',
    ])
  })
})
