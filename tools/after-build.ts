import { chmodSync, existsSync } from 'node:fs'
import { buildSnapshot, snapshotPath } from '../src/db/embedded/snapshot.ts'
import { packagePath } from '../src/paths.ts'

/**
 * What a build needs besides compiled code; `npm run build` runs it: that the command can be run, and, once,
 * the empty database that new embedded ones start from.
 */
chmodSync(packagePath('dist', 'src', 'cli.js'), 0o755)
if (!existsSync(snapshotPath())) await buildSnapshot(snapshotPath())
