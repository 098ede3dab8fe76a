import { createHash } from 'node:crypto'
import type { components } from './api.ts'
import { ApiError } from './errors.ts'
import { FILES_FOLDER, fileInFolder } from './file-names.ts'
import { makeRequester, type Reply, type RequestOptions } from './requests.ts'
import type { Store } from './store.ts'

export type PageFile = components['schemas']['PageFile']

/** The pictures and documents of the pages of a mirror. They are in the folder `files`, by the hash of their bytes. */
export interface FolderFiles {
  /** Downloads the files of pages that are not in the folder yet. @param pages the files of each page, by its file */
  add(pages: ReadonlyMap<string, readonly PageFile[]>): Promise<void>
  /** Stores which files these pages have. @param removed files of pages that are gone */
  update(pages: ReadonlyMap<string, readonly PageFile[]>, removed: readonly string[]): Promise<void>
  /** Removes what no page has any more. */
  removeUnused(): Promise<void>
}

/** The names of the files that each page has. */
const INDEX = '.mirror.files.json'
const PARALLEL_DOWNLOADS = 4

/** @param options how requests are sent */
export const openFolderFiles = async (store: Store, options: RequestOptions): Promise<FolderFiles> => {
  const request = makeRequester({ ...options, maxParallel: PARALLEL_DOWNLOADS })
  const index: Record<string, string[]> = JSON.parse((await store.read(INDEX))?.toString() ?? '{}')
  const nameOf = ({ sha256, path }: PageFile) => fileInFolder(sha256, path, store.foldsCase)

  const download = async (file: PageFile): Promise<void> => {
    const name = nameOf(file)
    if (await store.has(name)) return
    const reply = await request({ url: file.url, signal: options.signal }, (received) =>
      checkHash(received, file),
    )
    // It has changed meanwhile, or was withdrawn: then a later change names the page again.
    if (reply.status === 404) return
    if (reply.status !== 200)
      throw new ApiError(reply.status, '', `${file.url}: status ${reply.status}`, reply.headers)
    await store.write([[name, reply.bytes]])
  }
  return {
    add: async (pages) => {
      const wanted = new Map([...pages.values()].flat().map((file) => [nameOf(file), file]))
      await Promise.all([...wanted.values()].map(download))
    },
    update: async (pages, removed) => {
      for (const page of removed) delete index[page]
      for (const [page, files] of pages)
        if (files.length > 0) index[page] = files.map(nameOf)
        else delete index[page]
      await store.write([[INDEX, `${JSON.stringify(index)}\n`]])
    },
    removeUnused: async () => {
      const used = new Set(Object.values(index).flat())
      await store.remove((await store.filesIn(FILES_FOLDER)).filter((file) => !used.has(file)))
    },
  }
}

/** @throws Error if the bytes are others than the service named */
const checkHash = ({ bytes }: Reply, { sha256, url }: PageFile): void => {
  if (createHash('sha256').update(bytes).digest('hex') !== sha256)
    throw new Error(`${url}: the bytes have another hash`)
}
