import { z } from 'zod'
import { ChangesDocument, type ChangesQuery } from '../../generated/queries.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import * as fields from './shared/fields.ts'
import { includeParameter, PAGE_FIELDS } from './shared/include.ts'
import * as parameters from './shared/parameters.ts'

type Change = NonNullable<ChangesQuery['changes']>['items'][number]

const changeItem = ({ page, moved_to, changed_at, path, locale, ns }: Change) => {
  if (!page) return { type: 'gone' as const, path, locale, ns, changed_at, ...(moved_to && { moved_to }) }
  const { title, url, revision } = page
  return { type: 'upsert' as const, path, title, locale, ns, url, revision, changed_at }
}

const { title: _, url: __, ...addressFields } = fields.pageReference.shape
const TYPE = {
  description: 'What to do with your copy. `upsert`: add or replace the page. `gone`: remove it.',
}

const changeSchema = z
  .discriminatedUnion('type', [
    fields.object('ChangedPage', 'A page that is new or has changed.', {
      type: z.literal('upsert').meta(TYPE),
      ...fields.pageReference.shape,
      revision: fields.revisionReference,
      changed_at: fields.timestamp,
      ...fields.ofIncludedPages,
    }),
    fields.object('GonePage', 'An address that has no page any more.', {
      type: z.literal('gone').meta(TYPE),
      ...addressFields,
      changed_at: fields.timestamp,
      moved_to: fields.pageReference.optional(),
    }),
  ])
  .meta({
    id: 'Change',
    description:
      'The last change of a page, or of an address that has no page any more. With `gone`, `moved_to` is the page at its new path, if the wiki knows that it moved.',
  })

export const changesRoute = defineRoute({
  name: 'changes',
  operationId: 'listChanges',
  path: '/changes',
  requestClass: 'list',
  tag: 'Pages',
  summary: 'Changes, for a copy of the wiki',
  description:
    'Lists each page at its last change, and each address that has no page any more, oldest change first. Read from the beginning to the end, and you have a copy of the wiki. Then ask with the stored `cursor` from time to time: you get everything that appeared, changed, moved or vanished since. A page appears once, as it is now. An address at which guests never saw a page does not appear. Send `Accept: text/event-stream` to get the changes as server-sent events, as they happen, without an end: `event` is `upsert` or `gone`, `id` a cursor, and `data` an item of the list as JSON. The stream starts after the cursor in the header `Last-Event-ID`, or else after `after`.',
  parameters: {
    after: parameters.anyText(
      'Return only later changes. Use `cursor` of an earlier response (if that had `locale` or `ns`, send the same), or `now` for what happens from now on. A cursor does not expire.',
    ),
    locale: parameters.formerLocaleFilter,
    ns: parameters.namespaceFilter,
    limit: parameters.limit(),
    include: includeParameter(PAGE_FIELDS),
  },
  query: ChangesDocument,
  variables: ({ limit: first, include, ...list }) => ({ ...list, first, cursors: include !== '' }),
  responseSchema: fields.object('ChangeList', 'One part of the changes.', {
    items: z.array(changeSchema),
    next: fields.next,
    cursor: fields.text(
      'Never empty. Store it when you have applied the items, and send it as `after` to get later changes.',
    ),
  }),
  textTypes: { 'text/event-stream': 'With `Accept: text/event-stream`: server-sent events.' },
  reshape: ({ changes }, { locale }, context) => {
    if (!changes) throw parameters.unknownLocale(context, locale ?? '')
    const { items, next, cursor } = changes
    const content = () => ({
      revisions: items.map(({ page }) => page?.revision.id ?? null),
      nextAfter: (count: number) => items[count - 1]!.cursor!,
    })
    const body = { items: items.map(changeItem), next: next ?? '', cursor }
    return { body, locale: locale ?? undefined, content }
  },
  pagedBy: 'after',
  examples: () => [{ name: 'first', summary: 'The two oldest changes', url: '/changes?limit=2' }],
})

/** The list as streams read it: each item has the cursor after it. */
export const changeEventsRoute: AnyRoute = {
  ...changesRoute,
  name: 'changes_stream',
  variables: (values, context) => ({ ...changesRoute.variables(values, context), cursors: true }),
  reshape: (data: ChangesQuery, values, context) => {
    const { body, ...result } = changesRoute.reshape(data, values, context)!
    const { items } = data.changes!
    const withCursors = body.items.map((item: object, i: number) => ({ ...item, cursor: items[i]!.cursor }))
    return { ...result, body: { ...body, items: withCursors } }
  },
}
