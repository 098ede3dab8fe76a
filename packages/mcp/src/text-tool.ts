import { z } from 'zod'
import { answerText, callText, cutText, roomFor } from './answer.ts'
import { defineTool, type Tool, type ToolTexts } from './tool.ts'
import { type ReadWiki, ToolFailure } from './wiki-api.ts'

interface TextTool<Declared extends z.ZodRawShape> extends ToolTexts {
  /** Its arguments, besides `offset` and `max_characters`. */
  fields: Declared
  /** What the description of the offset calls the text. */
  subject: string
  read(values: z.output<z.ZodObject<Declared>>, wiki: ReadWiki): Promise<TextParts>
}

interface TextParts {
  /** Lines of the server above the text. */
  head: readonly string[]
  text: string
  /** What the head calls the text: `the text`, `the outline`. */
  name: string
  /** Lines of the server below the text, if the answer has only a part of it. */
  hints?: readonly string[]
}

/** A tool that returns a text, or as much of it as fits. It fails if the text ends before the offset. */
export const defineTextTool = <Declared extends z.ZodRawShape>(tool: TextTool<Declared>): Tool => {
  const { fields, subject, read, ...texts } = tool
  return defineTool<z.output<z.ZodObject<Declared>> & { offset: number }>({
    ...texts,
    fields: {
      ...fields,
      offset: z
        .int()
        .min(0)
        .default(0)
        .meta({
          description: `Where to begin in ${subject}, characters. A cut answer says where it goes on.`,
        }),
    },
    run: async (values, wiki, callWith) => {
      const { offset, max_characters } = values
      const { head, text, name, hints = [] } = await read(values, wiki)
      const { length } = text
      if (offset > length) throw new ToolFailure(`offset: ${name} has ${length} characters.`)
      const frame = (end: number) => ({
        head: [
          ...head,
          length === 0 ? `${name} is empty` : `characters ${offset} to ${end} of ${length} of ${name}`,
        ],
        tail: [
          ...(end < length ? [`${name} goes on: call ${callText(callWith({ offset: end }))}`] : []),
          ...(offset > 0 || end < length ? hints : []),
        ],
      })
      // A smaller offset is not longer in the frame than this one.
      const room = roomFor(frame(Math.max(0, length - 1)), max_characters)
      const { part, end } = cutText(text, offset, room)
      return { text: answerText({ ...frame(end), content: part }) }
    },
  })
}
