import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagePath, packageVersion } from '../src/paths.ts'
import { releasedChangelog } from './changelog.ts'
import { installPackage, listPackages, packRelease } from './released-files.ts'

/**
 * `npm run release -- major|minor|patch`: sets the version, dates the part "Unreleased" of the changelog, generates what
 * contains the version, checks everything, commits and tags. Then it packs the package into `release/`, with a CycloneDX
 * list of what it installs, and begins the next version. It does not push and does not publish.
 */

const run = (program: string, ...args: string[]): void => {
  execFileSync(program, args, { cwd: packagePath(), stdio: 'inherit' })
}
const output = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { cwd: packagePath(), encoding: 'utf8' }).trim()

const [step = ''] = process.argv.slice(2)
if (!['major', 'minor', 'patch'].includes(step)) {
  process.stderr.write('Say which part of the version rises: npm run release -- major|minor|patch\n')
  process.exit(2)
}
if (output('git', 'status', '--porcelain') !== '') {
  process.stderr.write('There are changes that are not committed. Commit them first.\n')
  process.exit(1)
}
/** Sets the version, also of the packages and the clients, and generates what contains it. @param step or the version itself */
const setVersion = (step: string): string => {
  const previous = packageVersion()
  run(
    'npm',
    'version',
    step,
    '--no-git-tag-version',
    '--workspaces',
    '--include-workspace-root',
    '--no-workspaces-update',
  )
  const version = packageVersion()
  // npm writes only the version of the top into the lock, unless it asks the registry for newer packages.
  const lock = JSON.parse(readFileSync(packagePath('package-lock.json'), 'utf8'))
  for (const [path, locked] of Object.entries<{ version: string }>(lock.packages))
    if (path.startsWith('packages/')) locked.version = version
  writeFileSync(packagePath('package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`)
  for (const file of ['javascript/package.json', 'python/pyproject.toml']) {
    const path = packagePath('clients', file)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(`"${previous}"`, `"${version}"`))
  }
  run('npm', 'run', 'generate')
  return version
}

const version = setVersion(step)
const changelog = packagePath('CHANGELOG.md')
const date = output('git', 'log', '-1', '--format=%cs')
writeFileSync(changelog, releasedChangelog(readFileSync(changelog, 'utf8'), version, date))
run('git', 'add', '--all')
run('npm', 'run', 'check')
run('git', 'commit', '--message', `release: ${version}`)
run('git', 'tag', '--annotate', `v${version}`, '--message', `Lectern ${version}`)
const folder = packagePath('release')
mkdirSync(folder, { recursive: true })
const { filename, integrity } = packRelease(packagePath('.'), folder)
const installed = mkdtempSync(join(tmpdir(), 'lectern-release-'))
try {
  installPackage(join(folder, filename), installed)
  writeFileSync(join(folder, filename.replace(/\.tgz$/, '.cdx.json')), listPackages(installed))
} finally {
  rmSync(installed, { recursive: true })
}
// So that what is built from now on tells itself from the release.
const [major, minor] = version.split('.')
const next = setVersion(`${major}.${Number(minor) + 1}.0-dev`)
run('git', 'commit', '--all', '--message', `version: ${next}`)
process.stdout.write(`Tagged v${version}. release/ has the package (${integrity}), and the list of what it installs.
Push the tag, and publish this package, when you have read the commit.
`)
