import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { makeGitNotes } from '@lectern/import-files/files/notes'
import { recognizePages } from '@lectern/import-files/files/page-files'
import { findPages } from '@lectern/import-files/files/page-index'
import { IncludableBlobs } from '@lectern/import-files/git/includable-blobs'
import { makeLastChanges } from '@lectern/import-files/git/last-changes'
import { readAll } from '@lectern/import-files/git/reading'
import { commitOf, openRepository, readTree } from '@lectern/import-files/git/repository'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { type Cost, measureCost, runLectern, runToEnd } from './programs.ts'

/**
 * The work that no import can avoid, each part done by the shortest program that can: reading the texts, sending them
 * with COPY into a table with the columns and indexes of edits, and making words and HTML of the live pages.
 */
export interface Floor {
  read: Cost
  copy: Cost
  words: Cost
}

interface FloorOptions {
  postmaster: number
  /** A database into which the source was imported. */
  databaseUrl: string
  /** A file for the rows that are copied. */
  file: string
  /** The program that only reads the texts of the source. */
  reader: { program: string; args: string[]; input?: string }
}

/** The blobs of all edits that an import of a repository reads, in its order. */
export const blobsOf = async (folder: string, chosen: string[]): Promise<string[]> => {
  const repository = await openRepository(folder, { sourcesFolder: '' })
  const head = await commitOf(repository, 'HEAD')
  const tree = await readTree(repository, head)
  const pageFiles = await recognizePages(tree, { layouts: chosen }, repository.name)
  const { content, layouts } = pageFiles
  const notes = makeGitNotes()
  const found = await findPages(tree, pageFiles, notes)
  const includable = new IncludableBlobs(repository, content.includes)
  const lastChanges = makeLastChanges({ repository, head, tree }, () => false)
  const { pages } = await readAll({
    ...found,
    repository,
    head,
    tree,
    mailmap: null,
    hasMessages: true,
    layouts,
    notes,
    includable,
    lastChanges,
    from: null,
    beginsWithImport: false,
  })
  await repository.processes.stop()
  return pages.flatMap(({ revisions }) => revisions.map(({ blob }) => blob))
}

/** Reads each line of an NDJSON file. */
export const NDJSON_READER =
  "const { createInterface } = require('node:readline'); const { createReadStream } = require('node:fs'); " +
  "createInterface({ input: createReadStream(process.argv[1]) }).on('line', (line) => JSON.parse(line))"

export const measureFloor = async ({
  postmaster,
  databaseUrl,
  file,
  reader: { program, args, input },
}: FloorOptions): Promise<Floor> => {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    const { cost: read } = await measureCost(postmaster, () => runToEnd(program, args, { input }))
    await pipeline(
      client.query(copyTo('copy (select * from wiki.revision) to stdout (format binary)')),
      createWriteStream(file),
    )
    await client.query('create table bench_copy (like wiki.revision_visible including all)')
    const { cost: copy } = await measureCost(postmaster, () =>
      pipeline(
        createReadStream(file, { highWaterMark: 1 << 18 }),
        client.query(copyFrom('copy bench_copy from stdin (format binary)')),
      ),
    )
    await client.query('drop table bench_copy')
    await client.query('truncate wiki.live_search, wiki.search_hot_set, wiki.live_link, wiki.live_html')
    const { cost: words } = await measureCost(postmaster, () => runLectern(databaseUrl, 'reindex', '--all'))
    return { read, copy, words }
  } finally {
    await client.end()
  }
}
