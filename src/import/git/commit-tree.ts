import type { FileTree } from '../files/file-tree.ts'
import { isLink, isRegular } from './log.ts'
import { eachEntry, readBlobs } from './objects.ts'
import type { Repository } from './repository.ts'

/** The files in the tree of a commit. Their contents are blobs. */
export const commitTree = (repository: Repository, head: string): FileTree => ({
  eachFile: (onFile) =>
    eachEntry(repository, head, ({ file: name, mode, blob: content }) => {
      if (isRegular(mode)) onFile({ name, kind: 'regular', content })
      else if (isLink(mode)) onFile({ name, kind: 'link', content })
    }),
  readContents: (contents, maxBytes) => readBlobs(repository, [...contents], maxBytes),
})
