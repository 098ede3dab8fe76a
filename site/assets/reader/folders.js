import { entryTitle, foldersAbove, lettersOf, mainPathOf, mainPaths } from './names.js'

/** Pages that one request reads. */
const READ_MAX = 200
/** More entries of a folder are behind a link. */
const LISTED_MAX = 100
/** So many entries before a page are enough, if more requests would be needed for others. */
const BEFORE_MIN = 25
/** Requests for the entries of one folder: each goes on behind the last subfolder of the one before. */
const REQUESTS_MAX = 8
/** Names have their natural order, and that without regard to case, only when all are read: so many entries. */
const SORTED_MAX = (REQUESTS_MAX - 1) * READ_MAX
/** Folders above a path of which the titles are read: each takes a request. */
const ABOVE_MAX = 12
/** Folders above the root of a tree: each takes requests. */
const ROOT_DEPTH_MAX = 5
/** Titles of what is in a folder. */
const TITLES_MAX = 5
const SEPARATOR = ' · '
/** More entries are a list without what is in them. */
const CARDS_MAX = 40
/** Comes after all pages of a folder. */
const LAST = '\u{10FFFF}'

/**
 * What a folder has: its own pages, and its subfolders, which can be pages, too. A whole folder has its main page first, and
 * then the order of the site from which it was imported, or that of titles, or of names with numbers; a part of one, of which
 * others come before and after, that of the API, the bytes of paths. `names` has
 * the first of what is in a subfolder, by name. `shared` has the groups around all of an entry, the outermost first, `outer` those in which other groups are. `title` is
 * that of the group that the site has instead of a subfolder, `groupPath` has those of the groups around the entry in its folder.
 * `isCut`: not all of its `groups` are known.
 * @typedef {{ name: string, path: string, page?: object, isFolder: boolean, position: number, names: Map<string, string>,
 *   groups: (string | undefined)[], shared?: string[], outer: Set<string>, isCut?: boolean, title?: string, groupPath?: string[] }} FolderEntry
 * @typedef {{ entries: FolderEntry[], isStart: boolean, isEnd: boolean, isWhole: boolean }} FolderPart
 */

/** The query of a URL. @param {Record<string, string | string[] | undefined>} query of a list one for each item; undefined and empty ones are omitted */
export const searchOf = (query) => {
  const entries = Object.entries(query)
    .flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
    .filter(([, value]) => value !== undefined && value !== '')
  return entries.length > 0 ? `?${new URLSearchParams(entries)}` : ''
}

/** The only group of some pages, of which at least half are in it. */
const onlyGroup = (groups) => {
  const named = groups.filter(Boolean)
  return new Set(named).size === 1 && named.length * 2 >= groups.length ? named[0] : undefined
}

/** The group of most pages of a folder, or their only one. */
const mainGroup = (groups) => {
  const middle = groups.toSorted()[groups.length >> 1]
  const isMain = middle && groups.filter((group) => group === middle).length * 2 > groups.length
  return isMain ? middle : onlyGroup(groups)
}

/** How many entries have each group. */
const countsOf = (entries, groupsOf) => {
  const counts = new Map()
  for (const entry of entries)
    for (const group of new Set(groupsOf(entry))) counts.set(group, (counts.get(group) ?? 0) + 1)
  return counts
}

/**
 * Calls folders as the groups in which the site has most of their pages and no other entry, and puts others into groups.
 * A page that has the name of a folder but for its case, `FAQ` beside `faq/`, belongs to it.
 */
const setGroups = (entries, isTop) => {
  const folders = new Set(entries.flatMap(({ isFolder, name }) => (isFolder ? lettersOf(name) : [])))
  const isOfFolder = ({ isFolder, name }) => !isFolder && folders.has(lettersOf(name))
  const others = entries.filter((entry) => !isOfFolder(entry))
  const known = ({ isCut, groups }) => (isCut ? [] : groups)
  const counts = countsOf(others, (entry) => [entry.page?.group_title, onlyGroup(known(entry))])
  const labels = countsOf(others, (entry) => [entry.page?.group_title, mainGroup(known(entry))])
  const whole = onlyGroup(entries.flatMap(({ page }) => (page ? [page.group_title] : [])))
  for (const entry of entries) {
    const below = onlyGroup(known(entry))
    const group = entry.page?.group_title ?? below
    const isPart = group === whole || entry.groups.includes(group)
    const main = mainGroup(known(entry))
    const isOther = entry.page?.group_title && ![group, entry.page.title].includes(main)
    const label = main === undefined ? (isPart ? undefined : group) : isOther ? undefined : main
    if (entry.isFolder && labels.get(label) === 1) entry.title = label
    const isInside = below === undefined && entry.groups.includes(group)
    const isShared = !isInside && (counts.get(group) > 1 || !(entry.isFolder || isOfFolder(entry)))
    entry.groupPath = isShared && group && (isTop || group !== whole) ? [group] : []
  }
  setOuterGroups(entries, whole, isTop)
}

/** What two lists begin with. */
const commonStart = (list, other = list) => {
  const end = list.findIndex((one, i) => one !== other[i])
  return end < 0 ? list : list.slice(0, end)
}

/**
 * Adds the groups around those of entries, without the groups around the whole folder. A folder is called as the group that only
 * it has, and not as one that is around other entries, or has only a part of it.
 */
const setOuterGroups = (entries, whole, isTop) => {
  // Of a folder that is cut, its page tells the groups, or else what is known of it.
  for (const entry of entries) if (entry.isCut) entry.shared = entry.page?.group_titles ?? entry.shared
  const grouped = entries.filter(({ shared }) => shared)
  const ofAll = grouped.reduce((start, { shared }) => commonStart(shared, start), undefined) ?? []
  const around = isTop ? [] : ofAll
  const holders = countsOf(grouped, ({ shared, groups }) => [...shared, ...groups])
  const outerGroups = countsOf(grouped, ({ outer }) => outer)
  for (const entry of grouped) {
    const { shared, isFolder, groupPath, page } = entry
    const own = shared.at(-1)
    if (isFolder && shared.length > around.length && holders.get(own) === 1) {
      entry.title = own
      groupPath.length = 0
    } else if (shared.length > 0 && (outerGroups.has(entry.title) || !shared.includes(entry.title)))
      entry.title = undefined
    const inner = groupPath[0] ?? entry.title ?? (isFolder ? whole : page.group_title)
    const end = shared.lastIndexOf(inner)
    groupPath.unshift(...shared.slice(around.length, end < 0 ? undefined : Math.max(around.length, end)))
  }
}

/**
 * Entries next to each other in one group, in their order, with the groups in it. A group that is called as the folder, or as
 * what is around it, needs no name, if the folder has no other groups.
 * @param {(string | undefined)[]} names those of the folder and of its group
 * @returns {{ group?: string, entries: FolderEntry[], parts: object[] }[]} `parts` of a group are like these
 */
export const inGroups = (entries, names, depth = 0) => {
  const parts = []
  const groupOf = ({ groupPath = [] }) => groupPath[depth]
  const [first, ...others] = new Set(entries.flatMap((entry) => groupOf(entry) ?? []))
  if (others.length === 0 && names.includes(first)) return inGroups(entries, [], depth + 1)
  for (const entry of entries) {
    const group = groupOf(entry)
    if (parts.length === 0 || parts.at(-1).group !== group) parts.push({ group, entries: [], parts: [] })
    parts.at(-1).entries.push(entry)
  }
  for (const part of parts) if (part.group) part.parts = inGroups(part.entries, [], depth + 1)
  return parts
}

/** The place of an entry, if the part also has what comes after it; or else -1. */
const placeIn = ({ entries, isEnd }, around) => {
  const place = entries.findIndex(({ path }) => path === around)
  return isEnd || place < entries.length - 1 ? place : -1
}

/**
 * The entries that a list shows, and whether there are others.
 * @param {FolderPart} part
 * @param {string} [around] path of one of them
 * @param {object} [main] a page that comes before all others
 */
export const listedOf = ({ entries, isStart, isEnd }, around, main) => {
  const first = entries.filter(({ path }) => path === main?.path)
  if (main && first.length === 0) first.push({ path: main.path, page: main })
  const others = main ? entries.filter(({ path }) => path !== main.path) : entries
  const place = others.findIndex(({ path }) => path === around)
  const start = Math.max(0, Math.min(place - LISTED_MAX / 2, others.length - LISTED_MAX))
  const listed = [...first, ...others.slice(start, start + LISTED_MAX)]
  return { listed, isStart: isStart && start === 0, isEnd: isEnd && start + LISTED_MAX >= others.length }
}

/**
 * What reads folders of a wiki: in browsers, and in the service that writes their first view.
 * @param {(path: string, query: object) => Promise<object>} get requests a path of the API
 * @param {(text: string) => string} say
 * @param {{ perFolder?: number, inAll?: number }} [requestsMax] for the entries of one folder, and of all: after these, parts
 *   have what is known, also nothing
 */
export class Folders {
  /** Folders that were read, by language, namespace and path. @type {Map<string, Promise<FolderPart>>} */
  #read = new Map()
  /** Answers of the API with the main pages of wikis too large to read, by language. @type {Map<string, Promise<object>>} */
  #mainPages = new Map()
  #get
  #say
  #requestsMax
  #requestsLeft

  constructor(get, say, { perFolder = REQUESTS_MAX, inAll = Infinity } = {}) {
    this.#get = get
    this.#say = say
    this.#requestsMax = perFolder
    this.#requestsLeft = inAll
  }

  /**
   * The entries of a folder: all, or those around one of them, as far as few requests tell, also in a wiki of a million pages.
   * @param {string} folder such as `guide/`; empty: the whole wiki
   * @param {{ locale: string, ns?: string }} wiki
   * @param {string} [around] path of an entry
   * @param {number} [reserve] requests that are left for other folders, if the entry is found with fewer
   * @returns {Promise<FolderPart>}
   */
  async readFolder(folder, wiki, around, reserve = 0) {
    const first = await this.#readFrom(folder, wiki, '', reserve)
    const isThere = around === undefined || first.isWhole || placeIn(first, around) >= 0
    if (isThere) return first
    const part = await this.#readAround(folder, wiki, around, reserve)
    return part.entries.length > 0 ? part : first
  }

  /**
   * The API lists pages forwards only. So this begins at a path before the entry, and at ever earlier ones until enough
   * entries come before it.
   */
  async #readAround(folder, wiki, around, reserve) {
    const letters = [...around.slice(folder.length)]
    const before = (letter, step) => String.fromCodePoint(Math.max(0x20, letter.codePointAt(0) - step))
    const { length } = letters
    const starts = [
      ...[length - 1, length - 2, Math.ceil(length / 2), 1].map((end) =>
        letters.slice(0, Math.max(1, end)).join(''),
      ),
      ...[1, 8, 64, 512].map((step) => before(letters[0], step)),
    ]
    let found
    for (const start of starts.filter((one) => one !== letters.join(''))) {
      const part = await this.#readFrom(folder, wiki, folder + start)
      const place = placeIn(part, around)
      if (place >= 0) found = part
      if (place < 0 || place >= BEFORE_MIN || this.#requestsLeft <= reserve) break
    }
    const nearest = folder + letters.slice(0, -1).join('') + before(letters.at(-1), 1) + LAST
    return found ?? this.#readFrom(folder, wiki, nearest)
  }

  #readFrom(folder, { locale, ns = 'main' }, after, reserve) {
    const key = JSON.stringify([locale, ns, folder, after])
    if (!this.#read.has(key)) {
      const part = this.#readEntries(folder, { locale, ns }, after, reserve)
      this.#read.set(key, part)
      part.catch(() => this.#read.delete(key))
    }
    return this.#read.get(key)
  }

  async #readEntries(folder, { locale, ns }, after, reserve) {
    const entries = new Map()
    let next = after
    let isEnd = false
    const canReadAll = after === '' && this.#requestsLeft >= reserve + REQUESTS_MAX
    for (let requests = 0; this.#requestsLeft > 0; requests++) {
      const requestsMax = canReadAll ? REQUESTS_MAX : this.#requestsMax
      if (requests >= requestsMax || entries.size > (canReadAll ? SORTED_MAX : LISTED_MAX)) break
      this.#requestsLeft -= 1
      const query = { prefix: folder, locale, ns, limit: String(READ_MAX), position: 'true', after: next }
      const part = await this.#get('/pages', query)
      for (const page of part.items) {
        const [name, ...below] = page.path.slice(folder.length).split('/')
        const entry = entries.get(name) ?? {
          name,
          path: folder + name,
          isFolder: false,
          position: Infinity,
          names: new Map(),
          groups: [],
          outer: new Set(),
        }
        // The pages of a folder are next to each other: one of them tells its place.
        entry.position = Math.min(entry.position, page.position ?? Infinity)
        const around = page.group_titles ?? [page.group_title].filter(Boolean)
        if (around.length > 0) entry.shared = commonStart(around, entry.shared)
        for (const group of around.slice(0, -1)) entry.outer.add(group)
        if (below.length === 0) entry.page = page
        else {
          entry.isFolder = true
          if (below.length === 1) entry.groups.push(page.group_title)
          const title = below.length === 1 ? page.title : entryTitle({ name: below[0], isFolder: true })
          if (entry.names.size < TITLES_MAX && !entry.names.has(below[0])) entry.names.set(below[0], title)
        }
        entries.set(name, entry)
      }
      next = part.next
      isEnd = next === ''
      if (isEnd) break
      const [name, ...below] = next.slice(folder.length).split('/')
      if (below.length === 0) continue
      next = `${folder}${name}/${LAST}`
      entries.get(name).isCut = true
    }
    const isStart = after === ''
    const isWhole = isStart && isEnd
    const { compare } = new Intl.Collator(locale, { numeric: true })
    const main = mainPathOf(entries.keys(), locale, this.#say)
    const all = [...entries.values()]
    if (isWhole) setGroups(all, folder === '')
    // Names with numbers have an order, which titles need not have: “Version 0.6.3”, “Node.js 0.6.4”.
    const isNumbered = all.filter(({ name }) => /\d/.test(name)).length * 2 >= all.length
    const textOf = isNumbered ? ({ name }) => name : entryTitle
    const inOrder = (a, b) =>
      (b.name === main) - (a.name === main) || a.position - b.position || compare(textOf(a), textOf(b))
    return { entries: isWhole ? all.sort(inOrder) : all, isStart, isEnd, isWhole }
  }

  /**
   * Where the tree of a wiki begins: above it are only folders without another page. `page` is the page of that folder, or
   * the main page of the wiki, and comes first.
   * @returns {Promise<{ folder: string, page?: object }>}
   */
  async readRoot(wiki) {
    let root = { folder: '' }
    if (wiki.ns !== undefined && wiki.ns !== 'main') return root
    for (let depth = 0; depth < ROOT_DEPTH_MAX && !root.page; depth++) {
      const { entries, isWhole } = await this.readFolder(root.folder, wiki)
      const [only] = entries
      if (!isWhole || entries.length !== 1 || !only.isFolder) {
        if (root.folder === '') root.page = await this.#readMain(entries, isWhole, wiki)
        break
      }
      root = { folder: `${only.path}/`, page: only.page }
    }
    return root
  }

  /** The main page of a wiki, of which these entries are known. */
  async #readMain(entries, isWhole, { locale }) {
    if (!isWhole) {
      const path = mainPaths(locale, this.#say)
      if (!this.#mainPages.has(locale)) this.#mainPages.set(locale, this.#get('/pages', { locale, path }))
      const answer = await this.#mainPages.get(locale).catch(() => this.#mainPages.delete(locale))
      return answer?.items?.find(({ missing }) => !missing)
    }
    const pages = entries.flatMap(({ page }) => page ?? [])
    const main = mainPathOf(
      pages.map(({ path }) => path),
      locale,
      this.#say,
    )
    return pages.find(({ path }) => path === main)
  }

  /** The first page of a tree: that of its root, or of a site with an order. Undefined: there is none. */
  async readFirst(wiki) {
    const { folder, page } = await this.readRoot(wiki)
    if (page) return page
    const { entries } = await this.readFolder(folder, wiki)
    const first = entries[0] && (await this.#edgeOf(entries[0], 1, wiki))
    return first?.position == null ? undefined : first
  }

  /**
   * The folders above a path, from the root of the tree: a folder, its title, and its page if it has one.
   * @returns {Promise<{ folder: string, title: string, page?: object }[]>}
   */
  async readAbove(path, wiki) {
    const root = await this.readRoot(wiki)
    const folders = foldersAbove(path).filter(({ length }) => length > root.folder.length)
    const crumbs = folders.map(async (folder, i) => {
      const own = folder.slice(0, -1)
      const above = folders[i - 1] ?? root.folder
      const { entries } = i < ABOVE_MAX ? await this.readFolder(above, wiki, own) : { entries: [] }
      const entry = entries.find((one) => one.path === own)
      return {
        folder,
        title: entryTitle(entry ?? { name: own.split('/').at(-1), isFolder: true }),
        page: entry?.page,
      }
    })
    return Promise.all(crumbs)
  }

  /** What entries of a folder are about, by path: the beginning of a page, or what is in a folder. Empty for many entries. */
  async readSummaries(entries, { locale }) {
    if (entries.length > CARDS_MAX) return new Map()
    const path = entries.filter(({ page }) => page).map((entry) => entry.path)
    const query = { locale, path, include: 'summary' }
    const { items } = path.length > 0 ? await this.#get('/pages', query) : { items: [] }
    const summaries = new Map(items.map((page) => [page.path, page.summary]))
    return new Map(
      entries.map((one) => [one.path, summaries.get(one.path) || [...one.names.values()].join(SEPARATOR)]),
    )
  }

  /** The page before (`step` -1) or after (1) a page, as one goes through the tree. */
  async #pageBeside(path, step, wiki) {
    let at = path
    for (const folder of ['', ...foldersAbove(path)].toReversed()) {
      const { entries, isWhole } = await this.readFolder(folder, wiki, at)
      const place = entries.findIndex((entry) => entry.path === at)
      const { page, isFolder } = entries[place] ?? {}
      if (step < 0 && at !== path && page) return page
      const [below] =
        step > 0 && at === path && isFolder ? (await this.readFolder(`${path}/`, wiki)).entries : []
      const beside = below ?? (place < 0 ? undefined : entries[place + step])
      if (beside) return this.#edgeOf(beside, step, wiki)
      if (!isWhole) return undefined
      at = folder.slice(0, -1)
    }
    return undefined
  }

  /** The first or the last page of an entry. Its own page comes before those in its folder. */
  async #edgeOf({ path, page, isFolder }, step, wiki) {
    if (page && (step > 0 || !isFolder)) return page
    const { entries, isWhole } = await this.readFolder(`${path}/`, wiki)
    const edge = step > 0 ? entries[0] : isWhole && entries.at(-1)
    return edge ? this.#edgeOf(edge, step, wiki) : undefined
  }

  /** The pages before and after a page: in the order of its site, or of those in its folder. */
  async readBeside(path, wiki) {
    const folder = foldersAbove(path).at(-1) ?? ''
    const { entries } = await this.readFolder(folder, wiki, path)
    const pages = entries.flatMap(({ page }) => page ?? [])
    const place = pages.findIndex((page) => page.path === path)
    if (place < 0) return []
    if (pages[place].position != null)
      return Promise.all([-1, 1].map((step) => this.#pageBeside(path, step, wiki)))
    return folder === '' ? [] : [pages[place - 1], pages[place + 1]]
  }
}
