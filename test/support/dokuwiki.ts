import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DokuwikiPages } from '@lectern/import-dokuwiki/page-index'
import { DokuwikiSite, type SiteOptions } from '@lectern/import-dokuwiki/site'
import { type DokuwikiOptions, openDokuwikiSource } from '@lectern/import-dokuwiki/source'
import { type ConvertedSyntax, convertSyntax } from '@lectern/import-dokuwiki/syntax/convert'
import { type ImportRecord, type PageRecord, wikiFileRecord } from '@lectern/wiki/records'
import { asLine, withFile } from './importing.ts'

const SITE: SiteOptions = {
  separator: '_',
  useSlash: false,
  removeAccents: true,
  start: 'start',
  camelCase: false,
  rewriting: 0,
}
const INTERWIKI = new Map([
  ['wp', 'https://en.wikipedia.org/wiki/{NAME}'],
  ['find', 'https://find.example/?q={URL}&l=en'],
  ['doku', 'https://www.dokuwiki.org/'],
  ['user', ':user:{NAME}'],
  ['run', 'javascript:{NAME}'],
])

/** Converts a text of the page `tea:green`, or another one. */
export const convertDokuwiki = (
  text: string,
  {
    id = 'tea:green',
    pages = ['start', 'tea:start', 'tea:green'],
    ...options
  }: {
    id?: string
    pages?: string[]
  } & Partial<SiteOptions> = {},
): ConvertedSyntax => {
  const index = new DokuwikiPages('en', null)
  for (const page of pages) index.add(page)
  const site = new DokuwikiSite({ ...SITE, ...options }, index, INTERWIKI)
  return convertSyntax(text, { id, locale: 'en', site })
}

export interface DokuwikiEdit {
  /** Seconds since 1970. */
  time: number
  text?: string
  type?: 'C' | 'E' | 'e' | 'D' | 'R'
  user?: string
  summary?: string
  ip?: string
}

/** Files of a DokuWiki by path. A text in the folder `attic` that ends with `.gz` is compressed. */
export type DokuwikiFiles = Record<string, string | Buffer | { text: string; time: number }>

/** The files of a page as DokuWiki writes them. The last edit is the current text, unless it deletes the page. */
export const dokuwikiPage = (id: string, edits: DokuwikiEdit[]): DokuwikiFiles => {
  const file = id.replaceAll(':', '/')
  const files: DokuwikiFiles = {}
  const lines = edits.map(({ time, ip = '192.0.2.7', type = 'E', user = '', summary = '' }) =>
    [time, ip, type, id, user, summary, '', '0'].join('\t'),
  )
  files[`data/meta/${file}.changes`] = `${lines.join('\n')}\n`
  for (const { time, text = '', type } of edits)
    if (type !== 'D') files[`data/attic/${file}.${time}.txt.gz`] = text
  const last = edits.at(-1)!
  if (last.type !== 'D') files[`data/pages/${file}.txt`] = { text: last.text ?? '', time: last.time }
  return files
}

/** The configuration of a DokuWiki that everybody may read. */
export const OPEN_CONFIGURATION: DokuwikiFiles = {
  'conf/dokuwiki.php':
    "<?php\n$conf['title'] = 'Tea Wiki';\n$conf['lang'] = 'en';\n$conf['useacl'] = 0; // no lists\n",
}

/** Writes files into a folder, for as long as `use` runs. */
export const withDokuwiki = <Result>(
  files: DokuwikiFiles,
  use: (folder: string) => Promise<Result>,
): Promise<Result> =>
  withFile('unused', undefined, async (unused) => {
    const folder = join(dirname(unused), 'wiki')
    await mkdir(join(folder, 'data', 'pages'), { recursive: true })
    for (const [path, content] of Object.entries(files)) await writeDokuwikiFile(folder, path, content)
    return use(folder)
  })

export const writeDokuwikiFile = async (
  folder: string,
  path: string,
  content: DokuwikiFiles[string],
): Promise<void> => {
  const file = join(folder, path)
  await mkdir(dirname(file), { recursive: true })
  const text = typeof content === 'string' || Buffer.isBuffer(content) ? content : content.text
  await writeFile(file, path.endsWith('.gz') && typeof text === 'string' ? gzipSync(text) : text)
  if (typeof content !== 'string' && !Buffer.isBuffer(content)) await utimes(file, content.time, content.time)
}

/** The records of a DokuWiki in a folder; each is valid in the interchange format. */
export const readDokuwiki = async (folder: string, options: DokuwikiOptions = {}) => {
  const source = await openDokuwikiSource(folder, options)
  const records: ImportRecord[] = []
  for await (const record of source.records) {
    wikiFileRecord.parse(asLine(record))
    records.push(record)
  }
  const pages = records.filter((record) => record.type === 'page')
  return {
    records,
    pages,
    paths: pages.map(({ path }) => path),
    wiki: records.find((record) => record.type === 'wiki'),
    categories: records.filter((record) => record.type === 'category'),
    covers: source.covers!(),
    notes: source.notes().join('\n'),
    page: (path: string, locale = 'en'): PageRecord => {
      const page = pages.find((one) => one.path === path && one.locale === locale)
      if (!page) throw new Error(`no page ${path} among ${pages.map((one) => one.path).join(', ')}`)
      return page
    },
  }
}
