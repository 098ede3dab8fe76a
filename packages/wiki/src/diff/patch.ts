import { formatPatch, type StructuredPatchHunk } from 'diff'
import { DIFF_LIMITS } from '../limits.ts'
import { diffLines, type Hunk, type HunkLine } from './line-diff.ts'

interface PatchSide {
  text: string
  /** When it was written, RFC 3339. */
  createdAt: string
}

export interface PatchJob {
  /** The file that the patch changes, without the directories `a` and `b`. */
  file: string
  /** Null: the patch creates the file. */
  from: PatchSide | null
  to: PatchSide
}

/** A patch in the unified format, as `git apply` reads it; empty for equal texts. Carriage returns are part of lines. */
export const patchOf = ({ file, from, to }: PatchJob): string | null => {
  const { hunks, truncated } = diffLines(from?.text ?? '', to.text, DIFF_LIMITS.patch, { highlights: false })
  if (truncated) return null
  if (hunks.length === 0) return ''
  return formatPatch(
    {
      oldFileName: from === null ? '/dev/null' : `a/${file}`,
      newFileName: `b/${file}`,
      oldHeader: from === null ? undefined : dateOf(from),
      newHeader: dateOf(to),
      hunks: hunks.map(patchHunk),
    },
    { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  )
}

/** The time as GNU diff writes it. It also ends the name of the file, which can contain spaces. */
const dateOf = ({ createdAt }: PatchSide): string => createdAt.replace('T', ' ').replace('Z', ' +0000')

const SIGNS: Readonly<Record<HunkLine['kind'], string>> = { context: ' ', removed: '-', added: '+' }

const patchHunk = ({ from, to, lines }: Hunk): StructuredPatchHunk => ({
  oldStart: from.line,
  oldLines: from.lines,
  newStart: to.line,
  newLines: to.lines,
  lines: lines.flatMap(({ kind, text, newline }) => [
    SIGNS[kind] + text,
    ...(newline ? [] : ['\\ No newline at end of file']),
  ]),
})
