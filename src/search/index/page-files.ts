import { plainMarkdown } from '@lectern/wiki/dialects/plain-markdown'
import { fileCandidates, fileReferences } from '@lectern/wiki/files/references'
import { FILE_PATH_BYTES_MAX, FILE_REFERENCE_BYTES_MAX } from '@lectern/wiki/limits'
import { byteLength } from '@lectern/wiki/text'
import type { PageToIndex } from './parsed-pages.ts'

/** A path at which the file may be that a page shows or links. */
export interface PageFileReference {
  pageId: string
  reference: string
  /** Paths with a smaller number are tried first. */
  place: number
  path: string
  /** See `FileCandidates.nameKey`. Then `path` is the end of a path. */
  nameKey: string | null
}

/** The references of a page to files, whether these exist or not: an import finds the files at its end. (D139) */
export const pageFileReferences = ({
  id,
  markdown,
  path,
  sourcePath,
  fileRoots,
  dialect,
}: PageToIndex): PageFileReference[] => {
  const page = { path, sourcePath, roots: (fileRoots as string[] | null) ?? [] }
  return fileReferences(plainMarkdown(markdown, dialect))
    .filter((reference) => byteLength(reference) <= FILE_REFERENCE_BYTES_MAX)
    .flatMap((reference) => {
      const { paths, nameKey } = fileCandidates(reference, page)
      const candidates = paths.map((one) => ({ path: one, nameKey: null as string | null }))
      if (nameKey !== null) candidates.push({ path: reference.slice(2, -2), nameKey })
      return candidates
        .filter((one) => one.path !== '' && byteLength(one.path) <= FILE_PATH_BYTES_MAX)
        .map((one, place) => ({ pageId: id, reference, place, ...one }))
    })
}
