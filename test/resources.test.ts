import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { checkDescriptors, connectionsMax, descriptorLimit, scaledToHeap } from '../src/resources.ts'
import { lectern } from './support/cli.ts'

const MB = 1024 ** 2

/**
 * Prints by how many megabytes the old objects grow while 100,000 objects of 100 bytes are made and forgotten, after
 * millions of the same place in the code were kept.
 */
const OLD_GROWTH = `
const { getHeapSpaceStatistics } = require('node:v8')
const make = (i) => ({ a: i, b: [i, i + 1], c: { d: i } })
const oldBytes = () => getHeapSpaceStatistics().find((space) => space.space_name === 'old_space').space_used_size
const measure = () => {
  for (let round = 0, kept; round < 60; round++) {
    kept = []
    for (let i = 0; i < 60_000; i++) kept.push(make(i))
  }
  gc() // the objects of the last round would become old while the next ones are made
  const before = oldBytes()
  let sum = 0
  for (let i = 0; i < 100_000; i++) sum += make(i).b.length
  console.log((oldBytes() - before) / 1e6)
}
Promise.resolve(eval(process.argv[1])).then(measure)`

describe('resources of the process', () => {
  it('a cache has its full size from 1 GB of heap, and a proportional size below', () => {
    expect(scaledToHeap(64 * MB, 4096 * MB)).to.equal(64 * MB)
    expect(scaledToHeap(64 * MB, 1024 * MB)).to.equal(64 * MB)
    expect(scaledToHeap(64 * MB, 128 * MB)).to.equal(8 * MB)
    expect(scaledToHeap(200_000, 128 * MB)).to.equal(25_000)
  })

  it('connections leave 384 descriptors for everything else, up to 10,000 connections', () => {
    expect(connectionsMax(0.75, 512)).to.equal(96)
    expect(connectionsMax(0.25, 512)).to.equal(32)
    expect(connectionsMax(0.75, 1024)).to.equal(480)
    expect(connectionsMax(0.75, 1_048_576)).to.equal(10_000)
    expect(connectionsMax(0.75, Number.POSITIVE_INFINITY)).to.equal(10_000)
  })

  it('512 descriptors are enough, and 511 are not', () => {
    expect(() => checkDescriptors(512)).not.to.throw()
    expect(() => checkDescriptors(511)).to.throw('may open 511 files, and Lectern needs 512')
    expect(descriptorLimit()).to.be.at.least(512)
  })

  it('new objects are allocated among the young ones, even if most of those before survived', () => {
    const resources = new URL('../src/resources.js', import.meta.url).href
    const prepare = `import('${resources}').then(({ allocateYoung }) => allocateYoung())`
    // Without `allocateYoung`, V8 decides otherwise in every second process.
    for (let n = 0; n < 4; n++)
      expect(Number(execFileSync(process.execPath, ['--expose-gc', '-e', OLD_GROWTH, prepare]))).to.be.below(
        0.2,
      )
  })

  if (process.platform === 'linux') {
    for (const command of [['serve'], ['import', 'ndjson', 'wiki.ndjson'], ['check']]) {
      it(`with 64 descriptors \`lectern ${command.join(' ')}\` prints the required number in one line`, async () => {
        const through = ['sh', '-c', 'ulimit -n 64; exec "$@"', 'sh']
        const { status, stdout, stderr } = await lectern(command, {}, { through })
        expect(status).to.equal(1)
        expect(stdout).to.equal('')
        expect(stderr).to.match(/^lectern: This process may open 64 files, and Lectern needs 512. .*\n$/)
      })
    }
  }
})
