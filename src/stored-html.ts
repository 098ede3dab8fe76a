import { hash } from 'node:crypto'
import { Unavailable } from '@lectern/wiki/errors'
import { column, columns } from './db/bulk.ts'
import type { Database } from './db/database.ts'
import { isAttached } from './db/guest-views.ts'
import { statement, statementRunner } from './db/statements.ts'
import { withConnection, withWriteLock } from './db/write-lock.ts'
import type { StatementRows } from './generated/statement-rows.ts'
import { makeContext } from './graphql.ts'
import { makeRenderer } from './render/renderer.ts'
import { rendererVersion } from './render/renderer-version.ts'
import { STORED_ADDRESSES, STORED_ORIGIN } from './render/stored-html.ts'

/** Pages of one transaction, and the bytes of their texts: the HTML of all of them is in memory. */
const BATCH = { pages: 100, bytes: 1024 * 1024 }
/** Texts that are rendered at a time: as many as may take long. Then none is preempted, or waits too long. */
const CONCURRENCY = 2

interface StoreHtmlOptions {
  /** Called after each batch. */
  onProgress?: (done: number, total: number) => void
  /** Ends the work after the batch that runs. */
  signal?: AbortSignal
}

type Page = StatementRows['pages_without_html']

/**
 * Stores the HTML of the live pages whose HTML this version of Lectern has not stored, for the languages that the wiki has
 * now. A page that cannot be rendered is noted, and not tried again before it changes. (D144)
 */
export const storeHtml = async (
  owner: Database,
  { onProgress, signal }: StoreHtmlOptions = {},
): Promise<void> => {
  if (await withConnection(owner, isAttached)) return
  const renderer = makeRenderer()
  try {
    const context = makeContext(owner, STORED_ADDRESSES, renderer.render, undefined, STORED_ORIGIN)
    const locales = column((await context.wiki()).locales, 'locale').sort()
    const rendererName = hash('sha256', JSON.stringify([rendererVersion(), locales]), 'base64')
    // In a large wiki, counting takes seconds.
    const [counted] = onProgress
      ? await owner.query(statement('count_pages_without_html'), [rendererName])
      : []
    let done = 0
    for (let last = '0'; !signal?.aborted; ) {
      const pages = await owner.query(statement('pages_without_html'), [
        ...[rendererName, last, BATCH.pages, BATCH.bytes],
      ])
      if (pages.length === 0) break
      const rendered = await renderAll(pages, context.htmlToStore)
      const values = [rendererName, ...columns(rendered, ['id', 'change', 'digest', 'html'])]
      await withConnection(owner, async (client) => {
        const run = statementRunner(client)
        await withWriteLock(client, () => run('store_html', values))
      })
      last = pages.at(-1)!.id
      done += pages.length
      onProgress?.(done, counted!.pages)
    }
  } finally {
    await renderer.close()
  }
}

/** @returns without the pages whose rendering did not finish, through no known fault of their texts */
const renderAll = async (
  pages: readonly Page[],
  render: ReturnType<typeof makeContext>['htmlToStore'],
): Promise<(Page & Awaited<ReturnType<typeof render>>)[]> => {
  const rendered: (Page & Awaited<ReturnType<typeof render>>)[] = []
  const remaining = pages.values()
  const renderRemaining = async () => {
    for (const page of remaining) {
      try {
        rendered.push({ ...page, ...(await render(page)) })
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, renderRemaining))
  return rendered
}
