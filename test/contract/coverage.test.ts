import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { expect } from 'chai'
import { calledOperations, document } from '../support/openapi-check.ts'

const coverage = describe('route coverage', () => {
  it('every operation of openapi.json is called by a test', function () {
    if (!isWholeSuite()) this.skip()
    expect([...calledOperations]).to.include.members(Object.keys(document.paths!))
  })
})

/** Whether all the files beside this one were loaded, and all their tests ran: not with `--grep`, say. */
const isWholeSuite = (): boolean => {
  const root = coverage.parent!
  const loaded = new Set(root.suites.map(({ file }) => basename(file ?? '')))
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.js'))
  let all = files.every((name) => loaded.has(name))
  root.eachTest((test) => {
    if (test.parent !== coverage && test.state === undefined) all = false
  })
  return all
}

/** Whatever the order in which files are loaded, this runs last. */
before(() => {
  const { suites } = coverage.parent!
  suites.push(...suites.splice(suites.indexOf(coverage), 1))
})
