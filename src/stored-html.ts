import { hash } from 'node:crypto'
import { Unavailable } from '@lectern/wiki/errors'
import pLimit from 'p-limit'
import { column, columns } from './db/bulk.ts'
import type { Database } from './db/database.ts'
import { isAttached } from './db/guest-views.ts'
import { type RunStatement, statement, statementRunner } from './db/statements.ts'
import { withConnection, withWriteLock } from './db/write-lock.ts'
import type { StatementRows } from './generated/statement-rows.ts'
import { type HtmlToStore, makeContext } from './query-context.ts'
import { makeRenderer, type Renderer } from './render/renderer.ts'
import { rendererVersion } from './render/renderer-version.ts'
import { makeStoredAddresses } from './render/stored-html.ts'

/** Pages of one transaction, and the bytes of their texts: the HTML of all of them is in memory. */
const BATCH = { pages: 100, bytes: 1024 * 1024 }
/** Texts that are rendered at a time: the queue stops none of so few, even if all take long. */
const CONCURRENCY = 2

type Page = StatementRows['claim_pages_without_html']

interface StoreOptions {
  onProgress?: (done: number, total: number) => void
  signal?: AbortSignal
  renderer?: Pick<Renderer, 'render' | 'close'>
}

/**
 * Stores the HTML of the live pages whose HTML this version of Lectern has not stored, for the languages that the wiki has
 * now. A page that cannot be rendered is noted, and not tried again before it changes. (D144)
 * @param options.signal ends the work after the batch that runs
 * @param options.renderer is closed at the end
 * @returns how many pages were left for the next time, because their rendering did not finish
 * @throws the error of the first page, if that of no page of a batch finished
 */
export const storeHtml = async (
  owner: Database,
  { onProgress, signal, renderer = makeRenderer({ longProcesses: CONCURRENCY }) }: StoreOptions = {},
) => {
  if (await withConnection(owner, isAttached)) return 0
  const { host, addresses, origin } = makeStoredAddresses()
  try {
    const context = makeContext(owner, addresses, renderer.render, undefined, origin)
    const locales = column((await context.wiki()).locales, 'locale').sort()
    const rendererName = hash('sha256', JSON.stringify([rendererVersion(), locales]), 'base64')
    // In a large wiki, counting takes seconds.
    const [counted] = onProgress
      ? await owner.query(statement('count_pages_without_html'), [rendererName])
      : []
    let [done, left] = [0, 0]
    for (let last = '0'; !signal?.aborted; ) {
      const claim = [rendererName, last, BATCH.pages, BATCH.bytes]
      const { rows: pages } = await locked(owner, (run) => run('claim_pages_without_html', claim))
      if (pages.length === 0) break
      const rendered = await renderAll(pages, context.htmlToStore)
      const values = columns(rendered, ['id', 'change', 'digest', 'html'])
      await locked(owner, (run) => run('store_html', [rendererName, host, ...values]))
      last = pages.at(-1)!.id
      done += pages.length
      left += pages.length - rendered.length
      onProgress?.(done, counted!.pages)
    }
    return left
  } finally {
    await renderer.close()
  }
}

/** Runs a statement under the write lock: a claim would miss what other writers are changing. */
const locked = <Result>(owner: Database, use: (run: RunStatement) => Promise<Result>): Promise<Result> =>
  withConnection(owner, (client) => withWriteLock(client, () => use(statementRunner(client))))

/** @returns without the pages whose rendering did not finish, through no known fault of their texts */
const renderAll = async (pages: readonly Page[], render: HtmlToStore) => {
  const errors: Unavailable[] = []
  const rendered = await pLimit(CONCURRENCY).map(pages, async (page) => {
    try {
      return [{ ...page, ...(await render(page)) }]
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      errors.push(error)
      return []
    }
  })
  if (errors.length === pages.length) throw errors[0]
  return rendered.flat()
}
