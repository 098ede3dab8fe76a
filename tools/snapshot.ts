import { existsSync } from 'node:fs'
import { buildSnapshot, snapshotPath } from '../src/data/embedded/snapshot.ts'

/** Makes, once, the empty database that new embedded ones start from. `npm run build` runs it. */
if (!existsSync(snapshotPath())) await buildSnapshot(snapshotPath())
