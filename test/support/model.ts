/**
 * What guests of a wiki must be answered, worked out the plain way from what its editors wrote. It shares
 * nothing with the service: a mistake would have to be made twice to pass.
 */

export type State = 'live' | 'draft' | 'deleted'
export type Status = 'accepted' | 'pending' | 'rejected' | 'draft'

export interface ModelRevision {
  id: string
  /** As answers write it: UTC, six digits of a second. */
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

/** A link in place of its text: the page, or the revision of this API, that it must lead to. */
export type Link = { locale: string; path: string } | { revision: string }

interface LivePage extends ModelPage {
  /** Newest first. */
  edits: ModelRevision[]
  last: ModelRevision
}

export type Model = ReturnType<typeof makeModel>

export const makeModel = (wiki: ModelWiki) => {
  const live = wiki.pages.flatMap(livePage)
  const find = (locale: string, path: string) =>
    live.find((page) => page.locale === locale && page.path === path.normalize('NFC'))

  const categoryName = (locale: string, key: string) =>
    wiki.categories.find((category) => category.locale === locale && category.key === key)?.name ??
    find(locale, `category:${key}`)?.last.title ??
    key

  const category = (locale: string, key: string) => {
    const members = live
      .filter((page) => page.locale === locale)
      .flatMap((page) =>
        page.last.categories
          .filter((one) => one.key === key)
          .map((one) => ({ page, sort_key: sortKey(one, page) })),
      )
      .sort((a, b) => byBytes(a.sort_key, b.sort_key) || byBytes(a.page.path, b.page.path))
    const isDefined = wiki.categories.some((one) => one.locale === locale && one.key === key)
    if (!isDefined && !find(locale, `category:${key}`) && members.length === 0) return undefined
    return {
      category: { key, name: categoryName(locale, key), url: categoryLink(locale, key) },
      items: members.map(({ page, sort_key }) => ({ ...listed(page), sort_key })),
    }
  }

  return {
    /** Every page that guests see, in no order. */
    live,
    pages: (locale: string, ns: string) =>
      live
        .filter((page) => page.locale === locale && namespace(page.path) === ns)
        .sort((a, b) => byBytes(a.path, b.path))
        .map(listed),
    page: (locale: string, path: string) => {
      const page = find(locale, path)
      if (!page) return undefined
      return {
        path: page.path,
        title: page.last.title,
        locale,
        url: link(page),
        revision: lastEdit(page),
        categories: page.last.categories
          .map(({ key }) => ({ key, name: categoryName(locale, key), url: categoryLink(locale, key) }))
          .sort((a, b) => byBytes(a.key, b.key)),
        translations: live
          .filter((other) => page.translation_group !== undefined && other.locale !== locale)
          .filter((other) => other.translation_group === page.translation_group)
          .sort((a, b) => byBytes(a.locale, b.locale) || byBytes(a.path, b.path))
          .map((other) => ({ locale: other.locale, title: other.last.title, url: link(other) })),
        markdown: page.last.markdown,
        license: wiki.license,
      }
    },
    history: (locale: string, path: string) =>
      find(locale, path)?.edits.map((edit) => ({ ...edited(edit), url: { revision: edit.id } })),
    recent: (locale?: string) =>
      live
        .filter((page) => locale === undefined || page.locale === locale)
        .flatMap((page) => page.edits.map((edit) => ({ page, edit })))
        .sort((a, b) => newestFirst(a.edit, b.edit))
        .map(({ page, edit }) => ({ ...edited(edit), url: { revision: edit.id }, page: reference(page) })),
    revision: (id: string) => {
      const page = live.find(({ edits }) => edits.some((edit) => edit.id === id))
      if (!page) return undefined
      const at = page.edits.findIndex((edit) => edit.id === id)
      const edit = page.edits[at]!
      return {
        ...edited(edit),
        page: reference(page),
        parent: page.edits[at + 1]?.id ?? null,
        markdown: edit.markdown,
        license: wiki.license,
      }
    },
    category,
  }
}

/** The wiki after another import: later lines count, page by page and edit by edit. */
export const mergedModel = (wiki: ModelWiki, pages: ModelPage[]): ModelWiki => {
  const all = wiki.pages.map((page) => ({ ...page, revisions: [...page.revisions] }))
  for (const page of pages) {
    const known = all.find(({ locale, path }) => locale === page.locale && path === page.path)
    if (!known) {
      all.push({ ...page, revisions: [...page.revisions] })
      continue
    }
    known.state = page.state
    known.translation_group = page.translation_group
    for (const revision of page.revisions) {
      const at = known.revisions.findIndex(({ id }) => id === revision.id)
      known.revisions.splice(at < 0 ? known.revisions.length : at, at < 0 ? 0 : 1, revision)
    }
  }
  return { ...wiki, pages: all }
}

const livePage = (page: ModelPage): LivePage[] => {
  const edits = page.revisions.filter(({ status }) => status === 'accepted').sort(newestFirst)
  const last = edits[0]
  return page.state === 'live' && last ? [{ ...page, edits, last }] : []
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

const newestFirst = (a: ModelRevision, b: ModelRevision): number =>
  byBytes(b.created_at, a.created_at) || byBytes(b.id, a.id)

const namespace = (path: string): string =>
  /^(template|page_template|module|category):/.exec(path)?.[1] ?? 'main'

const sortKey = ({ sort_key }: { sort_key?: string }, { last }: LivePage): string =>
  sort_key ?? last.title.normalize('NFKC').toLowerCase().normalize('NFC')

const link = ({ locale, path }: ModelPage): Link => ({ locale, path })
const categoryLink = (locale: string, key: string): Link => ({ locale, path: `category:${key}` })

const lastEdit = ({ last }: LivePage) => ({
  id: last.id,
  created_at: last.created_at,
  author: { name: last.author },
})

const reference = (page: LivePage) => ({
  path: page.path,
  title: page.last.title,
  locale: page.locale,
  ns: namespace(page.path),
  url: link(page),
})

const listed = (page: LivePage) => ({ ...reference(page), revision: lastEdit(page) })

const edited = ({ id, created_at, author, comment, markdown }: ModelRevision) => ({
  id,
  created_at,
  author: { name: author },
  comment,
  size: Buffer.byteLength(markdown),
})
