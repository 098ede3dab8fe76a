import type { Logger } from 'pino'
import { memoize } from '../memoize.ts'
import type { PostEndpoint } from '../rest/post-endpoint.ts'
import { checkLocalRequest } from './local-request.ts'

interface McpEndpointOptions {
  trustedProxies: number
  /** Base URL of the API and URLs of the wiki, where configured. Their hosts are names of this server. */
  urls: readonly string[]
  logger: Logger
}

/** MCP on the public listener. The SDK loads with the first request: it takes 0.15 s. */
export const mcpEndpoint = ({ trustedProxies, urls, logger }: McpEndpointOptions): PostEndpoint => {
  const hosts = new Set(urls.map((url) => new URL(url).hostname.toLowerCase()))
  const responder = memoize(async () => (await import('./http.ts')).makeMcpResponder(logger))
  return {
    path: '/mcp',
    name: 'mcp',
    check: (request) => checkLocalRequest(request, { trustedProxies, hosts }),
    respond: async (call) => (await responder())(call),
  }
}
