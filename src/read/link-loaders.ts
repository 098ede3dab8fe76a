import type { PageRef } from '@lectern/wiki/links'
import type { Namespace } from '@lectern/wiki/locales'
import { nfc } from '@lectern/wiki/text'
import { searchKey } from '../search/folding.ts'
import type { BatchLoaders } from './batch-loader.ts'
import type { LinkRow } from './rows.ts'

interface LinksKey {
  locale: string
  path: string
  /** Only listed pages of this namespace. */
  ns?: Namespace | null
  afterLocale?: string | null
  afterPath?: string | null
  first: number
}

const linkValues = ({ locale, path, ns, afterLocale, afterPath, first }: LinksKey) => [
  ...[locale, path, ns ?? null],
  ...[afterLocale ?? '', afterPath ?? '', first],
]

const linksOrNull = ([row]: { list: LinkCells[] | null }[]): LinkRow[] | null =>
  row ? (row.list ?? []).map(linkFromCells) : null

/** Pages have a dozen links, not as many as they could have: a list of 200 pages takes few statements. (D101) */
const LINKS_EXPECTED = 10
const linksExpected = ({ first }: LinksKey): number => Math.min(first, LINKS_EXPECTED)

/** The id and the title are null if the page does not exist. */
type LinkCells = [
  locale: string,
  ns: Namespace,
  path: string,
  id: string | null,
  title: string | null,
  isRedirect: boolean,
]

const linkFromCells = ([locale, ns, path, id, title, isRedirect]: LinkCells): LinkRow => ({
  locale,
  ns,
  path,
  page: id === null || title === null ? null : { id, locale, ns, path, title },
  isRedirect,
})

/** Names of one statement. */
const NAMES_MAX = 320

/** Null when there is neither the page nor a link to it. (D103) */
export const linkLoaders = (load: BatchLoaders) => ({
  linksTo: load('links_to', linkValues, linksOrNull, linksExpected),
  linksFrom: load('links_from', linkValues, linksOrNull, linksExpected),
  /** The page to which a link by name leads; null if there is none. (D124) */
  pageByName: load(
    'pages_by_name',
    ({ locale, name }: { locale: string; name: string }) => [locale, nfc(name), searchKey(name)],
    ([row]): PageRef | null => (row ? { locale: row.locale, path: row.path } : null),
    undefined,
    NAMES_MAX,
  ),
})
