import { Unavailable, WikiChanged } from '@lectern/wiki/errors'
import * as queries from '../generated/queries.ts'
import type { PrepareStoredQuery } from '../graphql.ts'
import { LIST_CONTENT_LIMITS } from '../limits/responses.ts'
import type { ListContent } from './route.ts'
import { includedFields, includedLinks } from './routes/shared/include.ts'
import { JsonWriter } from './transport/json-writer.ts'

export interface ListBody {
  items: object[]
  next: string
}

type Content = Partial<NonNullable<queries.ListTextsQuery['revisions'][number]>>

export type AddContent = ReturnType<typeof makeAddContent>

/**
 * Adds what `include` names to the items of a list. It reads some texts at a time, with one statement, until the body
 * or the texts reach their limit, or the time is over. The list then ends early, but has one item at least. (D101)
 */
export const makeAddContent = (
  prepare: PrepareStoredQuery,
  now = () => performance.now(),
  limits = LIST_CONTENT_LIMITS,
) => {
  const makeReader = contentReader(prepare)
  const readPositions = prepare(queries.ListPositionsDocument)
  return async (
    { items, next, ...rest }: ListBody,
    { revisions, nextAfter, needsPosition = false }: ListContent,
    include: string,
  ) => {
    const deadline = now() + limits.ms
    const reader = makeReader(include, limits.textBytes)
    const tailBytes = Buffer.byteLength(JSON.stringify(rest)) + CURSOR_BYTES
    const list = new ListWriter(limits.bytes - tailBytes)
    while (list.count < items.length && (list.count === 0 || now() < deadline)) {
      const start = list.count
      const end = Math.min(items.length, start + reader.stepItems)
      const found = await reader
        .read(revisions.slice(start, end).filter((id) => id !== null))
        .catch((error: unknown) => {
          // The renderer is busy. What is complete can be sent, and the client continues after it.
          if (error instanceof Unavailable && start > 0) return []
          throw error
        })
      if (!addStep(list, items.slice(start, end), revisions.slice(start, end), found)) break
    }
    const isEarly = list.count < items.length
    const last = revisions[list.count - 1]
    const position =
      isEarly && needsPosition && last != null ? await readPositions({ ids: [last] }) : undefined
    const cursor = isEarly ? nextAfter(list.count, position?.revisions[0]?.position ?? null) : next
    const tail = JSON.stringify({
      next: cursor,
      ...rest,
      // What a client stores to continue later must not pass what it did not get.
      ...(isEarly && 'cursor' in rest ? { cursor } : {}),
    })
    // As bytes: it can have megabytes, and is encoded once.
    return { json: list.finish(tail), next: cursor }
  }
}

/** A text of any length: one item is always given. PostgreSQL's `int4` has no larger number. */
const ANY_BYTES = 2 ** 31 - 1

const contentReader = (prepare: PrepareStoredQuery) => {
  const readTexts = prepare(queries.ListTextsDocument)
  const readDetails = prepare(queries.ListDetailsDocument)
  /**
   * Reads what items of one list get, step by step.
   * @param textBytes of all texts that are read for the list
   * @returns `read`: the content of the first of the revisions, at least of one unless the texts of the list are too long
   */
  return (include: string, textBytes: number) => {
    const fields = includedFields(include)
    const { markdown, html, text, summary, sections, properties, ...ofPage } = fields
    const page = Object.values(ofPage).some((isNeeded) => isNeeded)
    const isRendered = html || text || sections
    if (!markdown && !isRendered)
      return {
        stepItems: LIST_CONTENT_LIMITS[page ? 'pageItems' : 'summaryItems'],
        read: async (ids: string[]): Promise<(Content | null)[]> =>
          (await readDetails({ ...fields, ids, page })).revisions,
      }
    let bytesLeft = textBytes
    let isFirst = true
    const read = async (ids: string[], bytes: number) => {
      const { revisions } = await readTexts({ ...fields, ids, bytes, page })
      for (const revision of revisions) bytesLeft -= revision?.size ?? 0
      return revisions
    }
    return {
      stepItems: LIST_CONTENT_LIMITS[isRendered ? 'renderedItems' : page ? 'pageItems' : 'stepItems'],
      read: async (ids: string[]): Promise<(Content | null)[]> => {
        if (ids.length === 0) return []
        const mostBytes = isFirst ? ANY_BYTES : Math.max(0, bytesLeft)
        isFirst = false
        const bytes = Math.min(LIST_CONTENT_LIMITS.stepBytes, mostBytes)
        const found = await read(ids, bytes)
        // The first text alone is longer than a step.
        return found.length === 0 && bytes < mostBytes ? read(ids.slice(0, 1), mostBytes) : found
      },
    }
  }
}

/**
 * Adds items with their content.
 * @param items those of a step, or more
 * @param found the content of the first of their revisions
 * @returns false when the list must end
 * @throws WikiChanged when the first revision of the list was withdrawn since the list was read
 */
const addStep = (
  list: ListWriter,
  items: readonly object[],
  revisions: readonly (string | null)[],
  found: readonly (Content | null)[],
): boolean => {
  const start = list.count
  let at = 0
  for (const [i, item] of items.entries()) {
    if (revisions[i] === null) {
      if (!list.add(item)) return false
      continue
    }
    if (at === found.length) break
    const content = found[at++]
    if (!content && list.count === 0) throw new WikiChanged()
    if (!content || !list.add(item, contentOf(content))) return false
  }
  return list.count > start
}

/** Items as JSON, up to a length. */
class ListWriter {
  readonly #json = new JsonWriter(16 * 1024)
  readonly #bytesMax: number
  count = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
    this.#json.raw('{"items":[')
  }

  /** @param tail a JSON object with the members after `items` */
  finish(tail: string): Buffer {
    this.#json.raw(`],${tail.slice(1)}`)
    return this.#json.written()
  }

  /** @returns false when the list would be too long, and the item is not added. The first one always is. */
  add(item: object, content?: object): boolean {
    const { length } = this.#json
    if (this.count > 0) this.#json.raw(',')
    this.#json.object(item, content)
    if (this.count > 0 && this.#json.length > this.#bytesMax) {
      this.#json.length = length
      return false
    }
    this.count += 1
    return true
  }
}

/** More than a cursor takes in JSON: a sort key and a path. */
const CURSOR_BYTES = 16 * 1024

const contentOf = ({ page, size: _, ...texts }: Content): object => ({
  ...texts,
  ...page,
  ...(page?.links && { links: includedLinks(page.links) }),
})
