import { BYTES } from '../../limits.ts'
import { type Moment, momentOf } from '../../wiki/time.ts'
import { lineOf } from '../text.ts'
import { eachField } from './process.ts'
import type { Repository } from './repository.ts'

export interface Commit {
  hash: string
  /** Steps of the longest way down to a root; 0 at a root. */
  generation: number
  /** When it was committed, which a rebase renews, not when it was written. */
  createdAt: Moment
  author: string
  /** The subject. */
  comment: string
}

/** One commit gave a regular file new content. */
export interface Change {
  commit: Commit
  /** Name in the commit; U+FFFD stands for bytes that are not UTF-8. */
  file: string
  blob: string
}

const HEADER = ['%H', '%P', '%ct', '%aN', '%s']

/**
 * Every change of a file's content that leads to a commit, ancestors first, in one run of git. Merges,
 * deletions, links and mere changes of mode are none; a rename is a new file.
 */
export const eachChange = (
  repository: Repository,
  head: string,
  onChange: (change: Change) => void,
): Promise<void> => {
  const generations = new Map<string, number>()
  let header: string[] = []
  let commit: Commit | null = null
  let blob: string | null = null
  let isFile = false
  const config = [`mailmap.blob=${head}:.mailmap`, 'log.showRoot=true']
  return eachField({ ...repository, config }, logArguments(head), (bytes) => {
    if (isFile) {
      if (commit !== null && blob !== null) onChange({ commit, file: bytes.toString('utf8'), blob })
      isFile = false
    } else if (header.length === 0 && isChange(bytes)) {
      blob = blobOf(bytes.toString('latin1'))
      isFile = true
    } else if (header.push(bytes.toString('utf8')) === HEADER.length) {
      commit = commitOfHeader(header, generations)
      header = []
    }
  })
}

/** Of merges `git log` lists no changes. `-O` and the `--no-…` undo what a configuration may set. */
const logArguments = (head: string): string[] => [
  'log',
  ...['-z', '--raw', '--no-abbrev', '--no-renames', '--topo-order', '--reverse', '--encoding=UTF-8'],
  ...['--no-show-signature', '--no-ext-diff', '--no-textconv', '--no-color', '--no-notes', '-O/dev/null'],
  `--format=tformat:${HEADER.join('%x00')}`,
  head,
  '--',
]

const COLON = 0x3a
const NEWLINE = 0x0a

/** A line of `--raw` begins with a colon, the first of a commit with a newline before; a hash with neither. */
const isChange = (bytes: Buffer): boolean =>
  bytes[0] === COLON || (bytes[0] === NEWLINE && bytes[1] === COLON)

/** The new content, where `:mode mode blob blob status` is a change of a regular file's content. */
const blobOf = (line: string): string | null => {
  const [oldMode = '', newMode = '', oldBlob, newBlob = ''] = line.trimStart().slice(1).split(' ')
  if (!isRegular(newMode) || (isRegular(oldMode) && oldBlob === newBlob)) return null
  return newBlob
}

/** Whether a mode is that of a file with content of its own: not a link, folder or submodule. */
export const isRegular = (mode: string): boolean => mode.startsWith('100')

const commitOfHeader = (header: string[], generations: Map<string, number>): Commit => {
  const [hash, parentHashes, seconds, author, subject] = header as [string, string, string, string, string]
  const parents = parentHashes === '' ? [] : parentHashes.split(' ')
  const generation = parents.reduce((most, parent) => Math.max(most, (generations.get(parent) ?? -1) + 1), 0)
  generations.set(hash, generation)
  return {
    hash,
    generation,
    createdAt: momentOf({ seconds: Number(seconds) || 0, fraction: '' }),
    author: lineOf(author, BYTES.name),
    comment: lineOf(subject, BYTES.comment),
  }
}
