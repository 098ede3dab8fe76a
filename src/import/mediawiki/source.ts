import { UsageError } from '../../errors.ts'
import { parseSourceLocale } from '../../wiki/locales.ts'
import { quote } from '../../wiki/text.ts'
import type { ImportRecord, ImportSource } from '../../write/records.ts'
import { ExportReader } from './export-reader.ts'
import { openDump } from './file.ts'
import type { MediawikiItem } from './items.ts'
import { MediawikiNotes } from './notes.ts'
import { RecordConverter } from './record-converter.ts'
import type { MediawikiOptions } from './wiki.ts'

/**
 * Reads a MediaWiki dump as a stream: `.xml`, `.xml.gz` or `.xml.bz2`, version 0.10 or 0.11, with all revisions or only
 * the current ones. (D46)
 * @throws UsageError if the file cannot be opened or an option is invalid; its records throw ImportError with the line
 */
export const openMediawikiSource = async (file: string, options: MediawikiOptions): Promise<ImportSource> => {
  const locale = options.locale === undefined ? undefined : parseSourceLocale(options.locale)
  if (locale === null)
    throw new UsageError(`${quote(options.locale!)} is not a locale code. Use a code such as en or pt-br.`)
  const dump = await openDump(file)
  const notes = new MediawikiNotes()
  let location = 'Line 1'
  let covered: 'wiki' | { locale: string } | 'some' = 'some'
  const read = async function* (): AsyncGenerator<ImportRecord> {
    const reader = new ExportReader()
    const converter = new RecordConverter({ ...options, locale }, notes)
    const convert = function* (items: Iterable<MediawikiItem>) {
      for (const item of items) {
        if (item.type === 'page' || item.type === 'revision') location = item.location
        yield* converter.convert(item)
      }
    }
    for await (const chunk of dump.text) yield* convert(reader.read(chunk))
    yield* convert(reader.end())
    converter.end()
    covered = options.add ? { locale: converter.locale } : 'wiki'
  }
  return {
    records: read(),
    lineOf: () => location,
    progress: () => ({ done: dump.bytesRead(), total: dump.bytes, unit: 'bytes' }),
    notes: () => notes.lines(),
    covers: () => covered,
  }
}
