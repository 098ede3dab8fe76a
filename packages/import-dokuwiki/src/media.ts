import { ImportError } from '@lectern/wiki/errors'
import { fileVersion, streamFileHandle } from '@lectern/wiki/import/file-stream'
import type { SourceFile, SourceFiles } from '@lectern/wiki/records'
import { timestampFromInstant } from '@lectern/wiki/time'
import type { GuestAccess } from './access.ts'
import { DataFolder } from './folders.ts'
import type { DokuwikiNotes } from './notes.ts'
import { idOf } from './pages.ts'
import type { DokuwikiSettings } from './settings.ts'
import { namespaceOfId } from './site.ts'

/**
 * The media files of a DokuWiki that guests may see. `tea:cup.png` has the path `tea/cup.png`. DokuWiki has rules for
 * their namespaces alone.
 * @param access null: guests may see all files
 * @see sendFile and auth_quickaclcheck in DokuWiki's lib/exe/fetch.php
 */
export const dokuwikiMedia = (
  settings: DokuwikiSettings,
  access: GuestAccess | null,
  notes: DokuwikiNotes,
): SourceFiles => ({
  roots: [''],
  list: async function* () {
    const media = await DataFolder.open(settings.data.media, false)
    for await (const { path: file, kind } of media.entries()) {
      const id = kind === 'file' ? idOf(file, settings) : null
      if (id === null) continue
      if (access?.canRead([namespaceOfId(id), '*'].filter((part) => part !== '').join(':')) === false)
        notes.add('restricted file', id)
      else yield* mediaFile(media, file, id)
    }
  },
})

async function* mediaFile(media: DataFolder, file: string, id: string): AsyncGenerator<SourceFile> {
  const handle = await media.openFile(file)
  if (handle === null) return
  const stats = await handle.stat({ bigint: true }).finally(() => handle.close())
  const version = fileVersion(stats)
  yield {
    locale: '',
    path: id.replaceAll(':', '/'),
    version,
    bytes: Number(stats.size),
    modifiedAt: timestampFromInstant({ seconds: Number(stats.mtimeNs / 1_000_000_000n), fraction: '' }),
    author: null,
    open: async function* () {
      const opened = await media.openFile(file)
      if (opened === null) throw new ImportError(`The media file ${file} cannot be read`)
      yield* streamFileHandle(opened, version)
    },
  }
}
