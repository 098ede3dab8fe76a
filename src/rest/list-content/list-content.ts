import { Unavailable } from '../../errors.ts'
import { ListContentDocument, type ListContentQuery, ListSizesDocument } from '../../generated/queries.ts'
import type { PrepareStoredQuery } from '../../graphql.ts'
import { LIST_CONTENT_LIMITS } from '../../limits/content.ts'
import { includedFields, includedLinks } from '../include.ts'
import type { ListContent } from '../route.ts'

/** A list as a route returns it. */
export interface ListBody {
  items: object[]
  next: string
}

/** The body of a list with `include`, as bytes: it can have megabytes, and is encoded once. */
interface WrittenList {
  json: Buffer
  next: string
}

type Content = NonNullable<ListContentQuery['revisions'][number]>

/**
 * Adds what `include` names to the items of a list. It reads some texts at a time, with one statement, until the body
 * or the texts reach their limit, or the time is over. The list then ends early, but has one item at least. (D101)
 */
export type AddContent = (body: ListBody, content: ListContent, include: string) => Promise<WrittenList>

export const makeAddContent = (
  prepare: PrepareStoredQuery,
  now = () => performance.now(),
  limits = LIST_CONTENT_LIMITS,
): AddContent => {
  const readSizes = prepare(ListSizesDocument)
  const readContent = prepare(ListContentDocument)
  return async ({ items, next, ...rest }, { revisions, nextAfter, needsPositions = false }, include) => {
    const deadline = now() + limits.ms
    const fields = includedFields(include)
    const needs = needsOf(fields)
    const ids = revisions.filter((id) => id !== null)
    const sizes = new Map(
      (await readSizes({ ids, position: needsPositions })).revisions.map((found, i) => [ids[i]!, found]),
    )
    const sizeOf = (at: number): number => needs.textBytes(sizes.get(revisions[at]!)?.size ?? 0)

    const tailBytes = Buffer.byteLength(JSON.stringify(rest)) + CURSOR_BYTES
    const list = new ListWriter(limits.bytes - tailBytes)
    let textBytes = 0
    const addStep = async (start: number, end: number): Promise<boolean> => {
      const step = revisions.slice(start, end).filter((id) => id !== null)
      const found = (await readContent({ ids: step, ...fields, page: needs.page })).revisions
      let at = 0
      for (let i = start; i < end; i++)
        if (!list.add(revisions[i] === null ? items[i]! : withContent(items[i]!, found[at++]))) return false
      return true
    }
    while (list.length < items.length && (list.length === 0 || now() < deadline)) {
      const start = list.length
      const end = stepEnd(start, items.length, sizeOf, needs.stepItems, limits.textBytes - textBytes)
      for (let at = start; at < end; at++) textBytes += sizeOf(at)
      const isComplete = await addStep(start, end).catch((error: unknown) => {
        // The renderer is busy. What is complete can be sent, and the client continues after it.
        if (error instanceof Unavailable && list.length > 0) return false
        throw error
      })
      if (!isComplete || end === start) break
    }
    const positions = revisions.map((id) => sizes.get(id!)?.position ?? null)
    const isEarly = list.length < items.length
    const cursor = isEarly ? nextAfter(list.length, positions) : next
    const tail = JSON.stringify({
      next: cursor,
      ...rest,
      // What a client stores to continue later must not pass what it did not get.
      ...(isEarly && 'cursor' in rest ? { cursor } : {}),
    })
    return { json: list.finish(tail), next: cursor }
  }
}

const COMMA = Buffer.from(',')

/** Items as JSON, up to a length. */
class ListWriter {
  readonly #written: Buffer[] = []
  #bytesLeft: number

  constructor(bytesMax: number) {
    this.#bytesLeft = bytesMax
  }

  get length(): number {
    return this.#written.length
  }

  /** @param tail a JSON object with the members after `items` */
  finish(tail: string): Buffer {
    const separated = this.#written.flatMap((item, i) => (i === 0 ? [item] : [COMMA, item]))
    return Buffer.concat([Buffer.from('{"items":['), ...separated, Buffer.from(`],${tail.slice(1)}`)])
  }

  /** @returns false when the list would be too long, and the item is not added. The first one always is. */
  add(item: object): boolean {
    const json = Buffer.from(JSON.stringify(item))
    this.#bytesLeft -= json.length + 1
    if (this.length > 0 && this.#bytesLeft < 0) return false
    this.#written.push(json)
    return true
  }
}

/** More than a cursor takes in JSON: a sort key and a path. */
const CURSOR_BYTES = 16 * 1024

/** What has to be read for the fields. */
const needsOf = ({ markdown, html, text, summary, sections, ...page }: ReturnType<typeof includedFields>) => {
  const isRendered = html || text || sections
  const isPage = Object.values(page).some((isNeeded) => isNeeded)
  return {
    /** How many bytes of a text are read. */
    textBytes: (size: number): number =>
      markdown || isRendered ? size : summary ? Math.min(size, LIST_CONTENT_LIMITS.summaryBytes) : 0,
    page: isPage,
    stepItems: isRendered
      ? LIST_CONTENT_LIMITS.renderedItems
      : isPage
        ? LIST_CONTENT_LIMITS.pageItems
        : LIST_CONTENT_LIMITS.stepItems,
  }
}

/** The end of the items that are read next: some at a time, but one at least unless all texts are too long. */
const stepEnd = (
  start: number,
  length: number,
  sizeOf: (at: number) => number,
  stepItems: number,
  textBytesLeft: number,
): number => {
  let bytes = 0
  let end = start
  while (end < Math.min(length, start + stepItems)) {
    bytes += sizeOf(end)
    if (end > 0 && bytes > textBytesLeft) break
    if (end > start && bytes > LIST_CONTENT_LIMITS.stepBytes) break
    end += 1
  }
  return end
}

/** @throws Unavailable when the revision was withdrawn since the list was read */
const withContent = (item: object, content: Content | null | undefined): object => {
  if (!content) throw new Unavailable('The wiki changed while Lectern read it. Try again.')
  const { page, ...texts } = content
  if (!page?.links) return { ...item, ...texts, ...page }
  return { ...item, ...texts, ...page, links: includedLinks(page.links) }
}
