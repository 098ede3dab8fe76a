import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagePath } from '../../../src/paths.ts'

/** What ran before this: an older commit, built in a folder of its own. */
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

/**
 * The newest commit that lacks a migration of this folder, else the one before this: an upgrade from it
 * has everything to do that an upgrade may have.
 * @throws Error where the history is not there
 */
const previousCommit = (): { commit: string; hasOtherMigrations: boolean } => {
  const without = 'A rolling upgrade is tested from an earlier commit, and the history is not here: '
  try {
    git('rev-parse', '--verify', '--quiet', 'HEAD')
  } catch (error) {
    throw new Error(`${without}this is no git repository. Clone it with git.`, { cause: error })
  }
  const today = git('ls-files', '-s', '--cached', '--others', '--exclude-standard', '--', 'schema/migrations')
  const namesToday = today.split('\n').filter(Boolean).length
  const changes = git('log', '--format=%H', '--diff-filter=A', '--', 'schema/migrations')
    .split('\n')
    .filter(Boolean)
  const isShallow = git('rev-parse', '--is-shallow-repository').trim() === 'true'
  const parentOf = (commit: string): string | undefined => {
    try {
      return git('rev-parse', '--verify', '--quiet', `${commit}^`).trim()
    } catch {
      return undefined
    }
  }
  // Not committed yet: HEAD itself has others.
  const committed = git('ls-tree', '-r', '--name-only', 'HEAD', '--', 'schema/migrations')
    .split('\n')
    .filter(Boolean)
  if (committed.length !== namesToday)
    return { commit: git('rev-parse', 'HEAD').trim(), hasOtherMigrations: true }
  const beforeNewest = changes[0] && parentOf(changes[0])
  if (beforeNewest) return { commit: beforeNewest, hasOtherMigrations: true }
  const parent = parentOf('HEAD')
  if (parent && !isShallow) return { commit: parent, hasOtherMigrations: false }
  throw new Error(`${without}the clone is shallow. Run \`git fetch --unshallow\`.`)
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
