import type { ImportRecord, ImportSource, SourceFiles } from '@lectern/wiki/records'
import type { SourceContentQueries } from '@lectern/wiki/stored-content'
import { z } from 'zod'
import type { MediawikiItem } from '../items.ts'
import { RecordConverter } from '../records.ts'
import {
  addressOf,
  type ImportedMediawiki,
  MediawikiNotes,
  type MediawikiOptions,
  openWiki,
} from '../wiki.ts'
import { Changes } from './changes.ts'
import type { MediawikiApi } from './client.ts'
import { readEverything } from './complete-reading.ts'
import { findApi } from './discover.ts'
import { mediawikiFiles } from './files.ts'
import { type HttpOptions, MEDIAWIKI_FOLLOWING, PoliteHttp, type RoundLimits } from './http.ts'
import { readLog } from './log-events.ts'
import { type ApiState, digestOf, fitOf, parseState, readSite, type SiteMoment, userAgentOf } from './site.ts'

export interface MediawikiApiOptions extends MediawikiOptions {
  /** E-mail address or web page of whoever runs the import, for the operators of the wiki. */
  contact?: string
  /** URL that the operator named, if the API was found before. Default: the location. */
  sourceUrl?: string
  /** Tests replace it. */
  rangeOf?: HttpOptions['rangeOf']
  /** Whether the files of the wiki are copied. Otherwise they stay at its addresses. */
  files?: boolean
  /** Reads all pages, even if the stored state says what changed. */
  readsAll?: boolean
  pause?: HttpOptions['pause']
  limits?: RoundLimits
}

/** A MediaWiki whose API was found. */
export interface MediawikiWiki {
  /** URL of its `api.php`. */
  url: string
  /** Requests so far. */
  requests(): number
  /** A text that changes when the wiki changes. Takes one request. */
  version(): Promise<string>
  /** Reads the wiki: what changed since the stored state if that fits, else everything. */
  open(stored: SourceContentQueries): Promise<ImportSource>
}

/**
 * Finds the Action API of a MediaWiki, to import the wiki and to follow it, without shell access. (D46)
 * @param location URL of the wiki, of one of its pages, of `index.php` or of `api.php`
 * @throws UsageError if there is no MediaWiki, it is private, or it cannot be reached
 */
export const openMediawikiApi = async (
  location: string,
  options: MediawikiApiOptions,
): Promise<MediawikiWiki> => {
  const http = new PoliteHttp({
    source: options.sourceUrl ?? location,
    userAgent: userAgentOf(options.contact),
    pause: options.pause,
    rangeOf: options.rangeOf,
  })
  const { api, site } = await findApi(location, http)
  openWiki(site.item, options) // refuses options that do not fit
  let unused: SiteMoment | null = site
  return {
    url: api.url,
    requests: () => api.requests,
    version: () => readVersion(api),
    open: async (stored) => {
      const source = new ApiSource(api, unused ?? (await readSite(api)), options)
      unused = null
      await source.begin(stored)
      return source
    },
  }
}

class ApiSource implements ImportSource {
  readonly #api: MediawikiApi
  readonly #site: SiteMoment
  readonly #options: MediawikiApiOptions
  readonly #notes = new MediawikiNotes()
  readonly #converter: RecordConverter
  readonly #wiki: ImportedMediawiki
  /** Those that are imported and that the wiki has. */
  readonly #namespaces: ReadonlySet<number>
  #changes: Changes | null = null
  #state: ApiState
  #location = 'The wiki'
  #progress: { done: number; total?: number } = { done: 0 }
  #isComplete = false
  readonly files?: () => SourceFiles

  constructor(api: MediawikiApi, site: SiteMoment, options: MediawikiApiOptions) {
    this.#api = api
    this.#site = site
    this.#options = options
    this.#converter = new RecordConverter(options, this.#notes)
    this.#wiki = openWiki(site.item, options)
    if (options.files) this.files = () => mediawikiFiles(api)
    const { namespaces, site: ofWiki } = this.#wiki
    this.#namespaces = new Set([...namespaces].filter((one) => ofWiki.has(one)))
    this.#state = {
      format: 1,
      api: api.url,
      fit: fitOf(site, options),
      readAt: site.now,
      logIds: [],
      check: null,
    }
  }

  /** Finds out what to read. */
  async begin(stored: SourceContentQueries): Promise<void> {
    const { api, fit } = this.#state
    const { redirects, limits = MEDIAWIKI_FOLLOWING } = this.#options
    const before = this.#options.readsAll ? null : parseState(await stored.sourceState(), api, fit)
    const since = (before?.readAt ?? this.#site.now) - limits.overlapMs
    const log = await readLog(this.#api, since, new Set(before?.logIds), this.#namespaces)
    this.#state.logIds = log.eventIds
    if (before === null) return
    const context = {
      api: this.#api,
      wiki: this.#wiki,
      stored,
      namespaces: this.#namespaces,
      redirects,
      limits,
    }
    const changes = new Changes(context, before, log)
    if (!(await changes.find())) return
    this.#changes = changes
    this.#state.check = changes.check
  }

  get records(): AsyncIterable<ImportRecord> {
    return this.#read()
  }

  async *#read(): AsyncGenerator<ImportRecord> {
    yield* this.#converter.convert(this.#site.item)
    const items = this.#changes === null ? this.#readEverything() : this.#changes.read()
    for await (const item of items) {
      if (item.type === 'absent') {
        yield item
        continue
      }
      if (item.type === 'page' || item.type === 'revision') this.#location = item.location
      if (this.#changes !== null && item.type === 'revision') this.#progress.done += 1
      yield* this.#converter.convert(item)
    }
    this.#isComplete = true
  }

  #readEverything(): AsyncGenerator<MediawikiItem> {
    return readEverything(this.#api, {
      namespaces: this.#namespaces,
      pathOf: (page) => addressOf(this.#wiki, page)?.path ?? null,
      onProgress: (done, total) => {
        this.#progress = total === undefined ? { done } : { done, total }
      },
    })
  }

  lineOf = () => this.#location
  progress = () => ({ ...this.#progress, unit: 'edits' })
  notes = () => this.#notes.lines()
  state = () => this.#state

  covers = () => {
    if (!this.#isComplete) return 'some' as const
    if (this.#changes !== null) return 'changes' as const
    return this.#options.add ? { locale: this.#converter.locale } : ('wiki' as const)
  }
}

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
