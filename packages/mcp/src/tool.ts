import { FIELD_BYTES_MAX } from '@lectern/wiki/limits'
import type { CallToolResult, Tool as ToolDefinition } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type ReadWiki, ToolFailure } from './wiki-api.ts'

export interface Tool {
  definition: ToolDefinition
  /** @throws ToolFailure; anything else is a defect */
  call(values: Record<string, unknown>, wiki: ReadWiki): Promise<CallToolResult>
}

interface DeclaredTool<Input extends z.ZodObject, Output extends z.ZodObject> {
  name: string
  title: string
  /** When to use it. */
  description: string
  input: Input
  /** The schema of `structured`. Absent: the answer is text alone. */
  output?: Output
  run(values: z.output<Input>, wiki: ReadWiki): Promise<{ text: string; structured?: z.output<Output> }>
}

/** All tools only read, and a call may be repeated. Authors of the wiki wrote what they return. */
const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
} as const

export const defineTool = <Input extends z.ZodObject, Output extends z.ZodObject>({
  name,
  title,
  description,
  input,
  output,
  run,
}: DeclaredTool<Input, Output>): Tool => ({
  definition: {
    name,
    title,
    description,
    inputSchema: jsonSchema(input, 'input'),
    ...(output === undefined ? {} : { outputSchema: jsonSchema(output, 'output') }),
    annotations: { title, ...ANNOTATIONS },
  },
  call: async (values, wiki) => {
    const { text, structured } = await run(readArguments(name, input, values), wiki)
    return {
      content: [{ type: 'text', text }],
      // Only of lists: pages and differences would come twice.
      ...(structured === undefined ? {} : { structuredContent: structured }),
    }
  },
})

const jsonSchema = (schema: z.ZodObject, io: 'input' | 'output'): ToolDefinition['inputSchema'] => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io })
  return rest as ToolDefinition['inputSchema']
}

/** Some clients send null for an argument that they leave out. */
const readArguments = <Input extends z.ZodObject>(
  tool: string,
  schema: Input,
  values: Record<string, unknown>,
): z.output<Input> => {
  const present = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  for (const [name, value] of Object.entries(present))
    if (typeof value === 'string' && !value.isWellFormed())
      throw new ToolFailure(`The arguments do not fit. ${name}: must be well-formed text.`)
  const read = schema.safeParse(present)
  if (read.success) return read.data
  const problems = read.error.issues.slice(0, PROBLEMS_MAX).map(({ path, message }) => {
    const name = path.join('.')
    return name === '' ? message : `${name}: ${message}`
  })
  throw new ToolFailure(
    `The arguments do not fit. ${problems.join('. ')}. ${tool} takes ${Object.keys(schema.shape).join(', ')}.`,
  )
}

const PROBLEMS_MAX = 5

export const failureResult = (message: string): CallToolResult => ({
  content: [{ type: 'text', text: message }],
  isError: true,
})

/**
 * Characters of one answer. `least` leaves room for content beside the longest path and URL, and the default is about
 * 5,000 tokens of English text.
 */
const ANSWER_CHARACTERS = { least: 4_000, default: 20_000, most: 100_000 } as const

export const pathArgument = z
  .string()
  .min(1)
  .max(FIELD_BYTES_MAX.path)
  .meta({
    description: 'Path of the page as search and lists return it. It is neither a title nor a URL.',
    examples: ['green-tea', 'category:teas'],
  })

export const localeArgument = z
  .string()
  .min(2)
  .max(35)
  .optional()
  .meta({ description: 'Language of the content. Default: the main language of the wiki.', examples: ['en'] })

export const maxCharactersArgument = z
  .int()
  .min(ANSWER_CHARACTERS.least)
  .max(ANSWER_CHARACTERS.most)
  .default(ANSWER_CHARACTERS.default)
  .meta({
    description:
      'The most characters that the answer may have. A longer answer is cut, and says how to go on.',
  })

export const limitArgument = ({ max, default: standard }: { max: number; default: number }) =>
  z.int().min(1).max(max).default(standard).meta({ description: 'The most items to return.' })

/** @param tool whose answers contain the value */
export const cursorArgument = (description: string) =>
  z
    .string()
    .max(2048)
    .optional()
    .meta({ description: `${description} Copy it from the previous answer.` })
