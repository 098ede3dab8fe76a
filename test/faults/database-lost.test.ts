import { expect } from 'chai'
import { type Lectern, startLectern } from './support/lectern.ts'
import { type Postgres, startWiki } from './support/postgres.ts'
import { until } from './support/until.ts'

/** Answers of the first kind were kept before the fault; those of the second nobody asked for yet. */
const KEPT = '/pages/sencha'
let asked = 0
const uncached = () => `/pages?limit=${(asked++ % 200) + 1}`

describe('a lost database', () => {
  let postgres: Postgres
  let lectern: Lectern

  before(async () => {
    postgres = await startWiki()
    lectern = await startLectern({ DATABASE_URL: postgres.url })
  })
  after(async () => {
    await lectern?.stop()
    await postgres?.remove()
  })

  const back = () =>
    until(
      'an uncached request is answered',
      async () => (await lectern.get(uncached())).status === 200,
      10_000,
    )

  it('stopped: 503 with Retry-After within 1 s', async () => {
    expect((await lectern.get(KEPT)).status).to.equal(200)
    await postgres.stop()
    const answer = await lectern.get(uncached())
    expect(answer.status).to.equal(503)
    expect(Number(answer.headers.get('retry-after'))).to.be.at.least(1)
    expect(answer.ms).to.be.below(1000)
    expect((await lectern.get(KEPT)).status).to.equal(200)
    expect((await lectern.live()).status).to.equal(200)
    expect((await lectern.ready()).status).to.equal(503)
    await postgres.start()
    expect(await back()).to.be.below(2000)
  })
})
