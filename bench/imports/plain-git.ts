import { execFileSync } from 'node:child_process'

/** One commit that changed a file. */
interface FileChange {
  author: string
  /** Seconds since 1970. */
  time: number
}

/** What git itself says of a file at a commit. */
interface GitFile {
  mode: string
  blob: string
  /** The commits that changed it, under its former names, too; parents first. */
  changes: FileChange[]
  formerNames: string[]
}

const git = (repository: string, args: string[]): Buffer =>
  execFileSync('git', ['-C', repository, ...args], {
    maxBuffer: 2 ** 31 - 1,
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** The text of files, by blob. */
export const readTexts = (repository: string, blobs: readonly string[]): Map<string, Buffer> => {
  const output = execFileSync('git', ['-C', repository, 'cat-file', '--batch'], {
    input: blobs.map((blob) => `${blob}\n`).join(''),
    maxBuffer: 2 ** 31 - 1,
  })
  const texts = new Map<string, Buffer>()
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf('\n', at)
    const [blob, , size] = output.toString('latin1', at, end).split(' ')
    texts.set(blob!, output.subarray(end + 1, end + 1 + Number(size)))
    at = end + 2 + Number(size)
  }
  return texts
}

/**
 * The files at HEAD and their changes, by one walk over `git log`: each commit that is no merge, parents first, and each
 * merge with a text that no parent has. It knows nothing of branches: a rename counts for all commits after it.
 */
export const readPlainGit = (repository: string): Map<string, GitFile> => {
  const files = new Map<string, GitFile>()
  for (const entry of git(repository, ['ls-tree', '-r', '-z', '--full-tree', 'HEAD'])
    .toString('utf8')
    .split('\0')) {
    const [, mode, blob, name] = /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? []
    if (name !== undefined) files.set(name, { mode: mode!, blob: blob!, changes: [], formerNames: [] })
  }
  const histories = new Map<string, Pick<GitFile, 'changes' | 'formerNames'>>()
  const historyOf = (name: string) => {
    const known = histories.get(name) ?? { changes: [], formerNames: [] }
    histories.set(name, known)
    return known
  }
  for (const { change, entries } of readLog(repository)) {
    for (const { status, from, name } of entries) {
      const former = status === 'R' ? histories.get(from) : undefined
      if (former) {
        histories.delete(from)
        const own = historyOf(name)
        own.changes.unshift(...former.changes)
        own.formerNames.push(...former.formerNames, from)
      }
      if (status !== 'D') historyOf(name).changes.push(change)
    }
  }
  for (const [name, file] of files) Object.assign(file, histories.get(name))
  return files
}

interface LogEntry {
  change: FileChange
  entries: { status: string; from: string; name: string }[]
}

/** A partial clone lacks the contents of other files, which renames would be compared with. */
const PAGE_FILES = ['*.md', '*.mdx', '*.markdown', '*.mkd']

const HEADER = '\x01%aN\x02%ct'

function* readLog(repository: string): Generator<LogEntry> {
  const output = git(repository, [
    ...[
      '-c',
      'mailmap.blob=HEAD:.mailmap',
      '-c',
      'diff.renameLimit=20000',
      'log',
      '-z',
      '--topo-order',
      '--reverse',
    ],
    ...[
      '-M50%',
      '--name-status',
      '--diff-merges=dense-combined',
      '--encoding=UTF-8',
      `--format=${HEADER}`,
      'HEAD',
      '--',
      ...PAGE_FILES,
    ],
  ]).toString('utf8')
  for (const commit of output.split('\x01').slice(1)) {
    const [header = '', ...fields] = commit.split('\0')
    const [author = '', time = ''] = header.split('\x02')
    const entries: LogEntry['entries'] = []
    const words = fields.map((field) => field.replace(/^\n+/, '')).filter((field) => field !== '')
    for (let i = 0; i < words.length; ) {
      const status = words[i]!
      const isRename = /^[RC]\d/.test(status)
      if (isRename) entries.push({ status: status[0]!, from: words[i + 1]!, name: words[i + 2]! })
      else entries.push({ status: status.at(-1)!, from: '', name: words[i + 1] ?? '' })
      i += isRename ? 3 : 2
    }
    yield { change: { author, time: Number(time.trim()) }, entries }
  }
}
