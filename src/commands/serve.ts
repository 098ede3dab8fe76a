import type { Command } from 'commander'

export const declareServe = (program: Command): void => {
  program
    .command('serve')
    .description('serve the API; imports the sample wiki first if the embedded database is empty')
    .addHelpText(
      'after',
      `
Examples:
  lectern serve
  PORT=8080 WIKI_ADDRESSES=en=https://wiki.example/wiki lectern serve
  DATABASE_URL=postgresql://lectern_web:secret@db.example/lectern WORKERS=4 lectern serve`,
    )
    .action(async () => {
      const stop = await stopSignal()
      const { serveCommand } = await import('../serving.ts')
      await serveCommand(stop)
    })
}

/**
 * SIGINT and SIGTERM abort it, with the name of the signal as the reason. It listens before other modules are loaded,
 * and keeps listening: systemd and npm signal every process, so a worker gets a second signal from its parent.
 */
const stopSignal = async (): Promise<AbortSignal> => {
  const { default: cluster } = await import('node:cluster')
  const stop = new AbortController()
  process.on('SIGTERM', (signal) => stop.abort(signal))
  // Ctrl-C signals every process of the terminal. Workers wait for the primary's message.
  process.on('SIGINT', (signal) => {
    if (!cluster.isWorker) stop.abort(signal)
  })
  return stop.signal
}
