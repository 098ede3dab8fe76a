/**
 * References to files in a text: `![](images/cup.png)`, `[](cup.pdf)`, `<img src="/cup.png">`, `![[cup.png]]`, in one form: a path
 * without query and fragment, decoded, in NFC, such as `../images/big cup.png`; or the name of a file in double brackets.
 */
import { decodeHTML } from 'entities'
import { baseName, resolveSegments, segmentsOf } from '../folders.ts'
import { type Replacement, rewriteMarkdown } from '../import/rewrite.ts'
import { matchAt, readTag } from '../inline-html.ts'
import { budgetFor, destinationAt, unescapeDestination } from '../links.ts'
import { wikilinkAt } from '../markup.ts'
import { decodeSegment, hasHostOrScheme, type LinkContext, splitReference } from '../references.ts'
import { srcsetReferences } from '../srcset.ts'
import { isPlainText, nfc } from '../text.ts'

const REFERENCES_MAX = 2_000
const REFERENCE_CHARACTERS = 1_000

/** A name with the extension of a file. `v2.0` has none, and those of pages lead to pages. */
const FILE_NAME = /[^/]\.(?!(?:md|mdx|markdown|html?)$)(?=\d*[a-z])[a-z0-9]{1,10}$/i

/** Files of repositories whose names have none. Other names are those of pages. */
export const BARE_FILE: RegExp = /(?:^|\/)(?:LICEN[CS]E|COPYING|NOTICE|AUTHORS|Makefile|Dockerfile)$/

/**
 * The reference to a file that a URL in Markdown or HTML is.
 * @param url with its entities decoded
 * @returns null for URLs with a scheme or a host, and for those whose last segment has no extension of a file
 */
export const fileReference = (url: string): string | null => {
  if (url.length > 3 * REFERENCE_CHARACTERS) return null
  const { path: written, whole } = splitReference(url)
  if (hasHostOrScheme(written)) return null
  const media = MEDIA.exec(whole)?.[1]
  // The folder of a site of Docusaurus is `@site`.
  const path = media === undefined ? written.replace(/^@site\//, '/') : `/${media.replaceAll(':', '/')}`
  const reference = nfc(path.split('/').map(decodeSegment).join('/'))
  return isReference(reference) || BARE_FILE.test(reference) ? reference : null
}

/** The reference to a file that a link by name is. @param name as in `wikilinkAt` */
export const namedFileReference = (name: string): string | null => {
  const reference = nfc(name)
  return isReference(reference) ? `[[${reference}]]` : null
}

/** The file that a URL or a name in a page means; undefined if it means none. @param referenceOf reads it as a reference */
export const linkedFile = (written: string, files: LinkContext['files'], referenceOf = fileReference) => {
  const reference = files === undefined || files.size === 0 ? null : referenceOf(written)
  return reference === null ? undefined : files?.get(reference)
}

/** Addresses of media files of DokuWiki (`tea:cup.png` has the path `tea/cup.png`) and of MediaWiki (without a colon). */
const MEDIA =
  /^\/(?:_media\/|Special:Redirect\/file\/|lib\/exe\/fetch\.php(?:\/|\?(?:[^#]*&)?media=))([^?&#]+)/

const isReference = (text: string): boolean =>
  text.length <= REFERENCE_CHARACTERS && FILE_NAME.test(text) && isPlainText(text)

/** Also shortcodes and components, from which pictures are made: `{{< figure src="cup.png" >}}`. */
const MAY_REFER = /\]\(|\]:|\[\[|\{[{%]|<[a-z]\w*\s/i
/** The destination of a definition: `[cup]: images/cup.png`. */
const DEFINITION = /\]:[ \t]*\n?[ \t]*(<[^<>\n]*>|[^\s<]\S*)/y
const COMMENT = /<!--/y

/** The extension of a file before a sign that ends a reference. */
const EXTENSION =
  /(?:\.(?!(?:md|mdx|markdown|html?)[)\s?#"'>|\]])\d{0,9}[a-z][a-z0-9]{0,9}|LICEN[CS]E|COPYING|NOTICE|AUTHORS|Makefile|Dockerfile)(?=[)\s?#"'>|\]])/i

/** Whether a text may refer to files. It is a quick look: most texts that do not are found. */
export const mayReferToFiles = (markdown: string): boolean =>
  MAY_REFER.test(markdown) && EXTENSION.test(markdown)

/**
 * The references to files in a text, each once, at most 2,000. Code and comments have none. Takes linear time. It reads
 * Markdown less exactly than the parser, and may find one that the HTML lacks, as in a definition that no link uses.
 */
export const fileReferences = (markdown: string): string[] => {
  if (!MAY_REFER.test(markdown)) return []
  const found = new Set<string>()
  const add = (reference: string | null): void => {
    if (reference !== null && found.size < REFERENCES_MAX) found.add(reference)
  }
  const budget = budgetFor(markdown)
  let isInComment = false
  const visit = (text: string, at: number): Replacement | null => {
    isInComment ||= matchAt(COMMENT, text, at) !== null
    if (isInComment) {
      const end = text.indexOf('-->', at)
      isInComment = end < 0
      return { text: '', end: isInComment ? text.length : end + 3 }
    }
    if (text[at] === '<') for (const url of urlsOfTag(text, at)) add(fileReference(url))
    else if (text[at] === '[') add(namedFileReference(wikilinkAt(text, at)?.name ?? ''))
    else {
      const isLink = text[at + 1] === '('
      const url = isLink ? destinationAt(text, at + 1, budget)?.url : matchAt(DEFINITION, text, at)?.[1]
      if (url !== undefined) add(fileReference(unescapeDestination(url)))
    }
    return null
  }
  rewriteMarkdown(markdown, '][<-', visit)
  return [...found]
}

/** The URLs in a tag of HTML that shows or links something. */
const urlsOfTag = (text: string, at: number): string[] => {
  const tag = readTag(text, at)
  if (tag === null || !/^(?:a|img|source|video|audio)$/.test(tag.name)) return []
  return [...tag.attributes].flatMap(([name, written]) => {
    if (name === 'srcset') return srcsetReferences(decodeHTML(written))
    return /^(?:href|src|poster)$/.test(name) ? decodeHTML(written) : []
  })
}

export interface ReferringPage {
  path: string
  sourcePath: string | null
  roots: readonly string[]
  dialect?: string | null
}

/**
 * The files that a reference can mean.
 * @param reference as `fileReference` and `namedFileReference` return them
 * @returns `paths`: the first one that exists is meant. `nameKey`, for a reference by name, if no path exists: the name in lower
 * case. It means the files whose path in lower case ends with `/` and the reference; of several, the one in the fewest folders,
 * then the first by path. Else null
 */
export const fileCandidates = (
  reference: string,
  { path, sourcePath, roots, dialect = null }: ReferringPage,
) => {
  const fromRoots = (name: string): (string | null)[] => {
    const inRoot = resolveFrom([], name)
    if (inRoot === null) return []
    return (roots.length > 0 ? roots : ['']).map((root) => resolveFrom(segmentsOf(root), inRoot))
  }
  const named = /^\[\[(.+)\]\]$/.exec(reference)?.[1]
  if (named !== undefined) return { paths: existing(fromRoots(named)), nameKey: fileNameKey(named) }
  const pages = pagesFolderOf(sourcePath, path)
  const isTranslation = pages !== '' && !roots.includes(pages.slice(0, -1))
  const folder = segmentsOf(sourcePath ?? path).slice(0, -1)
  if (reference.startsWith('/')) {
    const name = reference.slice(1)
    const own = isTranslation ? resolveFrom(segmentsOf(pages), name) : null
    // Sphinx can build a folder below that of its configuration: names from the root begin there.
    const steps = dialect === 'sphinx' ? folder.map((_, i) => folder.slice(0, i + 1)) : []
    const above = steps.map((step) => resolveFrom(step, name))
    // The notes can be in one folder of a vault, and their pictures beside it.
    const ofVault = dialect === 'obsidian' ? resolveFrom([], name) : null
    return { paths: existing([own, ...fromRoots(reference), ...above, ofVault]), nameKey: null }
  }
  const own = baseName(path)
  const paths = [resolveFrom(folder, reference)]
  // An import writes `cup.png` in `tea/index.md` as `tea/cup.png`, because its page is `tea`.
  if (sourcePath !== null && nfc(folder.at(-1) ?? '') === own && reference.startsWith(`${own}/`))
    paths.unshift(resolveFrom(folder, reference.slice(own.length + 1)))
  // A translation shows the files of the default language.
  if (isTranslation && paths[0]?.startsWith(pages)) paths.push(...fromRoots(paths[0].slice(pages.length)))
  // The address of a page can be a folder. Older sites of Antora have another folder for pictures, and Sphinx chooses a format.
  if (reference.startsWith('../') && dialect !== null) paths.push(resolveFrom([...folder, own], reference))
  if (dialect === 'hugo')
    paths.push(...fromRoots(`${path === 'index' ? '' : path}/${reference}`), ...fromRoots(reference))
  if (dialect === 'asciidoc') paths.push(paths[0]?.replace('/images/', '/assets/images/') ?? null)
  if (dialect === 'sphinx') paths.push(paths[0]?.replace(/\.svg$/, '.png') ?? null)
  // Obsidian finds a file by its name, too.
  return { paths: existing(paths), nameKey: dialect === 'obsidian' ? fileNameKey(reference) : null }
}

/** The folder of the pages in the language of this one: of `docs/de/docs/tea.md`, which is the page `tea`, `docs/de/docs/`. */
const pagesFolderOf = (sourcePath: string | null, path: string): string => {
  const name = nfc(sourcePath ?? '').replace(/(?:\/_?index)?\.\w+$/, '')
  return name.endsWith(`/${path}`) ? name.slice(0, -path.length) : ''
}

/** What the `nameKey` of `fileCandidates` is compared with. @param path of a file */
export const fileNameKey = (path: string): string => nfc(baseName(path)).toLowerCase()

/** The path from the root of the source; null above it. */
const resolveFrom = (folder: readonly string[], name: string): string | null => {
  const segments = resolveSegments(folder, name)
  return segments && nfc(segments.join('/'))
}

const existing = (paths: (string | null)[]): string[] => [...new Set(paths.filter((path) => path !== null))]
