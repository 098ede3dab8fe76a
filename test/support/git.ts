import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type GitOptions, openGitSource } from '@lectern/import-files/git/source'
import { convertWikitextFile } from '@lectern/import-mediawiki/wikitext/file'
import { UsageError } from '@lectern/wiki/errors'
import { type ImportRecord, type PageRecord, wikiFileRecord } from '@lectern/wiki/records'
import type { StoredContentQueries } from '@lectern/wiki/stored-content'
import { expect } from 'chai'
import { asLine } from './importing.ts'

let temporary: string | undefined
let count = 0

/** The temporary folder of this process for repositories. It is made on first use, and removed at the end. */
export const gitFolder = (): string => {
  if (temporary === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-git-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    temporary = folder
  }
  return temporary
}

const run = (folder: string, program: string, args: string[], env: Record<string, string> = {}): string =>
  execFileSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: gitFolder(), GIT_CONFIG_NOSYSTEM: '1', ...env },
  }).trim()

/** Runs git in a folder, without the settings of this machine. @returns what it prints */
export const git = (folder: string, args: string[], env: Record<string, string> = {}): string =>
  run(folder, 'git', args, env)

/** Makes a repository with a branch `main`, as `git init` does, whose process would take longer. @returns its folder */
export const newRepository = ({ isBare = false } = {}): string => {
  const folder = join(gitFolder(), `wiki${++count}`)
  const gitDir = isBare ? folder : join(folder, '.git')
  for (const name of ['objects', 'refs/heads']) mkdirSync(join(gitDir, name), { recursive: true })
  writeFileSync(join(gitDir, 'HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(gitDir, 'config'), `[core]\n\trepositoryformatversion = 0\n\tbare = ${isBare}\n`)
  return folder
}

export type Files = Record<string, string | Buffer | null>

/**
 * Starts two programs by one: starting a program from a process of 800 MB takes 20 ms, from a shell 1 ms.
 * Without automatic maintenance, since each commit would start one more.
 */
const COMMIT = 'git add -A && git -c maintenance.auto=false commit -q --allow-empty -m "$1"'

/** The commit of HEAD, which has just been made. A linked worktree has its HEAD elsewhere. */
const headOf = (folder: string): string => {
  if (!existsSync(join(folder, '.git', 'HEAD'))) return git(folder, ['rev-parse', 'HEAD'])
  const head = readFileSync(join(folder, '.git', 'HEAD'), 'utf8').trim()
  return head.startsWith('ref: ') ? readFileSync(join(folder, '.git', head.slice(5)), 'utf8').trim() : head
}

/** Writes the files (null removes one) and commits everything. @returns the hash */
export const commit = (
  folder: string,
  files: Files,
  { at = '2024-05-01T12:00:00Z', by = 'Ada', message = 'edit' } = {},
): string => {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name)
    if (content === null) rmSync(file)
    else {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    }
  }
  run(folder, 'sh', ['-c', COMMIT, 'sh', message], signature(at, by))
  return headOf(folder)
}

/** Merges branches, and changes files before the merge is committed. */
export const merge = (
  folder: string,
  branches: string[],
  files: Files,
  { at, options = [], message = 'merge' }: { at: string; options?: string[]; message?: string },
): void => {
  try {
    git(folder, ['merge', '-q', '--no-commit', '--no-ff', ...options, ...branches], signature(at))
  } catch {
    // A conflict, which `files` resolve.
  }
  commit(folder, files, { at, message })
}

/** Environment variables by which git knows who commits, and when. */
export const signature = (at: string, by = 'Ada') => ({
  GIT_AUTHOR_NAME: by,
  GIT_AUTHOR_EMAIL: `${by.toLowerCase()}@tea.example`,
  GIT_AUTHOR_DATE: '2001-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'Committer',
  GIT_COMMITTER_EMAIL: 'committer@tea.example',
  GIT_COMMITTER_DATE: at,
})

/** Reads a repository as an import does. Fails when a record is not valid. */
export const take = async (folder: string, options: Partial<GitOptions> = {}) => {
  const source = await openGitSource(folder, {
    layouts: [],
    sourcesFolder: join(gitFolder(), 'sources'),
    wikitext: convertWikitextFile,
    ...options,
  })
  const records: ImportRecord[] = []
  const formerPaths = new Map<string, string[]>()
  try {
    for await (const record of source.records) {
      records.push(asLine(record))
      if (record.type === 'page')
        formerPaths.set(
          `${record.locale} ${record.path}`,
          (record.formerPaths ?? []).map(({ locale, path }) => `${locale} ${path}`).sort(),
        )
    }
  } finally {
    await source.close?.()
  }
  for (const record of records) {
    expect(JSON.parse(JSON.stringify(wikiFileRecord.parse(record)))).to.deep.equal(
      JSON.parse(JSON.stringify(record)),
    )
  }
  const pages = records.filter((record) => record.type === 'page')
  return {
    source,
    pages,
    wiki: records.find((record) => record.type === 'wiki'),
    categories: records.filter((record) => record.type === 'category'),
    /** Without the pages that have no title: most texts here have none. */
    notes: source
      .notes()
      .filter((note) => !note.startsWith('Pages whose title'))
      .join('\n'),
    untitled: source.notes().find((note) => note.startsWith('Pages whose title')),
    /** The former paths of a page, with their languages: `en tea`. */
    formerPaths: (path: string, locale = 'en') => formerPaths.get(`${locale} ${path}`),
    page: (path: string, locale = 'en'): PageRecord => {
      const page = pages.find((one) => one.path === path && one.locale === locale)
      if (!page) throw new Error(`no page ${locale} ${path}`)
      return page
    },
  }
}

/** The error by which an import refuses a repository. Fails when it does not. */
export const refusalOf = async (folder: string, options: Partial<GitOptions> = {}): Promise<Error> => {
  const error = await take(folder, options).then(
    () => null,
    (reason: Error) => reason,
  )
  if (!error) throw new Error('nothing was refused')
  expect(error).to.be.instanceOf(UsageError)
  return error
}

/** Queries of a wiki that has stored nothing but the revisions with known ids. */
export const storedWithKnown = (
  knownRevisions: (revisions: { id: string }[]) => Promise<Set<string>>,
): StoredContentQueries => ({
  knownRevisions,
  storedPages: async () => [],
  sourceState: async () => null,
  livePages: async () => [],
  storedPageStates: async () => [],
  newestMembers: async () => [],
})
