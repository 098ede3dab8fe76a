import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Command } from 'commander'
import {
  type Collection,
  cacmCollection,
  commandCollection,
  squadCollection,
  textCollection,
  withKeywords,
} from './collections.ts'

/** Turns downloaded collections of judged queries into wikis that Lectern imports, and files of judged queries. */

const program = new Command('npm run bench:search-collect --')
  .description('Makes wikis and judged queries of public collections, for bench:search.')
  .argument(
    '<folder>',
    'has squad/<language>-<name>.json, texts/<language>-<name>.txt, tldr/pages.<language> and cacm/; all are optional',
  )
  .argument('<output>', 'folder for the wikis and the judged queries')
  .parse()
const [folder, output] = program.args as [string, string]

const read = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8')
const filesOf = (...path: string[]): string[] => {
  const name = join(folder, ...path)
  return existsSync(name) ? readdirSync(name).sort() : []
}

const merged = (collections: readonly Collection[]): Collection => ({
  pages: collections.flatMap(({ pages }) => pages),
  queries: collections.flatMap(({ queries }) => queries),
})

/** A collection of each file that is named `<language>-<name>`. */
const named = (
  subfolder: string,
  suffix: string,
  make: (name: string, locale: string, text: string) => Collection,
): Collection =>
  merged(
    filesOf(subfolder)
      .filter((file) => /^[a-z]{2,3}-/.test(file) && file.endsWith(suffix))
      .map((file) => {
        const [locale, name] = file.slice(0, -suffix.length).split('-') as [string, string]
        return make(name, locale, read(subfolder, file))
      }),
  )

const tldr = (): Collection => {
  const folders = filesOf('tldr').filter((name) => /^pages(\.[a-zA-Z_]+)?$/.test(name) && name !== 'pages.en')
  return merged(
    folders.map((name) => {
      const locale = name === 'pages' ? 'en' : name.slice('pages.'.length).replace('_', '-').toLowerCase()
      const files = filesOf('tldr', name).flatMap((platform) =>
        filesOf('tldr', name, platform)
          .filter((file) => file.endsWith('.md'))
          .map((file) => ({
            path: `${platform}/${file.slice(0, -'.md'.length)}`,
            text: read('tldr', name, platform, file),
          })),
      )
      return commandCollection(locale, files)
    }),
  )
}

const cacm = (): Collection =>
  filesOf('cacm').length === 0
    ? { pages: [], queries: [] }
    : cacmCollection({
        all: read('cacm', 'cacm.all'),
        queries: read('cacm', 'query.text'),
        qrels: read('cacm', 'qrels.text'),
      })

const write = (name: string, { pages, queries }: Collection): void => {
  if (pages.length === 0) return
  const locales = [...new Set(pages.map(({ locale }) => locale))].sort()
  const wiki = {
    type: 'wiki',
    name,
    default_locale: locales.includes('en') ? 'en' : locales[0],
    license: 'https://creativecommons.org/licenses/by-sa/4.0/',
    locales: locales.map((locale) => ({ locale, name: locale })),
  }
  const revision = {
    created_at: '2024-01-01T00:00:00.000000Z',
    author: 'bench',
    comment: '',
    status: 'accepted',
    categories: [],
  }
  const records = pages.map(({ locale, path, title, markdown }) => ({
    type: 'page',
    locale,
    path,
    state: 'live',
    revisions: [{ ...revision, title, markdown }],
  }))
  const lines = (items: readonly unknown[]) =>
    gzipSync(items.map((item) => `${JSON.stringify(item)}\n`).join(''))
  writeFileSync(join(output, `${name}.ndjson.gz`), lines([wiki, ...records]))
  writeFileSync(join(output, `${name}.judged.ndjson.gz`), lines(queries))
  process.stdout.write(`${name}: ${pages.length} pages, ${queries.length} queries\n`)
}

mkdirSync(output, { recursive: true })
write('questions', withKeywords(named('squad', '.json', squadCollection)))
write('texts', named('texts', '.txt', textCollection))
write('commands', tldr())
write('cacm', cacm())
