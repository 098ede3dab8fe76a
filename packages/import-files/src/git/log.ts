import { ImportError, UsageError } from '@lectern/wiki/errors'
import { toSingleLine } from '@lectern/wiki/import/wiki-record'
import { FIELD_BYTES_MAX } from '@lectern/wiki/limits'
import { type Timestamp, timestampFromInstant } from '@lectern/wiki/time'
import { fieldsIn, partsOf, runGit } from './process.ts'
import { isRegular, type Repository } from './repository.ts'

export type Commit = ReturnType<typeof commitOfHeader>

/** A change of a file in a commit, compared with the tree of the first parent. Its name has U+FFFD for bytes that are not UTF-8. */
export type Change = { file: string } & NonNullable<ReturnType<typeof contentsOf>>

const HEADER = ['%H', '%P', '%ct', '%aN', '%s']

export type CommitChanges = { commit: Commit; changes: Change[] }

/**
 * Reads a commit and all its ancestors, parents first, with their changes of regular files, in one run of git. A rename is a deletion
 * and a new file. @param since left out, with its ancestors @throws UsageError if git is older than 2.31
 */
export async function* commitsOf(
  repository: Repository,
  head: string,
  since?: string,
): AsyncGenerator<CommitChanges> {
  const config = [`mailmap.blob=${head}:.mailmap`, 'log.showRoot=true']
  let header: string[] = []
  let last: CommitChanges | undefined
  /** The contents of the file whose name comes next; null if the change is ignored. Undefined: no name comes. */
  let contents: ReturnType<typeof contentsOf> | undefined
  try {
    for await (const part of partsOf({ ...repository, config }, logArguments(head, since)))
      for (const field of fieldsIn(part)) {
        if (contents !== undefined) {
          if (contents !== null) last!.changes.push({ file: field.toString('utf8'), ...contents })
          contents = undefined
        } else if (header.length === 0 && isChange(field)) contents = contentsOf(field.toString('latin1'))
        else if (header.push(field.toString('utf8')) === HEADER.length) {
          if (last) yield last
          last = { commit: commitOfHeader(header), changes: [] }
          header = []
        }
      }
  } catch (error) {
    if (!(error instanceof ImportError && error.message.includes('--diff-merges'))) throw error
    throw new UsageError(
      'This version of git is too old. Install git 2.31 or newer (git --version shows the version).',
    )
  }
  if (last) yield last
}

export const timeOf = async (repository: Repository, commit: string): Promise<Timestamp> =>
  timeOfSeconds(await runGit(repository, ['log', '-1', '--format=%ct', '--no-show-signature', commit, '--']))

/** The number of children of each ancestor of a commit, among these ancestors and the commit. */
export const countChildren = async (repository: Repository, head: string): Promise<Map<string, number>> => {
  const children = new Map<string, number>()
  const args = ['log', '-z', '--format=tformat:%P', '--no-show-signature', head, '--']
  for await (const part of partsOf(repository, args))
    for (const field of fieldsIn(part))
      for (const parent of parentsOf(field.toString('latin1')))
        children.set(parent, (children.get(parent) ?? 0) + 1)
  return children
}

/** `-O` and the `--no-…` options override settings that the repository's configuration may contain. (D20) */
const logArguments = (head: string, since?: string): string[] => [
  'log',
  ...['-z', '--raw', '--no-abbrev', '--no-renames', '--topo-order', '--reverse', '--encoding=UTF-8'],
  ...['--no-show-signature', '--no-ext-diff', '--no-textconv', '--no-color', '--no-notes', '-O/dev/null'],
  '--diff-merges=first-parent',
  `--format=tformat:${HEADER.join('%x00')}`,
  head,
  ...(since === undefined ? [] : [`^${since}`]),
  '--',
]

/** A line of `--raw` starts with a colon; the first line of a commit has a newline before it. A hash has neither. */
const isChange = (bytes: Buffer): boolean => /^\n?:/.test(bytes.toString('latin1', 0, 2))

/** Parses `:mode mode blob blob status`. @returns the contents after and before, null if there is no regular file; or null if it did not change */
const contentsOf = (line: string) => {
  const [oldMode = '', newMode = '', oldBlob = '', newBlob = ''] = line.trimStart().slice(1).split(' ')
  const formerBlob = isRegular(oldMode) ? oldBlob : null
  const blob = isRegular(newMode) ? newBlob : null
  return blob === formerBlob ? null : { blob, formerBlob }
}

const timeOfSeconds = (seconds: string): Timestamp =>
  timestampFromInstant({ seconds: Number(seconds) || 0, fraction: '' })

const parentsOf = (hashes: string): string[] => (hashes === '' ? [] : hashes.split(' '))

const commitOfHeader = (header: string[]) => {
  const [hash, parents, seconds, author, subject] = header as [string, string, string, string, string]
  return {
    hash,
    /** Hashes; empty for a root. */
    parents: parentsOf(parents),
    /** The commit date, not the author date. A rebase renews it. */
    createdAt: timeOfSeconds(seconds),
    author: toSingleLine(author, FIELD_BYTES_MAX.name),
    comment: toSingleLine(subject, FIELD_BYTES_MAX.comment),
  }
}
