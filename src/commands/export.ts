import { stat } from 'node:fs/promises'
import { UsageError } from '@lectern/wiki/errors'
import { formatCount } from '@lectern/wiki/text'
import type { Command } from 'commander'
import { packagePath } from '../paths.ts'

export const declareExport = (program: Command): void => {
  program
    .command('export')
    .description('export the whole wiki, including hidden edits, in the interchange format')
    .argument('<file>', 'compressed if the name ends with .gz; -: standard output, without files')
    .option('--public', 'export what guests can see: live pages and their accepted edits; safe to publish')
    .option('--gzip', 'compress, whatever the name of the file is')
    .addHelpText(
      'after',
      `
The file appears when it is complete; until then, the export writes FILE.partial. ${packagePath('docs', 'dumps.md')} explains how to
publish dumps.

Examples:
  lectern export backup.ndjson.gz
  lectern export --public /var/www/dumps/tea-wiki.ndjson.gz`,
    )
    .action(exportWiki)
}

const exportWiki = async (file: string, options: { public?: boolean; gzip?: boolean }): Promise<void> => {
  const { public: isPublic, gzip } = options
  const { withOwner, withReader } = await import('./with-database.ts')
  const { attachmentOf } = await import('../wikijs/follow.ts')
  const { exportNdjson } = await import('../export/ndjson.ts')
  const { printLine, withProgress } = await import('../progress.ts')
  await (isPublic ? withReader : withOwner)(async (database, { licenseUrl }) => {
    if (!isPublic && (await attachmentOf(database)).isAttached)
      throw new UsageError(
        'The texts of an attached Wiki.js are in its own tables. Use the export of Wiki.js, or export what guests see: `lectern export --public`.',
      )
    const whenStopped = `Stopped. ${file} was not written.`
    const { pages, revisions, notes } = await withProgress({ whenStopped }, (show) =>
      exportNdjson(database, file, {
        ...(isPublic ? { view: 'guest', license: licenseUrl } : {}),
        gzip,
        onProgress: (now) => show({ done: now.pages, total: now.totalPages, unit: 'pages' }),
      }),
    )
    for (const note of notes ?? []) printLine(note)
    const content = `${formatCount(pages, 'page')} and ${formatCount(revisions, 'edit')}`
    const size = file === '-' ? '' : ` (${formatCount((await stat(file)).size, 'byte')})`
    printLine(`Exported ${content} to ${size === '' ? 'standard output' : file}${size}`)
  })
}
