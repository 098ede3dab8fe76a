import { expect } from 'chai'
import { binaryTextArray } from '../src/db/text-array.ts'
import { testDatabase } from './support/database.ts'

describe('texts as a parameter of PostgreSQL', () => {
  const sent = async (texts: string[]): Promise<{ texts: string[] }[]> => {
    const { owner } = await testDatabase()
    return owner.query<{ texts: string[] }>({ name: 'texts', text: 'select $1::text[] as texts' }, [
      binaryTextArray(texts),
    ])
  }

  it('arrive as they are, whatever they hold', async () => {
    for (const texts of [
      [],
      [''],
      ['null', 'NULL', '{}', '{a,b}', '"', '\\', ',', ' ', '\n', "'"],
      ['お茶', '🍵', 'é', 'e\u0301', '\u0001\u0002', '\uffff'],
      ['a'.repeat(1_000_000), '茶'.repeat(300_000), ''],
    ]) {
      expect((await sent(texts))[0]!.texts).to.deep.equal(texts)
    }
  })

  it('half a character is the sign for one that is none, as pg writes it', async () => {
    expect((await sent(['a\ud800b']))[0]!.texts).to.deep.equal(['a\ufffdb'])
  })

  it('what PostgreSQL’s text cannot hold is refused', async () => {
    const error = await sent(['a\u0000b']).then(
      () => undefined,
      (reason: { code: string }) => reason,
    )
    expect(error?.code).to.equal('22021')
  })
})
