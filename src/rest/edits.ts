import type { Place } from './route.ts'

/** Gives each edit this API's address of it. The edits are the answer's own, and are not copied. */
export const withAddresses = <Edit extends { id: string }>(
  edits: Edit[],
  { base }: Place,
): (Edit & { url: string })[] => {
  for (const edit of edits as (Edit & { url: string })[]) edit.url = `${base}/revisions/${edit.id}`
  return edits as (Edit & { url: string })[]
}
