import { z } from 'zod'
import { answerText, callText, roomFor } from './answer.ts'
import { defineTool, type Tool, type ToolTexts } from './tool.ts'
import { type ListPart, type NotFoundMessage, type ReadWiki, readRoute } from './wiki-api.ts'

type Fields = z.ZodRawShape & { limit: z.ZodType<number> }
type Values<Declared extends Fields> = z.output<z.ZodObject<Declared>> & { limit: number }

interface ListTool<Declared extends Fields, Item, Structured extends z.ZodRawShape> extends ToolTexts {
  /** Its arguments, besides `max_characters`: also the limit, and the cursor. */
  fields: Declared
  /** The argument with which the list goes on. */
  cursor: 'after' | 'before' | 'offset'
  /** The URL of a part of the list. */
  url(values: Values<Declared>): string
  notFound?(values: Values<Declared>, wiki: ReadWiki): NotFoundMessage
  /** What the list has, without a period: the line of the server above the items. */
  head(values: Values<Declared>): string
  /** What to do if it has nothing. */
  advice?: string
  /** The text of an item. It may have several lines. */
  render(item: Item): string
  /** Fields of an item in the structured answer. */
  item: Structured
  /** These fields. Others may be among them, which the answer leaves out. */
  structured(item: Item): z.output<z.ZodObject<Structured>>
  /** Arguments that the structured answer repeats. */
  echo?: z.ZodRawShape
}

/** The cursor of a shorter part can be longer than that of a longer part, characters. */
const CURSOR_RESERVE = 200

/**
 * A tool that returns a list: as many items as fit, and the call that returns what follows. If fewer items fit than
 * the list has, they are read again, so that the cursor is the one after the last of them.
 */
export const defineListTool = <Declared extends Fields, Item, Structured extends z.ZodRawShape>(
  tool: ListTool<Declared, Item, Structured>,
): Tool => {
  const { cursor, url, notFound, head, advice, render, item, structured, echo, ...declared } = tool
  return defineTool<Values<Declared>>({
    ...declared,
    output: z.object({ ...echo, items: z.array(z.object(item)), next: nextCall, license: z.string() }),
    run: async (values, { wiki, callWith, maxCharacters }) => {
      const read = async (limit: number) => {
        const missing = notFound?.(values, wiki)
        const { body, license } = await readRoute<ListPart<Item>>(wiki, url({ ...values, limit }), missing)
        const { items, next } = body
        const call = callWith({ [cursor]: cursor === 'offset' ? Number(next) : next })
        const more = (values as Record<string, unknown>)[cursor] ? ' more' : ''
        const empty = [`${head(values)}: there are none${more}.${advice ? ` ${advice}` : ''}`]
        return {
          head: items.length === 0 ? empty : [`${head(values)}.`, `License of the content: ${license}`],
          texts: items.map(render),
          more: `More: call ${callText(call)}`,
          structured: { items: items.map(structured), next: next === '' ? null : call, license },
        }
      }
      let part = await read(values.limit)
      const frame = { head: part.head, tail: [part.more] }
      const fitting = countFitting(part.texts, roomFor(frame, maxCharacters) - CURSOR_RESERVE)
      if (fitting < part.texts.length) part = await read(fitting)
      const tail = part.structured.next ? [part.more] : []
      const text = answerText({ head: part.head, content: part.texts.join('\n'), tail })
      return { text, structured: { ...values, ...part.structured } }
    },
  })
}

/** The schema of the call that goes on, in structured answers. */
const nextCall = z
  .object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) })
  .nullable()
  .meta({ description: 'The call that returns what follows. Null: this is the end.' })

/** How many texts fit into a length: at least one. */
const countFitting = (texts: readonly string[], room: number): number => {
  let length = 0
  for (const [i, text] of texts.entries()) {
    length += text.length + 1
    if (length > room) return Math.max(1, i)
  }
  return texts.length
}
