/** `<siteinfo>`: the metadata of the wiki. Absent fields are empty. */
export interface DumpSite {
  type: 'site'
  /** `xml:lang` of the dump. */
  language: string
  name: string
  database: string
  /** `firstLetter`: whether titles start with a capital letter. */
  namespaces: { key: number; name: string; firstLetter: boolean }[]
}

export interface DumpPage {
  type: 'page'
  title: string
  namespace: number
  isRedirect: boolean
  /** Line of the file, from 1. */
  line: number
}

/** A revision of the last page. */
export interface DumpRevision {
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
  /** `hidden`: suppressed on the wiki; `missing`: not in the dump. */
  textState: 'present' | 'hidden' | 'missing'
  line: number
}

interface DumpPageEnd {
  type: 'page end'
}

export type DumpItem = DumpSite | DumpPage | DumpRevision | DumpPageEnd
