import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import { packagePath } from '../src/paths.ts'
import {
  checkDescriptors,
  checkNodeVersion,
  connectionsMax,
  descriptorLimit,
  memoryOfProcesses,
  scaledToHeap,
} from '../src/shared/resources.ts'
import { expectFailure, lectern } from './support/cli.ts'

const MB = 1024 ** 2

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

  it('memory of processes: that of those that they started, too', async () => {
    const alone = memoryOfProcesses()
    const script =
      'const kept = Buffer.alloc(300e6, 1); console.log(kept.length); setInterval(() => kept, 1e6)'
    const child = spawn(process.execPath, ['-e', script])
    await once(child.stdout, 'data')
    expect(memoryOfProcesses()).to.be.above(alone + 250e6)
    child.kill()
    await once(child, 'close')
    expect(memoryOfProcesses(child.pid)).to.equal(0)
  })

  it('512 descriptors are enough, and 511 are not', () => {
    expect(() => checkDescriptors(512)).not.to.throw()
    expect(() => checkDescriptors(511)).to.throw('may open 511 files, and Lectern needs 512')
    expect(descriptorLimit()).to.be.at.least(512)
  })

  it('Node 20.19 is enough; older ones end at once, with one line that says so, also in the build', async () => {
    for (const version of ['20.19.0', '20.20.2', '22.0.0', '100.0.0'])
      expect(() => checkNodeVersion(version)).not.to.throw()
    for (const version of ['20.9.0', '20.18.3', '8.17.0'])
      expect(() => checkNodeVersion(version)).to.throw('Node 20.19 or newer')
    const asOld = [
      '--import',
      "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'18.20.8'})",
    ]
    const message = 'Lectern needs Node 20.19 or newer; this is 18.20.8.'
    expectFailure(await lectern(['--version'], {}, { nodeOptions: asOld }), `lectern: ${message}`)
    const build = spawnSync(process.execPath, [...asOld, packagePath('tools', 'build.js')], {
      encoding: 'utf8',
    })
    expect([build.status, build.stderr]).to.deep.equal([1, `${message}\n`])
  })

  if (process.platform === 'linux') {
    it('with 24 descriptors, a command prints the required number in one line', async () => {
      const through = ['sh', '-c', 'ulimit -n 24; exec "$@"', 'sh']
      expectFailure(
        await lectern(['serve'], {}, { through }),
        /^lectern: This process may open \d+ files, and Lectern needs 512\. Raise the limit with `ulimit -n 512`.*\n$/,
      )
    })
  }
})
