import { ImportError, UsageError } from '../../errors.ts'
import { FIELD_BYTES_MAX } from '../../limits.ts'
import { type Timestamp, timestampFromInstant } from '../../wiki/time.ts'
import { toSingleLine } from '../single-line.ts'
import { eachField } from './process.ts'
import type { Repository } from './repository.ts'

export interface Commit {
  hash: string
  /** Hashes; none of a root. */
  parents: string[]
  /** When it was committed, which a rebase renews, not when it was written. */
  createdAt: Timestamp
  author: string
  /** The subject. */
  comment: string
}

/** What a commit made of a file, compared with the first parent's tree. */
interface Change {
  /** Name in the commit; U+FFFD stands for bytes that are not UTF-8. */
  file: string
  /** Its new content; null where no regular file is there any more. */
  blob: string | null
}

const HEADER = ['%H', '%P', '%ct', '%aN', '%s']

/**
 * Every commit that leads to one, parents first, with what it changed in regular files, in one run of git.
 * A rename is a deletion and a new file; a mere change of mode is no change.
 * @throws UsageError when git is older than 2.31
 */
export const eachCommit = async (
  repository: Repository,
  head: string,
  onCommit: (commit: Commit, changes: Change[]) => void,
): Promise<void> => {
  let header: string[] = []
  let commit: Commit | null = null
  let changes: Change[] = []
  /** What the file's name that comes next is about; undefined where no name comes next. */
  let blob: string | null | undefined
  let isFile = false
  const config = [`mailmap.blob=${head}:.mailmap`, 'log.showRoot=true']
  await eachField({ ...repository, config }, logArguments(head), (bytes) => {
    if (isFile) {
      if (blob !== undefined) changes.push({ file: bytes.toString('utf8'), blob })
      isFile = false
    } else if (header.length === 0 && isChange(bytes)) {
      blob = newContent(bytes.toString('latin1'))
      isFile = true
    } else if (header.push(bytes.toString('utf8')) === HEADER.length) {
      if (commit !== null) onCommit(commit, changes)
      commit = commitOfHeader(header)
      changes = []
      header = []
    }
  }).catch((error: Error) => {
    throw error instanceof ImportError && error.message.includes('--diff-merges')
      ? new UsageError('This git is too old: git 2.31 or newer is needed (git --version says which it is).')
      : error
  })
  if (commit !== null) onCommit(commit, changes)
}

/** How many children each commit has among those that lead to one; that one is not in it. */
export const countChildren = async (repository: Repository, head: string): Promise<Map<string, number>> => {
  const children = new Map<string, number>()
  await eachField(
    repository,
    ['log', '-z', '--format=tformat:%P', '--no-show-signature', head, '--'],
    (bytes) => {
      for (const parent of parentsOf(bytes.toString('latin1')))
        children.set(parent, (children.get(parent) ?? 0) + 1)
    },
  )
  return children
}

/** `-O` and the `--no-…` undo what a configuration may set. */
const logArguments = (head: string): string[] => [
  'log',
  ...['-z', '--raw', '--no-abbrev', '--no-renames', '--topo-order', '--reverse', '--encoding=UTF-8'],
  ...['--no-show-signature', '--no-ext-diff', '--no-textconv', '--no-color', '--no-notes', '-O/dev/null'],
  '--diff-merges=first-parent',
  `--format=tformat:${HEADER.join('%x00')}`,
  head,
  '--',
]

const COLON = 0x3a
const NEWLINE = 0x0a

/** A line of `--raw` begins with a colon, the first of a commit with a newline before; a hash with neither. */
const isChange = (bytes: Buffer): boolean =>
  bytes[0] === COLON || (bytes[0] === NEWLINE && bytes[1] === COLON)

/** Of `:mode mode blob blob status`; undefined where no regular file's content changed. */
const newContent = (line: string): string | null | undefined => {
  const [oldMode = '', newMode = '', oldBlob, newBlob = ''] = line.trimStart().slice(1).split(' ')
  if (!isRegular(newMode)) return isRegular(oldMode) ? null : undefined
  return isRegular(oldMode) && oldBlob === newBlob ? undefined : newBlob
}

/** Whether a mode is that of a file with content of its own: not a link, folder or submodule. */
export const isRegular = (mode: string): boolean => mode.startsWith('100')

const parentsOf = (hashes: string): string[] => (hashes === '' ? [] : hashes.split(' '))

const commitOfHeader = (header: string[]): Commit => {
  const [hash, parents, seconds, author, subject] = header as [string, string, string, string, string]
  return {
    hash,
    parents: parentsOf(parents),
    createdAt: timestampFromInstant({ seconds: Number(seconds) || 0, fraction: '' }),
    author: toSingleLine(author, FIELD_BYTES_MAX.name),
    comment: toSingleLine(subject, FIELD_BYTES_MAX.comment),
  }
}
