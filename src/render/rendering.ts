import type { Place } from '../wiki/references.ts'

/**
 * Why there is no HTML of a text: it took too long, used too much memory, gave too much, is itself too long,
 * or the parser failed, as on what is nested too deep.
 */
export type RenderFailure = 'time' | 'memory' | 'output' | 'input' | 'parser'

/** What came of a text, and of what failed, whether it would fail again or the machine was too busy to tell. */
export type Rendering = { html: string } | { failure: RenderFailure; isSure: boolean }

/** Turns Markdown into HTML. @throws Unavailable when that cannot be done just now */
export type Render = (markdown: string, place: Place) => Promise<Rendering>

/** A text on its way to a process. */
export interface Job {
  markdown: string
  place: Place
}

/** What a process says: that it takes jobs, then what came of each. After a failure it takes no more. */
export type Report =
  | { kind: 'ready' }
  | { kind: 'html'; html: string }
  | { kind: 'failed'; failure: RenderFailure; cpuMs: number }
