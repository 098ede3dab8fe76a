import { z } from 'zod'
import type { MediawikiApi } from './client.ts'
import { digestOf } from './site.ts'

const versionResponse = z.object({
  curtimestamp: z.string(),
  query: z.object({
    allrevisions: z.array(z.unknown()).default([]),
    logevents: z.array(z.object({ logid: z.int() })).default([]),
  }),
})

/** The revisions whose hidden parts show in the version. */
const NEWEST = 50
/** How often older revisions are compared although nothing seems to have changed, milliseconds. */
const CHECK_MS = 600_000

/**
 * A text that changes when the wiki does: a digest of its newest revisions with what is hidden of them, and of its newest
 * log event. It also changes every ten minutes, because guests do not see all that happens to older revisions.
 */
export const readVersion = async (api: MediawikiApi): Promise<string> => {
  const { data } = await api.query(versionResponse, {
    list: 'allrevisions|logevents',
    arvprop: 'ids|user|comment|sha1',
    arvlimit: NEWEST,
    leprop: 'ids',
    lelimit: 1,
    curtimestamp: 1,
  })
  return digestOf(data.query, Math.floor(Date.parse(data.curtimestamp) / CHECK_MS))
}
