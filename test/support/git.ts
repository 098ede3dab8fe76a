import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { type GitOptions, openGitSource } from '../../src/import/git/source.ts'
import { type ImportRecord, type PageRecord, wikiFileRecord } from '../../src/write/records.ts'

let temporary: string | undefined
let count = 0

/** A temporary folder of this process, for repositories. */
export const gitFolder = (): string => {
  if (temporary === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-git-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    temporary = folder
  }
  return temporary
}

/** Runs git in a folder, out of reach of this machine's settings; what it prints. */
export const git = (folder: string, args: string[], env: Record<string, string> = {}): string =>
  execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: gitFolder(), GIT_CONFIG_NOSYSTEM: '1', ...env },
  }).trim()

/** A new repository with a branch `main`. */
export const newRepository = (...options: string[]): string => {
  const folder = join(gitFolder(), `wiki${++count}`)
  mkdirSync(folder)
  git(folder, ['init', '-q', '-b', 'main', ...options])
  return folder
}

export type Files = Record<string, string | Buffer | null>

/** Writes the files (null removes one) and commits everything; the hash. */
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
  git(folder, ['add', '-A'])
  git(folder, ['commit', '-q', '--allow-empty', '-m', message], signature(at, by))
  return git(folder, ['rev-parse', 'HEAD'])
}

/** Who commits when, as git takes it from its environment. */
export const signature = (at: string, by = 'Ada') => ({
  GIT_AUTHOR_NAME: by,
  GIT_AUTHOR_EMAIL: `${by.toLowerCase()}@tea.example`,
  GIT_AUTHOR_DATE: '2001-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'Committer',
  GIT_COMMITTER_EMAIL: 'committer@tea.example',
  GIT_COMMITTER_DATE: at,
})

/** Reads a repository as an import does; each record is held to be valid. */
export const take = async (folder: string, options: Partial<GitOptions> = {}) => {
  const source = await openGitSource(folder, { layouts: [], ...options })
  const records: ImportRecord[] = []
  for await (const record of source.records) records.push(record)
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
    notes: source.notes().join('\n'),
    page: (path: string, locale = 'en'): PageRecord => {
      const page = pages.find((one) => one.path === path && one.locale === locale)
      if (!page) throw new Error(`no page ${locale} ${path}`)
      return page
    },
  }
}
