import { printLine, progressLine } from '../progress.ts'
import { quote } from '../wiki/text.ts'
import type { ImportSource, StoredContentQueries } from '../write/records.ts'
import { type ImportSummary, runImport } from '../write/run-import.ts'
import type { AbsentPages } from '../write/writer.ts'
import { withOwner } from './with-database.ts'

/** Runs an import with its progress, and says what it did. */
export const importWithProgress = async (
  open: (stored: StoredContentQueries) => Promise<ImportSource>,
): Promise<void> => {
  await withOwner(async (database) => {
    const progress = progressLine({ whenStopped: 'Stopped: nothing of this import is kept.' })
    try {
      const { summary, source } = await runImport(database, open, {
        onProgress: (reading) => progress.show(reading.progress()),
        onWait: () => printLine('Another import is running; waiting until it ends…'),
      })
      progress.end()
      for (const note of source.notes()) printLine(note)
      if (summary.formerName !== undefined) printLine(besideNote(summary.formerName))
      if (summary.absent.pages > 0) printLine(absentNote(summary.absent))
      printLine(summaryOf(summary))
    } finally {
      progress.end()
    }
  })
}

/** Most often the sample wiki, which a start without DATA_DIR made. */
const besideNote = (former: string): string =>
  `The database held a wiki called "${quote(former)}": its pages stay, beside the new ones. ` +
  'To have one wiki alone, import it into a new database (DATA_DIR or DATABASE_URL).'

const absentNote = ({ pages, first }: AbsentPages): string => {
  const named = first.map(({ locale, path }) => `${quote(path)} (${locale})`).join(', ')
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
