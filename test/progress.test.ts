import { formatDuration } from '@lectern/wiki/time'
import { expect } from 'chai'
import { progressLine } from '../src/progress.ts'

/** A stream that a progress bar takes for a terminal. */
const terminal = () => {
  const chunks: string[] = []
  const stream = {
    isTTY: true,
    columns: 120,
    write: (text: string) => chunks.push(text),
    cursorTo: () => true,
    clearLine: () => true,
    moveCursor: () => true,
    on: () => stream,
    off: () => stream,
  }
  return { stream: stream as unknown as NodeJS.WriteStream, output: () => chunks.join('') }
}

describe('progress', () => {
  it('on a terminal, shows the percentage, amount, rate and remaining time', () => {
    const { stream, output } = terminal()
    const progress = progressLine({ stream })
    progress.show({ done: 500, total: 1600, unit: 'pages' })
    progress.end()
    expect(output()).to.match(/31 % {2}500 of 1600 pages, \d+\/s, \d+ s left/)
  })

  it('shows no remaining time if the total is unknown or nothing was done yet', () => {
    for (const state of [
      { done: 500, unit: 'pages' },
      { done: 0, total: 1600, unit: 'pages' },
    ]) {
      const { stream, output } = terminal()
      const progress = progressLine({ stream })
      progress.show(state)
      progress.end()
      expect(output())
        .to.match(/pages, \d+\/s/)
        .and.not.include('left')
    }
  })

  it('formats a duration with at most two units', () => {
    expect([0.2, 59, 61, 3599.5, 7260].map(formatDuration)).to.deep.equal([
      '1 s',
      '59 s',
      '1 min 1 s',
      '1 h 0 min',
      '2 h 1 min',
    ])
  })
})
