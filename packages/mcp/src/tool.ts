import { FIELD_BYTES_MAX } from '@lectern/wiki/limits'
import type { CallToolResult, Tool as ToolDefinition } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type NextCall, oneLine } from './answer.ts'
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

interface ToolCall {
  wiki: ReadWiki
  /** The call of the same tool with some arguments changed. It leaves out the arguments that are at their defaults. */
  callWith(changes: Record<string, unknown>): NextCall
  /** The most characters of the answer. */
  maxCharacters: number
}

interface DeclaredTool<Values> extends ToolTexts {
  /** The schemas of `Values`: its arguments, besides `max_characters`. */
  fields: z.ZodRawShape
  /** The schema of `structured`, which it reduces to its own fields. Absent: the answer is text alone. */
  output?: z.ZodObject
  run(values: Values, call: ToolCall): Promise<{ text: string; structured?: object }>
}

/** All tools only read, and a call may be repeated. Authors of the wiki wrote what they return. */
const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true }

/** A tool that checks its arguments, and whose answer has at most `max_characters`. */
export const defineTool = <Values>({ fields, output, run, ...texts }: DeclaredTool<Values>): Tool => {
  const input = z.strictObject({ ...fields, max_characters: maxCharactersArgument })
  const defaults: Record<string, unknown> = input.partial().parse({})
  const definition: ToolDefinition = {
    ...texts,
    inputSchema: jsonSchema(input, 'input'),
    outputSchema: output && jsonSchema(output, 'output'),
    annotations: { title: texts.title, ...ANNOTATIONS },
  }
  return {
    definition,
    call: async (given, wiki) => {
      const read = readArguments(definition, input, given)
      const { max_characters: maxCharacters, ...values } = read
      const callWith: ToolCall['callWith'] = (changes) => {
        const kept = Object.entries({ ...read, ...changes }).filter(
          ([field, value]) => value !== defaults[field],
        )
        return { tool: texts.name, arguments: Object.fromEntries(kept) }
      }
      const { text, structured } = await run(values as Values, { wiki, callWith, maxCharacters })
      return { content: [{ type: 'text', text }], structuredContent: output?.parse(structured) }
    },
  }
}

const jsonSchema = (schema: z.ZodObject, io: 'input' | 'output'): ToolDefinition['inputSchema'] => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io })
  return rest as ToolDefinition['inputSchema']
}

/** Some clients send null for an argument that they leave out. @throws ToolFailure that names what is wrong */
const readArguments = ({ name, inputSchema }: ToolDefinition, schema: z.ZodObject, given: object) => {
  const values = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
  const read = schema.safeParse(values)
  if (read.success) return read.data as { max_characters: number }
  const properties = inputSchema.properties as Record<string, z.core.JSONSchema.JSONSchema>
  const mistakes = read.error.issues.flatMap((issue) => {
    const wrong = issue.code === 'unrecognized_keys' ? issue.keys : [String(issue.path[0])]
    return wrong.map((key) => `${oneLine(key)}: ${mistakeOf(properties[key], values[key])}`)
  })
  const takes = Object.keys(properties).join(', ')
  throw new ToolFailure(`${[...new Set(mistakes)].slice(0, 5).join('; ')}. ${name} takes ${takes}.`)
}

/** What is wrong with the value of an argument, as the API says it of a parameter. */
const mistakeOf = (property: z.core.JSONSchema.JSONSchema | undefined, value: unknown): string => {
  if (!property) return 'is unknown'
  if (value === undefined) return 'is required'
  const { enum: values, type, format, minimum, maximum, minLength, maxLength } = property
  let expected = `well-formed text of ${minLength} to ${maxLength} characters`
  if (values) expected = `one of ${values.join(', ')}`
  else if (type === 'boolean') expected = 'true or false'
  else if (type === 'integer') expected = `a whole number from ${minimum} to ${maximum}`
  else if (format === 'uuid') expected = 'a UUID such as 0190c1a0-7b1e-7d3a-9a54-0c5f1f0d2b11'
  return `must be ${expected}, not ${oneLine(JSON.stringify(value), 100)}`
}

const isWellFormed = (text: string): boolean => text.isWellFormed()

export const textArgument = (most: number, description: string, least = 1) =>
  z.string().min(least).max(most).refine(isWellFormed).meta({ description })

export const textOption = (...given: Parameters<typeof textArgument>) => textArgument(...given).optional()

export const pathArgument = textArgument(FIELD_BYTES_MAX.path, 'Path of the page in lists, not its title.')

export const localeArgument = textOption(35, 'Language of the content. Default: that of the wiki.', 2)

/**
 * Characters of one answer. The least leaves room for content beside the longest path and URL, and the default is
 * about 5,000 tokens of English text.
 */
const maxCharactersArgument = z.int().min(4_000).max(100_000).default(20_000).meta({
  description: 'The most characters that the answer may have. A longer answer is cut, and says how to go on.',
})

export const limitArgument = (max: number, standard: number) =>
  z.int().min(1).max(max).default(standard).meta({ description: 'The most items to return.' })

/** Where a list goes on. @param returned what it returns from there */
export const cursorArgument = (returned: string) =>
  textOption(2048, `${returned} Copy it from the previous answer.`, 0)
