import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { Logger } from 'pino'
import { packageVersion } from '../paths.ts'
import { instructionsFor } from './instructions.ts'
import { failureResult, ToolFailure } from './tool.ts'
import { mcpTools } from './tools/index.ts'
import type { ReadWiki } from './wiki-reader.ts'

interface McpServerOptions {
  wiki: ReadWiki
  logger: Logger
  /** Whether the client may ask for the instructions. Default: true. */
  hasInstructions?: boolean
}

const definitions = mcpTools.map(({ definition }) => definition)
const toolsByName = new Map(mcpTools.map((tool) => [tool.definition.name, tool]))

const SERVER_INFO = { name: 'lectern', title: 'Lectern', version: packageVersion() }

/** How long clients may cache the list of tools and the description of the server, milliseconds. */
const CACHE_HINT = { ttlMs: 300_000, cacheScope: 'public' } as const

/**
 * An MCP server for one exchange or connection. The low-level class of the SDK: with its class for tools, a request
 * took three times as long, since that registers every tool again for each request. (D109)
 */
export const makeMcpServer = async ({
  wiki,
  logger,
  hasInstructions = true,
}: McpServerOptions): Promise<Server> => {
  const server = new Server(SERVER_INFO, {
    capabilities: { tools: {} },
    ...(hasInstructions ? { instructions: await instructionsFor(wiki) } : {}),
    cacheHints: { 'tools/list': CACHE_HINT, 'server/discover': CACHE_HINT },
  })
  server.setRequestHandler('tools/list', async () => ({ tools: definitions }))
  server.setRequestHandler('tools/call', ({ params }) =>
    callTool(params.name, params.arguments ?? {}, wiki, logger),
  )
  return server
}

const callTool = async (
  name: string,
  values: Record<string, unknown>,
  wiki: ReadWiki,
  logger: Logger,
): Promise<CallToolResult> => {
  const tool = toolsByName.get(name)
  if (!tool)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Unknown tool. The tools are ${[...toolsByName.keys()].join(', ')}.`,
    )
  try {
    return await tool.call(values, wiki)
  } catch (error) {
    if (error instanceof ToolFailure) return failureResult(error.message)
    logger.error({ err: error, tool: name }, 'A tool failed')
    return failureResult('Internal error. It has been logged. Repeat the call once.')
  }
}
