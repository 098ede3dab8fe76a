import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lectern } from '../../support/cli.ts'

/** Bytes of its Markdown as JSON: more than the kernel's buffers take between a server and a client that does not read. */
export const LARGE_BYTES = 12_000_000

/** Imports a page at `large`, beside what the wiki holds. */
export const importLargePage = async (databaseUrl: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-large-'))
  const page = {
    type: 'page',
    path: 'large',
    locale: 'en',
    state: 'live',
    revisions: [
      {
        created_at: '2024-01-01T00:00:00Z',
        author: 'Ada',
        comment: '',
        status: 'accepted',
        title: 'Large',
        // Each is two bytes as JSON: a text may have 8 MiB.
        markdown: '"'.repeat(LARGE_BYTES / 2),
      },
    ],
  }
  try {
    const file = join(folder, 'large.ndjson')
    await writeFile(file, `${JSON.stringify(page)}\n`)
    const { status, stderr } = await lectern(['import', 'ndjson', file], { DATABASE_URL: databaseUrl })
    if (status !== 0) throw new Error(stderr)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
