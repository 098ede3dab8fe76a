import { Unavailable } from '@lectern/wiki/errors'
import { expect } from 'chai'
import { withUnavailable } from '../src/db/connection-settings.ts'
import type { Database } from '../src/db/database.ts'

describe('errors of statements', () => {
  const errorOf = (code: string) => {
    const failing = async () => {
      throw Object.assign(new Error('canceled'), { code })
    }
    const query = withUnavailable(failing as Database['query'], 'reader')
    return query({ name: 'x', text: 'x' }, []).catch((error: unknown) => error)
  }

  it('of a lost server, and of a standby that replays, are a 503, because a retry helps', async () => {
    for (const code of ['57P01', 'EHOSTUNREACH', '57014', '40001'])
      expect(await errorOf(code), code).to.be.instanceOf(Unavailable)
  })

  it('of a wrong statement are not', async () => {
    expect(await errorOf('22012'))
      .to.be.instanceOf(Error)
      .and.not.instanceOf(Unavailable)
  })
})
