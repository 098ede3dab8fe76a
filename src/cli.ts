#!/usr/bin/env node
import { failureMessage } from './commands/failure.ts'
import { checkDescriptors, checkNodeVersion } from './shared/resources.ts'

// A dynamic import, so that an error while the program is loaded is reported like every other error.
try {
  checkNodeVersion()
  checkDescriptors()
  const { runCommandLine } = await import('./commands/program.ts')
  process.exitCode = await runCommandLine(process.argv)
} catch (error) {
  process.stderr.write(`lectern: ${failureMessage(error)}\n`)
  process.exitCode = 1
}
