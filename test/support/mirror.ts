import { expect } from 'chai'
import type { Client } from './client.ts'

/** What guests see of each page, by its language and path: everything that a response for the page can contain. */
export type GuestPages = ReadonlyMap<string, GuestPage>

export interface GuestPage {
  locale: string
  ns: string
  title: string
  revision: string
  author: string
  /** All of it, to be compared. */
  content: string
}

const GUEST_PAGES = `
  select p.locale || ' ' || p.path as key, p.locale, p.ns, p.title, p.revision_id as revision,
         p.revision_author as author,
         json_build_array(p.title, p.revision_id, p.revision_created_at, p.revision_author,
           (select json_agg(json_build_array(m.key, m.name) order by m.key)
              from guest.category_member m where m.page_id = p.id),
           (select json_agg(json_build_array(t.locale, t.path, t.title) order by t.locale, t.path)
              from guest.page t where t.translation_group = p.translation_group and t.locale <> p.locale),
           (select json_agg(json_build_array(r.id, r.created_at, r.author, r.comment, r.size,
                                             case when r.id = p.revision_id then md5(r.markdown) end)
                            order by r.created_at, r.id)
              from guest.revision r where r.page_id = p.id))::text as content
    from guest.page p`

type Query = (text: string) => Promise<Record<string, unknown>[]>

export const guestPages = async (query: Query): Promise<GuestPages> =>
  new Map((await query(GUEST_PAGES)).map((row) => [String(row.key), row as unknown as GuestPage]))

interface ChangeItem {
  type: 'upsert' | 'gone'
  locale: string
  ns: string
  path: string
  title?: string
  revision?: { id: string; author: { name: string } }
  moved_to?: { locale: string; path: string }
}

/** A copy of the wiki that is made of nothing but `GET /changes`, and of the pages that it names. */
export class Mirror {
  /** Parameters that restrict it, such as `locale=en`. */
  readonly filter: string
  readonly #includes: (page: { locale: string; ns: string }) => boolean
  #pages = new Map<string, string>()
  #cursor = ''

  constructor(filter = '') {
    this.filter = filter
    const wanted = new URLSearchParams(filter)
    this.#includes = (page) =>
      (wanted.get('locale') ?? page.locale) === page.locale && (wanted.get('ns') ?? page.ns) === page.ns
  }

  /** Loses everything. */
  restart(): void {
    this.#pages = new Map()
    this.#cursor = ''
  }

  /**
   * Reads one part, and applies it.
   * @param now what guests see: each page that the part names is read at once
   * @param seen the keys of all pages that guests ever saw
   * @returns the items, and whether there are more
   */
  async read(
    { get }: Client,
    limit: number,
    now: GuestPages,
    seen: ReadonlySet<string>,
  ): Promise<{ items: ChangeItem[]; more: boolean }> {
    const url = `/changes?limit=${limit}&after=${this.#cursor}&${this.filter}`
    const { status, body, text } = await get(url)
    // A language that the wiki has not had yet.
    if (status === 400 && text.includes('locale: ') && this.#cursor === '') return { items: [], more: false }
    expect(status, `${url}: ${text}`).to.equal(200)
    const items = body.items as ChangeItem[]
    for (const item of items) this.#apply(item, now, seen)
    if (body.next !== '') {
      expect(items, url).to.have.length(limit)
      expect(body.next, url).to.equal(body.cursor)
    }
    this.#cursor = body.cursor
    return { items, more: body.next !== '' }
  }

  /** Reads to the end. @returns the items, none of them twice */
  async readAll(
    client: Client,
    limit: number,
    now: GuestPages,
    seen: ReadonlySet<string>,
  ): Promise<ChangeItem[]> {
    const all: ChangeItem[] = []
    for (let more = true; more; ) {
      const part = await this.read(client, limit, now, seen)
      all.push(...part.items)
      more = part.more
    }
    const keys = all.map(({ locale, path }) => `${locale} ${path}`)
    expect(new Set(keys).size, `${this.filter}: ${keys}`).to.equal(keys.length)
    return all
  }

  expectEqual(now: GuestPages, when: string): void {
    const expected = [...now]
      .filter(([, page]) => this.#includes(page))
      .map(([key, { content }]) => [key, content])
    const byKey = (entries: Iterable<string[]>) => Object.fromEntries([...entries].sort())
    expect(byKey(this.#pages), `the copy ${this.filter} ${when}`).to.deep.equal(byKey(expected))
  }

  #apply(item: ChangeItem, now: GuestPages, seen: ReadonlySet<string>): void {
    const key = `${item.locale} ${item.path}`
    const page = now.get(key)
    expect(this.#includes(item), `${this.filter}: ${key}`).to.equal(true)
    if (item.type === 'gone') {
      expect(page, `${key} is gone, but guests see it`).to.equal(undefined)
      expect(seen.has(key), `${key} is gone, but guests never saw it`).to.equal(true)
      const { moved_to: target } = item
      if (target) expect(now.has(`${target.locale} ${target.path}`), `${key} moved`).to.equal(true)
      this.#pages.delete(key)
      return
    }
    expect(page, `${key} is listed, but guests do not see it`).to.not.equal(undefined)
    expect({
      title: item.title,
      revision: item.revision!.id,
      author: item.revision!.author.name,
      ns: item.ns,
    }).to.deep.equal({ title: page!.title, revision: page!.revision, author: page!.author, ns: page!.ns })
    this.#pages.set(key, page!.content)
  }
}

/** Several copies of one wiki. Some are always up to date, and some read a part now and then. */
export class Mirrors {
  readonly #client: Client
  readonly #query: Query
  readonly #whole = new Mirror()
  readonly #some = ['locale=en', 'locale=ru', 'ns=template', 'ns=main&locale=ru', 'ns=category'].map(
    (filter) => new Mirror(filter),
  )
  readonly #slow = [new Mirror(), new Mirror('locale=en'), new Mirror('ns=main')]
  /** Copies that were started since all others were up to date. */
  #started: Mirror[] = []
  readonly #seen = new Set<string>()
  /** The keys of pages that guests saw since all copies were up to date. */
  readonly #sinceThen = new Set<string>()

  constructor(client: Client, query: Query) {
    this.#client = client
    this.#query = query
  }

  /** What guests see now. Call it after each commit: later, an address that is gone must have been seen. */
  async look(): Promise<GuestPages> {
    const now = await guestPages(this.#query)
    for (const key of now.keys()) {
      this.#seen.add(key)
      this.#sinceThen.add(key)
    }
    return now
  }

  /** Slow copies read a part each, of 1 to 4 items. Some of them start again. */
  async readSome(below: (count: number) => number): Promise<void> {
    const now = await this.look()
    for (const mirror of this.#slow) {
      if (below(3) > 0) await mirror.read(this.#client, 1 + below(4), now, this.#seen)
      if (below(40) === 0) mirror.restart()
    }
  }

  /** Starts a copy that reads to the end now, and must be true once `expectTrue` is called. */
  async startAnother(): Promise<void> {
    const mirror = new Mirror()
    await mirror.readAll(this.#client, 50, await this.look(), this.#seen)
    this.#started.push(mirror)
  }

  /**
   * All copies that are always up to date read to the end, and must be equal to what guests see.
   * @param isHidden whether only what guests do not see was written, so that nothing must be told
   */
  async expectTrue(below: (count: number) => number, when: string, isHidden = false): Promise<void> {
    const now = await this.look()
    const items = await this.#whole.readAll(this.#client, 1 + below(5), now, this.#seen)
    this.#whole.expectEqual(now, when)
    for (const { type, locale, path } of items) {
      const key = `${locale} ${path}`
      if (type === 'gone') expect(this.#sinceThen.has(key), `${key} is gone again ${when}`).to.equal(true)
    }
    if (isHidden) expect(items, `what is told ${when}`).to.deep.equal([])
    for (const mirror of this.#started) {
      await mirror.readAll(this.#client, 50, now, this.#seen)
      mirror.expectEqual(now, when)
    }
    this.#started = []
    for (const mirror of this.#some) {
      if (below(8) === 0) mirror.restart()
      await mirror.readAll(this.#client, 1 + below(7), now, this.#seen)
      mirror.expectEqual(now, when)
    }
    this.#sinceThen.clear()
    for (const key of now.keys()) this.#sinceThen.add(key)
  }

  /** At the end, slow copies read to the end as well, and so does a new one. */
  async expectAllTrue(): Promise<void> {
    const now = await this.look()
    for (const mirror of [...this.#slow, new Mirror()]) {
      await mirror.readAll(this.#client, 3, now, this.#seen)
      mirror.expectEqual(now, 'at the end')
    }
  }
}
