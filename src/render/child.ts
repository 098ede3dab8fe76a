/** The process that renders. Its parent sends it one text at a time; its argument is the time limit for each, milliseconds. */
import { Script } from 'node:vm'
import { RENDER_LIMITS } from '../limits/rendering.ts'
import { boundedHtml, TooMuchHtml } from '../wiki/html.ts'
import { htmlAsText } from '../wiki/html-text.ts'
import { makeWikiAddresses } from '../wiki/links.ts'
import { outlineOf, sectionHtml } from '../wiki/outline.ts'
import type { RenderFailure, RenderJob, RenderReport } from './render-result.ts'

const report = (message: RenderReport): void => {
  process.send?.(message)
}

// A terminal and systemd send these signals to every process of the service. Only the parent acts on them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit())

const limitMs = Number(process.argv[2])
let render: () => string = () => ''
Object.defineProperty(globalThis, 'render', { value: () => render() })
/** A call through this script ends at its time limit, whatever it does; so a process whose parent is gone ends too. */
const limited = new Script('render()')

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
  render = () => outputOf(job)
  const before = process.cpuUsage()
  try {
    report({ kind: 'rendered', output: limited.runInThisContext({ timeout: limitMs }) })
  } catch (error) {
    const { user, system } = process.cpuUsage(before)
    report({ kind: 'failed', failure: failureOf(error), cpuMs: (user + system) / 1000 })
  }
})

const failureOf = (error: unknown): RenderFailure => {
  if (error instanceof TooMuchHtml) return 'output'
  return (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? 'time' : 'parser'
}

/** The first text also pays for what is compiled then, and on a busy machine would count as one that takes long. */
const renderSample = (): void => {
  const addresses = makeWikiAddresses({ byLocale: {}, fallback: 'http://localhost' })
  const context = { addresses, locale: 'en', path: '', locales: new Set(['en']) }
  htmlAsText(boundedHtml(SAMPLE, context, RENDER_LIMITS.htmlBytes))
}

const SAMPLE =
  '# Tea\n\nSome *words* of **text**, `code` and [a link](a).\n\n- one\n- two\n\n> three\n\n| a | b |\n|--|--|\n| c | d |\n'

renderSample()
report({ kind: 'ready' })
