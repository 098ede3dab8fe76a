import { expect } from 'chai'
import { binaryTextArray } from '../src/db/bulk.ts'
import { testDatabase } from './support/database.ts'

describe('texts as a parameter of PostgreSQL', () => {
  const roundTrip = async (texts: string[]): Promise<{ texts: string[] }[]> => {
    const { owner } = await testDatabase()
    return owner.query<{ texts: string[] }>({ name: 'texts', text: 'select $1::text[] as texts' }, [
      binaryTextArray(texts),
    ])
  }

  it('arrive unchanged, whatever they contain', async () => {
    for (const texts of [
      [],
      [''],
      ['null', 'NULL', '{}', '{a,b}', '"', '\\', ',', ' ', '\n', "'"],
      ['お茶', '🍵', 'é', 'e\u0301', '\u0001\u0002', '\uffff'],
      ['a'.repeat(1_000_000), '茶'.repeat(300_000), ''],
    ]) {
      expect((await roundTrip(texts))[0]!.texts).to.deep.equal(texts)
    }
  })

  it('half of a surrogate pair becomes U+FFFD, as in pg', async () => {
    expect((await roundTrip(['a\ud800b']))[0]!.texts).to.deep.equal(['a\ufffdb'])
  })

  it('U+0000 is an error, because PostgreSQL cannot store it', async () => {
    const error = await roundTrip(['a\u0000b']).then(
      () => undefined,
      (reason: { code: string }) => reason,
    )
    expect(error?.code).to.equal('22021')
  })
})
