import type { LinkContext } from '../wiki/references.ts'

/**
 * Why a text has no HTML.
 * - `time`, `memory`: rendering took too long, or used too much memory
 * - `output`, `input`: the HTML, or the text, is too long
 * - `parser`: the parser failed, for example because blocks are nested too deep
 */
export type RenderFailure = 'time' | 'memory' | 'output' | 'input' | 'parser'

/** The HTML of a text; or why it failed. `isSure`: it would fail again; otherwise the machine may have been too busy. */
export type RenderResult = { html: string } | { failure: RenderFailure; isSure: boolean }

/** Turns Markdown into HTML. @throws Unavailable when too much is being rendered */
export type Render = (markdown: string, context: LinkContext) => Promise<RenderResult>

/** What a process gets in order to render a text. */
export interface RenderJob {
  markdown: string
  context: LinkContext
}

/** What a process reports: that it takes jobs, then the result of each. After a failure it takes no more jobs. */
export type RenderReport =
  | { kind: 'ready' }
  | { kind: 'html'; html: string }
  | { kind: 'failed'; failure: RenderFailure; cpuMs: number }
