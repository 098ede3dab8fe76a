import { tableOfBase } from '@lectern/wiki/dialects/bases'
import { LOST_PART } from '@lectern/wiki/dialects/directives'
import { descriptionIn, type Embed, embedsIn, propertiesIn, withEmbeds } from '@lectern/wiki/dialects/embeds'
import { BadParameter, INVALID_HEADER, NotFound, WikiChanged } from '@lectern/wiki/errors'
import { mayReferToFiles, namedFileReference } from '@lectern/wiki/files/references'
import { mediaUrl, pageAt, pageUrl, siteUrl, type WikiAddresses, wikiAddressOf } from '@lectern/wiki/links'
import { wikilinkNames } from '@lectern/wiki/markup'
import type { PageSection } from '@lectern/wiki/outline'
import type { PageKey } from '@lectern/wiki/records'
import type { LinkContext } from '@lectern/wiki/references'
import type { Database } from './db/database.ts'
import { type Differ, makeDiffer } from './diff/differ.ts'
import { SUMMARY_LENGTH } from './limits/responses.ts'
import { WIKI_INFO_TTL_MS } from './limits/service.ts'
import { makeFilePartReader, type ReadFilePart } from './read/link-and-file-loaders.ts'
import { type Loaders, makeLoaders } from './read/loaders.ts'
import {
  type FileOfPageRow,
  hasRevision,
  type PageRow,
  type PageWithRevision,
  type RevisionPairRow,
  type RevisionRow,
  revisionOfPage,
  type WikiRow,
  wikiWithDefaults,
} from './read/rows.ts'
import { summaryOf } from './read/summary.ts'
import { makeHtmlCache, renderDigest } from './render/html-cache.ts'
import type { Render, RenderJob, RenderTarget } from './render/render-result.ts'
import { makeStoredHtmlReader } from './render/stored-html.ts'
import type { ResolverContext, RevisionComparison } from './resolvers/context.ts'
import { memoize, memoizeFor } from './shared/memoize.ts'

/** The context of every query. `forget` empties its caches. @param origin where this service serves files */
export const makeContext = (
  database: Database,
  addresses: WikiAddresses,
  render: Render,
  differ: Differ = makeDiffer(),
  origin: string = new URL(addresses.fallback).origin,
): ResolverContext & { forget(): void; readFilePart: ReadFilePart; htmlToStore: HtmlToStore } => {
  const loaders = makeLoaders(database)
  const urls = makePageUrls(loaders, addresses)
  const wiki = memoizeFor(WIKI_INFO_TTL_MS, async () => {
    const [row] = await loaders.rows('wiki', [])
    urls.setSitePaths(row!.hasSitePaths)
    return wikiWithDefaults(row!)
  })
  const filesOfPage = async ({ id, hasFiles }: PageRow): Promise<FileOfPageRow[]> =>
    hasFiles === false ? [] : loaders.filesOfPage.load(id)
  const readFilePart = makeFilePartReader(database)
  const readFile: RenderJobOptions['readFile'] = async (page, name) => {
    const reference = namedFileReference(name)
    const file = (await filesOfPage(page)).find((one) => one.reference === reference)
    return file ? String(await readFilePart(file.blobId, 0)) : ''
  }
  const fileUrl = (sha256: string, path: string) => mediaUrl(origin, sha256, path)
  const filesByReference: RenderJobOptions['filesByReference'] = async (page, markdown) => {
    const files = mayReferToFiles(markdown) ? await filesOfPage(page) : []
    const entries = files.map(({ reference, sha256, path, mediaType, width, height }) => {
      const url = fileUrl(sha256, path)
      return [reference, { url, mediaType, width, height }] as const
    })
    return new Map(entries)
  }
  const source = { loaders, addresses, wiki: wiki.get, filesByReference, readFile }
  const texts = makeRevisionTexts(source, render, origin)
  return {
    loaders,
    wiki: wiki.get,
    wikiUrl: (locale) => wikiAddressOf(addresses, locale),
    pageUrl: urls.pageUrl,
    mediaUrl: fileUrl,
    filesOfPage,
    ...texts,
    html: async (revision, section) => urls.inHtml(await texts.html(revision, section)),
    compare: async ({ to, from }) => {
      const pair = await loaders.revisionPair.load({ to, from })
      if (pair === null) throw new NotFound(`There is no such revision: ${to}`)
      if (from !== null && pair.from === null)
        throw new NotFound(`from: there is no such revision: ${from}`, { [INVALID_HEADER]: 'from' })
      return comparisonOf(pair, differ)
    },
    readFilePart,
    forget: () => {
      wiki.invalidate()
      urls.setSitePaths(true)
      loaders.search.invalidate()
    },
  }
}

const PAGE_LINK = /<a href="([^"?#]*)/g

/** URLs of pages: of those in the configured wiki, with their paths on the site, if an import knows them. */
const makePageUrls = (loaders: Loaders, addresses: WikiAddresses) => {
  // A promise for each item of a list is slow, so only wikis with such paths make them.
  let mayHaveSitePaths = true
  const urlOnSite = async (page: PageKey, usual: string): Promise<string> => {
    const sitePath = await loaders.sitePath.load(page)
    return sitePath === null ? usual : siteUrl(addresses, page, sitePath)
  }
  /** @param usual the URL of a page without such a path */
  const urlOf = (page: PageKey, usual: string): string | Promise<string> =>
    mayHaveSitePaths && addresses.byLocale.has(page.locale) ? urlOnSite(page, usual) : usual
  return {
    setSitePaths: (mayHave: boolean) => {
      mayHaveSitePaths = mayHave
    },
    pageUrl: (locale: string, path: string) => urlOf({ locale, path }, pageUrl(addresses, locale, path)),
    /** Gives the links of HTML to pages of the configured wiki the URLs of these pages. Those of files stay. */
    inHtml: async (html: string): Promise<string> => {
      if (!mayHaveSitePaths || addresses.byLocale.size === 0) return html
      const written = new Set(Array.from(html.matchAll(PAGE_LINK), ([, url]) => url!))
      const found = [...written].map(async (escaped) => {
        const usual = escaped.replaceAll('&amp;', '&')
        const page = URL.canParse(usual) ? pageAt(addresses, new URL(usual), new Set()) : null
        const url = page ? await urlOf(page, usual) : usual
        return [escaped, url.replaceAll('&', '&amp;')] as const
      })
      const urls = new Map(await Promise.all(found))
      return html.replace(PAGE_LINK, (_, url: string) => `<a href="${urls.get(url)}`)
    },
  }
}

/** The HTML of a page for the database, and its digest. Null: the page cannot be rendered, or shows texts of other pages. */
export type HtmlToStore = (page: PageWithRevision) => Promise<{ digest: string; html: string | null }>

interface RenderJobOptions {
  loaders: Loaders
  addresses: WikiAddresses
  wiki: () => Promise<WikiRow>
  filesByReference(page: PageRow, markdown: string): Promise<NonNullable<LinkContext['files']>>
  /** The beginning of a file that a page embeds by name, as text; empty if guests do not see it. */
  readFile(page: PageRow, name: string): Promise<string>
}

/** What a page tells if it lacks parts of its site. A configured address of the wiki is that of the site. */
const LOST_PART_HTML = `<em>${LOST_PART.slice(1, -1)}</em>`

/** What becomes of the texts of revisions. @param origin where this service serves files */
const makeRevisionTexts = (
  options: RenderJobOptions,
  render: Render,
  origin: string,
): Pick<ResolverContext, 'html' | 'text' | 'summary' | 'properties' | 'sections'> & {
  htmlToStore: HtmlToStore
} => {
  const { loaders, addresses } = options
  const { jobOf, contentOf, dialectOf } = makeRenderJobs(options)
  const htmlCache = makeHtmlCache(render)
  const readStored = makeStoredHtmlReader(addresses, origin)
  const rendered = async (revision: RevisionRow, target: RenderTarget): Promise<string> => {
    const { job, page } = await jobOf(revision, target)
    const isStored = target.form === 'html' && target.section === undefined
    const html = await htmlCache.get(job, async (digest) => {
      const stored = isStored ? await loaders.htmlOfPage.load(page.id) : null
      return stored?.digest === digest && stored.html !== null
        ? readStored(stored.html, stored.host, job)
        : null
    })
    if (!addresses.byLocale.has(page.locale)) return html
    const url = pageUrl(addresses, page.locale, page.path).replaceAll('&', '&amp;')
    const withLink = (site: string) => `<a href="${url}" rel="external">${site}</a>`
    return html.replace(LOST_PART_HTML, (note) => note.replace('the original site', withLink))
  }
  return {
    html: (revision, section) => rendered(revision, { form: 'html', section: rangeOf(section) }),
    text: (revision, section) => rendered(revision, { form: 'text', section: rangeOf(section) }),
    summary: async (revision) => {
      // A code point is one or two code units.
      const { markdown, page } = await contentOf(revision, SUMMARY_LENGTH.read)
      const dialect = await dialectOf(page)
      const own = dialect === 'obsidian' && propertiesIn(markdown).find(({ name }) => name === 'description')
      return summaryOf(own ? String(own.value) : markdown, page.locale, dialect)
    },
    properties: async (revision) => {
      const { markdown, page } = await contentOf(revision, SUMMARY_LENGTH.read)
      return (await dialectOf(page)) === 'obsidian' ? propertiesIn(markdown) : []
    },
    sections: async (revision) => {
      const sections: PageSection[] = JSON.parse(await rendered(revision, { form: 'sections' }))
      return sections.map((section) => ({ ...section, revision }))
    },
    htmlToStore: async (page) => {
      const { job, hasEmbeds } = await jobOf(revisionOfPage(page), { form: 'html' })
      const result = hasEmbeds ? null : await render(job)
      return { digest: renderDigest(job), html: result && 'output' in result ? result.output : null }
    },
  }
}

const makeRenderJobs = ({ loaders, addresses, wiki, filesByReference, readFile }: RenderJobOptions) => {
  /** The page of a revision, and its text, or the beginning. */
  const contentOf = async (revision: RevisionRow, characters?: number) => {
    const page = revision.page ?? (await loaders.revisionOfList.load({ id: revision.id }))?.page
    const markdown = revision.markdown ?? (await loaders.textOfRevision.load({ id: revision.id, characters }))
    if (markdown === null || page === undefined) throw new WikiChanged()
    return { markdown, page }
  }
  const dialectOf = async ({ id, dialect }: PageRow) =>
    dialect === undefined ? loaders.dialectOfPage.load(id) : dialect
  const pagesByName = async (markdown: string, locale: string) => {
    const names = wikilinkNames(markdown)
    const pages = await Promise.all(names.map((name) => loaders.pageByName.load({ locale, name })))
    return new Map(names.flatMap((name, i) => (pages[i] ? [[name, pages[i]] as const] : [])))
  }
  const withNotes = makeNoteEmbeds(loaders, readFile)
  return {
    contentOf,
    dialectOf,
    jobOf: async (revision: RevisionRow, target: RenderTarget) => {
      const { markdown: written, page } = await contentOf(revision)
      const { locale, path } = page
      const locales = new Set((await wiki()).locales.map((one) => one.locale))
      const dialect = await dialectOf(page)
      const isNote = target.form === 'html' && dialect === 'obsidian'
      const { markdown, notes, hasEmbeds, offsetOf } = isNote
        ? await withNotes(written, page)
        : { markdown: written, notes: [], hasEmbeds: false, offsetOf: (offset: number) => offset }
      const [pages, ...files] = await Promise.all([
        pagesByName(markdown, locale),
        ...[page, ...notes].map((one) => filesByReference(one, markdown)),
      ])
      const context = { addresses, locales, locale, path, pages, dialect }
      const job: RenderJob = {
        markdown,
        context: { ...context, files: new Map(files.reverse().flatMap((one) => [...one])) },
        target: shiftedTarget(target, offsetOf),
      }
      return { job, page, hasEmbeds }
    },
  }
}

/** Shows the notes and bases that a text embeds, and those that these embed. A note that is shown already is a link. (D142) */
const makeNoteEmbeds = (loaders: Loaders, readFile: RenderJobOptions['readFile']) => {
  const tablesOf = async (embeds: readonly Embed[], page: PageRow) => {
    const bases = embeds.filter(({ base }) => base !== undefined).slice(0, BASES.perText)
    const listed = bases.length > 0 ? await notesOf(loaders, page.locale) : []
    const tables = bases.map(async (one) => {
      const base = one.base || (await readFile(page, one.name))
      return [one, tableOfBase(base, one.part, listed, page)] as const
    })
    return new Map(await Promise.all(tables))
  }
  return async (written: string, page: PageRow) => {
    let [markdown, hasEmbeds] = [written, false]
    const shown = new Map([[page.id, page]])
    const offsets: ReturnType<typeof withEmbeds>['offsetOf'][] = []
    for (let depth = 0; depth < NESTED_EMBEDS.depth && markdown.length <= NESTED_EMBEDS.characters; depth++) {
      const embeds = embedsIn(markdown)
      if (embeds.length === 0 && depth > 0) break
      hasEmbeds ||= embeds.length > 0
      const found = await notesByName(loaders, embeds, page.locale)
      const notes = new Map([...found].filter(([, note]) => depth === 0 || !shown.has(note.id)))
      const tableOf = await tablesOf(embeds, page)
      const textOf = (name: string, embed: Embed) => tableOf.get(embed) ?? notes.get(name)?.revisionMarkdown
      const next = withEmbeds(markdown, embeds, textOf, depth === 0 ? descriptionIn(markdown) : undefined)
      offsets.push(next.offsetOf)
      markdown = next.markdown
      for (const note of notes.values()) shown.set(note.id, note)
    }
    shown.delete(page.id)
    const offsetOf = (offset: number) => offsets.reduce((shifted, of) => of(shifted), offset)
    return { markdown, notes: [...shown.values()], hasEmbeds, offsetOf }
  }
}

/** The notes that a text embeds, of those that guests see, by name. (D142) */
const notesByName = async ({ pageByName, page }: Loaders, embeds: readonly Embed[], locale: string) => {
  const found = [...new Set(embeds.map((embed) => embed.name))].map(async (name) => {
    const address = await pageByName.load({ locale, name })
    const note = address && (await page.load(address))
    return note && hasRevision(note) ? [[name, note] as const] : []
  })
  return new Map((await Promise.all(found)).flat())
}

/** How deep embeds in embeds are shown, and in texts of how many characters: the rest are links. */
const NESTED_EMBEDS = { depth: 4, characters: 256 * 1024 } as const

/** More bases in one text, and those of a wiki with more pages in a language, stay as they are written. */
const BASES = { perText: 10, pages: 3_000, characters: 4_000 } as const

/** The pages that guests see, for tables of them. (D142) */
const notesOf = async ({ listedNotes }: Loaders, locale: string) => {
  const { pages, characters } = BASES
  const notes = await listedNotes.load({ locale, pages, characters })
  return notes.map(({ path, tags, properties }) => {
    const byName = propertiesIn(properties ?? '').map((one) => [one.name.toLowerCase(), one] as const)
    return { locale, path, tags: (tags ?? []) as string[], properties: new Map(byName) }
  })
}

const shiftedTarget = (target: RenderTarget, offsetOf: (offset: number) => number): RenderTarget => {
  if (!('section' in target) || !target.section) return target
  const { id, start, end } = target.section
  return { ...target, section: { id, start: offsetOf(start), end: offsetOf(end) } }
}

/** What decides the HTML of a section: its title does not. */
const rangeOf = (section?: PageSection) =>
  section && { id: section.id, start: section.start, end: section.end }

const comparisonOf = ({ to, from }: RevisionPairRow, differ: Differ): RevisionComparison => ({
  to,
  from,
  lines: memoize(() => differ.lines(from?.markdown ?? '', to.markdown)),
  patch: async () => {
    const patch = await differ.patch({
      file: `${to.page.path}.md`,
      from: from && { text: from.markdown, createdAt: from.createdAt },
      to: { text: to.markdown, createdAt: to.createdAt },
    })
    if (patch === null) throw new BadParameter('format', PATCH_TOO_LONG)
    return patch
  },
})

const PATCH_TOO_LONG =
  'cannot be unified for these revisions, because the patch would be too long. Read the two revisions instead'
