import type { SourceFile, SourceFiles } from '@lectern/wiki/records'
import { nfc } from '@lectern/wiki/text'
import { parseInstant, timestampFromInstant } from '@lectern/wiki/time'
import { z } from 'zod'
import type { MediawikiApi } from './client.ts'
import { MEDIAWIKI_API } from './http.ts'

const imagesResponse = z.object({
  query: z.object({
    allimages: z
      .array(
        z.object({
          name: z.string(),
          url: z.string(),
          size: z.int(),
          sha1: z.string(),
          timestamp: z.string(),
          user: z.string().optional(),
        }),
      )
      .default([]),
  }),
})

type Image = z.output<typeof imagesResponse>['query']['allimages'][number]

/**
 * The files of a MediaWiki that it has itself, not those of a shared repository such as Wikimedia Commons. Their paths are
 * their names, such as `Cup_of_tea.jpg`.
 */
export const mediawikiFiles = (api: MediawikiApi): SourceFiles => ({
  roots: [''],
  list: async function* () {
    const parameters = {
      list: 'allimages',
      aiprop: 'url|size|sha1|timestamp|user',
      ailimit: MEDIAWIKI_API.listed,
    }
    for await (const { data } of api.list(imagesResponse, parameters))
      for (const image of data.query.allimages) yield fileOf(api, image)
  },
})

const fileOf = (api: MediawikiApi, { name, url, size, sha1, timestamp, user }: Image): SourceFile => {
  const instant = parseInstant(timestamp)
  return {
    locale: '',
    path: nfc(name),
    version: sha1,
    bytes: size,
    modifiedAt: instant === null ? null : timestampFromInstant(instant),
    author: user ?? null,
    open: () => api.download(url),
  }
}
