/** A folder with the pages of a site. */
export interface ContentFolder {
  /** Empty for the top folder, otherwise with a slash at the end. It can contain `{locale:…}`. */
  prefix: string
  /** Its language, if it is known. */
  locale?: string
  /** Name of the files that are pages, without extension. Their folder is the page. Absent: all files are pages. */
  fileName?: string
}

/** What a repository contains, as its configuration or the names of its files say. */
export interface ContentSite {
  /** Name of the tool, for messages: `MkDocs`. */
  tool: string
  /** The file or folder that shows it. */
  evidence: string
  folders: ContentFolder[]
  /** Languages that the configuration declares, as folders and file names spell them. */
  declaredLocales?: string[]
  /** The language of pages that name none. */
  defaultLocale?: string
  /** Names of files that are the page of their folder, besides `index`. */
  indexNames?: string[]
  /** Whether `README.md` is the page of its folder, too. */
  hasReadmePages?: boolean
  /** Names of Markdown files that are not pages, such as a table of contents. */
  leftOut?: RegExp
  /** Whether files in other markups than Markdown are pages, too. */
  hasOtherMarkups?: boolean
}

/**
 * A folder name relative to another one, as configuration files write it: `../docs`, `./src/`.
 * @param base empty, or with a slash at the end
 * @returns empty for the top folder, otherwise with a slash at the end; null if it is outside the repository
 */
export const resolveFolder = (base: string, relative: string): string | null => {
  const segments = base.split('/').filter((segment) => segment !== '')
  for (const segment of relative.replaceAll('\\', '/').split('/')) {
    if (segment === '..' && segments.pop() === undefined) return null
    if (!['', '.', '..'].includes(segment)) segments.push(segment)
  }
  return segments.map((segment) => `${segment}/`).join('')
}

/** The folder of a file: empty for the top folder, otherwise with a slash at the end. */
export const folderOf = (file: string): string => file.slice(0, file.lastIndexOf('/') + 1)
