import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { packagePath } from '../src/paths.ts'
import { releasedChangelog } from './changelog.ts'

/**
 * `npm run release -- major|minor|patch`: sets the version, dates the part "Unreleased" of the changelog, generates what
 * contains the version, checks everything, commits and tags. It does not push and does not publish.
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
// The packages have the same version.
run(
  'npm',
  'version',
  step,
  '--no-git-tag-version',
  '--workspaces',
  '--include-workspace-root',
  '--no-workspaces-update',
)
const { version } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string }
const changelog = packagePath('CHANGELOG.md')
const date = output('git', 'log', '-1', '--format=%cs')
writeFileSync(changelog, releasedChangelog(readFileSync(changelog, 'utf8'), version, date))
run('npm', 'run', 'generate')
run('git', 'add', '--all')
run('npm', 'run', 'check')
run('npm', 'pack', '--dry-run', '--ignore-scripts')
run('git', 'commit', '--message', `release: ${version}`)
run('git', 'tag', '--annotate', `v${version}`, '--message', `Lectern ${version}`)
process.stdout.write(`Tagged v${version}. Push it, and publish it, when you have read the commit.\n`)
