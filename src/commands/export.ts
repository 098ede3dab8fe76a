import { stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { UsageError } from '../errors.ts'

export const declareExport = (program: Command): void => {
  program
    .command('export')
    .description('write the whole wiki, hidden edits too, in the interchange form')
    .argument('<file>', 'a name that ends in .gz is compressed')
    .option('--public', 'only what a guest may see: live pages and their accepted edits; safe to publish')
    .option('--gzip', 'compress whatever the file is called')
    .addHelpText(
      'after',
      `
The file appears when it is whole. An export that was interrupted goes on where it stopped when the same
command is run again; remove FILE.partial to begin anew. docs/dumps.md says how to publish dumps.

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
    { exportNdjson, canResume },
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
        'The texts of an attached Wiki.js are its own: export them there. What guests see, `lectern export --public` writes.',
      )
    const progress = progressLine({ whenStopped: `Stopped. ${canResume(file)}` })
    try {
      const {
        pages,
        revisions,
        reusedPages,
        notes = [],
      } = await exportNdjson(database, file, {
        ...(isPublic ? { view: 'guest', license: licenseUrl } : {}),
        gzip,
        onProgress: (so) =>
          progress.show({ done: so.pages, total: so.totalPages, before: so.reusedPages, unit: 'pages' }),
      })
      progress.end()
      for (const note of notes) printLine(note)
      const { size } = await stat(file)
      const kept = reusedPages === 0 ? '' : `, ${reusedPages} of the pages by an earlier run`
      printLine(`${pages} pages and ${revisions} edits written to ${file} (${size} bytes${kept})`)
    } finally {
      progress.end()
    }
  })
}
