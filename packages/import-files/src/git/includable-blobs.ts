import { createHash } from 'node:crypto'
import { decodeText } from '@lectern/wiki/import/text-encoding'
import { TEXT_BYTES_MAX } from '@lectern/wiki/limits'
import { LRUCache } from 'lru-cache'
import { canInclude, expandIncludes, type IncludableFiles, type Includes } from '../includes/expand.ts'
import { ByteReader, NEWLINE } from './objects.ts'
import type { GitProcess } from './process.ts'
import type { Repository } from './repository.ts'

export interface IncludedFiles {
  /** The contents of the files on which it depends, by name; null: there is no regular file of this name. */
  contents: ReadonlyMap<string, string | null>
  version: string
}

/** What the content of a file is, by its name. Undefined: git must be asked. */
export type KnownContents = (name: string) => string | null | undefined

/** The contents that were read last are kept, bytes. */
const CACHE_BYTES = 32 * 1024 * 1024

/** Names of included files that are kept with the versions of texts. Those of later versions are found again. */
const NAMES_MAX = 200_000

export class IncludableBlobs {
  readonly #repository: Repository
  readonly #includes: Includes
  readonly #cache = new LRUCache<string, Buffer>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ length }) => length + 1,
  })
  /** What texts include, by their versions. */
  readonly #contents = new Map<string, ReadonlyMap<string, string | null>>()
  #namesLeft = NAMES_MAX
  #finders: { git: GitProcess; reader: ByteReader }[] = []

  constructor(repository: Repository, includes: Includes) {
    this.#repository = repository
    this.#includes = includes
  }

  at(commit: string, version: string): IncludableFiles {
    const contents = this.#contents.get(version)
    return this.#files(commit, (name) => contents?.get(name))
  }

  /** What a file includes at a commit; undefined: nothing. @param known what is known of the files at the commit */
  async includedBy(
    file: string,
    blob: string,
    commit: string,
    known: KnownContents = () => undefined,
  ): Promise<IncludedFiles | undefined> {
    if (!canInclude(file, this.#includes)) return undefined
    const bytes = await this.#repository.objects.read(blob, TEXT_BYTES_MAX)
    if (bytes === null) return undefined
    const contents = new Map<string, string | null>()
    const files = this.#files(commit, known, contents)
    const expanded = await expandIncludes(decodeText(bytes).text, file, this.#includes, files)
    if (expanded === null) return undefined
    const version = createHash('sha256').update(`${blob} ${expanded.digest}`).digest('base64url')
    if (contents.size <= this.#namesLeft && !this.#contents.has(version)) {
      this.#namesLeft -= contents.size
      this.#contents.set(version, contents)
    }
    return { contents, version }
  }

  #files(commit: string, known: KnownContents, found = new Map<string, string | null>()): IncludableFiles {
    return {
      find: async (names) => {
        const contents = names.map(known)
        const unknown = names.filter((_, i) => contents[i] === undefined)
        const asked = unknown.length === 0 ? [] : await this.#find(commit, unknown)
        return names.map((name, i) => {
          const content = contents[i] === undefined ? asked.shift()! : contents[i]
          found.set(name, content)
          return content
        })
      },
      read: (blob, maxBytes) => this.#read(blob, maxBytes),
    }
  }

  /** git prints the object of a name with and without following links. If they differ, a link is on the way: nothing is included. */
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
    if (bytes !== null) this.#cache.set(blob, bytes)
    return bytes
  }
}
