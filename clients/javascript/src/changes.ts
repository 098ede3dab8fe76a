import type { components } from './api.ts'

type Change = components['schemas']['Change']
type Page = components['schemas']['Page']

/** What pages of a mirror can contain besides their title and last revision. */
export type Included = 'markdown' | 'html' | 'categories' | 'translations'

/** Guests no longer see a page at this path. Remove it from your copy. */
export type Gone = Omit<Change, 'type' | 'title' | 'url' | 'revision'> & { type: 'gone' }

/** A page that is new or has changed. It has the fields that you asked for. */
export type Changed<Include extends Included = never> = Required<Omit<Change, 'type' | 'moved_to'>> & {
  type: 'upsert'
} & Required<Pick<Page, Include>>

/** What a page is now. A page is identified by `locale` and `path`. */
export type ChangeItem<Include extends Included = never> = Changed<Include> | Gone
