import type { RequestContext } from './route.ts'

/**
 * Part of a list of edits as it is answered: each with this API's address of it. The edits are the answer's own,
 * and are not copied.
 */
export const withRevisionUrls = <Edit extends { id: string }>(
  { items, next }: { items: Edit[]; next?: string | null },
  { base }: RequestContext,
): { items: (Edit & { url: string })[]; next: string } => {
  for (const edit of items as (Edit & { url: string })[]) edit.url = `${base}/revisions/${edit.id}`
  return { items: items as (Edit & { url: string })[], next: next ?? '' }
}
