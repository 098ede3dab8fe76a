import type { PageSection } from '../wiki/outline.ts'
import type { LinkContext } from '../wiki/references.ts'

/**
 * Why a text has no HTML.
 * - `time`, `memory`: rendering took too long, or used too much memory
 * - `output`, `input`: the output, or the text, is too long
 * - `parser`: the parser failed, for example because blocks are nested too deep
 */
export type RenderFailure = 'time' | 'memory' | 'output' | 'input' | 'parser'

/** What a text becomes: HTML or plain text, of the whole text or of one section; or its sections, as JSON. */
export type RenderTarget =
  | { form: 'html' | 'text'; section?: Pick<PageSection, 'id' | 'start' | 'end'> }
  | { form: 'sections' }

/** The output of a text; or why it failed. `isSure`: it would fail again; otherwise the machine may have been too busy. */
export type RenderResult = { output: string } | { failure: RenderFailure; isSure: boolean }

/** Turns Markdown into what is wanted of it. @throws Unavailable when too much is being rendered */
export type Render = (job: RenderJob) => Promise<RenderResult>

/** What a process gets in order to render a text. */
export interface RenderJob {
  markdown: string
  context: LinkContext
  target: RenderTarget
}

/** What a process reports: that it takes jobs, then the result of each. After a failure it takes no more jobs. */
export type RenderReport =
  | { kind: 'ready' }
  | { kind: 'rendered'; output: string }
  | { kind: 'failed'; failure: RenderFailure; cpuMs: number }
