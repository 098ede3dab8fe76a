import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagePath } from '../../../src/paths.ts'

/** What ran before this: the last release, built in a folder of its own. */
export interface PreviousBuild {
  commit: string
  /** Its `cli.js`. */
  cli: string
  /** Whether its database differs from ours. */
  hasOtherMigrations: boolean
  remove(): void
}

const root = packagePath('.')
const git = (...args: string[]): string =>
  execFileSync('git', ['-C', root, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1e9,
  })

/** Names of the migrations of a commit, or of this folder. */
const migrationsOf = (commit?: string): string => {
  const files = ['--', 'schema/migrations']
  return commit === undefined
    ? git('ls-files', '--cached', '--others', '--exclude-standard', ...files)
    : git('ls-tree', '-r', '--name-only', commit, ...files)
}

/**
 * The last release before this commit; before the first release, this commit itself, so that the test stays usable.
 * @throws Error if this is no git repository
 */
const previousCommit = (): { commit: string; hasOtherMigrations: boolean } => {
  const tags = git(
    'tag',
    '--list',
    'v*',
    '--sort=-version:refname',
    '--merged',
    'HEAD',
    '--no-contains',
    'HEAD',
  )
  const commit = git('rev-parse', `${tags.split('\n')[0] || 'HEAD'}^{commit}`).trim()
  return { commit, hasOtherMigrations: migrationsOf(commit) !== migrationsOf() }
}

/** Whether all that it needs to run is installed here, in the very versions that it names. */
const runsOn = (folder: string, installed: string): boolean => {
  const packages = (path: string): Record<string, { version?: string; dev?: boolean; optional?: boolean }> =>
    JSON.parse(readFileSync(join(path, 'package-lock.json'), 'utf8')).packages
  const here = packages(installed)
  return Object.entries(packages(folder)).every(
    ([name, { version, dev, optional }]) => name === '' || dev || optional || here[name]?.version === version,
  )
}

/** Builds it: with our packages where they are the same, else with those that it names. */
export const buildPrevious = (): PreviousBuild => {
  const { commit, hasOtherMigrations } = previousCommit()
  const folder = mkdtempSync(join(tmpdir(), 'lectern-previous-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const sh = (script: string, cwd = folder) =>
    execFileSync('sh', ['-c', script], { cwd, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' })
  try {
    sh(`git -C '${root}' archive ${commit} | tar -x -C '${folder}'`)
    if (runsOn(folder, root)) {
      symlinkSync(packagePath('node_modules'), join(folder, 'node_modules'))
      // Its types were checked in its time. What the build adds besides is an embedded database's.
      sh('node node_modules/typescript/bin/tsc --noCheck')
    } else sh('npm ci --no-audit --no-fund')
    return { commit, cli: join(folder, 'dist', 'src', 'cli.js'), hasOtherMigrations, remove }
  } catch (error) {
    remove()
    const { stderr, message } = error as Error & { stderr?: string }
    throw new Error(`The previous commit, ${commit}, cannot be built: ${stderr || message}`, { cause: error })
  }
}
