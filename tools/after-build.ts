import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildSnapshot, snapshotPath } from '../src/db/embedded/snapshot.ts'
import { packagePath } from '../src/paths.ts'

/** The folders that the compiler writes: dist/ has the same ones as the package. */
const COMPILED = ['src', 'test', 'tools', 'bench', 'clients']

/**
 * Removes compiled files whose source is gone. The compiler leaves them, and mocha would still run a test that was
 * removed or renamed.
 */
const removeStale = (folder: string): void => {
  const root = packagePath('dist', folder)
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const source = join(packagePath(folder), file.slice(root.length).replace(/\.js(\.map)?$/, '.ts'))
    if (source.endsWith('.ts') && !existsSync(source)) rmSync(file)
  }
}

/**
 * The last step of `npm run build`. It removes stale files, makes the command executable, and builds the empty database
 * that new embedded databases are copied from, unless it exists.
 */
for (const folder of COMPILED) removeStale(folder)
chmodSync(packagePath('dist', 'src', 'cli.js'), 0o755)
if (!existsSync(snapshotPath())) await buildSnapshot(snapshotPath())
