import { Worker } from 'node:worker_threads'
import { Unavailable } from '@lectern/wiki/errors'
import { expect } from 'chai'
import { makeDiffer } from '../src/diff/differ.ts'

describe('the thread that compares', () => {
  it('other code runs while it compares', async () => {
    const differ = makeDiffer()
    let ticks = 0
    const timer = setInterval(() => {
      ticks += 1
    }, 1)
    const lines = Array.from({ length: 24_000 }, (_, n) => `line ${n}`)
    const [from, to] = [lines.join('\n'), lines.toReversed().join('\n')]
    await differ.lines('', 'start')
    ticks = 0
    await Promise.all(Array.from({ length: 3 }, () => differ.lines(from, to)))
    clearInterval(timer)
    expect(ticks).to.be.greaterThan(3)
    await differ.close()
  })

  it('a thread that ends takes its comparisons with it, and the next one starts another', async () => {
    const threads: Worker[] = []
    const differ = makeDiffer(() => {
      const ends = threads.length === 0
      const thread = ends
        ? new Worker('process.exit(1)', { eval: true })
        : new Worker(new URL('../src/diff/thread.js', import.meta.url))
      threads.push(thread)
      return thread
    })
    const failure = await differ.lines('a', 'b').catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(Unavailable)
    expect(await differ.lines('a', 'b')).to.include({ added: 1, removed: 1 })
    expect(threads).to.have.length(2)
    await differ.close()
  })
})
