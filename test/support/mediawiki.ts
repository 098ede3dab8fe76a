import { openMediawikiSource } from '@lectern/import-mediawiki/dump'
import type { MediawikiOptions } from '@lectern/import-mediawiki/wiki'
import { type ImportRecord, type PageRecord, wikiFileRecord } from '@lectern/wiki/records'
import { asLine, withFile } from './importing.ts'

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export interface DumpedEdit {
  id?: number
  at?: string
  by?: string
  comment?: string
  model?: string
  text?: string
  /** Elements in place of those that would be made. */
  contributor?: string
  commentElement?: string
  textElement?: string
}

let lastId = 0

/** `<revision>` as `dumpBackup.php` writes it. */
export const dumpedEdit = ({
  id = ++lastId,
  at = '2024-05-01T12:00:00Z',
  by = 'Ada',
  comment = '',
  model = 'wikitext',
  text = 'text',
  contributor = `<contributor><username>${escaped(by)}</username><id>1</id></contributor>`,
  commentElement = `<comment>${escaped(comment)}</comment>`,
  textElement = `<text bytes="${Buffer.byteLength(text)}" xml:space="preserve">${escaped(text)}</text>`,
}: DumpedEdit): string => `<revision><id>${id}</id><timestamp>${at}</timestamp>
${contributor}${commentElement}<model>${model}</model><format>text/x-wiki</format>
${textElement}<sha1>x</sha1></revision>`

/** `<page>`; a text alone is its only edit. */
export const dumpedPage = (
  title: string,
  edits: string | DumpedEdit[] = 'text',
  { ns = 0, redirect = '' } = {},
): string => `<page><title>${escaped(title)}</title><ns>${ns}</ns><id>1</id>
${redirect === '' ? '' : `<redirect title="${escaped(redirect)}" />`}
${(typeof edits === 'string' ? [{ text: edits }] : edits).map(dumpedEdit).join('\n')}</page>\n`

const NAMESPACES: Record<number, string> = {
  [-1]: 'Special',
  1: 'Talk',
  2: 'User',
  6: 'File',
  10: 'Template',
  12: 'Help',
  14: 'Category',
  828: 'Module',
}

/** A dump of a wiki about tea. */
export const dump = (
  pages: string[],
  {
    version = '0.11',
    language = 'en',
    namespaces = {} as Record<number, string>,
    letters = 'first-letter',
  } = {},
): string => `<mediawiki xmlns="http://www.mediawiki.org/xml/export-${version}/" version="${version}" xml:lang="${language}">
<siteinfo><sitename>Tea Wiki</sitename><dbname>tea</dbname><base>https://tea.example/wiki/Main_Page</base>
<generator>MediaWiki 1.39</generator><case>${letters}</case><namespaces><namespace key="0" case="${letters}" />
${Object.entries({ ...NAMESPACES, ...namespaces })
  .map(([key, name]) => `<namespace key="${key}" case="${letters}">${name}</namespace>`)
  .join('\n')}</namespaces></siteinfo>
${pages.join('')}</mediawiki>\n`

/** The records that an import makes of a dump; each is valid in the interchange format. */
export const readDump = (
  content: string | Uint8Array,
  options: Partial<MediawikiOptions> = {},
  name = 'dump.xml',
) =>
  withFile(name, content, async (file) => {
    const source = await openMediawikiSource(file, { namespaces: [], redirects: true, ...options })
    const records: ImportRecord[] = []
    for await (const record of source.records) records.push(wikiFileRecord.parse(asLine(record)))
    const pages = records.filter((record) => record.type === 'page')
    return {
      records,
      pages,
      paths: pages.map(({ path }) => path),
      categories: records.filter((record) => record.type === 'category'),
      wiki: records.find((record) => record.type === 'wiki'),
      notes: source.notes().join('\n'),
      page: (path: string): PageRecord => {
        const page = pages.find((one) => one.path === path)
        if (!page) throw new Error(`no page ${path} among ${pages.map((one) => one.path).join(', ')}`)
        return page
      },
    }
  })
