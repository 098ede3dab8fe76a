import type { Command } from 'commander'
import { addSourceOptions, type SourceCommandOptions, toNamedSource } from './source-options.ts'

export const declareImportNdjson = (importing: Command): void => {
  const command = importing
    .command('ndjson')
    .description('import a file in the interchange format, plain or compressed with gzip')
    .argument('<file>')
  addSourceOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  lectern import ndjson tea-wiki.ndjson.gz
  lectern import ndjson <(curl -fsS https://dumps.example/tea-wiki.ndjson.gz)`,
    )
    .action(importNdjson)
}

const importNdjson = async (file: string, options: SourceCommandOptions): Promise<void> => {
  const [{ importOpened }, { openNdjsonSource }] = await Promise.all([
    import('./import-summary.ts'),
    import('../import/ndjson.ts'),
  ])
  await importOpened(toNamedSource(options), () => openNdjsonSource(file))
}
