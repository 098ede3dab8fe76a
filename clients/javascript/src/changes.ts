import type { components, operations } from './api.ts'

type ChangedPage = components['schemas']['ChangedPage']
type Parameters = NonNullable<operations['listChanges']['parameters']['query']>

/** What pages of a mirror can contain besides their title and last revision. */
export type Included = NonNullable<Parameters['include']>[number]

/** Guests no longer see a page at this path. Remove it from your copy. */
export type Gone = components['schemas']['GonePage']

/** A page that is new or has changed. It has the fields that you asked for. */
export type Changed<Include extends Included = never> = Omit<ChangedPage, Included> &
  Required<Pick<ChangedPage, Include>>

/** What a page is now. A page is identified by `locale` and `path`. */
export type ChangeItem<Include extends Included = never> = Changed<Include> | Gone
