import { connect } from 'node:net'
import { expect } from 'chai'
import { until } from '../support/until.ts'
import { importLargePage, LARGE_BYTES } from './support/import-world.ts'
import { type Lectern, request, startLectern } from './support/lectern.ts'
import { takesAtMost } from './support/measured.ts'
import { type Postgres, startWiki } from './support/postgres.ts'

interface Connection {
  /** Seconds from the opening of the connection to its end. */
  seconds: number
  /** The received bytes. */
  text: string
}

describe('slow and broken clients', () => {
  let postgres: Postgres
  let lectern: Lectern
  before(async () => {
    postgres = await startWiki()
    await importLargePage(postgres.url)
    lectern = await startLectern({ DATABASE_URL: postgres.url })
  })
  after(async () => {
    await lectern?.stop()
    await postgres?.remove()
  })

  /**
   * Opens a connection, sends `first`, and waits until the server closes the connection.
   * @param every text to send each second after that
   * @param reads bytes of the response to read each second, until `readAllAfter` resolves; default: all
   */
  const open = (
    first: string,
    {
      every = '',
      reads,
      readAllAfter,
    }: { every?: string; reads?: number; readAllAfter?: Promise<unknown> } = {},
  ) =>
    new Promise<Connection>((resolve) => {
      const { hostname, port } = new URL(lectern.url)
      const socket = connect({ host: hostname, port: Number(port) })
      const startedAt = performance.now()
      const chunks: Buffer[] = []
      const timer = setInterval(() => {
        if (every !== '') socket.write(every)
        const chunk = reads === undefined ? null : socket.read(Math.min(reads, socket.readableLength))
        if (chunk) chunks.push(chunk)
      }, 1_000)
      if (reads === undefined) socket.on('data', (chunk: Buffer) => chunks.push(chunk))
      else socket.on('readable', () => {})
      // A socket that nobody reads does not report that the other side has closed it.
      void readAllAfter?.then(() => {
        socket.removeAllListeners('readable')
        socket.on('data', (chunk: Buffer) => chunks.push(chunk))
        socket.resume()
      })
      socket.on('error', () => {})
      socket.on('close', () => {
        clearInterval(timer)
        resolve({
          seconds: (performance.now() - startedAt) / 1000,
          text: Buffer.concat(chunks).toString('latin1'),
        })
      })
      socket.write(first)
    })
  const slowReaders = async () =>
    Number(
      /^lectern_http_slow_reader_disconnects_total (\d+)$/m.exec(
        (await request(`${lectern.internalUrl}/metrics`)).text,
      )?.[1],
    )

  it('are disconnected in time; a steady reader gets its whole response, and no other client waits', async () => {
    const head = 'GET /api/v1/pages/large HTTP/1.1\r\nHost: x\r\n'
    const disconnected = until('two slow readers are disconnected', async () => (await slowReaders()) === 2)
    const slow = Promise.all([
      open(''),
      open('GET /api/v1/ HTTP/1.1\r\n', { every: 'X' }),
      open('POST /api/v1/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n', { every: 'x' }),
      open(`${head}\r\n`, { reads: 0, readAllAfter: disconnected }),
      open(`${head}\r\n`, { reads: 1_000, readAllAfter: disconnected }),
      open(`${head}Connection: close\r\n\r\n`, { reads: 2_000_000 }),
    ])
    const times: number[] = []
    let isOver = false
    void slow.finally(() => {
      isOver = true
    })
    for (let n = 0; !isOver; n++) {
      times.push((await lectern.get(`/pages?limit=${(n % 200) + 1}`)).ms)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const [silent, headers, body, unread, trickle, steady] = await slow
    for (const { seconds, text } of [silent, headers]) {
      expect(seconds).to.be.at.least(9)
      takesAtMost(14_000, 'a client that sends no whole head is disconnected', seconds * 1000)
      expect(text)
        .to.match(/^HTTP\/1\.1 408 /)
        .and.match(/Access-Control-Allow-Origin: \*/)
      expect(JSON.parse(text.slice(text.indexOf('{'))).error.code).to.equal('bad_parameter')
    }
    expect(body.seconds).to.be.at.least(14)
    takesAtMost(19_000, 'a client that sends no whole body is disconnected', body.seconds * 1000)
    expect(body.text).to.match(/^HTTP\/1\.1 405 /)
    const disconnectedMs = await disconnected
    expect(disconnectedMs).to.be.at.least(9_000)
    takesAtMost(25_000, 'two clients that do not read are disconnected', disconnectedMs)
    for (const { text } of [unread, trickle]) expect(text.length).to.be.below(LARGE_BYTES)
    expect(steady.text.length - steady.text.indexOf('\r\n\r\n'), 'the steady reader').to.be.above(LARGE_BYTES)
    expect(times.length).to.be.above(20)
    takesAtMost(1_500, 'the longest answer to another client beside slow ones', Math.max(...times))
    expect((await lectern.live()).status).to.equal(200)
  })
})
