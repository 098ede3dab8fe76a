import type { Command } from 'commander'

export const declareMcp = (program: Command): void => {
  program
    .command('mcp')
    .description('let agents read a wiki: MCP on standard input and output')
    .argument('[url]', 'a Lectern, such as https://wiki.example/api/v1 (default: the configured database)')
    .addHelpText(
      'after',
      `
An agent starts this command itself. docs/mcp.md explains how to add it to common agents. It ends when standard
input ends. The log goes to standard error.

Examples:
  lectern mcp https://wiki.example/api/v1
  DATA_DIR=my-wiki lectern mcp`,
    )
    .action(async (url: string | undefined) => {
      const stop = new AbortController()
      process.on('SIGTERM', () => stop.abort())
      process.on('SIGINT', () => stop.abort())
      const { serveMcpProcess } = await import('../agents/process.ts')
      await serveMcpProcess(url, stop.signal)
    })
}
