import type { Command } from 'commander'

export const declareImportNdjson = (importing: Command): void => {
  importing
    .command('ndjson')
    .description('from a file in the interchange form, compressed by gzip or not')
    .argument('<file>')
    .addHelpText(
      'after',
      `
Examples:
  lectern import ndjson tea-wiki.ndjson.gz
  lectern import ndjson <(curl -fsS https://dumps.example/tea-wiki.ndjson.gz)`,
    )
    .action(importNdjson)
}

const importNdjson = async (file: string): Promise<void> => {
  const [{ importWithProgress }, { openNdjsonSource }] = await Promise.all([
    import('./import-summary.ts'),
    import('../import/ndjson.ts'),
  ])
  const source = await openNdjsonSource(file) // first, so that a file that is not there makes no database
  await importWithProgress(async () => source)
}
