import { boundedHtml } from '@lectern/wiki/html'
import { makeWikiAddresses, pageUrl } from '@lectern/wiki/links'
import { categoryPath } from '@lectern/wiki/locales'
import { timestampFromPostgres } from '@lectern/wiki/time'
import pg from 'pg'
import { readConfig } from '../../src/config.ts'
import { readAfter, readBefore, slice } from '../../src/rest/routes/shared/paging.ts'
import { statements } from './statements.ts'

/**
 * The reads of the hand-written servers. Each endpoint has one joined, prepared statement, and the response body is
 * built directly from its rows. Rendering and the format of `next` are Lectern's own, because any server of this API
 * needs the same results. The benchmark compares how the servers get them. Search is PostgreSQL's, so that its results
 * differ from Lectern's.
 */
export interface Reads {
  /** @returns undefined for a 404, as do the other methods */
  page(locale: string, path: string, format: string): Promise<Body | undefined>
  pages(locale: string, ns: string, after: string, limit: number): Promise<Body>
  history(locale: string, path: string, before: string, limit: number): Promise<Body | undefined>
  revision(id: string, format: string): Promise<Body | undefined>
  recent(before: string, limit: number): Promise<Body>
  category(locale: string, key: string, after: string, limit: number): Promise<Body | undefined>
  search(locale: string, q: string, offset: number, limit: number): Promise<Body>
}

export type Body = Record<string, unknown>

/** Size of the connection pool, the same as Lectern's. */
const POOL_SIZE = 10
const NIL = '00000000-0000-0000-0000-000000000000'
const LAST_PATH = '\u{10ffff}'.repeat(128)

const TIMESTAMPTZ = 1184
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === TIMESTAMPTZ
      ? timestampFromPostgres
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

// biome-ignore lint/suspicious/noExplicitAny: each statement has its own columns
type Row = Record<string, any>

/** The fragments of a headline with the offsets of the words that were found. */
const passagesOf = (headline: string): Body[] =>
  headline.split('\u0001').map((fragment) => {
    const highlights: [number, number][] = []
    let text = ''
    for (const part of fragment.split(/(\u0002[^\u0003]*\u0003)/)) {
      const isFound = part.startsWith('\u0002')
      const word = isFound ? part.slice(1, -1) : part
      if (isFound) highlights.push([text.length, text.length + word.length])
      text += word
    }
    return { text, highlights }
  })

/** Opens the reads with the database, URLs and license of Lectern's own environment variables. */
export const openReads = async (): Promise<Reads> => {
  const config = readConfig()
  const addresses = makeWikiAddresses({ byLocale: config.wikiAddresses, fallback: 'http://localhost/wiki' })
  const license = config.licenseUrl!
  const base = config.baseUrl!
  const locales = new Set(Object.keys(config.wikiAddresses))
  const pool = new pg.Pool({
    connectionString: config.databaseUrl,
    max: POOL_SIZE,
    options: '-c timezone=UTC -c datestyle=ISO',
    types,
  })

  const rows = async (name: keyof typeof statements, values: unknown[]): Promise<Row[]> =>
    (await pool.query({ name, text: statements[name], values })).rows

  const content = (markdown: string, locale: string, path: string, format: string) => ({
    ...(format === 'html' ? {} : { markdown }),
    ...(format === 'markdown'
      ? {}
      : { html: boundedHtml(markdown, { addresses, locales, locale, path }, Number.POSITIVE_INFINITY) }),
  })
  const pageOf = ({ path, title, locale, ns }: Row) => ({
    path,
    title,
    locale,
    ns,
    url: pageUrl(addresses, locale, path),
  })
  const listedPage = (row: Row) => ({
    ...pageOf(row),
    revision: {
      id: row.revision_id,
      created_at: row.revision_created_at,
      author: { name: row.revision_author },
    },
  })
  const revisionItem = ({ id, created_at, author, comment, size }: Row) => ({
    id,
    created_at,
    author: { name: author },
    comment,
    size,
    url: `${base}/revisions/${id}`,
  })
  /** The position where a list of revisions starts. */
  const startPosition = async (before: string): Promise<[timestamp: string, id: string]> => {
    const { before: timestamp = 'infinity', cursor } = (before && readBefore(before)) || {}
    if (cursor === undefined) return [timestamp, NIL]
    const [position] = await rows('position', [cursor])
    return position ? [position.created_at, position.id] : [cursor, NIL]
  }
  /** One page of a list of revisions. @param rowsRead at most `limit + 1` rows */
  const revisionList = async (rowsRead: Row[], limit: number, item: (row: Row) => Body) => {
    const [last, following] = [rowsRead[limit - 1], rowsRead[limit]]
    // The timestamp alone is not a unique position if the next page starts with the same one.
    const isSplit = last !== undefined && last.created_at === following?.created_at
    const position = isSplit ? (await rows('position_of', [last.id]))[0]!.position : last?.created_at
    const { items, next } = slice(rowsRead, limit, () => position)
    return { items: items.map(item), next }
  }

  return {
    page: async (locale, path, format) => {
      const [row] = await rows('page', [locale, path])
      if (!row) return undefined
      return {
        path,
        title: row.title,
        locale,
        ns: row.ns,
        url: pageUrl(addresses, locale, path),
        revision: { id: row.revision_id, created_at: row.created_at, author: { name: row.author } },
        categories: row.categories.map(({ key, name }: Row) => ({
          key,
          name,
          url: pageUrl(addresses, locale, categoryPath(key)),
        })),
        translations: row.translations.map((other: Row) => ({
          locale: other.locale,
          path: other.path,
          title: other.title,
          url: pageUrl(addresses, other.locale, other.path),
        })),
        ...content(row.markdown, locale, path, format),
        license,
      }
    },
    pages: async (locale, ns, after, limit) => {
      const { items, next } = slice(
        await rows('pages', [locale, ns, after, limit + 1]),
        limit,
        (last) => last.path,
      )
      return { items: items.map(listedPage), next }
    },
    history: async (locale, path, before, limit) => {
      const revisions = await rows('history', [locale, path, ...(await startPosition(before)), limit + 1])
      if (revisions.length === 0) return undefined
      return revisionList(
        revisions.filter(({ id }) => id !== null),
        limit,
        revisionItem,
      )
    },
    revision: async (id, format) => {
      const [row] = await rows('revision', [id])
      if (!row) return undefined
      const { url: _, ...revision } = revisionItem(row)
      return {
        ...revision,
        page: pageOf(row),
        parent: row.parent,
        ...content(row.markdown, row.locale, row.path, format),
        license,
      }
    },
    recent: async (before, limit) =>
      revisionList(await rows('recent', [...(await startPosition(before)), limit + 1]), limit, (row) => ({
        ...revisionItem(row),
        page: pageOf(row),
      })),
    category: async (locale, key, after, limit) => {
      const { after: sortKey, afterPath } = readAfter(after)
      const memberRows = await rows('category', [
        locale,
        key,
        sortKey ?? '',
        sortKey === undefined ? '' : (afterPath ?? LAST_PATH),
        limit + 1,
      ])
      if (memberRows.length === 0) return undefined
      const members = memberRows.filter(({ path }) => path !== null)
      const { items, next } = slice(members, limit, (last, following) =>
        last.sort_key === following.sort_key ? `${last.sort_key}\u001f${last.path}` : last.sort_key,
      )
      return {
        items: items.map((row) => ({ ...listedPage(row), sort_key: row.sort_key })),
        next,
        category: {
          key,
          name: memberRows[0]!.category_name,
          url: pageUrl(addresses, locale, categoryPath(key)),
        },
      }
    },
    search: async (locale, q, offset, limit) => {
      const hits = await rows('search', [locale, q, offset, limit + 1])
      const { items, next } = slice(hits, limit, () => String(offset + limit))
      return { items: items.map((row) => ({ ...pageOf(row), passages: passagesOf(row.headline) })), next }
    },
  }
}
