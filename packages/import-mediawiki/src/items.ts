/** The metadata of a wiki. Absent texts are empty. */
export interface SiteItem {
  type: 'site'
  /** A language code, as HTML has it. */
  language: string
  name: string
  database: string
  /** URL of the license, http or https. */
  license?: string
  /** `firstLetter`: whether titles start with a capital letter. */
  namespaces: { key: number; name: string; firstLetter: boolean }[]
}

export interface PageItem {
  type: 'page'
  title: string
  namespace: number
  isRedirect: boolean
  /** Paths that the page had before it moved. */
  formerPaths?: string[]
  /** Where the source has it, for errors: `Line 12`. */
  location: string
}

/** A revision of the last page. */
export interface RevisionItem {
  type: 'revision'
  id: number
  /** Undefined: the first revision of its page. */
  parentId: number | undefined
  timestamp: string
  /** Undefined: hidden on the wiki. */
  contributor: string | undefined
  comment: string | undefined
  model: string
  text: string
  /** `hidden`: suppressed on the wiki; `missing`: not in the source. */
  textState: 'present' | 'hidden' | 'missing'
  location: string
}

export interface PageEndItem {
  type: 'page end'
  /** Whether these were all revisions of the page. Undefined: the parents of the revisions tell. */
  hasAllRevisions?: boolean
}

/** What a dump or the Action API contains, in order: the site, then each page with its revisions. */
export type MediawikiItem = SiteItem | PageItem | RevisionItem | PageEndItem
