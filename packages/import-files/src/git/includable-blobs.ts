import { hash } from 'node:crypto'
import { decodeText } from '@lectern/wiki/import/text-encoding'
import { TEXT_BYTES_MAX } from '@lectern/wiki/limits'
import { LRUCache } from 'lru-cache'
import { canInclude, expandIncludes } from '../includes/expand.ts'
import type { IncludableFiles, Includes } from '../includes/names.ts'
import type { GitProcess } from './process.ts'
import type { Repository } from './repository.ts'

export interface IncludedFiles {
  /** The contents of the files on which it depends, by name; null: there is no regular file of this name. */
  contents: ReadonlyMap<string, string | null>
  /** A digest of the text. Instead of files that it includes whole, it has their names. */
  outline: string
  whole: ReadonlySet<string>
  version: string
}

/** What the content of a file is, by its name. Undefined: git must be asked. */
export type KnownContents = (name: string) => string | null | undefined

const CACHE_BYTES = 32 * 1024 * 1024

/** Names of included files that are kept with the versions of texts that were read last. */
const NAMES_MAX = 600_000

const includedOf = (blob: string, parts: Omit<IncludedFiles, 'version'>): IncludedFiles => {
  const whole = [...parts.whole].map((name) => parts.contents.get(name))
  return { ...parts, version: hash('sha256', `${blob} ${parts.outline} ${whole.join(' ')}`, 'base64url') }
}

/**
 * What a file includes after files changed that it includes whole; undefined: it must be read. The result is inexact if
 * one of these now includes a file, or is too long to be included.
 */
export const withChanges = (blob: string, before: IncludedFiles, known: KnownContents) => {
  const contents = new Map<string, string | null>()
  for (const [name, content] of before.contents) {
    const now = known(name)
    if (now === undefined || (now !== content && !(now && content && before.whole.has(name))))
      return undefined
    contents.set(name, now)
  }
  return includedOf(blob, { ...before, contents })
}

export class IncludableBlobs {
  readonly #repository: Repository
  readonly #includes: Includes
  readonly #cache = new LRUCache<string, Buffer>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ length }) => length + 1,
  })
  /** What texts include: by the version, by the text alone (the last one), and by the text and the contents. */
  readonly #included = new LRUCache<string, IncludedFiles>({
    maxSize: NAMES_MAX,
    sizeCalculation: ({ contents }) => contents.size + 1,
  })
  #finders: GitProcess[] = []

  constructor(repository: Repository, includes: Includes) {
    this.#repository = repository
    this.#includes = includes
  }

  at(commit: string, version: string): IncludableFiles {
    const included = this.#included.get(version)
    return this.#files(commit, (name) => included?.contents.get(name))
  }

  /** What a file includes at a commit; undefined: nothing. @param known what is known of the files at the commit */
  async includedBy(file: string, blob: string, commit: string, known: KnownContents = () => undefined) {
    if (!canInclude(file, this.#includes)) return undefined
    const text = `${blob} ${file}`
    const keyOf = (names: ReadonlyMap<string, string | null>) =>
      hash('sha256', `${text} ${JSON.stringify([...names])}`, 'base64url')
    const found = new Map<string, string | null>()
    await this.#files(commit, known, found).find([...(this.#included.get(text)?.contents.keys() ?? [])])
    const same = this.#included.get(keyOf(found))
    if (same !== undefined) return same
    const bytes = await this.#repository.objects.read(blob, TEXT_BYTES_MAX)
    if (bytes === null || !canInclude(file, this.#includes, bytes)) return undefined
    const contents = new Map<string, string | null>()
    const files = this.#files(commit, known, contents)
    const whole = new Set<string>()
    const expanded = await expandIncludes(decodeText(bytes).text, file, this.#includes, files, whole)
    if (expanded === null) return undefined
    const included = includedOf(blob, { contents, outline: expanded.digest, whole })
    for (const key of [text, keyOf(contents), included.version]) this.#included.set(key, included)
    return included
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
      read: async (blob, maxBytes) => {
        const cached = this.#cache.get(blob)
        if (cached !== undefined) return cached.length > maxBytes ? null : cached
        const bytes = await this.#repository.objects.read(blob, maxBytes)
        if (bytes !== null) this.#cache.set(blob, bytes)
        return bytes
      },
    }
  }

  /** git prints the object of a name with and without following links. If they differ, a link is on the way: nothing is included. */
  async #find(commit: string, names: readonly string[]): Promise<(string | null)[]> {
    if (this.#finders.length === 0)
      this.#finders = [[], ['--follow-symlinks']].map((options) =>
        this.#repository.processes.start(['cat-file', '--batch-check', ...options]),
      )
    const asked = names.map((name) => `${commit}:${name}\n`).join('')
    const [objects, followed] = await Promise.all(
      this.#finders.map(async (git) => {
        git.stdin.write(asked)
        const found: (string | null)[] = []
        for (const _ of names) {
          const line = await git.until('\n')
          const [, blob = null] = /^([0-9a-f]{40,64}) blob \d+$/.exec(line) ?? []
          // Of a link that leads nowhere, git prints its kind, the length of the name, and the name.
          const length = /^(?:symlink|dangling|loop|notdir) (\d+)$/.exec(line)?.[1]
          if (length !== undefined) await git.take(Number(length) + 1)
          found.push(blob)
        }
        return found
      }),
    )
    return objects!.map((blob, i) => (blob === followed![i] ? blob : null))
  }
}
