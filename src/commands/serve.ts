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
      const stop = await stopSignal()
      const { serveCommand } = await import('../serving.ts')
      await serveCommand(stop)
    })
}

/**
 * Aborted by SIGINT or SIGTERM, whose name is the reason. It listens before anything else is loaded, and to
 * every signal that follows: systemd and npm send one to each process, which gets another from its parent.
 */
const stopSignal = async (): Promise<AbortSignal> => {
  const { default: cluster } = await import('node:cluster')
  const stop = new AbortController()
  process.on('SIGTERM', (signal) => stop.abort(signal))
  // Ctrl-C reaches every process of the terminal; the primary tells its workers.
  process.on('SIGINT', (signal) => {
    if (!cluster.isWorker) stop.abort(signal)
  })
  return stop.signal
}
