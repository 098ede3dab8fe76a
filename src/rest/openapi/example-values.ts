import { encodeInQuotes } from '../../paths.ts'

/** What the examples of the documentation name: pages, words and revisions of a wiki. Absent: the wiki has no such thing. */
export interface ExampleValues {
  locale: string
  /** Another language of the wiki, or else the default one. */
  otherLocale: string
  /** A page in the default language, if possible with categories, links and several edits. */
  page?: { path: string; title: string }
  /** Path of a page with sections, if possible the same. */
  sectionPath?: string
  /** Id of its first section. */
  section?: string
  /** A language in which this page exists, and if possible not the default one. */
  pageLocale?: string
  /** Path of a page with a short text. */
  shortPath?: string
  /** Path of a page to which others link. */
  linkedPath?: string
  /** Key of a category with pages. */
  category?: string
  file?: string
  /** Id of the last edit of the page. */
  revision?: string
  /** Id of an edit to compare with the one before. */
  edit?: string
  /** Time of an edit, for a list of those before it. */
  before?: string
  /** Words that a page contains. */
  words?: string
  /** What a title begins with. */
  prefix?: string
  /** The same with two letters swapped. */
  typo?: string
  /** A path without a page. */
  missingPath: string
  /** A language that the wiki does not have. */
  missingLocale: string
}

/** Of the sample wiki, for the examples in the repository. A service chooses those of its own wiki. (D52) */
export const SAMPLE_VALUES: ExampleValues = {
  locale: 'en',
  otherLocale: 'ja',
  page: { path: 'sencha', title: 'Sencha' },
  sectionPath: 'sencha',
  section: 'brewing',
  pageLocale: 'ru',
  shortPath: 'template:stub',
  linkedPath: 'gyokuro',
  category: 'green-tea',
  file: 'images/sencha-dry.jpg',
  revision: 'b5250365-b0ff-49df-be05-9a646457bfc1',
  edit: 'b252f013-7a45-4228-ad39-0166d394761e',
  before: '2025-05-02T15:50:37.041876Z',
  words: 'steamed leaves',
  prefix: 'senc',
  typo: 'senhc',
  missingPath: 'coffee',
  missingLocale: 'tlh',
}

/** A URL with encoded values. Undefined if the wiki lacks one of them: then there is no such example. */
export const exampleUrl = (parts: TemplateStringsArray, ...values: readonly (string | undefined)[]) =>
  values.includes(undefined)
    ? undefined
    : String.raw({ raw: parts }, ...values.map((value) => encodeInQuotes(value!)))

/** An example of a route, for its declaration. @param url that of `exampleUrl` */
export const example = (name: string, summary: string, url: string | undefined) => ({ name, summary, url })
