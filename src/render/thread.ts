/** The thread that renders. It may be ended within a text, which leaves libraries in any state, so that it takes no other. */
import { parentPort } from 'node:worker_threads'
import { boundedHtml, TooMuchHtml } from '@lectern/wiki/html'
import { htmlAsText } from '@lectern/wiki/html-text'
import { makeWikiAddresses } from '@lectern/wiki/links'
import { outlineOf, sectionHtml } from '@lectern/wiki/outline'
import { RENDER_LIMITS } from '../limits/rendering.ts'
import type { RenderJob, RenderReport } from './render-result.ts'

const report = (message: RenderReport): void => parentPort!.postMessage(message)

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

parentPort!.on('message', (job: RenderJob) => {
  try {
    report({ kind: 'rendered', output: outputOf(job) })
  } catch (error) {
    report({ kind: 'failed', failure: error instanceof TooMuchHtml ? 'output' : 'parser' })
  }
})

const SAMPLE =
  '# Tea\n\nSome *words* of **text**, `code` and [a link](a).\n\n- one\n- two\n\n> three\n\n| a | b |\n|--|--|\n| c | d |\n'

// The first text also pays for what is compiled then, and on a busy machine would count as one that takes long.
const addresses = makeWikiAddresses({ byLocale: {}, fallback: 'http://localhost' })
const context = { addresses, locale: 'en', path: '', locales: new Set(['en']) }
htmlAsText(boundedHtml(SAMPLE, context, RENDER_LIMITS.htmlBytes))
report({ kind: 'ready' })
