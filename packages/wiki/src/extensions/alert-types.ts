/** The types of alerts, as GitHub, Obsidian, Wiki.js and site generators name them. */

export type AlertKind = 'note' | 'tip' | 'important' | 'warning' | 'caution'

/** The kinds of GitHub, which style sheets know, for the types of Obsidian, Docusaurus and Wiki.js. Others are notes. */
const KINDS: ReadonlyMap<string, AlertKind> = new Map(
  Object.entries({
    tip: 'tip hint success check done abstract summary tldr',
    important: 'important question help faq',
    warning: 'warning attention',
    caution: 'caution danger error bug failure fail missing',
  }).flatMap(([kind, types]) => types.split(' ').map((type) => [type, kind as AlertKind])),
)

/** Types that other tools show as alerts, without a kind of their own. */
const NOTES = new Set('note info information quote cite example seealso todo'.split(' '))

/** Whether a container of this type (`tip`, `warning`) is an alert. */
export const isAlertType = (type: string): boolean =>
  KINDS.has(type.toLowerCase()) || NOTES.has(type.toLowerCase())

/** The kind of an alert of a type, in lower case. */
export const alertKind = (type: string): AlertKind => KINDS.get(type) ?? 'note'
