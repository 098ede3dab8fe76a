import type { Place } from './route.ts'

/** This API's address of a revision. */
export const revisionUrl = (id: string, { base }: Place): string => `${base}/revisions/${id}`
