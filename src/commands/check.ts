import { styleText } from 'node:util'
import type { Command } from 'commander'
import type { Diagnostic } from '../check/check.ts'

export const declareCheck = (program: Command): void => {
  program
    .command('check')
    .description(
      'look at configuration, database, replicas, Redis, search index, disk and ports; change nothing',
    )
    .option('--json', 'as JSON, for programs')
    .addHelpText(
      'after',
      `
Run it with the environment of the service. Each line is ok, a warning or wrong, with what to do about it;
the exit status is 1 when something is wrong.

Examples:
  lectern check
  lectern check --json | jq '.findings[] | select(.status != "ok")'`,
    )
    .action(check)
}

const check = async ({ json }: { json?: boolean }): Promise<void> => {
  const checks = await import('../check/check.ts')
  const findings: Diagnostic[] = []
  for await (const finding of checks.check()) {
    findings.push(finding)
    if (!json) process.stdout.write(lineOf(finding))
  }
  const count = (status: Diagnostic['status']) => findings.filter((one) => one.status === status).length
  const [warnings, wrong] = [count('warning'), count('wrong')]
  if (json)
    process.stdout.write(`${JSON.stringify({ ok: wrong === 0, warnings, wrong, findings }, null, 2)}\n`)
  else process.stdout.write(`warnings: ${warnings}, wrong: ${wrong}\n`)
  if (wrong > 0) process.exitCode = 1
}

const COLOURS = { ok: 'green', warning: 'yellow', wrong: 'red' } as const
/** As wide as the longest status, and the longest subject. */
const WIDTHS = { status: 7, about: 13 }

const lineOf = ({ about, status, says, todo }: Diagnostic): string => {
  const word = styleText(COLOURS[status], status.padEnd(WIDTHS.status), { stream: process.stdout })
  const indent = ' '.repeat(WIDTHS.status + WIDTHS.about + 2)
  return `${word} ${about.padEnd(WIDTHS.about)} ${says}\n${todo ? `${indent}${todo}\n` : ''}`
}
