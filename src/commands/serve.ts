import cluster from 'node:cluster'
import { isatty } from 'node:tty'
import { ConfigError } from '@lectern/wiki/errors'
import type { Command } from 'commander'
import { isLogJson, isProduction } from '../config.ts'
import { packagePath } from '../paths.ts'
import { addFollowOptions, addPortOptions, refuseSourceOptions } from './follow.ts'
import { type ImportCommandOptions, refuseWrongOptions, toConnectorOptions } from './source-options.ts'

/** The commands that serve a wiki: to everyone over HTTP, and to one agent. */

export const declareServe = (program: Command): void => {
  const command = program
    .command('serve')
    .description('serve the API: of a source that it imports and follows, or else of the database as it is')
    .argument(
      '[source]',
      'a folder, a file or a URL (default: none; an empty embedded database gets a sample wiki)',
    )
  addPortOptions(addFollowOptions(command))
    .addHelpText(
      'after',
      `
Examples:
  lectern serve
  lectern serve ../docs
  lectern serve https://wiki.example/tea.wiki.git --every 5m
  lectern serve --port 8080
  lectern serve --env-file /etc/lectern.env
  DATABASE_URL=postgresql://lectern_web:secret@db.example/lectern WORKERS=4 lectern serve`,
    )
    .action(async (source: string | undefined, options: ImportCommandOptions) => {
      if (source === undefined) refuseSourceOptions(command)
      // A terminal that closes sends SIGHUP; otherwise somebody asks to reload the settings.
      const stop = stopSignal(isatty(0) || isatty(1))
      // First, because the other modules take most of a second.
      const { readConfigToServe } = await import('../check/start.ts')
      const config = cluster.isWorker ? undefined : await readConfigToServe()
      if (config && source !== undefined) await refuseWrongOptions(options)
      const { hasDatabase } = await import('../db/open-database.ts')
      if (config && !hasDatabase(config)) {
        if (source !== undefined) {
          const { recognizeSource } = await import('../import/connectors.ts')
          const known = await recognizeSource(source, toConnectorOptions(options, config.dataDir))
          await known.version() // a wrong source ends here, before a database is created for it
        } else if (isProduction()) throw new ConfigError(NO_WIKI)
        if (!isLogJson()) process.stderr.write(`Creating a database in ${config.dataDir}: 10 to 40 s…\n`)
      }
      const { serveCommand } = await import('../serving/serving.ts')
      await serveCommand(stop, config, source === undefined ? null : argumentsAfter('serve'))
    })
}

const NO_WIKI =
  'There is nothing to serve, and with NODE_ENV=production, no sample wiki is made. Set DATABASE_URL, name a source (`lectern serve <folder, file or URL>`), or import one.'

/** The follower is a process of its own. It gets the same arguments, but settings through the environment. */
const argumentsAfter = (command: string): string[] =>
  process.argv
    .slice(process.argv.indexOf(command) + 1)
    .filter((arg, i, args) => !SETTINGS.includes(arg.split('=')[0]!) && !SETTINGS.includes(args[i - 1] ?? ''))

const SETTINGS = ['--port', '--internal-port', '--env-file', '--config']

/**
 * SIGINT, SIGTERM and SIGHUP abort it, with the name of the signal as the reason. It listens before other modules are loaded,
 * and keeps listening: systemd and npm signal every process, so a worker gets a second signal from its parent.
 * @param endsOnHangup whether SIGHUP aborts it
 */
const stopSignal = (endsOnHangup = true): AbortSignal => {
  const stop = new AbortController()
  // Ctrl-C, and a terminal that closes, signal every process of it. Workers wait for the primary's message.
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'])
    process.on(name, (signal) => {
      if (cluster.isWorker ? name === 'SIGTERM' : name !== 'SIGHUP' || endsOnHangup) stop.abort(signal)
    })
  return stop.signal
}

export const declareMcp = (program: Command): void => {
  program
    .command('mcp')
    .description('let agents read a wiki: MCP on standard input and output')
    .argument('[url]', 'a Lectern, such as https://wiki.example/api/v1 (default: the configured database)')
    .addHelpText(
      'after',
      `
An agent starts this command itself. ${packagePath('docs', 'mcp.md')} explains how to add it to common agents. It ends when standard
input ends. The log goes to standard error.

Examples:
  lectern mcp https://wiki.example/api/v1
  DATA_DIR=my-wiki lectern mcp`,
    )
    .action(async (url: string | undefined) => {
      const stop = stopSignal()
      const { serveMcpProcess } = await import('../agents/process.ts')
      await serveMcpProcess(url, stop)
    })
}
