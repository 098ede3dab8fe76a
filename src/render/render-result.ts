import { Unavailable } from '@lectern/wiki/errors'
import type { PageSection } from '@lectern/wiki/outline'
import type { LinkContext } from '@lectern/wiki/references'

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

/** The output of a text; or why it failed. It would fail again. */
export type RenderResult = { output: string } | { failure: RenderFailure }

/**
 * Why it is not known whether a text can be rendered.
 * - `starved`: its process got too little processor time
 * - `lost`: something outside ended its process, such as the system when memory is short
 */
export type RenderInterruption = 'starved' | 'lost'

/** A rendering did not finish, through no known fault of the text. */
export class RenderUnfinished extends Unavailable {
  readonly interruption: RenderInterruption
  /** @param seconds when to retry: whole, at least 1 */
  constructor(interruption: RenderInterruption, seconds = 1) {
    super('The page could not be rendered in time. Try again in a moment.', seconds)
    this.interruption = interruption
  }
}

/** Turns Markdown into what is wanted of it. @throws Unavailable when too much is being rendered; RenderUnfinished */
export type Render = (job: RenderJob) => Promise<RenderResult>

export interface RenderJob {
  markdown: string
  context: LinkContext
  target: RenderTarget
}

/** What a process reports: that it takes jobs, then the result of each, or that it stopped as it was told. */
export type RenderReport =
  | { kind: 'ready' | 'stopped' }
  | { kind: 'rendered'; output: string }
  | { kind: 'failed'; failure: Exclude<RenderFailure, 'input'> }
