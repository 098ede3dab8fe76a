import type { CallToolResult, Tool as ToolDefinition } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { answerText, type NextCall } from './answer.ts'
import { type ReadWiki, relatedUrl, type WikiAnswer } from './wiki-reader.ts'

/** A tool that agents can call. */
export interface Tool {
  definition: ToolDefinition
  /** @throws ToolFailure; anything else is a defect */
  call(values: Record<string, unknown>, wiki: ReadWiki): Promise<CallToolResult>
}

/** A call that failed. The message says what the agent can do. */
export class ToolFailure extends Error {
  override name = 'ToolFailure'
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

/** The result of a call that failed. */
export const failureResult = (message: string): CallToolResult => ({
  content: [{ type: 'text', text: answerText({ head: [message], content: '', tail: [] }) }],
  isError: true,
})

/**
 * Reads a route whose response has a JSON body.
 * @param notFound the message for a 404
 * @returns the body, and the URL of the license of the content
 * @throws ToolFailure for every other status than 200
 */
export const readRoute = async <Body>(
  wiki: ReadWiki,
  url: string,
  notFound: (answer: WikiAnswer) => string = apiMessage,
): Promise<{ body: Body; license: string }> => {
  const answer = await wiki(url)
  if (answer.status === 200)
    return { body: answer.body as Body, license: relatedUrl(answer, 'license') ?? 'unknown' }
  throw new ToolFailure(answer.status === 404 ? notFound(answer) : failureMessage(answer))
}

const failureMessage = (answer: WikiAnswer): string => {
  const { status, retryAfter } = answer
  const wait = retryAfter === undefined ? 'a few seconds' : `${retryAfter} s`
  if (status === 429) return `Too many requests. Wait ${wait}, then repeat the call, and call more slowly.`
  if (status === 503) return `The wiki is temporarily unavailable. Wait ${wait}, then repeat the call.`
  if (status >= 500) return 'The wiki could not answer because of an internal error. Repeat the call once.'
  return apiMessage(answer)
}

/** The message of an error of the API. */
const apiMessage = ({ status, body }: WikiAnswer): string => {
  const message = (body as { error?: { message?: unknown } } | undefined)?.error?.message
  return typeof message === 'string' ? message : `The wiki answered with status ${status}.`
}

/** The schema of the call that goes on, in structured answers. */
export const nextCallField = z
  .strictObject({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) })
  .nullable()
  .meta({
    description: 'The call that returns what follows. Null: this is the end.',
  }) satisfies z.ZodType<NextCall | null>
