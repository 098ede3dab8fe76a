/**
 * A simple model of the responses that guests must get, computed from what editors wrote. It shares no code with the
 * service, so that a bug passes the tests only if both have it.
 */

export type State = 'live' | 'draft' | 'deleted'
export type Status = 'accepted' | 'pending' | 'rejected' | 'draft'

export interface ModelRevision {
  id: string
  /** In the format of responses: UTC, with six decimal places of a second. */
  created_at: string
  author: string
  comment: string
  status: Status
  title: string
  markdown: string
  categories: { key: string; sort_key?: string }[]
}

export interface ModelPage {
  locale: string
  path: string
  state: State
  translation_group?: string
  revisions: ModelRevision[]
}

export interface ModelWiki {
  license: string
  categories: { locale: string; key: string; name: string }[]
  pages: ModelPage[]
}

/** The target that a link must have: a page, or a revision of this API. */
export type Link = { locale: string; path: string } | { revision: string }

interface LivePage extends ModelPage {
  /** Accepted revisions, newest first. */
  accepted: ModelRevision[]
  latest: ModelRevision
}

export type Model = ReturnType<typeof makeModel>

export const makeModel = (wiki: ModelWiki) => {
  const live = wiki.pages.flatMap(livePage)
  const find = (locale: string, path: string) =>
    live.find((page) => page.locale === locale && page.path === path.normalize('NFC'))

  const categoryName = (locale: string, key: string) =>
    wiki.categories.find((category) => category.locale === locale && category.key === key)?.name ??
    find(locale, `category:${key}`)?.latest.title ??
    key

  const category = (locale: string, key: string) => {
    const members = live
      .filter((page) => page.locale === locale)
      .flatMap((page) =>
        page.latest.categories
          .filter((membership) => membership.key === key)
          .map((membership) => ({ page, sort_key: sortKey(membership, page) })),
      )
      .sort((a, b) => byBytes(a.sort_key, b.sort_key) || byBytes(a.page.path, b.page.path))
    const isDefined = wiki.categories.some((defined) => defined.locale === locale && defined.key === key)
    if (!isDefined && !find(locale, `category:${key}`) && members.length === 0) return undefined
    return {
      category: { key, name: categoryName(locale, key), url: categoryLink(locale, key) },
      items: members.map(({ page, sort_key }) => ({ ...pageItem(page), sort_key })),
    }
  }

  return {
    /** All pages that guests may see, in no particular order. */
    live,
    pages: (locale: string, ns: string) =>
      live
        .filter((page) => page.locale === locale && namespace(page.path) === ns)
        .sort((a, b) => byBytes(a.path, b.path))
        .map(pageItem),
    page: (locale: string, path: string) => {
      const page = find(locale, path)
      if (!page) return undefined
      return {
        path: page.path,
        title: page.latest.title,
        locale,
        ns: namespace(page.path),
        url: link(page),
        revision: revisionLink(page),
        categories: page.latest.categories
          .map(({ key }) => ({ key, name: categoryName(locale, key), url: categoryLink(locale, key) }))
          .sort((a, b) => byBytes(a.key, b.key)),
        translations: live
          .filter((other) => page.translation_group !== undefined && other.locale !== locale)
          .filter((other) => other.translation_group === page.translation_group)
          .sort((a, b) => byBytes(a.locale, b.locale) || byBytes(a.path, b.path))
          .map((other) => ({
            ...{ locale: other.locale, path: other.path },
            title: other.latest.title,
            url: link(other),
          })),
        markdown: page.latest.markdown,
        license: wiki.license,
      }
    },
    history: (locale: string, path: string) =>
      find(locale, path)?.accepted.map((revision) => ({
        ...revisionItem(revision),
        url: { revision: revision.id },
      })),
    recent: (locale?: string) =>
      live
        .filter((page) => locale === undefined || page.locale === locale)
        .flatMap((page) => page.accepted.map((revision) => ({ page, revision })))
        .sort((a, b) => newestFirst(a.revision, b.revision))
        .map(({ page, revision }) => ({
          ...revisionItem(revision),
          url: { revision: revision.id },
          page: reference(page),
        })),
    revision: (id: string) => {
      const page = live.find(({ accepted }) => accepted.some((revision) => revision.id === id))
      if (!page) return undefined
      const index = page.accepted.findIndex((revision) => revision.id === id)
      const revision = page.accepted[index]!
      return {
        ...revisionItem(revision),
        page: reference(page),
        parent: page.accepted[index + 1]?.id ?? null,
        markdown: revision.markdown,
        license: wiki.license,
      }
    },
    linksFrom: (locale: string, path: string) => {
      const page = find(locale, path)
      return page && targetsOf(page).map((target) => linkItem(locale, target, find(locale, target)))
    },
    /** Undefined for a path without a page to which nothing links. */
    linksTo: (locale: string, path: string) => {
      const pages = live
        .filter((page) => page.locale === locale && targetsOf(page).includes(path))
        .sort((a, b) => byBytes(a.path, b.path))
      if (pages.length === 0 && !find(locale, path)) return undefined
      return pages.map((page) => linkItem(locale, page.path, page))
    },
    category,
    categories: (locale: string) =>
      [...new Set(live.flatMap(({ latest }) => latest.categories.map(({ key }) => key)))]
        .sort(byBytes)
        .flatMap((key) => {
          const { category: reference, items } = category(locale, key) ?? { items: [] }
          return items.length === 0 ? [] : [{ ...reference, pages: items.length }]
        }),
  }
}

/** The wiki after another import. Imported pages and revisions replace those with the same address or id. */
export const applyImport = (wiki: ModelWiki, pages: ModelPage[]): ModelWiki => {
  const all = wiki.pages.map((page) => ({ ...page, revisions: [...page.revisions] }))
  for (const page of pages) {
    const existing = all.find(({ locale, path }) => locale === page.locale && path === page.path)
    if (!existing) {
      all.push({ ...page, revisions: [...page.revisions] })
      continue
    }
    existing.state = page.state
    existing.translation_group = page.translation_group
    for (const revision of page.revisions) {
      const index = existing.revisions.findIndex(({ id }) => id === revision.id)
      existing.revisions.splice(index < 0 ? existing.revisions.length : index, index < 0 ? 0 : 1, revision)
    }
  }
  return { ...wiki, pages: all }
}

const livePage = (page: ModelPage): LivePage[] => {
  const accepted = page.revisions.filter(({ status }) => status === 'accepted').sort(newestFirst)
  const latest = accepted[0]
  return page.state === 'live' && latest ? [{ ...page, accepted, latest }] : []
}

/** The paths to which a page links in its own language, in the order of their bytes. Those that describe a category have none. */
const targetsOf = ({ locale, path, latest }: LivePage): string[] => {
  if (path.startsWith('category:')) return []
  const links = [...latest.markdown.matchAll(/\]\(\/([^/)]+)\/([^)]+)\)/g)]
  const targets = links
    .filter(([, language]) => language === locale)
    .map(([, , target]) => decodeURIComponent(target!))
  return [...new Set(targets)].filter((target) => target !== path).sort(byBytes)
}

const linkItem = (locale: string, path: string, page: LivePage | undefined) => ({
  ...{ path, title: page?.latest.title ?? null, locale, ns: namespace(path), url: { locale, path } },
  ...{ exists: page !== undefined, redirect: false },
})

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

const newestFirst = (a: ModelRevision, b: ModelRevision): number =>
  byBytes(b.created_at, a.created_at) || byBytes(b.id, a.id)

const namespace = (path: string): string =>
  /^(template|page_template|module|category):/.exec(path)?.[1] ?? 'main'

const sortKey = ({ sort_key }: { sort_key?: string }, { latest }: LivePage): string =>
  sort_key ?? latest.title.normalize('NFKC').toLowerCase().normalize('NFC')

const link = ({ locale, path }: ModelPage): Link => ({ locale, path })
const categoryLink = (locale: string, key: string): Link => ({ locale, path: `category:${key}` })

const revisionLink = ({ latest }: LivePage) => ({
  id: latest.id,
  created_at: latest.created_at,
  author: { name: latest.author },
})

const reference = (page: LivePage) => ({
  path: page.path,
  title: page.latest.title,
  locale: page.locale,
  ns: namespace(page.path),
  url: link(page),
})

const pageItem = (page: LivePage) => ({ ...reference(page), revision: revisionLink(page) })

const revisionItem = ({ id, created_at, author, comment, markdown }: ModelRevision) => ({
  id,
  created_at,
  author: { name: author },
  comment,
  size: Buffer.byteLength(markdown),
})
