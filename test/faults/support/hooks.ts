import { endProcesses } from '../../support/cli.ts'
import { measured } from './measured.ts'
import { endServers } from './server-process.ts'

/** Root hooks: see test/faults/mocharc.json. Nothing that a test started outlives the run. */
export const mochaHooks = {
  async afterAll() {
    await endProcesses()
    await endServers()
    console.log(`  The longest of each:\n${measured()}`)
  },
}
