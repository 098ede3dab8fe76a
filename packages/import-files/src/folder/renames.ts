import { type PageKey, pageKey } from '@lectern/wiki/records'
import { addToList } from '@lectern/wiki/text'
import { z } from 'zod'
import type { FolderPage } from './pages.ts'

type FormerPage = PageKey & { digest: string; formerPaths: PageKey[] }

const folderState = z.object({
  format: z.literal(1),
  texts: z.object({ digest: z.string() }).optional(),
  pages: z.array(z.tuple([z.string(), z.string(), z.string()]).rest(z.tuple([z.string(), z.string()]))),
})

type FolderState = z.output<typeof folderState>

export const parseFolderState = (state: unknown): FolderState | undefined => folderState.safeParse(state).data

/** Pages of a folder whose renames are found, and former paths of a page. They bound the stored state to about 5 MB. */
const LIMITS = { pages: 50_000, formerPaths: 20, digest: 16 } as const

/** Finds renamed pages: a new one has the content of exactly one that is gone. The state has the digests. */
export class FolderRenames {
  readonly isFirst: boolean
  readonly #former = new Map<string, FormerPage>()
  /** Pages that are gone, by the digest of their content. */
  readonly #gone = new Map<string, FormerPage[]>()
  readonly #current: ReadonlySet<string>
  readonly #next = new Map<string, FormerPage>()

  /** @param state of the last import @param isWhole whether all folders could be read; otherwise nothing counts as gone */
  constructor(state: FolderState | undefined, pages: readonly FolderPage[], isWhole: boolean) {
    this.isFirst = state === undefined
    this.#current = new Set(pages.map(pageKey))
    for (const [locale, path, digest, ...former] of state?.pages ?? []) {
      const page = { locale, path, digest, formerPaths: former.map(([locale, path]) => ({ locale, path })) }
      const key = pageKey(page)
      this.#former.set(key, page)
      if (this.#current.has(key)) continue
      if (!isWhole) this.#next.set(key, page)
      else if (digest !== '') addToList(this.#gone, digest, page)
    }
  }

  /** The paths that a page had before, and that are not pages again. @param contentDigest in hexadecimal, if it is known */
  formerPathsOf(page: PageKey, contentDigest: string | null): PageKey[] {
    const { locale, path } = page
    const known = this.#former.get(pageKey(page))
    const digest = contentDigest?.slice(0, LIMITS.digest) ?? known?.digest ?? ''
    const gone = known === undefined ? this.#gone.get(digest) : undefined
    const [renamed] = gone?.length === 1 ? gone : []
    if (renamed !== undefined) this.#gone.delete(digest)
    const formerPaths = renamed
      ? [{ locale: renamed.locale, path: renamed.path }, ...renamed.formerPaths].slice(0, LIMITS.formerPaths)
      : (known?.formerPaths ?? [])
    const free = formerPaths.filter((former) => !this.#current.has(pageKey(former)))
    this.#next.set(pageKey(page), { locale, path, digest, formerPaths: free })
    return free
  }

  /** For the next import. If there are too many pages, it has none, and finds no renames. */
  state(texts: FolderState['texts']): object {
    const next = this.#next.size > LIMITS.pages ? [] : [...this.#next.values()]
    const pages = next.map(({ locale, path, digest, formerPaths }) => [
      ...[locale, path, digest],
      ...formerPaths.map((former) => [former.locale, former.path]),
    ])
    return { format: 1, pages, texts }
  }
}
