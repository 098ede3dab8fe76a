import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endProcesses } from '../../support/cli.ts'
import { temporaryRoot } from '../../support/database.ts'
import { takeMeasurements } from './measured.ts'
import { shareTemplates } from './postgres.ts'
import { endServers } from './server-process.ts'

/** The environment variable by which the parallel processes of a run find the file of what they measured. */
const FILE = 'LECTERN_FAULTS_MEASURED'

let removeTemplates = () => {}

/** Runs before all tests, in the process that starts them: see test/faults/mocharc.json. */
export const mochaGlobalSetup = (): void => {
  Object.assign(process.env, { LECTERN_FAULTS_DISK: tmpdir(), TMPDIR: temporaryRoot() })
  process.env[FILE] = join(mkdtempSync(join(tmpdir(), 'lectern-measured-')), 'lines')
  writeFileSync(process.env[FILE], '')
  removeTemplates = shareTemplates()
}

export const mochaHooks = {
  /** Runs after each file when files run in parallel. Nothing that a test started outlives it. */
  async afterAll() {
    await endProcesses()
    await endServers()
    appendFileSync(process.env[FILE]!, takeMeasurements())
  },
}

/** Runs after all tests, in the same process as the setup. */
export const mochaGlobalTeardown = (): void => {
  const file = process.env[FILE]!
  console.log(`  The longest of each:\n${readFileSync(file, 'utf8')}`)
  removeTemplates()
  rmSync(join(file, '..'), { recursive: true, force: true })
}
