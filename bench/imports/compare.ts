import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recognizeFiles } from '@lectern/import-files/files/recognition/recognize'
import { commitOf, openRepository, readTree } from '@lectern/import-files/git/repository'
import type { ImportRecord } from '@lectern/wiki/records'
import { compiledPath } from '../servers.ts'
import { onServer } from '../world/server.ts'
import { readPlainGit, readTexts } from './plain-git.ts'

/**
 * Imports git repositories and compares what guests then see with what plain git says: pages, languages, texts, authors,
 * dates and numbers of edits.
 *
 *     BENCH_DATABASE_URL=postgresql://… node dist/bench/imports/compare.js FOLDER [NAME…]
 *
 * FOLDER contains clones, bare or not. Prints a line of a Markdown table for each, and the first differences of each kind
 * on standard error.
 */

const DATABASE = 'lectern_bench_compare'
const TIMEOUT_MS = 1_200_000

interface RunResult {
  seconds: number
  /** The most memory that the process has used, MB. */
  memory: number
  output: string
}

/** Runs `lectern` and measures it. */
const lectern = (args: string[], databaseUrl: string): Promise<RunResult> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const child = spawn(process.execPath, [compiledPath('src/cli.js'), ...args], {
      env: { ...process.env, DATABASE_URL: databaseUrl },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: TIMEOUT_MS,
    })
    let output = ''
    let memory = 0
    const measuring = setInterval(() => {
      try {
        const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
        memory = Math.max(memory, Number(peak ?? 0) / 1024)
      } catch {}
    }, 50)
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    child.on('close', (status) => {
      clearInterval(measuring)
      if (status !== 0) reject(new Error(`lectern ${args.join(' ')}: ${output.slice(-500)}`))
      else resolve({ seconds: (performance.now() - startedAt) / 1000, memory, output })
    })
  })

type Page = Extract<ImportRecord, { type: 'page' }>

/** The pages that guests see. */
const exportedPages = async (databaseUrl: string): Promise<Map<string, Page>> => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-compare-'))
  try {
    const file = join(folder, 'wiki.ndjson')
    await lectern(['export', '--public', file], databaseUrl)
    const pages = new Map<string, Page>()
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const record = line === '' ? null : (JSON.parse(line) as ImportRecord)
      if (record?.type !== 'page') continue
      // A long history takes several lines.
      const key = `${record.locale} ${record.path}`
      const revisions = [...(pages.get(key)?.revisions ?? []), ...record.revisions]
      pages.set(key, { ...record, revisions })
    }
    return pages
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A layout as a regular expression, written again from its documentation. */
const matcherOf = (layout: string, defaultLocale: string) => {
  const [, template = layout, suffix] = /^(.*)@([A-Za-z_-]+)$/s.exec(layout) ?? []
  const indexNames = ['index']
  const source = template.split(/(\{[^}]*\})/).map((part) => {
    const [, name, values] = /^\{(path|locale)(?::(.*))?\}$/.exec(part) ?? []
    if (name === 'path') indexNames.push(...(values?.split('|') ?? []))
    if (name === 'path') return '(?<path>.+)'
    if (name === 'locale') return `(?<locale>${values ?? '[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]+)*'})`
    return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  const pattern = new RegExp(`^${source.join('')}$`, 's')
  return (file: string): { locale: string; path: string } | null => {
    const groups = pattern.exec(file.normalize('NFC'))?.groups
    if (!groups) return null
    const parts = groups.path!.split('/')
    if (indexNames.includes(parts.at(-1)!)) parts.pop()
    const locale = (groups.locale ?? suffix ?? defaultLocale).toLowerCase().replaceAll('_', '-')
    return { locale, path: parts.join('/') || 'index' }
  }
}

const BODY =
  /^\ufeff?(?:---[ \t]*\r?\n(?:[\s\S]*?\r?\n)?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)|\+\+\+[ \t]*\r?\n[\s\S]*?\r?\n\+\+\+[ \t]*(?:\r?\n|$))?/
const bodyOf = (text: string): string => text.replace(BODY, '').trim()
const isHidden = (text: string): boolean =>
  /^(?:draft:\s*true|published:\s*false|draft\s*=\s*true)\s*$/m.test(BODY.exec(text)?.[0] ?? '')

class Differences {
  readonly #examples = new Map<string, string[]>()

  add(kind: string, example: string): void {
    this.#examples.set(kind, [...(this.#examples.get(kind) ?? []), example])
  }

  get summary(): string {
    return [...this.#examples].map(([kind, { length }]) => `${length} ${kind}`).join(', ') || '0'
  }

  print(name: string): void {
    for (const [kind, examples] of this.#examples)
      process.stderr.write(`${name}: ${kind}: ${examples.slice(0, 3).join('; ')}\n`)
  }
}

const compare = async (repository: string, name: string, server: string): Promise<string> => {
  const databaseUrl = Object.assign(new URL(server), { pathname: `/${DATABASE}` }).href
  await onServer(server, `drop database if exists ${DATABASE} with (force)`)
  await onServer(server, `create database ${DATABASE}`)
  await lectern(['migrate'], databaseUrl)
  const imported = await lectern(['import', 'git', repository], databaseUrl)
  const pages = await exportedPages(databaseUrl)
  const differences = new Differences()

  const opened = await openRepository(repository, { sourcesFolder: tmpdir() })
  const content = await recognizeFiles(await readTree(opened, await commitOf(opened, 'HEAD')))
  await opened.processes.stop()
  const matchers = content.layouts.map((layout) => matcherOf(layout, content.defaultLocale))
  const files = readPlainGit(repository)
  const expected = new Map<string, { file: string; rank: number }>()
  for (const [file, { mode }] of files) {
    const rank = matchers.findIndex((match) => match(file) !== null)
    if (!mode.startsWith('100') || rank < 0 || content.leftOut?.test(file)) continue
    const { locale, path } = matchers[rank]!(file)!
    const other = expected.get(`${locale} ${path}`)
    const isFirst = !other || rank < other.rank || (rank === other.rank && file.length < other.file.length)
    if (isFirst) expected.set(`${locale} ${path}`, { file, rank })
  }
  const texts = readTexts(repository, [
    ...new Set([...expected.values()].map(({ file }) => files.get(file)!.blob)),
  ])
  for (const [key, { file }] of expected) {
    const { blob, changes, formerNames } = files.get(file)!
    const text = texts.get(blob)!.toString('utf8')
    const page = pages.get(key)
    if (!page) {
      if (!isHidden(text)) differences.add('missing pages', file)
      continue
    }
    const live = page.revisions.reduce((a, b) =>
      `${a.created_at} ${a.id}` > `${b.created_at} ${b.id}` ? a : b,
    )
    const hasConvertedLinks = content.linkMarkup !== 'markdown' && text.includes('[[')
    if (!hasConvertedLinks && live.markdown.trim() !== bodyOf(text)) differences.add('texts', file)
    if (page.revisions.length !== changes.length)
      differences.add(
        'numbers of edits',
        `${file} has ${page.revisions.length}, git ${changes.length}${formerNames.length > 0 ? ' (renamed)' : ''}`,
      )
    const last = changes.reduce<(typeof changes)[number] | undefined>(
      (a, b) => (a && a.time > b.time ? a : b),
      undefined,
    )
    if (last && live.author !== last.author.trim())
      differences.add('authors', `${file}: ${live.author}, git ${last.author}`)
    if (last && Date.parse(live.created_at) / 1000 !== last.time)
      differences.add('dates', `${file}: ${live.created_at}, git ${last.time}`)
  }
  for (const [key, { path }] of pages) if (!expected.has(key)) differences.add('other pages', path)
  const locales = (keys: Iterable<string>) =>
    [...new Set([...keys].map((key) => key.split(' ')[0]!))].sort().join(' ')
  if (locales(pages.keys()) !== locales(expected.keys()))
    differences.add('languages', `${locales(pages.keys())}, git ${locales(expected.keys())}`)
  differences.print(name)

  const edits = [...pages.values()].reduce((sum, { revisions }) => sum + revisions.length, 0)
  const tool = /^Recognized (.+?) with the layout/m.exec(imported.output)?.[1] ?? '?'
  const languages = new Set([...pages.values()].map(({ locale }) => locale)).size
  const cells = [
    name,
    tool,
    pages.size,
    languages,
    edits,
    imported.seconds.toFixed(1),
    Math.round(imported.memory),
    differences.summary,
  ]
  return `| ${cells.join(' | ')} |`
}

/** A clone, bare or not, in a folder or one level below it. */
const repositoryIn = (folder: string): string | null => {
  const isRepository = (path: string) => existsSync(join(path, '.git')) || existsSync(join(path, 'objects'))
  if (isRepository(folder)) return folder
  const below = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return below.map(({ name }) => join(folder, name)).find(isRepository) ?? null
}

const [folder, ...names] = process.argv.slice(2)
const server = process.env.BENCH_DATABASE_URL
if (folder === undefined || server === undefined) {
  process.stderr.write(
    'BENCH_DATABASE_URL=postgresql://… node dist/bench/imports/compare.js FOLDER [NAME…]\n',
  )
  process.exit(2)
}
process.stdout.write(
  '| Repository | Recognized as | Pages | Languages | Edits | Seconds | Memory (MB) | Differences |\n|---|---|---|---|---|---|---|---|\n',
)
for (const name of names.length > 0 ? names : readdirSync(folder).sort()) {
  const repository = repositoryIn(join(folder, name))
  if (repository === null) continue
  const line = await compare(repository, name, server).catch(
    (error: Error) => `| ${name} | failed: ${error.message.slice(0, 200)} |`,
  )
  process.stdout.write(`${line}\n`)
}
