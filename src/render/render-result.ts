import type { LinkContext } from '../wiki/references.ts'

/**
 * Why there is no HTML of a text: it took too long, used too much memory, gave too much, is itself too long,
 * or the parser failed, as on what is nested too deep.
 */
export type RenderFailure = 'time' | 'memory' | 'output' | 'input' | 'parser'

/** What came of a text, and of what failed, whether it would fail again or the machine was too busy to tell. */
export type RenderResult = { html: string } | { failure: RenderFailure; isSure: boolean }

/** Turns Markdown into HTML. @throws Unavailable when that cannot be done just now */
export type Render = (markdown: string, place: LinkContext) => Promise<RenderResult>

/** A text on its way to a process. */
export interface RenderJob {
  markdown: string
  context: LinkContext
}

/** What a process says: that it takes jobs, then what came of each. After a failure it takes no more. */
export type RenderReport =
  | { kind: 'ready' }
  | { kind: 'html'; html: string }
  | { kind: 'failed'; failure: RenderFailure; cpuMs: number }
