import { chmodSync, existsSync } from 'node:fs'
import { buildSnapshot, snapshotPath } from '../src/db/embedded/snapshot.ts'
import { packagePath } from '../src/paths.ts'

/**
 * The last step of `npm run build`. It makes the command executable, and builds the empty database that new embedded
 * databases are copied from, unless it exists.
 */
chmodSync(packagePath('dist', 'src', 'cli.js'), 0o755)
if (!existsSync(snapshotPath())) await buildSnapshot(snapshotPath())
