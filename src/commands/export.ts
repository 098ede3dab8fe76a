import { stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { UsageError } from '../errors.ts'
import { formatCount } from '../wiki/text.ts'

export const declareExport = (program: Command): void => {
  program
    .command('export')
    .description('export the whole wiki, including hidden edits, in the interchange format')
    .argument('<file>', 'compressed if the name ends with .gz')
    .option(
      '--public',
      'export only what guests can see: live pages and their accepted edits; safe to publish',
    )
    .option('--gzip', 'compress, whatever the name of the file is')
    .addHelpText(
      'after',
      `
The file appears when it is complete. To continue an interrupted export, run the same command again; to start
again, remove FILE.partial first. docs/dumps.md explains how to publish dumps.

Examples:
  lectern export backup.ndjson.gz
  lectern export --public /var/www/dumps/tea-wiki.ndjson.gz`,
    )
    .action(exportWiki)
}

interface ExportCommandOptions {
  public?: boolean
  gzip?: boolean
}

const exportWiki = async (file: string, { public: isPublic, gzip }: ExportCommandOptions): Promise<void> => {
  const [
    { withOwner, withReader },
    { attachmentOf },
    { exportNdjson, resumeAdvice },
    { progressLine, printLine },
  ] = await Promise.all([
    import('./with-database.ts'),
    import('../wikijs/follow.ts'),
    import('../export/ndjson.ts'),
    import('../progress.ts'),
  ])
  await (isPublic ? withReader : withOwner)(async (database, { licenseUrl }) => {
    if (!isPublic && (await attachmentOf(database)).isAttached)
      throw new UsageError(
        'The texts of an attached Wiki.js are in its own tables. Use the export of Wiki.js, or export what guests see: `lectern export --public`.',
      )
    const progress = progressLine({ whenStopped: `Stopped. ${resumeAdvice(file)}` })
    try {
      const {
        pages,
        revisions,
        reusedPages,
        notes = [],
      } = await exportNdjson(database, file, {
        ...(isPublic ? { view: 'guest', license: licenseUrl } : {}),
        gzip,
        onProgress: (now) =>
          progress.show({ done: now.pages, total: now.totalPages, before: now.reusedPages, unit: 'pages' }),
      })
      progress.end()
      for (const note of notes) printLine(note)
      const { size } = await stat(file)
      const reused = reusedPages === 0 ? '' : ` (${reusedPages} of them in an earlier run)`
      const content = `${formatCount(pages, 'page')}${reused} and ${formatCount(revisions, 'edit')}`
      printLine(`Exported ${content} to ${file} (${formatCount(size, 'byte')})`)
    } finally {
      progress.end()
    }
  })
}
