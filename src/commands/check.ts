import { styleText } from 'node:util'
import type { Command } from 'commander'
import type { Diagnostic } from '../check/check.ts'
import { withProgramName } from '../config/messages.ts'

export const declareCheck = (program: Command): void => {
  program
    .command('check')
    .description(
      'check configuration, database, replicas, Redis, search index, disk and ports; changes nothing',
    )
    .option('--port <number>', 'port of the public API (PORT)')
    .option('--json', 'print JSON, for programs')
    .addHelpText(
      'after',
      `
Run it with the environment of the service. Each line is "ok", "warning" or "wrong", and tells you how to fix
the problem. The exit status is 1 if something is wrong.

Examples:
  lectern check
  lectern check --json | jq '.findings[] | select(.status != "ok")'`,
    )
    .action(check)
}

const check = async ({ json }: { json?: boolean }): Promise<void> => {
  const checks = await import('../check/check.ts')
  const diagnostics: Diagnostic[] = []
  for await (const found of checks.check()) {
    const diagnostic = inTermsOfCaller(found)
    diagnostics.push(diagnostic)
    if (!json) process.stdout.write(formatDiagnostic(diagnostic))
  }
  const count = (status: Diagnostic['status']) => diagnostics.filter((one) => one.status === status).length
  const [warnings, wrong] = [count('warning'), count('wrong')]
  if (json) {
    const findings = diagnostics.map(publicDiagnostic)
    process.stdout.write(`${JSON.stringify({ ok: wrong === 0, warnings, wrong, findings }, null, 2)}\n`)
  } else process.stdout.write(`warnings: ${warnings}, wrong: ${wrong}\n`)
  if (wrong > 0) process.exitCode = 1
}

/** Names the commands of messages as the user runs them. */
const inTermsOfCaller = ({ message, advice, ...rest }: Diagnostic): Diagnostic => ({
  ...rest,
  message: withProgramName(message),
  ...(advice === undefined ? {} : { advice: withProgramName(advice) }),
})

/** Programs read these names from the JSON output: they do not change. */
const publicDiagnostic = ({ subject, status, message, advice }: Diagnostic) => ({
  about: subject,
  status,
  says: message,
  todo: advice,
})

const COLORS = { ok: 'green', warning: 'yellow', wrong: 'red' } as const
/** Widths of the columns: the longest status, and the longest subject. */
const WIDTHS = { status: 7, subject: 13 }

const formatDiagnostic = ({ subject, status, message, advice }: Diagnostic): string => {
  const word = styleText(COLORS[status], status.padEnd(WIDTHS.status), { stream: process.stdout })
  const indent = ' '.repeat(WIDTHS.status + WIDTHS.subject + 2)
  return `${word} ${subject.padEnd(WIDTHS.subject)} ${message}\n${advice ? `${indent}${advice}\n` : ''}`
}
