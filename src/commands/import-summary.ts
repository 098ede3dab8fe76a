import { printLine, progressLine } from '../progress.ts'
import { formatCount, quote } from '../wiki/text.ts'
import type { AbsentPages } from '../write/page-writer.ts'
import type { ImportSource, StoredContentQueries } from '../write/records.ts'
import { type ImportSummary, runImport } from '../write/run-import.ts'
import { withOwner } from './with-database.ts'

/** Runs an import, shows its progress, and prints a summary. */
export const importWithProgress = async (
  open: (stored: StoredContentQueries) => Promise<ImportSource>,
): Promise<void> => {
  await withOwner(async (database) => {
    const progress = progressLine({ whenStopped: 'Stopped. The import is rolled back; nothing has changed.' })
    try {
      const { summary, source } = await runImport(database, open, {
        onProgress: (source) => progress.show(source.progress()),
        onWait: () => printLine('Another import is running. Waiting until it ends…'),
      })
      progress.end()
      for (const note of source.notes()) printLine(note)
      if (summary.formerName !== undefined) printLine(otherWikiNote(summary.formerName))
      if (summary.absent.pages > 0) printLine(absentPagesNote(summary.absent))
      printLine(formatSummary(summary))
    } finally {
      progress.end()
    }
  })
}

/** The other wiki is usually the sample wiki, which `lectern serve` imports if DATA_DIR is not set. */
const otherWikiNote = (name: string): string =>
  `The database already contained another wiki, "${quote(name)}". Its pages stay, next to the imported ones. ` +
  'If you want only the imported wiki, import it into a new database (DATA_DIR or DATABASE_URL).'

const absentPagesNote = ({ pages, first }: AbsentPages): string => {
  const examples = first.map(({ locale, path }) => `${quote(path)} (${locale})`).join(', ')
  const more = pages > first.length ? ', …' : ''
  return pages === 1
    ? `1 live page is in the database but not in this source. It stays public: ${examples}.`
    : `${pages} live pages are in the database but not in this source. They stay public: ${examples}${more}.`
}

const formatSummary = ({
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
  const content = [
    formatCount(pages, 'page'),
    formatCount(categories, 'category', 'categories'),
    formatCount(revisions, 'edit'),
  ].join(', ')
  return `Read ${content} (${changes}) in ${seconds.toFixed(1)} s: ${rate} edits/s`
}
