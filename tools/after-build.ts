import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildSnapshot, snapshotPath } from '@lectern/embedded/snapshot'
import { packagePath } from '../src/paths.ts'

/** The folders that are compiled, each with the folder that the compiler writes. */
const COMPILED = [
  ...['src', 'test', 'tools', 'bench', 'clients'].map((folder) => [folder, join('dist', folder)]),
  ...readdirSync(packagePath('packages')).flatMap((name) => [
    [join('packages', name, 'src'), join('packages', name, 'dist')],
    [join('packages', name, 'test'), join('dist', 'packages', name, 'test')],
  ]),
] as [source: string, compiled: string][]

/**
 * Removes compiled files whose source is gone. The compiler leaves them, and mocha would still run a test that was
 * removed or renamed.
 */
const removeStale = ([folder, compiled]: (typeof COMPILED)[number]): void => {
  const root = packagePath(compiled)
  if (!existsSync(root)) return
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const source = join(
      packagePath(folder),
      file.slice(root.length).replace(/(\.js|\.d\.ts)(\.map)?$/, '.ts'),
    )
    if (source.endsWith('.ts') && !existsSync(source)) rmSync(file)
  }
}

/**
 * The last step of `npm run build`. It removes stale files, makes the command executable, and builds the empty database
 * that new embedded databases are copied from, unless it exists.
 */
for (const folders of COMPILED) removeStale(folders)
chmodSync(packagePath('dist', 'src', 'cli.js'), 0o755)
if (!existsSync(snapshotPath())) await buildSnapshot(snapshotPath())
