import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type pg from 'pg'
import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import type { Database, DatabaseOptions, ServingDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { packagePath } from '../../src/paths.ts'
import { type Service, serve } from '../../src/server/server.ts'
import { attachWikijs } from '../../src/wikijs/attach.ts'
import { syncOnce } from '../../src/wikijs/sync.ts'
import { type Client, makeClient } from './client.ts'
import { copyTemplate, type DatabaseTemplate } from './database.ts'

/** Columns of a page of Wiki.js, most of them left out. */
export interface WikijsPage {
  path: string
  title?: string
  localeCode?: string
  content?: string
  render?: string
  contentType?: string
  isPublished?: boolean
  isPrivate?: boolean
  publishStartDate?: string
  publishEndDate?: string
  authorId?: number
  updatedAt?: string
  tags?: string[]
}

/** A rule of the guests' group, allowing to read everything unless said otherwise. */
export interface PageRule {
  match?: 'START' | 'EXACT' | 'END' | 'REGEX' | 'TAG'
  path?: string
  deny?: boolean
  locales?: string[]
  roles?: string[]
}

export const READING = ['read:pages', 'read:history', 'read:source', 'read:assets']

const AT = '2024-01-01T00:00:00.000Z'

/** A Wiki.js as it writes to its own database. */
export class Wikijs {
  readonly client: pg.PoolClient
  #seconds = 0

  constructor(client: pg.PoolClient) {
    this.client = client
  }

  async rows<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.client.query<Row>(sql, values)).rows
  }

  /** What guests may do; all of reading unless said. */
  async guests(rules: PageRule[], permissions = READING): Promise<void> {
    const complete = rules.map((rule, i) => ({
      id: String(i),
      match: 'START',
      path: '',
      deny: false,
      locales: [],
      roles: READING,
      ...rule,
    }))
    await this.rows('update public.groups set permissions = $1, "pageRules" = $2 where id = 2', [
      JSON.stringify(permissions),
      JSON.stringify(complete),
    ])
  }

  /** Makes a page as Wiki.js does: the page, then its tags, then what it looks like. @returns its id */
  async create({ tags = [], render, ...page }: WikijsPage): Promise<number> {
    const given = {
      hash: page.path,
      title: page.path,
      localeCode: 'en',
      content: `Text of ${page.path}.`,
      contentType: 'markdown',
      isPublished: true,
      isPrivate: false,
      publishStartDate: '',
      publishEndDate: '',
      authorId: 1,
      createdAt: AT,
      updatedAt: this.#now(),
      ...page,
    }
    const id = await this.#insert('pages', given)
    await this.tag(id, tags)
    await this.rows('update public.pages set render = $2, "updatedAt" = $3 where id = $1', [
      id,
      render ?? `<p>Rendered ${page.path}</p>`,
      page.updatedAt ?? this.#now(),
    ])
    return id
  }

  /** Edits a page as Wiki.js does: what was goes to the history. */
  async update(id: number, change: Partial<WikijsPage>, action = 'updated'): Promise<void> {
    await this.snapshot(id, action)
    const { tags, ...columns } = change
    const given: Record<string, unknown> = { updatedAt: this.#now(), ...columns }
    const names = Object.keys(given)
    await this.rows(
      `update public.pages set ${names.map((name, i) => `"${name}" = $${i + 2}`).join(', ')} where id = $1`,
      [id, ...names.map((name) => given[name])],
    )
    if (tags) await this.tag(id, tags)
  }

  async move(id: number, path: string, localeCode = 'en'): Promise<void> {
    await this.update(id, { path, localeCode }, 'moved')
  }

  async delete(id: number): Promise<void> {
    await this.snapshot(id, 'deleted')
    await this.rows('delete from public.pages where id = $1', [id])
  }

  /** Puts a row into the history. @returns its id */
  async snapshot(id: number, action: string): Promise<number> {
    const [row] = await this.rows<{ id: number }>(
      `insert into public."pageHistory"
              (path, hash, title, "isPrivate", "isPublished", "publishStartDate", "publishEndDate", action, "pageId",
               content, "contentType", "createdAt", "localeCode", "authorId", "versionDate")
       select path, hash, title, "isPrivate", "isPublished", "publishStartDate", "publishEndDate", $2, id,
              content, "contentType", $3, "localeCode", "authorId", "updatedAt"
         from public.pages where id = $1 returning id`,
      [id, action, this.#now()],
    )
    return row!.id
  }

  async tag(id: number, tags: string[]): Promise<void> {
    for (const tag of tags) {
      await this.rows(
        `insert into public.tags (tag, title, "createdAt", "updatedAt") values ($1, $1, $2, $2) on conflict do nothing`,
        [tag, AT],
      )
    }
    await this.rows(
      `delete from public."pageTags" g using public.tags t where t.id = g."tagId" and g."pageId" = $1 and t.tag <> all ($2)`,
      [id, tags],
    )
    await this.rows(
      `insert into public."pageTags" ("pageId", "tagId")
       select $1, t.id from public.tags t where t.tag = any ($2)
          and not exists (select from public."pageTags" g where g."pageId" = $1 and g."tagId" = t.id)`,
      [id, tags],
    )
  }

  /** @returns its id */
  folder(slug: string, parentId: number | null = null): Promise<number> {
    return this.#insert('assetFolders', { name: slug, slug, parentId })
  }

  /** Uploads a file as Wiki.js does. @returns its id */
  async upload(filename: string, data: Buffer | string, folderId: number | null = null): Promise<number> {
    const given = { filename, hash: `${folderId}/${filename}`, ext: extname(filename), folderId, authorId: 1 }
    const id = await this.#insert('assets', { ...given, createdAt: AT, updatedAt: AT })
    await this.rows('insert into public."assetData" (id, data) values ($1, $2)', [id, Buffer.from(data)])
    return id
  }

  async clear(): Promise<void> {
    for (const table of ['assetData', 'assets', 'assetFolders'])
      await this.rows(`delete from public."${table}"`)
    await this.rows('delete from public.pages')
    await this.rows('delete from public."pageHistory"')
    await this.rows('delete from public.tags')
    await this.guests([{}])
  }

  async #insert(table: string, row: Record<string, unknown>): Promise<number> {
    const names = Object.keys(row)
    const [made] = await this.rows<{ id: number }>(
      `insert into public."${table}" (${names.map((name) => `"${name}"`).join(', ')})
       values (${names.map((_, i) => `$${i + 1}`).join(', ')}) returning id`,
      names.map((name) => row[name]),
    )
    return made!.id
  }

  /** Each later than the one before, as text, as Wiki.js keeps them. */
  #now(): string {
    this.#seconds += 1
    return new Date(Date.UTC(2024, 0, 1) + this.#seconds * 1000).toISOString()
  }
}

/** A database that holds a Wiki.js. */
export interface WikijsDatabase {
  place: DatabaseOptions
  owner: Database
  wikijs: Wikijs
  /** Opens it as it is served. */
  reader(): Promise<ServingDatabase>
  /** Indexes what waits for it. */
  index(): Promise<void>
  remove(): Promise<void>
}

/** Creates the tables of a Wiki.js. */
const createTables = async (client: pg.PoolClient): Promise<void> => {
  await client.query('set search_path = public')
  await client.query(readFileSync(packagePath('test', 'support', 'wikijs-2.5.sql'), 'utf8'))
  await client.query('set search_path = pg_catalog')
}

/** What has been done to the database of a Wiki.js: each includes the one before it. */
type WikijsState = 'created' | 'migrated' | 'attached'

const template = (state: WikijsState): DatabaseTemplate => ({
  name: `wikijs_${state}`,
  fill: async (owner) => {
    const client = await owner.connect()
    try {
      await createTables(client)
      if (state === 'created') return
      await migrate(owner)
      if (state === 'migrated') return
      await attachWikijs(owner)
      await new Wikijs(client).guests([{}])
    } finally {
      client.release(true)
    }
  },
})

export const wikijsDatabase = async (state: WikijsState = 'attached'): Promise<WikijsDatabase> => {
  const { place, remove } = await copyTemplate(template(state))
  const owner = await openDatabase(place, 'owner')
  const client = await owner.connect()
  await client.query('set search_path = pg_catalog')
  const wikijs = new Wikijs(client)
  const readers: ServingDatabase[] = []
  return {
    place,
    owner,
    wikijs,
    reader: async () => {
      const reader = await openDatabase(place, 'reader')
      readers.push(reader)
      return reader
    },
    index: async () => {
      while ((await syncOnce(client)) > 0);
    },
    remove: async () => {
      client.release(true)
      for (const reader of readers) await reader.close()
      await owner.close()
      await remove()
    },
  }
}

export interface WikijsService extends Client, WikijsDatabase {
  service: Service
}

/** An attached Wiki.js, empty, and a service over it, for the tests of a `describe`. */
export const withWikijs = ({ cacheSeconds = 0, isClearedBetweenTests = true } = {}): WikijsService => {
  const test = {} as WikijsService
  before(async () => {
    const database = await wikijsDatabase()
    const service = await serve(
      {
        ...readConfig({}),
        ...database.place,
        port: 0,
        host: '127.0.0.1',
        internalPort: 0,
        baseUrl: 'http://localhost:3000/api/v1',
        rateLimit: 1_000_000,
        wikiAddresses: { en: 'https://wiki.example/en', ru: 'https://wiki.example/ru' },
        logLevel: 'silent',
        cacheSeconds,
      },
      await database.reader(),
      pino({ level: 'silent' }),
    )
    Object.assign(test, database, { service }, makeClient(service.listeningUrl))
  })
  beforeEach(async () => {
    if (!isClearedBetweenTests) return
    await test.wikijs.clear()
    await test.wikijs.rows('delete from wiki.tombstone')
    test.service.invalidate()
  })
  after(async () => {
    await test.service?.close()
    await test.remove?.()
  })
  return test
}
