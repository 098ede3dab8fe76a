import { encodeInQuotes } from '../../paths.ts'

/** What examples name in the sample wiki, for the repository. A service chooses those of its own wiki. (D52) */
export const SAMPLE_VALUES = {
  locale: 'en',
  /** Another language of the wiki, or else the default one. */
  otherLocale: 'ja',
  /** A page in the default language, if possible with categories, links and several edits. */
  page: { path: 'sencha', title: 'Sencha' },
  /** Path of a page with sections, if possible the same. */
  sectionPath: 'sencha',
  /** Id of its first section. */
  section: 'brewing',
  /** A language in which this page exists, and if possible not the default one. */
  pageLocale: 'ru',
  /** Path of a page with a short text. */
  shortPath: 'template:stub',
  /** Path of a page to which others link. */
  linkedPath: 'gyokuro',
  /** Key of a category with pages. */
  category: 'green-tea',
  file: 'images/sencha-dry.jpg',
  /** Id of the last edit of the page. */
  revision: 'b5250365-b0ff-49df-be05-9a646457bfc1',
  /** Id of an edit to compare with the one before. */
  edit: 'b252f013-7a45-4228-ad39-0166d394761e',
  /** Time of an edit, for a list of those before it. */
  before: '2025-05-02T15:50:37.041876Z',
  /** Words that a page contains. */
  words: 'steamed leaves',
  /** What a title begins with. */
  prefix: 'senc',
  /** The same with two letters swapped. */
  typo: 'senhc',
  /** A path without a page. */
  missingPath: 'coffee',
  /** A language that the wiki does not have. */
  missingLocale: 'tlh',
}

type InEachWiki = 'locale' | 'otherLocale' | 'missingPath' | 'missingLocale'
/** What the examples of the documentation name: pages, words and revisions of a wiki. Absent: the wiki has no such thing. */
export type ExampleValues = Partial<typeof SAMPLE_VALUES> & Pick<typeof SAMPLE_VALUES, InEachWiki>

/** A URL with encoded values. Undefined if the wiki lacks one of them: then there is no such example. */
export const exampleUrl = (parts: TemplateStringsArray, ...values: readonly (string | undefined)[]) =>
  values.includes(undefined)
    ? undefined
    : String.raw({ raw: parts }, ...values.map((value) => encodeInQuotes(value!)))

/** An example of a route, for its declaration. @param url that of `exampleUrl` */
export const example = (name: string, summary: string, url: string | undefined) => ({ name, summary, url })
