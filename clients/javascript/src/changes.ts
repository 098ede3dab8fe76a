import type { components, operations } from './api.ts'

type Change = components['schemas']['Change']
type Parameters = NonNullable<operations['listChanges']['parameters']['query']>

/** What pages of a mirror can contain besides their title and last revision. */
export type Included = NonNullable<Parameters['include']>[number]

/** Guests no longer see a page at this path. Remove it from your copy. */
export type Gone = Pick<Change, 'path' | 'locale' | 'ns' | 'changed_at' | 'moved_to'> & { type: 'gone' }

/** A page that is new or has changed. It has the fields that you asked for. */
export type Changed<Include extends Included = never> = Required<
  Pick<Change, 'path' | 'title' | 'locale' | 'ns' | 'url' | 'revision' | 'changed_at'>
> & { type: 'upsert' } & Required<Pick<Change, Include>>

/** What a page is now. A page is identified by `locale` and `path`. */
export type ChangeItem<Include extends Included = never> = Changed<Include> | Gone
