import { ImportError } from '@lectern/wiki/errors'
import type { Layout } from '../files/layouts.ts'
import type { Change, Commit } from './log.ts'
import type { GitProcess } from './process.ts'
import type { Repository } from './repository.ts'

export type Rename = { from: string; to: string }

/** Files that git compares in one commit: its own default. More take no part, so that the time stays proportional. (D72) */
const RENAME_LIMIT = 1000

/** Changes of a commit up to which git also compares rewritten files. */
const REWRITE_CHANGES_MAX = 100

/** How git looks for renames: also from files that stay, with another text? */
export type RenameSearch = 'moved' | 'rewritten'

/** Finds renames with git's similarity detection: at least 50 % of the text are equal. */
export const makeRenameDetector = ({ processes }: Repository, layouts: readonly Layout[]) => {
  const running = new Map<RenameSearch, GitProcess>()
  const startFor = (search: RenameSearch) =>
    processes.start([
      ...['diff-tree', '--stdin', '--no-commit-id', '-r', '-z', '--raw', '--no-abbrev', '-O/dev/null'],
      ...['--no-ext-diff', '--no-textconv', '--find-renames=50%', `-l${RENAME_LIMIT}`],
      ...(search === 'rewritten' ? ['--break-rewrites'] : []),
      ...['--', ...pathspecsOf(layouts)],
    ])
  return async ({ hash, parents }: Commit, search: RenameSearch): Promise<Rename[]> => {
    const git = running.get(search) ?? startFor(search)
    running.set(search, git)
    // git repeats a line that names no commit, and writes its output at once.
    git.stdin.write(`${hash} ${parents[0]}\n${END}`)
    const renames: Rename[] = []
    const sources = new Set<string>()
    for (;;) {
      const first = await git.take(1)
      if (first === null) {
        await git.stop()
        const reason = git.stderrText() || 'ended early'
        throw new ImportError(
          `git diff-tree: ${reason}. If this is a partial clone, clone again without --filter`,
        )
      }
      if (first[0] === END.charCodeAt(0)) {
        await git.take(END.length - 1)
        return renames
      }
      const status = (await git.until('\0')).split(' ')[4] ?? ''
      const from = await git.until('\0')
      if (!/^[RC]/.test(status)) continue
      const to = await git.until('\0')
      // A rewritten file counts as copied, because there is still a file of this name.
      if (sources.has(from)) continue
      sources.add(from)
      renames.push({ from, to })
    }
  }
}

/**
 * How git must look for renames in a commit with one parent, if at all. A page that a redirect replaced, or that swapped its name,
 * was rewritten: to find all, git would compare every edit. So its text must be unchanged. (D72)
 */
export const searchFor = (changes: readonly Change[]): RenameSearch | null => {
  if (changes.length <= REWRITE_CHANGES_MAX) {
    const rewritten = new Set(changes.map(({ blob, formerBlob }) => blob && formerBlob))
    if (changes.some(({ blob }) => blob !== null && rewritten.has(blob))) return 'rewritten'
  }
  const isRenaming =
    changes.some(({ blob }) => blob === null) && changes.some(({ formerBlob }) => formerBlob === null)
  return isRenaming ? 'moved' : null
}

const END = 'end\n'

/** Limits git to the extensions of pages, so that it compares no code. Empty: a layout has no extension. */
const pathspecsOf = (layouts: readonly Layout[]): string[] => {
  const extensions = new Set(layouts.map(({ text }) => /\}[^{}@]*?(\.\w+)(?:@[^@/.{}]*)?$/.exec(text)?.[1]))
  return extensions.has(undefined) ? [] : [...extensions].map((extension) => `*${extension}`)
}
