import type { Changed, ChangeItem, Included } from './changes.ts'
import { UnknownCursor } from './errors.ts'
import { fileNameOf } from './file-names.ts'
import { type FolderFiles, openFolderFiles, type PageFile } from './folder-files.ts'
import { markdownFile } from './markdown-file.ts'
import { type MirrorOptions, mirror } from './mirror.ts'
import type { RequestOptions } from './requests.ts'
import { openStore, type Store } from './store.ts'
import { apiUrl } from './wiki.ts'

/** The shortest time from one beginning from nothing to the next, milliseconds. */
const RESTART_INTERVAL = 3_600_000

/** Options of `mirrorFolder`. */
export interface FolderOptions<Include extends Included = 'markdown'>
  extends Omit<MirrorOptions<Include>, 'after'> {
  /** The folder that becomes a copy of the wiki. It is new or empty, or an earlier run made it. */
  folder: string
  /** Default: `['markdown']`. */
  include?: readonly Include[] | undefined
  /** The content of the file of a page. Default: its Markdown, after front matter. */
  contentOf?: ((page: Changed<Include>) => string) | undefined
  /** Default: `.md`. */
  extension?: string | undefined
  /** Whether to copy the pictures and documents of the pages, too, into the folder `files`. Default: no. */
  files?: boolean | undefined
  /**
   * Called when a batch is in the folder, for example to index the files again. If the program is killed before this
   * function has returned, the next run calls it again for the same pages.
   */
  onBatch?: ((changes: FolderChanges) => void | Promise<void>) | undefined
}

/** The pages of a batch. Files are named by their paths in the folder, with `/`. */
export interface FolderChanges {
  /** Pages that are new or have changed. */
  written: string[]
  /** Pages that are gone. */
  removed: string[]
  /** Whether the folder is what the wiki was a moment ago. */
  isCurrent: boolean
}

/**
 * Makes a folder a copy of a wiki, a file for each page, and goes on where an earlier run ended, also if it was
 * killed. Files are replaced as a whole: who reads them never sees half of one.
 * If the service does not know the cursor any more, everything comes again, and files of other pages are removed.
 * @returns when the folder is current; with `poll`, never
 * @throws Error if another process keeps this folder, or it has files but no mirror
 */
export const mirrorFolder = async <Include extends Included = 'markdown'>(
  options: FolderOptions<Include>,
): Promise<void> => {
  const { folder, base, locale, ns, extension = '.md' } = options
  if (!/^\.[a-z0-9]+$/.test(extension)) throw new TypeError(`The extension must be like .md: ${extension}`)
  const subject = { base: apiUrl(base), locale, ns, extension, files: options.files || undefined } as const
  const store = await openStore(folder, subject)
  try {
    const files = options.files ? await openFolderFiles(store, requestOptionsOf(options)) : undefined
    let restartedAt = Number.NEGATIVE_INFINITY
    for (;;) {
      try {
        if (store.cursor === undefined) await fill(store, files, options)
        await follow(store, files, options)
        return
      } catch (error) {
        // Two databases behind one address would refuse each other's cursors without end.
        const isRepeated = performance.now() - restartedAt < RESTART_INTERVAL
        if (!(error instanceof UnknownCursor) || isRepeated) throw error
        restartedAt = performance.now()
        await store.setCursor(undefined)
      }
    }
  } finally {
    await store.close()
  }
}

/**
 * Brings everything from the beginning into a folder with files. A file whose page does not come is of an earlier
 * time. Until these are removed, no cursor is stored: nobody who starts from a cursor learns that they are gone.
 */
const fill = async <Include extends Included>(
  store: Store,
  files: FolderFiles | undefined,
  options: FolderOptions<Include>,
) => {
  const old = new Set(await store.files())
  if (old.size === 0) return
  for await (const { items, isCurrent, cursor } of mirror<Include>(withDefaults(options))) {
    const changes = await apply(store, files, items, options)
    for (const file of changes.written) old.delete(file)
    const removed = isCurrent ? [...changes.removed, ...old] : changes.removed
    await store.remove(removed)
    if (isCurrent) {
      await files?.update(new Map(), removed)
      await files?.removeUnused()
    }
    await options.onBatch?.({ written: changes.written, removed, isCurrent })
    if (!isCurrent) continue
    await store.setCursor(cursor)
    return
  }
}

const follow = async <Include extends Included>(
  store: Store,
  files: FolderFiles | undefined,
  options: FolderOptions<Include>,
) => {
  const { cursor: after } = store
  for await (const { items, isCurrent, cursor } of mirror<Include>({ ...withDefaults(options), after })) {
    const changes = await apply(store, files, items, options)
    if (isCurrent) await files?.removeUnused()
    await options.onBatch?.({ ...changes, isCurrent })
    if (cursor !== store.cursor) await store.setCursor(cursor)
  }
}

const withDefaults = <Include extends Included>(options: FolderOptions<Include>): MirrorOptions<Include> => ({
  ...options,
  include: [
    ...(options.include ?? (['markdown'] as readonly Included[] as readonly Include[])),
    ...(options.files ? (['files'] as readonly Included[] as readonly Include[]) : []),
  ],
})

const requestOptionsOf = (options: RequestOptions & { poll?: number | undefined }): RequestOptions => ({
  ...options,
  giveUpAfter: options.giveUpAfter ?? (options.poll === undefined ? 900 : Number.POSITIVE_INFINITY),
})

/** Brings a batch into the folder. */
const apply = async <Include extends Included>(
  store: Store,
  files: FolderFiles | undefined,
  items: ChangeItem<Include>[],
  { extension = '.md', contentOf = markdownFile }: FolderOptions<Include>,
) => {
  const contents = new Map<string, string | undefined>()
  const filesOfPages = new Map<string, PageFile[]>()
  for (const item of items) {
    const file = fileNameOf(item.locale, item.path, extension, store.foldsCase)
    if (item.type === 'upsert') {
      contents.set(file, contentOf(item))
      filesOfPages.set(file, (item as { files?: PageFile[] }).files ?? [])
    } else if (item.type === 'gone') contents.set(file, undefined)
  }
  const removed = [...contents.keys()].filter((file) => contents.get(file) === undefined)
  await store.remove(removed)
  const written = [...contents].filter((entry): entry is [string, string] => entry[1] !== undefined)
  // Before the page, so that nobody finds a page without its pictures.
  await files?.add(filesOfPages)
  await store.write(written)
  if (filesOfPages.size > 0 || removed.length > 0) await files?.update(filesOfPages, removed)
  return { written: written.map(([file]) => file), removed }
}
