import { styleText } from 'node:util'
import type { Command } from 'commander'
import type { Diagnostic } from '../check/diagnostic.ts'
import { withOrigin, withProgramName } from '../config/messages.ts'
import { addFollowOptions, addPortOptions } from './follow.ts'
import { type ImportCommandOptions, toConnectorOptions } from './source-options.ts'

export const declareCheck = (program: Command): void => {
  const command = program
    .command('check')
    .description(
      'check configuration, database, replicas, Redis, search index, source, disk and ports; changes nothing',
    )
    .argument('[source]', 'the source that the service follows: a folder, a file or a URL')
  addPortOptions(addFollowOptions(command))
    .option('--json', 'print JSON, for programs')
    .addHelpText(
      'after',
      `
Run it with the environment and the source of the service. Each line is "ok", "warning", "wrong" or "skipped", and
tells you how to fix the problem, or why it could not be tried. The exit status is 1 if something is wrong.

Examples:
  lectern check
  lectern check https://wiki.example/tea.wiki.git
  lectern check --json | jq '.findings[] | select(.status != "ok")'`,
    )
    .action(check)
}

const check = async (
  location: string | undefined,
  { json, ...options }: ImportCommandOptions & { json?: boolean },
): Promise<void> => {
  const openSource = async (dataDir: string) => {
    const { recognizeSource } = await import('../import/connectors.ts')
    return recognizeSource(location!, toConnectorOptions(options, dataDir))
  }
  const checks = await import('../check/check.ts')
  const diagnostics: Diagnostic[] = []
  for await (const found of checks.check(undefined, location === undefined ? undefined : openSource)) {
    const diagnostic = inTermsOfCaller(found)
    diagnostics.push(diagnostic)
    if (!json) process.stdout.write(formatDiagnostic(diagnostic))
  }
  const count = (status: Diagnostic['status']) => diagnostics.filter((one) => one.status === status).length
  const [warnings, wrong, skipped] = [count('warning'), count('wrong'), count('skipped')]
  if (json) {
    // Programs read these names: they do not change.
    const findings = diagnostics.map(({ subject, status, message, advice }) => ({
      ...{ about: subject, status, says: message, todo: advice },
    }))
    process.stdout.write(`${JSON.stringify({ ok: wrong === 0, warnings, wrong, findings }, null, 2)}\n`)
  } else process.stdout.write(`warnings: ${warnings}, wrong: ${wrong}, skipped: ${skipped}\n`)
  if (wrong > 0) process.exitCode = 1
}

/** Names the commands of messages as the user runs them, and the origin of the setting with which a problem begins. */
const inTermsOfCaller = ({ subject, status, message, advice }: Diagnostic): Diagnostic => ({
  ...{ subject, status, advice: advice && withProgramName(advice) },
  message: withProgramName(status === 'ok' ? message : withOrigin(message)),
})

const COLORS = { ok: 'green', warning: 'yellow', wrong: 'red', skipped: 'dim' } as const
/** Widths of the columns: the longest status, and the longest subject. */
const WIDTHS = { status: 7, subject: 13 }

const formatDiagnostic = ({ subject, status, message, advice }: Diagnostic): string => {
  const word = styleText(COLORS[status], status.padEnd(WIDTHS.status), { stream: process.stdout })
  const indent = `\n${' '.repeat(WIDTHS.status + WIDTHS.subject + 2)}`
  const text = [message, ...(advice?.split('\n') ?? [])].join(indent)
  return `${word} ${subject.padEnd(WIDTHS.subject)} ${text}\n`
}
