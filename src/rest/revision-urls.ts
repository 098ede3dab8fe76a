import type { RequestContext } from './route.ts'

/**
 * Adds the URL of its revision to each edit of a list. It changes the edits and does not copy them: no other response
 * uses them.
 */
export const withRevisionUrls = <Edit extends { id: string }>(
  { items, next }: { items: Edit[]; next?: string | null },
  { base }: RequestContext,
): { items: (Edit & { url: string })[]; next: string } => {
  for (const edit of items as (Edit & { url: string })[]) edit.url = `${base}/revisions/${edit.id}`
  return { items: items as (Edit & { url: string })[], next: next ?? '' }
}
