import { existsSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { ImportError, UsageError } from '@lectern/wiki/errors'
import { formatCount, forShell, quote } from '@lectern/wiki/text'
import { distance } from 'fastest-levenshtein'
import type { TreeFile } from '../files/file-tree.ts'
import { isConfigFile } from '../files/recognition/tree.ts'
import { makeObjectReader } from './objects.ts'
import { fieldsIn, makeGitProcesses, partsOf, runGit } from './process.ts'
import { parseRemote, type RemoteRepository } from './remote/address.ts'
import { atRemote, type CloneOptions, updateClone } from './remote/clone.ts'

export type Repository = Awaited<ReturnType<typeof openFolder>>

type TreeEntry = { name: string; kind: TreeFile['kind'] | 'submodule'; content: string; bytes: number }

export type CommitTree = Awaited<ReturnType<typeof readTree>>

/** Reads the tree of a commit. It is kept in memory as git prints it, with about 120 bytes for each file. */
export const readTree = async (repository: Repository, commit: string) => {
  const parts: Buffer[] = []
  const args = ['ls-tree', '-r', '-l', '-z', '--full-tree', commit]
  for await (const part of partsOf(repository, args)) parts.push(part)
  const entries = function* (): Generator<TreeEntry> {
    for (const part of parts) for (const field of fieldsIn(part)) yield entryOf(field)
  }
  return {
    entries,
    files: function* (): Generator<TreeFile> {
      for (const { name, kind, content } of entries()) if (kind !== 'submodule') yield { name, kind, content }
    },
    readContents: <File extends { content: string }>(files: readonly File[], maxBytes: number) =>
      repository.objects.readAll(files, maxBytes),
  }
}

/** Parses `mode type object bytes<TAB>name`. */
const entryOf = (field: Buffer): TreeEntry => {
  const tab = field.indexOf('\t')
  const [mode = '', , content = '', bytes] = field.toString('latin1', 0, tab).split(/ +/)
  const kind = isRegular(mode) ? 'regular' : mode === '120000' ? 'link' : 'submodule'
  return { name: field.toString('utf8', tab + 1), kind, content, bytes: Number(bytes) }
}

/** Whether a mode is that of a regular file: not a link, folder or submodule. */
export const isRegular = (mode: string): boolean => mode.startsWith('100')

/** Opens the repository in a folder, or fetches that of a URL. @throws UsageError if there is none that git reads */
export const openRepository = async (location: string, options: CloneOptions): Promise<Repository> => {
  const remote = existsSync(location) ? null : parseRemote(location)
  if (remote === null) return openFolder(location)
  const folder = await updateClone(remote, options)
  return { ...(await openFolder(folder)), name: remote.name, shown: remote.shown }
}

/** Opens a work tree, a linked work tree, or a bare repository. @throws UsageError if there is none that git reads */
const openFolder = async (path: string) => {
  const stats = await stat(path).catch(() => null)
  if (stats?.isFile())
    throw new UsageError(
      `${path} is a file. If it is a bundle, create a repository from it first: git clone --bare ${path} wiki.git`,
    )
  if (!stats?.isDirectory()) throw new UsageError(`The folder ${path} does not exist.`)
  const folder = await realpath(path)
  const args = ['rev-parse', '--is-shallow-repository', '--absolute-git-dir']
  const output = await runGit({ folder }, args).catch((error: Error) => explainError(folder, error))
  const [isShallow, ...lines] = output.trimEnd().split('\n')
  const gitDir = lines.join('\n')
  const processes = makeGitProcesses({ folder, gitDir })
  return {
    folder,
    gitDir,
    /** What answers questions about it. Stop them at the end. */
    processes,
    objects: makeObjectReader(processes),
    /** Name of the folder, without `.git`; of a remote repository, the last part of its URL. */
    name: nameOf(resolve(path)),
    /** What messages call the repository: its folder, or its URL. */
    shown: folder,
    isShallow: isShallow === 'true',
  }
}

/** The full hash of the commit that a ref names. @throws UsageError if there is none */
export const commitOf = async (repository: Repository, ref: string): Promise<string> => {
  const commit = await repository.objects.commit(ref)
  if (commit !== null) return commit
  const args = ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads', 'refs/remotes', 'refs/tags']
  const { shown } = repository
  const advice = refsText((await runGit(repository, args)).split('\n'), ref, shown)
  throw new UsageError(`${quote(ref)} is not a commit of ${shown}. ${advice}`)
}

const refsText = (names: readonly string[], ref: string, shown: string): string => {
  const nearest = names.filter(Boolean).sort((a, b) => distance(a, ref) - distance(b, ref))
  const named = nearest.slice(0, 5).map((name) => quote(name))
  if (named.length > 0) return `Set --ref to a branch, tag or commit of it, such as ${named.join(', ')}.`
  if (!existsSync(shown)) return 'It has no commits yet.'
  return `It has no commits yet. Commit its files, or import them without a history: \`lectern import folder ${forShell(shown)}\`.`
}

/** The command that imports a folder, or vault, with the history of the repository around it; null if no commit has it. Of a site, a layout would lose languages and order. */
export const importWithHistory = async (folder: string, isVault = false): Promise<string | null> => {
  let root = folder
  for (; !existsSync(join(root, '.git')); root = dirname(root)) if (dirname(root) === root) return null
  const part = relative(root, folder)
  const folders = `/${part}`.split('/').map((_, i, names) => names.slice(1, i + 1).join('/'))
  const listed = folders.flatMap((one) => [`./${one}/`, `./${one}/.vitepress/`, `./${one}/.vuepress/`])
  const args = ['ls-tree', '-z', '--name-only', 'HEAD', '--', ...listed]
  const names = (await runGit({ folder: root }, args).catch(() => '')).split('\0').filter(Boolean)
  if (!names.some((name) => name.startsWith(part && `${part}/`))) return null
  const isRoot = part === '' || names.some(isConfigFile)
  const layout = isVault ? `obsidian:${part}`.replace(/:$/, '') : isRoot ? '' : `${part}/{path}.md`
  return `\`lectern import git ${forShell(root)}${layout && ` --layout ${forShell(layout)}`}\``
}

const explainError = async (folder: string, error: Error): Promise<never> => {
  if (!(error instanceof ImportError)) throw error
  if (error.message.includes('dubious ownership'))
    throw new UsageError(
      `git refuses to read ${folder}, because it belongs to another user. If you trust it, run: git config --global --add safe.directory ${forShell(folder)} (as root, for a service: --system)`,
    )
  if (error.message.includes('not a git repository')) {
    const command = await importWithHistory(folder)
    throw new UsageError(
      command === null
        ? `${folder} is not a git repository. Name one, or import the files without a history: \`lectern import folder ${forShell(folder)}\`.`
        : `${folder} is not a git repository, but a part of one. Use ${command}.`,
    )
  }
  throw new UsageError(`${folder}: ${error.message}`)
}

const nameOf = (path: string): string => {
  const name = basename(path)
  return (name === '.git' ? basename(dirname(path)) : name.replace(/\.(git|bundle)$/, '')) || 'Wiki'
}

/** The hash of the commit that an import would read now, and whether older ones are absent. Nothing is fetched. @throws UsageError if it cannot be found */
export const gitVersion = async (
  location: string,
  options: CloneOptions & { ref?: string },
): Promise<string> => {
  const { ref = 'HEAD' } = options
  const remote = existsSync(location) ? null : parseRemote(location)
  if (remote !== null) return COMMIT.test(ref) ? ref : remoteVersion(remote, ref, options)
  const repository = await openFolder(location)
  const commit = await commitOf(repository, ref).finally(() => repository.processes.stop())
  return commitVersion(repository, commit)
}

/** The version of what an import of a commit reads. A shallow clone can get older commits later. */
export const commitVersion = ({ isShallow }: Repository, commit: string): string =>
  isShallow ? `${commit} shallow` : commit

/**
 * Tells of files of a work tree that differ from the commit that is imported; null if there are none, or it is not known.
 * If the repository itself names filters, which are programs, git does not look at its files, nor for more than 20 s. (D20)
 */
export const uncommittedNote = async (location: string, ref = 'HEAD'): Promise<string | null> => {
  if (ref !== 'HEAD' || !existsSync(join(location, '.git'))) return null
  const options = { folder: resolve(location), timeoutMs: 20_000 }
  const settings = await runGit(options, ['config', '--show-scope', '--list'])
  if (/^(?:local|worktree)\s+filter\./im.test(settings)) return null
  const files: string[] = []
  const args = ['status', '--porcelain', '-z', '-unormal', '--no-renames', '--ignore-submodules']
  // The repository could name another folder.
  for await (const part of partsOf(options, [`--work-tree=${options.folder}`, ...args]))
    for (const field of fieldsIn(part)) files.push(quote(field.toString('utf8', 3)))
  if (files.length === 0) return null
  const first = files.slice(0, 3).join(', ') + (files.length > 3 ? ', …' : '')
  const instead = `To show files that are not committed, use \`lectern import folder ${forShell(location)}\` with a new database.`
  return `Changes of ${formatCount(files.length, 'file')} are not shown until you commit them: ${first}. ${instead}`
}

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

const remoteVersion = (remote: RemoteRepository, ref: string, options: CloneOptions): Promise<string> =>
  atRemote(remote, options.sourcesFolder, options, async (url, connecting) => {
    const names = ref === 'HEAD' ? [ref] : [ref, `refs/${ref}`, `refs/heads/${ref}`, `refs/tags/${ref}`]
    const output = await runGit(connecting, ['ls-remote', '--', url, ...names])
    // Git lists every ref whose name ends so: for `main`, also `refs/heads/old/main`.
    const commits = new Map(output.split('\n').map((line) => line.split('\t').reverse() as [string, string]))
    const commit = names.map((name) => commits.get(name)).find((one) => one !== undefined)
    if (commit !== undefined) return commit
    const all = await runGit(connecting, ['ls-remote', '--heads', '--tags', '--refs', '--', url])
    const refs = all.match(/(?<=refs\/(?:heads|tags)\/).+/g) ?? []
    throw new UsageError(
      `${remote.shown} has no branch or tag ${quote(ref)}. ${refsText(refs, ref, remote.shown)}`,
    )
  })
