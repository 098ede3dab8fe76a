/** The process that renders. Its argument is the limit of processor time for each text, milliseconds. */
import { Worker } from 'node:worker_threads'
import { boundedHtml, TooMuchHtml } from '@lectern/wiki/html'
import { htmlAsText } from '@lectern/wiki/html-text'
import { makeWikiAddresses } from '@lectern/wiki/links'
import { outlineOf, sectionHtml } from '@lectern/wiki/outline'
import { RENDER_LIMITS } from '../limits/rendering.ts'
import type { RenderJob, RenderReport, WatchdogData } from './render-result.ts'

const report = (message: RenderReport): void => {
  process.send?.(message)
}

// A terminal and systemd send these signals to every process of the service. Only the parent acts on them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit())

const cpuMs = Number(process.argv[2])
const jobs = new Int32Array(new SharedArrayBuffer(4))
new Worker(new URL('./watchdog.js', import.meta.url), {
  workerData: { jobs, cpuMs } satisfies WatchdogData,
  resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
})
const countJob = (): void => {
  Atomics.add(jobs, 0, 1)
  Atomics.notify(jobs, 0)
}

/** @throws TooMuchHtml if the output is too long; and what the parser throws */
const outputOf = ({ markdown, context, target }: RenderJob): string => {
  if (target.form === 'sections') {
    const sections = JSON.stringify(outlineOf(markdown, context))
    if (sections.length > RENDER_LIMITS.htmlBytes) throw new TooMuchHtml()
    return sections
  }
  const html = target.section
    ? (sectionHtml(markdown, target.section.id, context, RENDER_LIMITS.htmlBytes) ?? '')
    : boundedHtml(markdown, context, RENDER_LIMITS.htmlBytes)
  return target.form === 'html' ? html : htmlAsText(html)
}

process.on('message', (job: RenderJob) => {
  countJob()
  try {
    report({ kind: 'rendered', output: outputOf(job) })
  } catch (error) {
    report({ kind: 'failed', failure: error instanceof TooMuchHtml ? 'output' : 'parser' })
  } finally {
    countJob()
  }
})

const SAMPLE =
  '# Tea\n\nSome *words* of **text**, `code` and [a link](a).\n\n- one\n- two\n\n> three\n\n| a | b |\n|--|--|\n| c | d |\n'

// The first text also pays for what is compiled then, and on a busy machine would count as one that takes long.
const addresses = makeWikiAddresses({ byLocale: {}, fallback: 'http://localhost' })
const context = { addresses, locale: 'en', path: '', locales: new Set(['en']) }
htmlAsText(boundedHtml(SAMPLE, context, RENDER_LIMITS.htmlBytes))
report({ kind: 'ready' })
