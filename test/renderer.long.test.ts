import { availableParallelism } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { RENDER_LIMITS } from '../src/limits/rendering.ts'
import { type RenderOutcome, type RenderProcess, startRenderProcess } from '../src/render/process.ts'
import type { RenderJob, RenderResult } from '../src/render/render-result.ts'
import { makeRenderer, type Renderer } from '../src/render/renderer.ts'
import { LINK_CONTEXT } from './support/link-context.ts'
import { renderHtml } from './support/markdown.ts'
import { until } from './support/until.ts'

const row = (cell: string, count: number): string => `|${`${cell}|`.repeat(count)}\n`
/** A wide table with short rows: the parser fills each row up. */
const wideTable = (columns: number, rows: number): string =>
  row('a', columns) + row('-', columns) + '|b\n'.repeat(rows)

/** Takes seconds to render. */
const ENDLESS = wideTable(5_000, 20_000)
/** 9 KB: far from the limit of processor time, also in a new process on a busy machine. */
const CHAPTER = 'Green *tea* of [leaves](/leaf), **steamed**.\n\n'.repeat(200)
const PROSE = '# Tea\n\nGreen tea is *made* of [leaves](/leaf).\n'

const job = (markdown: string, linkContext = LINK_CONTEXT): RenderJob => ({
  markdown,
  context: linkContext,
  target: { form: 'html' },
})

const failureOf = (rendering: RenderResult) => ('failure' in rendering ? rendering.failure : rendering.output)

describe('renderer', () => {
  let renderer: Renderer
  const make = (start?: () => Promise<RenderProcess>, longProcesses?: number) => {
    renderer = makeRenderer({ start, longProcesses })
    return (markdown: string) => renderer.render(job(markdown))
  }
  /** Also gives the processes that it starts. */
  const makeWatched = () => {
    const processes: RenderProcess[] = []
    const render = make(async () => {
      const started = await startRenderProcess()
      processes.push(started)
      return started
    })
    return { render, processes }
  }
  const { waitMs } = RENDER_LIMITS
  const waitAtMost = (ms: number) => Object.assign(RENDER_LIMITS, { waitMs: ms })
  afterEach(async () => {
    waitAtMost(waitMs)
    await renderer?.close()
  })

  const timed = async <Result>(work: Promise<Result>): Promise<{ result: Result; ms: number }> => {
    const started = performance.now()
    return { result: await work, ms: performance.now() - started }
  }

  it('returns the same HTML as rendering in the test process, for texts in any script', async () => {
    const render = make()
    for (const text of [
      PROSE,
      '',
      '# お茶\n\n🍵 a\ud800b\u0000c',
      '[x](#a) ![y](z.png)\n\n<script>x</script>',
    ]) {
      expect(await render(text)).to.deep.equal({ output: renderHtml(text, LINK_CONTEXT) })
    }
  })

  it('ends a text that takes more than 1 s of processor time, and renders the next in the same process', async () => {
    const { render, processes } = makeWatched()
    await render(PROSE)
    const { result, ms } = await timed(render(ENDLESS))
    expect(failureOf(result)).to.equal('time')
    expect(ms).to.be.above(500) // of two threads, such as that of the garbage collector, both count
    expect(await render(PROSE)).to.deep.equal({ output: renderHtml(PROSE, LINK_CONTEXT) })
    expect(renderer.counts.failures).to.include({ time: 1 })
    await until('one more waits for a text like it', () => processes.length === 2)
    expect(renderer.counts.processes).to.equal(2)
  })

  it('goes on in the same process after a text that it stopped', async () => {
    const started = await startRenderProcess({ memoryMb: 256, cpuMs: 60_000, wallMs: 60_000 })
    const running = started.run(job(ENDLESS))
    started.stop()
    expect(await running).to.deep.equal({ rendering: 'preempted', isFinal: false })
    started.stop() // of no text
    expect((await started.run(job(PROSE))).rendering).to.deep.equal({
      output: renderHtml(PROSE, LINK_CONTEXT),
    })
    started.kill()
    await started.exited
  })

  it('rejects more than 2 MB of HTML', async () => {
    expect(failureOf(await make()(`\`\`\`\n${'<'.repeat(600_000)}`))).to.equal('output')
    expect(renderer.counts.failures).to.include({ output: 1 })
  })

  it('counts links by their length in the response, where they are absolute', async () => {
    make(() => startRenderProcess({ memoryMb: 256, cpuMs: 10_000, wallMs: 60_000 }))
    const deep = { ...LINK_CONTEXT, path: `${'%'.repeat(500)}/x` }
    expect(failureOf(await renderer.render(job('[](a) '.repeat(2_000), deep)))).to.equal('output')
  })

  it('does not try a text longer than 1 MB', async () => {
    expect(await make()('a'.repeat(1_048_577))).to.deep.equal({ failure: 'input' })
    expect(renderer.counts).to.include({ renders: 0, processes: 0 })
  })

  it('survives a process that runs out of memory', async () => {
    const render = make(() => startRenderProcess({ memoryMb: 20, cpuMs: 10_000, wallMs: 60_000 }))
    expect(await render(wideTable(2_000, 20_000))).to.deep.equal({ failure: 'memory' })
    expect(await render(PROSE)).to.deep.equal({ output: renderHtml(PROSE, LINK_CONTEXT) })
    expect(renderer.counts.failures).to.include({ memory: 1 })
  })

  /** A renderer whose processes finish a text when the test calls `end`. */
  const makeHeld = (longProcesses?: number) => {
    const runs: { text: string; end(rendering: RenderOutcome['rendering']): void }[] = []
    const render = make(async () => {
      let stop = () => {}
      return {
        exited: new Promise(() => {}),
        kill: () => {},
        stop: () => stop(),
        run: ({ markdown }) =>
          new Promise<RenderOutcome>((resolve) => {
            const end = (rendering: RenderOutcome['rendering']) => resolve({ rendering, isFinal: false })
            stop = () => end('preempted')
            runs.push({ text: markdown, end })
          }),
      }
    }, longProcesses)
    return { runs, render }
  }

  it('renders as many long texts at a time as it was told; another gives way to shorter texts, and runs later', async () => {
    const { runs, render } = makeHeld(2)
    const texts = ['a', 'b', 'c'].map(render)
    const settled = (count: number) =>
      until('the texts run and one waits', () => runs.length === count && renderer.counts.queued === 1)
    await settled(3)
    expect(renderer.counts).to.include({ running: 2, renders: 0 })
    const short = render('d')
    await until('the short text runs', () => runs.length === 4)
    runs[3]!.end({ output: 'D' })
    expect(await short).to.deep.equal({ output: 'D' })
    runs[0]!.end({ output: 'A' })
    await until('the third text runs', () => runs.length === 5)
    runs[4]!.end({ output: 'C' })
    runs[1]!.end({ output: 'B' })
    expect(await Promise.all(texts)).to.deep.equal([{ output: 'A' }, { output: 'B' }, { output: 'C' }])
    expect(runs.map(({ text }) => text)).to.deep.equal(['a', 'b', 'c', 'd', 'c'])
    expect(renderer.counts).to.include({ running: 0, queued: 0, renders: 4, shed: 0 })
  })

  it('counts a text of more than 32 KiB as long before it runs: a process stays free for a short one', async () => {
    const { runs, render } = makeHeld(2)
    const texts = ['a', 'b', 'c'].map((letter) => render(letter.repeat(RENDER_LIMITS.longLength + 1)))
    await until('two run', () => runs.length === 2)
    const short = render('d')
    await until('the short text runs', () => runs.length === 3)
    runs[2]!.end({ output: 'D' })
    expect(await short).to.deep.equal({ output: 'D' })
    runs[0]!.end({ output: 'A' })
    await until('the third text runs', () => runs.length === 4)
    for (const run of runs) run.end({ output: 'X' })
    await Promise.all(texts)
    expect(runs.map(({ text }) => text[0])).to.deep.equal(['a', 'b', 'd', 'c'])
  })

  it('while a text takes long, keeps an idle process for short texts, and tries no more others than it has cores', async () => {
    const { runs, render } = makeHeld(2)
    const texts = [render('a'.repeat(RENDER_LIMITS.longLength + 1))]
    await until('another process is idle', () => runs.length === 1 && renderer.counts.processes === 2)
    texts.push(render('b'.repeat(RENDER_LIMITS.shortLength + 1)))
    expect(runs).to.have.length(1)
    texts.push(render('c'))
    expect(runs).to.have.length(2)
    await until('a third process is idle', () => renderer.counts.processes >= 3)
    if (availableParallelism() <= 2) expect(runs).to.have.length(2)
    runs[1]!.end({ output: 'C' })
    await until('the text that is not short runs', () => runs.length === 3)
    for (const run of runs) run.end({ output: 'X' })
    await Promise.all(texts)
    expect(runs.map(({ text }) => text[0])).to.deep.equal(['a', 'c', 'b'])
  })

  it('queues 16 texts of a megabyte each, and rejects the others as Unavailable', async () => {
    const render = make()
    const text = `${ENDLESS}${' '.repeat(1024 * 1024 - ENDLESS.length)}`
    const results = Array.from({ length: 40 }, () => render(text).catch(() => 'unavailable'))
    expect(renderer.counts).to.include({ queued: 16, shed: 24 })
    await renderer.close()
    expect(await Promise.all(results)).to.deep.equal(Array(40).fill('unavailable'))
  })

  it('starts at most 4 processes; of 400 concurrent texts, queues 256 and rejects the others as Unavailable', async () => {
    const render = make()
    const texts = Array.from({ length: 400 }, (_, i) =>
      render(`# ${i}`).then(failureOf, (error) => error.code),
    )
    expect(renderer.counts.queued).to.equal(256)
    const results = await Promise.all(texts)
    expect(renderer.counts.processes).to.be.within(1, 4)
    expect(results.slice(256)).to.deep.equal(Array(144).fill('unavailable'))
    expect(results[0]).to.equal('<h1 id="0">0</h1>\n')
    expect(renderer.counts.shed).to.be.at.least(144)
  })

  it('rejects a text that waits longer than 5 s for a process as Unavailable', async () => {
    expect(waitMs).to.equal(5_000)
    waitAtMost(50)
    const endless = new Promise<never>(() => {})
    const render = make(async () => ({ run: () => endless, kill: () => {}, stop: () => {}, exited: endless }))
    const texts = Array.from({ length: RENDER_LIMITS.processes + 1 }, () => render(PROSE))
    const { result, ms } = await timed(Promise.race(texts).catch((error) => error))
    expect(result.code).to.equal('unavailable')
    expect(ms).to.be.at.least(49)
  })

  it('lets a text wait for the first process, however long the machine takes to start it', async () => {
    waitAtMost(10)
    const render = make(async () => {
      await wait(50)
      return startRenderProcess()
    })
    expect(await render(PROSE)).to.deep.equal({ output: renderHtml(PROSE, LINK_CONTEXT) })
  })

  it('rejects a text as Unavailable when its process does not start, and starts another for the next text', async () => {
    let starts = 0
    const render = make(async () => {
      starts += 1
      if (starts === 1) throw new Error('no more processes')
      return startRenderProcess()
    })
    const error = await render(PROSE).catch((thrown) => thrown)
    expect(error.code).to.equal('unavailable')
    expect(error.cause.message).to.equal('no more processes')
    expect(await render(PROSE)).to.deep.equal({ output: renderHtml(PROSE, LINK_CONTEXT) })
  })

  it('renders a text whose process hardly runs, however long that takes', async () => {
    const { render, processes } = makeWatched()
    await render(PROSE)
    const rendering = render(CHAPTER)
    for (const one of processes) one.kill('SIGSTOP')
    await wait(1_500) // longer than the limit of its processor time
    for (const one of processes) one.kill('SIGCONT')
    expect(await rendering).to.deep.equal({ output: renderHtml(CHAPTER, LINK_CONTEXT) })
  })

  it('does not blame a text that the clock ended before it had its processor time', async () => {
    const render = make(() => startRenderProcess({ memoryMb: 256, cpuMs: 60_000, wallMs: 200 }))
    expect(await render(ENDLESS).catch(({ code }) => code)).to.equal('unavailable')
    expect(renderer.counts).to.deep.include({ unfinished: 1, renders: 0, shed: 0 })
    expect(renderer.counts.failures).to.include({ time: 0 })
  })

  it('renders a text again, once, whose process something outside ended', async () => {
    const killWhileRunning = async (times: number) => {
      let runs = 0
      // On a busy machine, a text that waits for two starts would be shed.
      const ready = await Promise.all([startRenderProcess(), startRenderProcess()])
      return make(async () => {
        const started = ready.shift() ?? (await startRenderProcess())
        const run: RenderProcess['run'] = (text) => {
          const running = started.run(text)
          runs += 1
          if (runs <= times) started.kill()
          return running
        }
        return { ...started, run }
      })
    }
    expect(await (await killWhileRunning(1))(CHAPTER)).to.deep.equal({
      output: renderHtml(CHAPTER, LINK_CONTEXT),
    })
    expect(renderer.counts).to.include({ unfinished: 0, renders: 1 })
    await renderer.close()
    const render = await killWhileRunning(2)
    expect((await render(CHAPTER).catch((error) => error)).interruption).to.equal('lost')
    expect(renderer.counts).to.include({ unfinished: 1, renders: 0 })
  })

  it('replaces an idle process that something outside ended', async () => {
    const { render, processes } = makeWatched()
    await render(PROSE)
    for (const one of processes) one.kill()
    await Promise.all(processes.map(({ exited }) => exited))
    await until('no process is left', () => renderer.counts.processes === 0)
    expect(await render(PROSE)).to.deep.equal({ output: renderHtml(PROSE, LINK_CONTEXT) })
  })

  it('after close: rejects waiting and later texts as Unavailable, and leaves no process', async () => {
    const { render, processes } = makeWatched()
    await render(PROSE)
    const running = render(ENDLESS).catch((error) => error.code)
    await renderer.close()
    expect(await running).to.equal('unavailable')
    expect(await render(PROSE).catch((error) => error.code)).to.equal('unavailable')
    await Promise.all(processes.map(({ exited }) => exited))
  })
})
