import { lectern } from '../../support/cli.ts'
import { linesOfFile, withFile } from '../../support/importing.ts'
import { recordsOf, type WorldSpec } from '../../support/world.ts'

/**
 * Runs `lectern import`, which adds pages to what the wiki of a database holds, and gives the wiki a name if one is
 * given. @throws Error with what it printed
 */
export const importWorld = (databaseUrl: string, spec: WorldSpec): Promise<void> =>
  importWorldInto({ DATABASE_URL: databaseUrl }, spec)

/** The same for a database that the environment names. */
export const importWorldInto = (environment: Record<string, string>, spec: WorldSpec): Promise<void> => {
  const records = recordsOf(spec).filter(({ type }) => type !== 'wiki' || spec.name !== undefined)
  return withFile('wiki.ndjson', linesOfFile(...records), async (file) => {
    const args = ['import', 'ndjson', file, ...(spec.name === undefined ? [] : ['--keep-missing'])]
    const { status, stderr } = await lectern(args, environment)
    if (status !== 0) throw new Error(stderr)
  })
}

/** Bytes of its Markdown as JSON: more than the kernel's buffers take between a server and a client that does not read. */
export const LARGE_BYTES = 12_000_000

/** Imports a page at `large`. In JSON, each of its characters takes two bytes: a text may have 8 MiB. */
export const importLargePage = (databaseUrl: string): Promise<void> =>
  importWorld(databaseUrl, {
    pages: [{ path: 'large', revisions: [{ markdown: '"'.repeat(LARGE_BYTES / 2) }] }],
  })
