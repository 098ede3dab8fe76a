import { z } from 'zod'
import { answerText, callText, changedArguments, type NextCall, roomFor } from './answer.ts'
import { defineTool, maxCharactersArgument, type Tool } from './tool.ts'
import { type ListPart, type ReadWiki, readRoute, type WikiAnswer } from './wiki-api.ts'

type Fields = z.ZodRawShape & { limit: z.ZodType<number> }
type Values<Declared extends Fields> = z.output<z.ZodObject<Declared>> & { limit: number }

interface ListTool<Declared extends Fields, Item, Structured extends z.ZodRawShape> {
  name: string
  title: string
  /** When to use it. */
  description: string
  /** Its arguments, besides `max_characters`: also the limit, and the cursor. */
  fields: Declared
  /** The argument with which the list goes on. */
  cursor: 'after' | 'before' | 'offset'
  /** The URL of a part of the list. */
  url(values: Values<Declared>): string
  /** The message for a 404. */
  notFound?(values: Values<Declared>): ((answer: WikiAnswer) => string) | undefined
  /** The line of the server above the items. @param count of the items */
  head(values: Values<Declared>, count: number): string
  /** The text of an item. It may have several lines. */
  render(item: Item): string
  /** Fields of an item in the structured answer. */
  item: Structured
  structured(item: Item): z.output<z.ZodObject<Structured>>
  /** Lines of the server below the items: what an agent may call with one of them. */
  hints?: readonly string[]
  /** Arguments that the structured answer repeats: texts. */
  echo?: readonly (keyof Declared & string)[]
}

/** A tool that returns a list: as many items as fit, and the call that returns what follows. */
export const defineListTool = <Declared extends Fields, Item, Structured extends z.ZodRawShape>(
  tool: ListTool<Declared, Item, Structured>,
): Tool => {
  const { name, title, description, echo = [] } = tool
  const input = z.strictObject({ ...tool.fields, max_characters: maxCharactersArgument })
  return defineTool({
    name,
    title,
    description,
    input,
    output: z.strictObject({
      ...Object.fromEntries(echo.map((field) => [field, z.string()])),
      items: z.array(z.strictObject(tool.item)),
      next: nextCallField,
      license: z.string(),
    }),
    run: async (given, wiki) => {
      const values = given as Values<Declared> & { max_characters: number }
      const { text, items, next, license } = await readList(tool, input, values, wiki)
      const echoed = Object.fromEntries(Object.entries(values).filter(([field]) => echo.includes(field)))
      return { text, structured: { ...echoed, items: items.map(tool.structured), next, license } }
    },
  })
}

/** The schema of the call that goes on, in structured answers. */
const nextCallField = z
  .strictObject({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) })
  .nullable()
  .meta({
    description: 'The call that returns what follows. Null: this is the end.',
  }) satisfies z.ZodType<NextCall | null>

/** The cursor of a shorter part can be longer than that of a longer part, characters. */
const CURSOR_RESERVE = 200

/** If fewer items fit than the list has, they are read again, so that the cursor is the one after the last of them. */
const readList = async <Declared extends Fields, Item, Structured extends z.ZodRawShape>(
  { name, cursor, url, notFound, head, render, hints = [] }: ListTool<Declared, Item, Structured>,
  input: z.ZodObject,
  values: Values<Declared> & { max_characters: number },
  wiki: ReadWiki,
) => {
  const read = (limit: number) =>
    readRoute<ListPart<Item>>(wiki, url({ ...values, limit }), notFound?.(values))
  const callAfter = (next: string): NextCall => {
    const changes = { [cursor]: cursor === 'offset' ? Number(next) : next }
    return { tool: name, arguments: changedArguments(values, input, changes) }
  }
  const headOf = ({ body: { items }, license }: Awaited<ReturnType<typeof read>>) => [
    head(values, items.length),
    ...(items.length === 0 ? [] : [`License of the content: ${license}`]),
  ]
  const more = (next: string) => `More: call ${callText(callAfter(next))}`
  let part = await read(values.limit)
  const texts = part.body.items.map(render)
  const frame = { head: headOf(part), tail: [more(part.body.next), ...hints] }
  const fitting = countFitting(texts, roomFor(frame, values.max_characters) - CURSOR_RESERVE)
  if (fitting < texts.length) part = await read(fitting)
  const { items, next } = part.body
  const text = answerText({
    head: headOf(part),
    content: items.map(render).join('\n'),
    tail: [...(next === '' ? [] : [more(next)]), ...(items.length === 0 ? [] : hints)],
  })
  return { text, items, next: next === '' ? null : callAfter(next), license: part.license }
}

/** How many texts fit into a length: at least one. */
const countFitting = (texts: readonly string[], room: number): number => {
  let length = 0
  for (const [i, text] of texts.entries()) {
    length += text.length + 1
    if (length > room) return Math.max(1, i)
  }
  return texts.length
}
