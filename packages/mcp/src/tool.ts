import { FIELD_BYTES_MAX } from '@lectern/wiki/limits'
import type { CallToolResult, Tool as ToolDefinition } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { NextCall } from './answer.ts'
import { type ReadWiki, ToolFailure } from './wiki-api.ts'

export interface Tool {
  definition: ToolDefinition
  /** @throws ToolFailure; anything else is a defect */
  call(values: Record<string, unknown>, wiki: ReadWiki): Promise<CallToolResult>
}

export interface ToolTexts {
  name: string
  title: string
  /** When to use it. */
  description: string
}

/** The call of the same tool with some arguments changed. It leaves out the arguments that are at their defaults. */
type CallWith = (changes: Record<string, unknown>) => NextCall

type Bounded<Values> = Values & { max_characters: number }

interface DeclaredTool<Values> extends ToolTexts {
  /** The schemas of `Values`: its arguments, besides `max_characters`. */
  fields: z.ZodRawShape
  /** The schema of `structured`, which it reduces to its own fields. Absent: the answer is text alone. */
  output?: z.ZodObject
  run(
    values: Bounded<Values>,
    wiki: ReadWiki,
    callWith: CallWith,
  ): Promise<{ text: string; structured?: object }>
}

/** All tools only read, and a call may be repeated. Authors of the wiki wrote what they return. */
const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true }

/** A tool that checks its arguments, and whose answer has at most `max_characters`. */
export const defineTool = <Values>({ fields, output, run, ...texts }: DeclaredTool<Values>): Tool => {
  const input = z.strictObject({ ...fields, max_characters: maxCharactersArgument })
  const defaults: Record<string, unknown> = input.partial().parse({})
  return {
    definition: {
      ...texts,
      inputSchema: jsonSchema(input, 'input'),
      outputSchema: output && jsonSchema(output, 'output'),
      annotations: { title: texts.title, ...ANNOTATIONS },
    },
    call: async (given, wiki) => {
      const values = readArguments(texts.name, input, given)
      const callWith: CallWith = (changes) => {
        const changed = Object.entries({ ...values, ...changes })
        const kept = changed.filter(([field, value]) => value !== defaults[field])
        return { tool: texts.name, arguments: Object.fromEntries(kept) }
      }
      const { text, structured } = await run(values as Bounded<Values>, wiki, callWith)
      return { content: [{ type: 'text', text }], structuredContent: output?.parse(structured) }
    },
  }
}

const jsonSchema = (schema: z.ZodObject, io: 'input' | 'output'): ToolDefinition['inputSchema'] => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io })
  return rest as ToolDefinition['inputSchema']
}

/** Some clients send null for an argument that they leave out. @throws ToolFailure if the arguments do not fit */
const readArguments = (tool: string, schema: z.ZodObject, values: Record<string, unknown>) => {
  const present = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  for (const [name, value] of Object.entries(present))
    if (typeof value === 'string' && !value.isWellFormed())
      throw new ToolFailure(`The arguments do not fit. ${name}: must be well-formed text.`)
  const read = schema.safeParse(present)
  if (read.success) return read.data
  const problems = read.error.issues.slice(0, 5).map(({ path, message }) => [...path, message].join(': '))
  throw new ToolFailure(
    `The arguments do not fit. ${problems.join('. ')}. ${tool} takes ${Object.keys(schema.shape).join(', ')}.`,
  )
}

export const pathArgument = z.string().min(1).max(FIELD_BYTES_MAX.path).meta({
  description: 'Path of the page as search and lists return it. It is not a title.',
})

export const localeArgument = z.string().min(2).max(35).optional().meta({
  description: 'Language of the content. Default: the main language of the wiki.',
})

/**
 * Characters of one answer. The least leaves room for content beside the longest path and URL, and the default is
 * about 5,000 tokens of English text.
 */
const maxCharactersArgument = z.int().min(4_000).max(100_000).default(20_000).meta({
  description: 'The most characters that the answer may have. A longer answer is cut, and says how to go on.',
})

export const limitArgument = ({ max, default: standard }: { max: number; default: number }) =>
  z.int().min(1).max(max).default(standard).meta({ description: 'The most items to return.' })

/** Where a list goes on. @param returned what it returns from there */
export const cursorArgument = (returned: string) => {
  const description = `${returned} Copy it from the previous answer.`
  return z.string().max(2048).optional().meta({ description })
}
