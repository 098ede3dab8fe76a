#!/usr/bin/env node
import { failureMessage } from './commands/failure.ts'
import { checkDescriptors } from './resources.ts'

// Loaded here, so that what fails while it is loaded is told like everything else.
try {
  checkDescriptors()
  const { runCommandLine } = await import('./commands/program.ts')
  process.exitCode = await runCommandLine(process.argv)
} catch (error) {
  process.stderr.write(`lectern: ${failureMessage(error)}\n`)
  process.exitCode = 1
}
