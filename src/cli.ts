#!/usr/bin/env node
import { UsageError } from './errors.ts'
import { checkDescriptors } from './resources.ts'

try {
  checkDescriptors()
  const { runCommandLine } = await import('./commands/program.ts')
  process.exitCode = await runCommandLine(process.argv)
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`lectern: ${error.message}\n`)
  process.exitCode = 1
}
