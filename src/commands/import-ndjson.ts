import type { Command } from 'commander'

export const declareImportNdjson = (importing: Command): void => {
  importing
    .command('ndjson')
    .description('import a file in the interchange format, plain or compressed with gzip')
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
  const source = await openNdjsonSource(file) // before the database: a wrong path must not create one
  await importWithProgress(async () => source)
}
