import { chmodSync, existsSync, rmSync, symlinkSync } from 'node:fs'
import { buildSnapshot, snapshotPath } from '../src/data/embedded/snapshot.ts'
import { packagePath } from '../src/paths.ts'

/**
 * What a build needs besides compiled code; `npm run build` runs it. Once: the empty database that new
 * embedded ones start from. Each time: a link by which `npx lectern` finds this very build; without one,
 * npx would install the package into a folder of its own first.
 */
if (!existsSync(snapshotPath())) await buildSnapshot(snapshotPath())

const cli = packagePath('dist', 'src', 'cli.js')
const link = packagePath('node_modules', '.bin', 'lectern')
chmodSync(cli, 0o755)
if (process.platform !== 'win32') {
  rmSync(link, { force: true })
  symlinkSync(cli, link)
}
