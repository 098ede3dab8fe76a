import { expect } from 'chai'
import { pino } from 'pino'
import { makeSharedWindow } from '../src/rate/shared-window.ts'
import { until } from './support/until.ts'

describe('windows that processes share', () => {
  it('count here while no reply comes: one request waits, one message a second is sent; then share again', async () => {
    const calls: string[] = []
    const lines: string[] = []
    let isFrozen = true
    const window = makeSharedWindow(
      {
        name: 'The primary process',
        count: (client) => {
          calls.push(client)
          return isFrozen ? new Promise(() => {}) : Promise.resolve({ requests: 40, msLeft: 1_000 })
        },
        timeoutMs: 20,
        logger: pino({ level: 'info' }, { write: (line: string) => lines.push(line) }),
      },
      'shared',
    )
    try {
      expect(await window.consume('a')).to.include({ requests: 1 })
      const rest = Array.from({ length: 50 }, () => window.consume('a'))
      expect(rest.map((consumption) => 'requests' in consumption && consumption.requests)).to.deep.equal(
        Array.from({ length: 50 }, (_, i) => i + 2),
      )
      await until('a probe is sent', () => calls.length === 2)
      isFrozen = false
      await until('it is shared', () => lines.some((line) => line.includes('counts the requests')))
      expect(await window.consume('a')).to.deep.equal({ requests: 40, msLeft: 1_000 })
      expect(calls.filter((client) => client === 'a')).to.have.length(2)
      expect(lines.filter((line) => line.includes('counts by itself'))).to.have.length(1)
    } finally {
      window.close()
    }
  })
})
