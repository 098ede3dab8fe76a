import { createHash } from 'node:crypto'
import { decodeText } from '@lectern/wiki/import/text-encoding'
import { TEXT_BYTES_MAX } from '@lectern/wiki/limits'
import { canInclude, expandIncludes, type IncludableFiles, type Includes } from '../includes/expand.ts'
import { ByteReader } from './objects.ts'
import type { GitProcess } from './process.ts'
import type { Repository } from './repository.ts'

/** What the text of a file at a commit has from other files. */
export interface IncludedFiles {
  /** Names of files on which it depends. */
  names: ReadonlySet<string>
  /** Identifies the text with what it includes. */
  version: string
}

/** The contents that were read last are kept, bytes. */
const CACHE_BYTES = 32 * 1024 * 1024

/** Reads what the texts of a repository include, at any commit. */
export class IncludableBlobs {
  readonly #repository: Repository
  readonly #includes: Includes
  readonly #cache = new Map<string, Buffer>()
  #cachedBytes = 0
  #finders: { git: GitProcess; reader: ByteReader }[] = []

  constructor(repository: Repository, includes: Includes) {
    this.#repository = repository
    this.#includes = includes
  }

  /** The files at a commit. */
  at(commit: string): IncludableFiles {
    return {
      find: (names) => this.#find(commit, names),
      read: (blob, maxBytes) => this.#read(blob, maxBytes),
    }
  }

  /** Whether a file of this name can include others. */
  canInclude(file: string): boolean {
    return canInclude(file, this.#includes)
  }

  /** What a file includes at a commit; undefined: nothing. @param file its name */
  async includedBy(file: string, blob: string, commit: string): Promise<IncludedFiles | undefined> {
    if (!this.canInclude(file)) return undefined
    const bytes = await this.#repository.objects.read(blob, TEXT_BYTES_MAX)
    if (bytes === null) return undefined
    const expanded = await expandIncludes(decodeText(bytes).text, file, this.#includes, this.at(commit))
    if (expanded === null) return undefined
    const version = createHash('sha256').update(`${blob} ${expanded.digest}`).digest('base64url')
    return { names: expanded.names, version }
  }

  /**
   * git prints the object of a name with and without following links. They differ if a link is on the way: then nothing is
   * included, because a change of that link would be no change of the page.
   */
  async #find(commit: string, names: readonly string[]): Promise<(string | null)[]> {
    if (this.#finders.length === 0)
      this.#finders = [[], ['--follow-symlinks']].map((options) => {
        const git = this.#repository.processes.start(['cat-file', '--batch-check', ...options])
        return { git, reader: new ByteReader(git.stdout) }
      })
    const asked = names.map((name) => `${commit}:${name}\n`).join('')
    const [objects, followed] = await Promise.all(
      this.#finders.map(async ({ git, reader }) => {
        git.stdin.write(asked)
        const found: (string | null)[] = []
        for (const _ of names) {
          const line = (await reader.until(NEWLINE))?.toString('utf8') ?? ''
          const [, blob = null] = /^([0-9a-f]{40,64}) blob \d+$/.exec(line) ?? []
          // Of a link that leads nowhere, git prints its kind, the length of the name, and the name.
          const length = /^(?:symlink|dangling|loop|notdir) (\d+)$/.exec(line)?.[1]
          if (length !== undefined) await reader.take(Number(length) + 1)
          found.push(blob)
        }
        return found
      }),
    )
    return objects!.map((blob, i) => (blob === followed![i] ? blob : null))
  }

  async #read(blob: string, maxBytes: number): Promise<Buffer | null> {
    const cached = this.#cache.get(blob)
    if (cached !== undefined) return cached.length > maxBytes ? null : cached
    const bytes = await this.#repository.objects.read(blob, maxBytes)
    if (bytes === null) return null
    this.#cachedBytes += bytes.length
    if (this.#cachedBytes > CACHE_BYTES) {
      this.#cache.clear()
      this.#cachedBytes = bytes.length
    }
    this.#cache.set(blob, bytes)
    return bytes
  }
}

const NEWLINE = 0x0a
