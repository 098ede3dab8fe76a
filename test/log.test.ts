import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { type LineWriter, makeLineWriter } from '../src/log/line-writer.ts'
import { until } from './support/until.ts'

const BOUNDS = { pendingBytes: 10_000, chunkBytes: 4096, gatherMs: 1, fullMs: 1, failedMs: 1, flushMs: 50 }

describe('line writer', () => {
  let folder: string
  const open: number[] = []
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lectern-log-'))
  })
  afterEach(() => {
    for (const fd of open.splice(0)) closeSync(fd)
    rmSync(folder, { recursive: true, force: true })
  })
  const opened = (path: string, flags: number): number => {
    open.push(openSync(path, flags))
    return open.at(-1)!
  }
  /** A pipe whose 64 KB are full from the start, and what its reader receives after that. */
  const fullPipe = () => {
    const path = join(folder, 'pipe')
    execFileSync('mkfifo', [path])
    const reader = opened(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const fd = opened(path, constants.O_WRONLY | constants.O_NONBLOCK)
    execFileSync('sh', ['-c', `dd if=/dev/zero of="$0" bs=65536 count=1 oflag=nonblock 2>&1`, path])
    let left = 65_536
    let text = ''
    const read = (): string => {
      const chunk = Buffer.alloc(65_536)
      try {
        for (;;) {
          const bytes = readSync(reader, chunk)
          if (bytes === 0) return text
          text += chunk.toString('utf8', Math.min(left, bytes), bytes)
          left -= Math.min(left, bytes)
        }
      } catch {
        return text
      }
    }
    return { fd, read }
  }
  const unblock = () => {}
  const writerTo = (fd: number, bounds = BOUNDS) => {
    const writer: LineWriter = makeLineWriter(
      { fd, unblock },
      (lost) => writer.write(`lost ${lost}\n`),
      bounds,
    )
    return writer
  }
  const line = (n: number) => `${String(n).padStart(99, '0')}\n`

  it('buffers a bounded number of bytes without a reader, then drops lines, and reports how many', async () => {
    const { fd, read } = fullPipe()
    const writer = writerTo(fd)
    for (let n = 1; n <= 1_000; n++) writer.write(line(n))
    expect(writer.dropped).to.equal(900)
    await until('the loss is told', () => read().endsWith('lost 900\n'))
    writer.write(line(1_001))
    await until('the next is there', () => read().endsWith(line(1_001)))
    const lines = Array.from({ length: 100 }, (_, n) => line(n + 1))
    expect(read()).to.equal(`${lines.join('')}lost 900\n${line(1_001)}`)
  })

  it('continues after a line that is longer than the buffer', async () => {
    const path = join(folder, 'file')
    const writer = writerTo(opened(path, constants.O_WRONLY | constants.O_CREAT))
    writer.write(`${'x'.repeat(10_000)}\n`)
    writer.write(line(1))
    await until('the line is there', () => readFileSync(path, 'utf8') === `lost 1\n${line(1)}`)
    expect(writer.dropped).to.equal(1)
  })

  it('writes all lines at the end of a process, also those that are being written', () => {
    const path = join(folder, 'file')
    const writer = writerTo(opened(path, constants.O_WRONLY | constants.O_CREAT))
    for (let n = 1; n <= 90; n++) writer.write(line(n))
    writer.flushSync()
    expect(readFileSync(path, 'utf8').split('\n')).to.have.length(91)
  })

  it('delays the end of a process once, for a bounded time, if lines cannot be written', async () => {
    const { fd } = fullPipe()
    // It is never written again, because another test may have a file with the same number by then.
    const bounds = { ...BOUNDS, gatherMs: 1_000_000 }
    const writer = writerTo(fd, bounds)
    writer.write(line(1))
    const began = performance.now()
    writer.flushSync()
    const waited = performance.now() - began
    expect(waited).to.be.at.least(45)
    const full = writerTo(opened('/dev/full', constants.O_WRONLY), bounds)
    full.write(line(1))
    full.flushSync() // must return
    expect(full.dropped).to.equal(0)
  })
})
