import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { request, startLectern } from './support/lectern.ts'
import { type Postgres, startWiki } from './support/postgres.ts'

describe('clients that send and never read', () => {
  let postgres: Postgres
  before(async () => {
    postgres = await startWiki()
  })
  after(() => postgres?.remove())

  it('400 connections that pipeline 700,000 requests: a heap of 128 MB is enough, and other clients get responses', async () => {
    const lectern = await startLectern(
      { DATABASE_URL: postgres.url, NODE_OPTIONS: '--max-old-space-size=128' },
      { nodeOptions: [] },
    )
    const { hostname, port } = new URL(lectern.url)
    expect((await lectern.get('/')).status).to.equal(200)
    const packet = 'GET /api/v1/ HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_750)
    const sockets: Socket[] = []
    for (let n = 0; n < 400; n++) {
      const socket = connect({ host: hostname, port: Number(port) }).pause()
      socket.on('error', () => {})
      socket.write(packet)
      sockets.push(socket)
    }
    expect((await lectern.live()).status).to.equal(200)
    expect((await lectern.get('/pages')).status).to.equal(200)
    const metrics = (await request(`${lectern.internalUrl}/metrics`)).text
    expect(
      Number(/^lectern_http_pipeline_disconnects_total\{reason="requests"\} (\d+)$/m.exec(metrics)?.[1]),
    ).to.be.above(0)
    for (const socket of sockets) socket.destroy()
    expect(lectern.isRunning()).to.equal(true)
    expect((await lectern.stop()).status).to.equal(0)
  })
})
