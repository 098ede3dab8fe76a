import { answerText, callText, type NextCall, roomFor } from './answer.ts'

interface ListPart<Item> {
  body: { items: Item[]; next: string }
  /** URL of the license of the content. */
  license: string
}

interface ListOptions<Item> {
  /** Reads the first part of the list, with at most so many items. */
  read(limit: number): Promise<ListPart<Item>>
  limit: number
  maxCharacters: number
  /** Lines of the server above the items. @param count of the items */
  head(count: number): string[]
  /** The text of an item. It may have several lines. */
  render(item: Item): string
  /** The call that returns what follows. @param next of the part */
  nextCall(next: string): NextCall
  /** Lines of the server below the items: what an agent may call with one of them. */
  hints?: readonly string[]
}

interface ListAnswer<Item> {
  text: string
  items: Item[]
  next: NextCall | null
  license: string
}

/**
 * An answer with the items of a list, as many as fit into it. If fewer fit than the list has, they are read again, so
 * that the cursor is the one after the last of them.
 */
export const listAnswer = async <Item>(options: ListOptions<Item>): Promise<ListAnswer<Item>> => {
  const { read, limit, render, nextCall, hints = [] } = options
  let part = await read(limit)
  const fitting = countFitting(part, options)
  if (fitting < part.body.items.length) part = await read(fitting)
  const { body, license } = part
  const { items } = body
  const next = body.next === '' ? null : nextCall(body.next)
  const text = answerText({
    head: headOf(part, options),
    content: items.map(render).join('\n'),
    tail: [...(next ? [`More: call ${callText(next)}`] : []), ...(items.length === 0 ? [] : hints)],
  })
  return { text, items, next, license }
}

const headOf = <Item>({ body, license }: ListPart<Item>, { head }: ListOptions<Item>): string[] => [
  ...head(body.items.length),
  ...(body.items.length === 0 ? [] : [`License of the content: ${license}`]),
]

/** The cursor of a shorter part can be longer than that of a longer part, characters. */
const CURSOR_RESERVE = 200

const countFitting = <Item>(part: ListPart<Item>, options: ListOptions<Item>): number => {
  const { items, next } = part.body
  const { render, nextCall, maxCharacters, hints = [] } = options
  const tail = [`More: call ${callText(nextCall(next))}`, ...hints]
  const room = roomFor({ head: headOf(part, options), tail }, maxCharacters) - CURSOR_RESERVE
  let length = 0
  for (const [i, item] of items.entries()) {
    length += render(item).length + 1
    if (length > room) return Math.max(1, i)
  }
  return items.length
}
