import { expect } from 'chai'
import { progressLine } from '../src/progress.ts'

describe('progress that is not on a terminal', () => {
  /** The lines of work that does a page a second. */
  const linesOf = (pages: number): string[] => {
    const lines: string[] = []
    const stream = {
      isTTY: false,
      write: (line: string) => lines.push(line),
    } as unknown as NodeJS.WriteStream
    let time = 0
    const progress = progressLine({ stream, now: () => time * 1000 })
    for (time = 1; time <= pages; time++) progress.show({ done: time, total: pages, unit: 'pages' })
    time = pages
    progress.show({ done: pages, total: pages, unit: 'pages' })
    progress.end()
    return lines
  }

  it('has a line every five seconds, and one at its end', () => {
    expect(linesOf(12)).to.deep.equal([
      '5 of 12 pages, 1/s, 7 s left\n',
      '10 of 12 pages, 1/s, 2 s left\n',
      '12 of 12 pages, 1/s\n',
    ])
  })

  it('has none if the work takes less', () => {
    expect(linesOf(4)).to.deep.equal([])
  })
})
