import type { ExportedPage } from '../data/exporting.ts'
import { LINE_BYTES } from '../limits.ts'

/** Half of what an import takes. */
const BYTES = LINE_BYTES / 2

/**
 * A page as lines of the interchange form: one, or several with some of its edits each where one would be
 * longer than an import reads.
 */
export function* linesOfPage({ revisions, ...page }: ExportedPage, bytes: number = BYTES): Generator<string> {
  const line = (some: string[]) => `${JSON.stringify(page).slice(0, -1)},"revisions":[${some.join(',')}]}\n`
  let some: string[] = []
  let length = 0
  for (const revision of revisions) {
    const text = JSON.stringify(revision)
    const added = Buffer.byteLength(text)
    if (some.length > 0 && length + added > bytes) {
      yield line(some)
      some = []
      length = 0
    }
    some.push(text)
    length += added
  }
  yield line(some)
}
