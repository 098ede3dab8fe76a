import type { Command } from 'commander'

export const declareServe = (program: Command): void => {
  program
    .command('serve')
    .description('serve the API; an empty embedded database gets the sample wiki first')
    .addHelpText(
      'after',
      `
Examples:
  lectern serve
  PORT=8080 WIKI_ADDRESSES=en=https://wiki.example/wiki lectern serve
  DATABASE_URL=postgresql://lectern_web:secret@db.example/lectern WORKERS=4 lectern serve`,
    )
    .action(async () => {
      const { serveCommand } = await import('../serving.ts')
      await serveCommand()
    })
}
