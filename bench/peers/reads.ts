import pg from 'pg'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { readAfter, readBefore, slice } from '../../src/rest/paging.ts'
import { makeSearchLoader } from '../../src/search/query/search.ts'
import { renderHtml } from '../../src/wiki/html.ts'
import { makeWikiAddresses, pageUrl } from '../../src/wiki/links.ts'
import { categoryPath } from '../../src/wiki/namespaces.ts'
import { timestampFromPostgres } from '../../src/wiki/time.ts'
import { statements } from './statements.ts'

/**
 * What the hand-written servers read: one joined, prepared statement an endpoint, and the answer's body made
 * from its rows without a layer between. Rendering, search and the form of `next` are Lectern's own, as any
 * server of the same API needs the same results: what is compared is the way to them.
 */
export interface Reads {
  /** undefined where the answer is 404 */
  page(locale: string, path: string, format: string): Promise<Body | undefined>
  pages(locale: string, ns: string, after: string, limit: number): Promise<Body>
  history(locale: string, path: string, before: string, limit: number): Promise<Body | undefined>
  revision(id: string, format: string): Promise<Body | undefined>
  recent(before: string, limit: number): Promise<Body>
  category(locale: string, key: string, after: string, limit: number): Promise<Body | undefined>
  search(locale: string, q: string, offset: number, limit: number): Promise<Body>
}

export type Body = Record<string, unknown>

/** Connections of the pool: as many as Lectern's. */
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

// biome-ignore lint/suspicious/noExplicitAny: rows are as wide as each statement makes them
type Row = Record<string, any>

/** @returns reads over the database, addresses and license that the environment names, as Lectern reads it */
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
  const searching = makeSearchLoader(await openDatabase(config, 'reader'))

  const rows = async (name: keyof typeof statements, values: unknown[]): Promise<Row[]> =>
    (await pool.query({ name, text: statements[name], values })).rows

  const texts = (markdown: string, locale: string, path: string, format: string) => ({
    ...(format === 'html' ? {} : { markdown }),
    ...(format === 'markdown' ? {} : { html: renderHtml(markdown, { addresses, locales, locale, path }) }),
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
  const editOf = ({ id, created_at, author, comment, size }: Row) => ({
    id,
    created_at,
    author: { name: author },
    comment,
    size,
    url: `${base}/revisions/${id}`,
  })
  /** Where a list of edits begins. */
  const place = async (before: string): Promise<[moment: string, id: string]> => {
    const { before: moment = 'infinity', cursor } = (before && readBefore(before)) || {}
    if (cursor === undefined) return [moment, NIL]
    const [at] = await rows('position', [cursor])
    return at ? [at.created_at, at.id] : [cursor, NIL]
  }
  /** The part of a list of edits that was read with one edit more. */
  const edits = async (found: Row[], limit: number, item: (row: Row) => Body) => {
    const [last, following] = [found[limit - 1], found[limit]]
    const isSplit = last !== undefined && last.created_at === following?.created_at
    const position = isSplit ? (await rows('position_of', [last.id]))[0]!.position : last?.created_at
    const { items, next } = slice(found, limit, () => position)
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
        url: pageUrl(addresses, locale, path),
        revision: { id: row.revision_id, created_at: row.created_at, author: { name: row.author } },
        categories: row.categories.map(({ key, name }: Row) => ({
          key,
          name,
          url: pageUrl(addresses, locale, categoryPath(key)),
        })),
        translations: row.translations.map((other: Row) => ({
          locale: other.locale,
          title: other.title,
          url: pageUrl(addresses, other.locale, other.path),
        })),
        ...texts(row.markdown, locale, path, format),
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
      const found = await rows('history', [locale, path, ...(await place(before)), limit + 1])
      if (found.length === 0) return undefined
      return edits(
        found.filter(({ id }) => id !== null),
        limit,
        editOf,
      )
    },
    revision: async (id, format) => {
      const [row] = await rows('revision', [id])
      if (!row) return undefined
      const { url: _, ...edit } = editOf(row)
      return {
        ...edit,
        page: pageOf(row),
        parent: row.parent,
        ...texts(row.markdown, row.locale, row.path, format),
        license,
      }
    },
    recent: async (before, limit) =>
      edits(await rows('recent', [...(await place(before)), limit + 1]), limit, (row) => ({
        ...editOf(row),
        page: pageOf(row),
      })),
    category: async (locale, key, after, limit) => {
      const { after: sortKey, afterPath } = readAfter(after)
      const found = await rows('category', [
        locale,
        key,
        sortKey ?? '',
        sortKey === undefined ? '' : (afterPath ?? LAST_PATH),
        limit + 1,
      ])
      if (found.length === 0) return undefined
      const members = found.filter(({ path }) => path !== null)
      const { items, next } = slice(members, limit, (last, following) =>
        last.sort_key === following.sort_key ? `${last.sort_key}\u001f${last.path}` : last.sort_key,
      )
      return {
        items: items.map((row) => ({ ...listedPage(row), sort_key: row.sort_key })),
        next,
        category: { key, name: found[0]!.category_name, url: pageUrl(addresses, locale, categoryPath(key)) },
      }
    },
    search: async (locale, q, offset, limit) => {
      const hits = await searching.load({ q, locale, first: limit + 1, offset })
      const { items, next } = slice(hits, limit, () => String(offset + limit))
      return {
        items: items.map(({ page, passages }) => ({
          ...pageOf(page),
          passages: passages.map(({ text, highlights }) => ({ text, highlights })),
        })),
        next,
      }
    },
  }
}
