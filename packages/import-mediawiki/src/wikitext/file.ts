import { convertWikitext } from './convert.ts'
import { MediawikiSite, NS, type Title } from './site.ts'

/** The page that a file is. */
interface FilePage {
  locale: string
  path: string
  /** A link to a page by its name. @param text plain text. Absent: links lead to their own names */
  linkByName?(name: string, text: string): string
}

/** A text of MediaWiki in a file of its own, as Gollum has them. Its links lead to the pages of files. */
export const convertWikitextFile = (
  text: string,
  page: FilePage,
): { markdown: string; tags: string[]; isTooLong: boolean } => {
  const name = page.path.replaceAll('-', ' ')
  const { markdown, categories, unconverted } = convertWikitext(text, {
    site: new PagesAsSite(page),
    siteName: '',
    locale: page.locale,
    name,
    fullName: name,
    path: page.path,
  })
  return {
    // The image is a file of the repository, not of a MediaWiki.
    markdown: markdown.replaceAll('](/Special:Redirect/file/', '](/'),
    tags: categories.map((category) => category.name),
    isTooLong: unconverted.has('too long'),
  }
}

/** A site whose links lead to pages by the names of their files. */
class PagesAsSite extends MediawikiSite {
  readonly #page: FilePage

  constructor(page: FilePage) {
    super([
      { key: NS.main, name: '', firstLetter: false },
      { key: NS.file, name: 'File', firstLetter: false },
    ])
    this.#page = page
  }

  override path(title: Title): string | null {
    return this.#page.linkByName && title.name !== '' ? title.name.replaceAll(' ', '-') : super.path(title)
  }

  override linkByName(title: Title, text: string): string | null {
    const { linkByName } = this.#page
    const heading = title.fragment === '' ? '' : `#${title.fragment}`
    return linkByName && title.namespace === NS.main && title.name !== ''
      ? linkByName(title.name + heading, text)
      : null
  }
}
