import type { AbsentPages } from '../data/writer.ts'
import type { ImportSource } from '../import/records.ts'
import { type ImportSummary, runImport, type Stored } from '../import/run.ts'
import { progressLine, say } from '../progress.ts'
import { quotable } from '../wiki/text.ts'
import { withOwner } from './databases.ts'

/** Runs an import with its progress, and says what it did. */
export const importFrom = async (open: (stored: Stored) => Promise<ImportSource>): Promise<void> => {
  await withOwner(async (database) => {
    const progress = progressLine({ whenStopped: 'Stopped: nothing of this import is kept.' })
    try {
      const { summary, source } = await runImport(database, open, {
        onProgress: (reading) => progress.show(reading.progress()),
        onWait: () => say('Another import is running; waiting until it ends…'),
      })
      progress.end()
      for (const note of source.notes()) say(note)
      if (summary.formerName !== undefined) say(besideNote(summary.formerName))
      if (summary.absent.pages > 0) say(absentNote(summary.absent))
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

const absentNote = ({ pages, first }: AbsentPages): string => {
  const named = first.map(({ locale, path }) => `${quotable(path)} (${locale})`).join(', ')
  const more = pages > first.length ? ', …' : ''
  return pages === 1
    ? `1 live page is in the database but not in this source; it stays public: ${named}.`
    : `${pages} live pages are in the database but not in this source; they stay public: ${named}${more}.`
}

const summaryOf = ({
  pages,
  categories,
  revisions,
  newRevisions,
  changedRevisions,
  movedRevisions,
  seconds,
}: ImportSummary): string => {
  const rate = Math.round(revisions / Math.max(seconds, 0.001))
  const moved = movedRevisions === 0 ? '' : `, ${movedRevisions} moved to another page`
  const changes =
    newRevisions + changedRevisions + movedRevisions === 0
      ? 'nothing new'
      : `${newRevisions} new, ${changedRevisions} changed${moved}`
  return `${pages} pages, ${categories} categories, ${revisions} edits read (${changes}) in ${seconds.toFixed(1)} s: ${rate} edits/s`
}
