import type { ImportSource } from '../import/records.ts'
import { type ImportSummary, runImport } from '../import/run.ts'
import { progressLine, say } from '../progress.ts'
import { quotable } from '../wiki/text.ts'
import { withOwner } from './databases.ts'

/** Of edits' ids, those that are stored. */
export type Known = (ids: string[]) => Promise<Set<string>>

/** Runs an import with its progress, and says what it did. */
export const importFrom = async (open: (known: Known) => Promise<ImportSource>): Promise<void> => {
  await withOwner(async (database) => {
    const progress = progressLine({ whenStopped: 'Stopped: nothing of this import is kept.' })
    try {
      const { summary, source } = await runImport(database, open, (reading) =>
        progress.show(reading.progress()),
      )
      progress.end()
      for (const note of source.notes()) say(note)
      if (summary.formerName !== undefined) say(besideNote(summary.formerName))
      say(summaryOf(summary))
    } finally {
      progress.end()
    }
  })
}

/** Most often the sample wiki, which a start without DATA_DIR made. */
const besideNote = (former: string): string =>
  `The database held a wiki called "${quotable(former)}": its pages stay, beside the new ones. ` +
  'To have one wiki alone, import it into a new database (DATA_DIR or DATABASE_URL).'

const summaryOf = ({
  pages,
  categories,
  revisions,
  newRevisions,
  changedRevisions,
  seconds,
}: ImportSummary): string => {
  const rate = Math.round(revisions / Math.max(seconds, 0.001))
  const changes =
    newRevisions + changedRevisions === 0 ? 'nothing new' : `${newRevisions} new, ${changedRevisions} changed`
  return `${pages} pages, ${categories} categories, ${revisions} edits read (${changes}) in ${seconds.toFixed(1)} s: ${rate} edits/s`
}
