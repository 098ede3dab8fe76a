import type { WikiClient } from './client.ts'

/** Random numbers that a seed determines. @see mulberry32 */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Operations that need another one before them. */
const NEEDS: Partial<Record<Operation, Operation>> = {
  restore: 'delete',
  restoreSome: 'delete',
  show: 'hide',
  moveBack: 'move',
}

/** How often each operation is chosen. */
const WEIGHTS = {
  edit: 34,
  create: 16,
  move: 7,
  moveWithoutRedirect: 5,
  moveBack: 2,
  delete: 6,
  restore: 4,
  restoreSome: 2,
  hide: 8,
  show: 2,
  suppress: 3,
  hideLogEntry: 1,
  merge: 3,
  protect: 2,
  import: 3,
  redirect: 2,
}

export type Operation = keyof typeof WEIGHTS

/** Changes a wiki at random, as its users and administrators do. Each text and each comment has a word of its own. */
export class RandomOperations {
  readonly counts = new Map<string, number>()
  readonly #random: () => number
  readonly #admin: WikiClient
  readonly #users: readonly WikiClient[]
  /** Titles that are or were pages. */
  readonly #titles: string[] = []
  readonly #deletedTitles: string[] = []
  #lastMove: { from: string; to: string } | undefined
  #number = 0

  readonly #weights: [Operation, number][]

  /** @param without operations of which guests see nothing in the log */
  constructor(
    seed: number,
    admin: WikiClient,
    users: readonly WikiClient[],
    { without = [] as Operation[] } = {},
  ) {
    this.#weights = (Object.entries(WEIGHTS) as [Operation, number][]).filter(
      ([name]) => !without.includes(name),
    )
    this.#random = seededRandom(seed)
    this.#admin = admin
    this.#users = users
  }

  /** Names of all operations that are chosen. */
  get names(): Operation[] {
    return this.#weights.map(([name]) => name)
  }

  /** Runs a random operation, or this one. @returns whether the wiki did it */
  async run(operation = this.#choose()): Promise<boolean> {
    const response = await this[operation]()
    const isDone = response !== null && !response.error
    const outcome = isDone ? operation : `${operation} (refused)`
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1)
    return isDone
  }

  /** Runs an operation until the wiki does it. */
  async runOnce(operation: Operation): Promise<void> {
    for (let attempt = 0; attempt < 50; attempt += 1) {
      if (NEEDS[operation] !== undefined) await this.run(NEEDS[operation])
      if (await this.run(operation)) return
    }
    throw new Error(`The wiki never did ${operation}`)
  }

  #choose(): Operation {
    let left = this.#random() * this.#weights.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [operation, weight] of this.#weights) {
      left -= weight
      if (left < 0) return operation
    }
    return 'edit'
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.#random() * items.length)]
  }

  #title(): string {
    return this.#pick(this.#titles) ?? 'Main Page'
  }

  #newTitle(): string {
    this.#number += 1
    const prefix = this.#pick(['', '', '', '', 'Template:', 'Category:', 'Talk:', 'Help:'])!
    const title = `${prefix}Tea ${this.#pick(['Ä', 'é', '茶', 'x', "'q'", '&'])} ${this.#number}`
    this.#titles.push(title)
    return title
  }

  #text(): string {
    this.#number += 1
    const link = `[[${this.#title()}]]`
    const category = this.#random() < 0.4 ? `\n[[Category:Kind ${Math.floor(this.#random() * 5)}]]` : ''
    return `'''Tea''' textword${this.#number}x of ${link}.${category}`
  }

  #edit(title: string, more: Record<string, string> = {}) {
    this.#number += 1
    const user = this.#pick(this.#users)!
    const summary = `commentword${this.#number}x`
    return user.post({ action: 'edit', title, text: this.#text(), summary, ...more })
  }

  edit() {
    return this.#edit(this.#title())
  }

  create() {
    const isJson = this.#random() < 0.1
    this.#number += 1
    const json = {
      text: `{"textword${this.#number}x": 1}`,
      contentmodel: 'json',
      contentformat: 'application/json',
    }
    return this.#edit(this.#newTitle(), isJson ? json : {})
  }

  redirect() {
    return this.#edit(this.#title(), { text: `#REDIRECT [[${this.#title()}]]` })
  }

  async move() {
    const move = { from: this.#title(), to: this.#newTitle() }
    const response = await this.#admin.post({ action: 'move', ...move, reason: 'moved' })
    if (!response.error) this.#lastMove = move
    return response
  }

  moveWithoutRedirect() {
    return this.#admin.post({ action: 'move', from: this.#title(), to: this.#newTitle(), noredirect: '1' })
  }

  /** MediaWiki moves a page over a redirect to it that was never edited, and refuses most other pages. */
  moveBack() {
    const last = this.#random() < 0.7 ? this.#lastMove : undefined
    const move = last ? { from: last.to, to: last.from } : { from: this.#title(), to: this.#title() }
    return this.#admin.post({ action: 'move', ...move, ignorewarnings: '1' })
  }

  delete() {
    const title = this.#title()
    this.#deletedTitles.push(title)
    return this.#admin.post({ action: 'delete', title })
  }

  async restore() {
    const title = this.#pick(this.#deletedTitles)
    return title === undefined ? null : this.#admin.post({ action: 'undelete', title })
  }

  async restoreSome() {
    const title = this.#pick(this.#deletedTitles)
    if (title === undefined) return null
    const { query } = await this.#admin.get({
      ...{ action: 'query', prop: 'deletedrevisions', titles: title },
      ...{ drvprop: 'timestamp', drvlimit: '50' },
    })
    const revision = this.#pick<{ timestamp: string }>(query.pages[0].deletedrevisions ?? [])
    if (revision === undefined) return null
    return this.#admin.post({ action: 'undelete', title, timestamps: revision.timestamp })
  }

  hide() {
    return this.#changeVisibility('hide', 'no')
  }

  show() {
    return this.#changeVisibility('show', 'no')
  }

  suppress() {
    return this.#changeVisibility('hide', 'yes')
  }

  async #changeVisibility(action: 'hide' | 'show', suppress: string) {
    const title = this.#title()
    const { query } = await this.#admin.get({
      ...{ action: 'query', prop: 'revisions', titles: title },
      ...{ rvprop: 'ids', rvlimit: '50' },
    })
    const revisions: { revid: number }[] = query.pages[0].revisions ?? []
    // MediaWiki refuses to hide the text of the newest revision.
    const revision = this.#pick(this.#random() < 0.9 ? revisions.slice(1) : revisions)
    if (revision === undefined) return null
    const parts = ['content', 'comment', 'user'].filter(() => this.#random() < 0.6)
    const what = parts.length === 0 ? 'content' : parts.join('|')
    const ids = String(revision.revid)
    return this.#admin.post({ action: 'revisiondelete', type: 'revision', ids, [action]: what, suppress })
  }

  /** Hides a log entry, so that guests do not see what it was about. */
  async hideLogEntry() {
    const { query } = await this.#admin.get({
      action: 'query',
      list: 'logevents',
      lelimit: '20',
      leprop: 'ids',
    })
    const event = this.#pick<{ logid: number }>(query.logevents)!
    return this.#admin.post({
      ...{ action: 'revisiondelete', type: 'logging', ids: String(event.logid) },
      ...{ hide: 'content|comment|user' },
    })
  }

  /** MediaWiki merges revisions that are older than those of the other page. */
  merge() {
    const [from = 'Main Page', to = 'Main Page'] = [this.#title(), this.#title()].sort(
      (a, b) => this.#titles.indexOf(a) - this.#titles.indexOf(b),
    )
    return this.#admin.post({ action: 'mergehistory', from, to, reason: 'merged' })
  }

  protect() {
    const protections = this.#pick(['move=sysop', 'move=autoconfirmed'])!
    return this.#admin.post({ action: 'protect', title: this.#title(), protections })
  }

  import() {
    this.#number += 1
    const title = this.#random() < 0.8 ? this.#title() : this.#newTitle()
    const day = String(1 + Math.floor(this.#random() * 28)).padStart(2, '0')
    const escaped = title.replaceAll('&', '&amp;')
    const content = `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">
<page><title>${escaped}</title><revision><timestamp>2019-03-${day}T10:00:00Z</timestamp>
<contributor><username>Ada</username></contributor><comment>commentword${this.#number}x</comment>
<model>wikitext</model><format>text/x-wiki</format>
<text xml:space="preserve">An imported textword${this.#number}x</text></revision></page></mediawiki>`
    return this.#admin.post({ action: 'import', interwikiprefix: 'other' }, { name: 'xml', content })
  }
}
