import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { killOnExit } from '../children.ts'
import { compiledPath } from '../servers.ts'

const IMPORT_TIMEOUT_MS = 1_800_000

/** Imports a file in the interchange format into an embedded database of its own, which exists during the work. */
export const withImportedWiki = async <Result>(
  file: string,
  work: (dataDir: string) => Promise<Result>,
): Promise<Result> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'lectern-bench-search-'))
  try {
    const result = promisify(execFile)(
      process.execPath,
      [compiledPath('src/cli.js'), 'import', 'ndjson', file],
      { env: { PATH: process.env.PATH, DATA_DIR: dataDir }, timeout: IMPORT_TIMEOUT_MS, maxBuffer: 1 << 24 },
    )
    killOnExit(result.child)
    await result
    return await work(dataDir)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
