import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagePath } from '../../../src/paths.ts'
import { packRelease } from '../../../tools/released-files.ts'

/** This repository at some commit, built in a folder of its own. */
export interface BuiltCopy {
  folder: string
  /** Its `cli.js`. */
  cli: string
  remove(): void
}

export interface PreviousBuild extends BuiltCopy {
  /** Whether its database differs from ours. */
  hasOtherMigrations: boolean
}

const root = packagePath('.')
const git = (...args: string[]): string =>
  execFileSync('git', ['-C', root, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1e9,
  })

/** The files of this folder that git does not ignore. */
const PRESENT = ['ls-files', '--cached', '--others', '--exclude-standard']

/** Names of the migrations of a commit, or of this folder. */
const migrationsOf = (commit?: string): string =>
  git(
    ...(commit === undefined ? PRESENT : ['ls-tree', '-r', '--name-only', commit]),
    '--',
    'schema/migrations',
  )

/**
 * The last release before this commit, as `npm run release` commits it; before the first release, this commit itself,
 * so that the test stays usable.
 * @throws Error if this is no git repository
 */
const previousCommit = (): string => {
  const head = git('rev-parse', 'HEAD').trim()
  const releases = git('log', '--format=%H', '--extended-regexp', '--grep=^release: [0-9.]+$').split('\n')
  return releases.find((commit) => commit !== '' && commit !== head) ?? head
}

/** Whether all that it needs to be built and to run is installed here, in the very versions that it names. */
const runsOn = (folder: string, installed: string): boolean => {
  const packages = (path: string): Record<string, { version?: string }> =>
    JSON.parse(readFileSync(join(path, 'package-lock.json'), 'utf8')).packages
  const here = packages(installed)
  // The build of a copy checks no types.
  const isNeeded = (name: string) =>
    name.startsWith('node_modules/') && !name.startsWith('node_modules/@types/')
  return Object.entries(packages(folder)).every(
    ([name, { version }]) => !isNeeded(name) || here[name]?.version === version,
  )
}

/**
 * Copies this repository and builds it: with our packages where they are the same, else with those that it names.
 * @param commit absent: the files as they are now
 */
export const buildCopy = (commit?: string): BuiltCopy => {
  const folder = mkdtempSync(join(process.env.LECTERN_FAULTS_DISK ?? tmpdir(), 'lectern-copy-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const sh = (script: string) =>
    execFileSync('sh', ['-ec', script], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' })
  try {
    const files =
      commit === undefined ? `git ${PRESENT.join(' ')} -z | tar -c --null -T -` : `git archive ${commit}`
    sh(`${files} | tar -x -C '${folder}'`)
    if (runsOn(folder, root)) {
      // Hard links where the folders are on the same disk. The links to the packages of the copy lead into the copy.
      const copy = `cp -al "$one" "${folder}/$one" 2>/dev/null || cp -a "$one" "${folder}/$(dirname "$one")/"`
      sh(
        `for one in node_modules packages/*/node_modules; do if [ -d "${folder}/$(dirname "$one")" ]; then ${copy}; fi; done`,
      )
    } else sh(`cd '${folder}' && npm ci --no-audit --no-fund --prefer-offline --ignore-scripts`)
    // As `npm run build`, without the tests, and without the check of types, which is most of its work and changes no file.
    sh(
      `cd '${folder}' && rm -rf test bench
      node node_modules/typescript-7/bin/tsc --build . clients/javascript --noCheck
      node dist/tools/after-build.js`,
    )
    return { folder, cli: join(folder, 'dist', 'src', 'cli.js'), remove }
  } catch (error) {
    remove()
    const { stderr, message } = error as Error & { stderr?: string }
    throw new Error(`${commit ?? 'The copy'} cannot be built: ${stderr || message}`, { cause: error })
  }
}

/** The last release. */
export const buildPrevious = (): PreviousBuild => {
  const commit = previousCommit()
  return { ...buildCopy(commit), hasOtherMigrations: migrationsOf(commit) !== migrationsOf() }
}

/**
 * The package of this folder as it is built: the file that LECTERN_TEST_PACKAGE names, which `npm run package` has
 * written, or else one that this packs into a folder. @returns the path of the file
 */
export const packedRelease = (folder: string): string =>
  process.env.LECTERN_TEST_PACKAGE ?? join(folder, packRelease(packagePath('.'), folder).filename)
