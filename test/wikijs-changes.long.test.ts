import { expect } from 'chai'
import type pg from 'pg'
import { attachWikijs } from '../src/wikijs/attach.ts'
import { Wikijs, withWikijs } from './support/wikijs.ts'

const inShort = (items: { type: string; path: string }[]) =>
  items.map(({ type, path }) => (type === 'gone' ? `-${path}` : path))

describe('GET /changes of an attached Wiki.js', () => {
  const test = withWikijs()
  let cursor = ''

  /** What is told since the last call. */
  const told = async (): Promise<string[]> => {
    test.service.invalidate()
    const { body, status, text } = await test.get(`/changes?limit=200&after=${cursor}`)
    expect(status, text).to.equal(200)
    cursor = body.cursor
    return inShort(body.items)
  }
  beforeEach(async () => {
    cursor = ''
    await told()
  })

  it('tells of a page that moves, and where it is now', async () => {
    const { wikijs, get } = test
    const id = await wikijs.create({ path: 'tea', title: 'Tea' })
    expect(await told()).to.deep.equal(['tea'])
    await wikijs.move(id, 'mate')
    await wikijs.move(id, 'cup')
    test.service.invalidate()
    const { items } = (await get(`/changes?after=${cursor}`)).body
    expect(inShort(items)).to.have.members(['-tea', '-mate', 'cup'])
    for (const item of items.filter(({ type }: { type: string }) => type === 'gone'))
      expect(item.moved_to).to.deep.equal({
        ...{ path: 'cup', title: 'Tea', locale: 'en', ns: 'main' },
        url: 'https://wiki.example/en/cup',
      })
    for (const path of ['tea', 'mate']) {
      const { status, headers } = await get(`/pages/${path}`)
      expect(status).to.equal(404)
      expect(headers.link).to.include(
        '<http://localhost:3000/api/v1/pages/cup?locale=en>; rel="successor-version"',
      )
    }
  })

  it('tells nothing of addresses at which a page was only within a transaction', async () => {
    const { wikijs, get } = test
    const tea = await wikijs.create({ path: 'tea' })
    await told()
    await wikijs.rows('begin')
    const id = await wikijs.create({ path: 'first' })
    await wikijs.move(id, 'second')
    await wikijs.move(tea, 'between')
    await wikijs.move(tea, 'cup')
    await wikijs.delete(await wikijs.create({ path: 'never' }))
    await wikijs.rows('commit')
    expect(await told()).to.have.members(['-tea', 'cup', 'second'])
    for (const path of ['first', 'between', 'never'])
      expect((await get(`/pages/${path}`)).headers.link, path).to.not.include('successor')
  })

  it('attached again, tells only of pages that differ', async () => {
    const { wikijs, owner } = test
    await wikijs.create({ path: 'tea', tags: ['drinks'] })
    const mate = await wikijs.create({ path: 'mate', publishEndDate: '2999-01-01T00:00:00Z' })
    await wikijs.update(mate, { title: 'Mate' })
    await told()
    await attachWikijs(owner)
    expect(await told()).to.deep.equal([])
    await wikijs.update(mate, { title: 'Yerba mate' })
    expect(await told()).to.deep.equal(['mate'])
  })

  // The embedded database runs one transaction after another.
  if (process.env.LECTERN_TEST_DATABASE_URL) {
    describe('with several transactions at a time', () => {
      let other: pg.PoolClient
      let second: Wikijs
      before(async () => {
        other = await test.owner.connect()
        await other.query('set search_path = pg_catalog')
        second = new Wikijs(other)
      })
      after(() => other?.release(true))

      it('tells of each when it commits, in the order of commits', async () => {
        const { wikijs } = test
        await wikijs.rows('begin')
        await wikijs.create({ path: 'tea' })
        await second.rows('begin')
        const waiting = second.create({ path: 'mate' })
        expect(await told()).to.deep.equal([])
        await wikijs.rows('commit')
        expect(await told()).to.deep.equal(['tea'])
        await waiting
        expect(await told()).to.deep.equal([])
        await second.rows('commit')
        expect(await told()).to.deep.equal(['mate'])
      })

      it('tells of one that waited for one that is rolled back', async () => {
        const { wikijs } = test
        await wikijs.rows('begin')
        await wikijs.create({ path: 'tea' })
        const waiting = second.create({ path: 'mate' })
        await wikijs.rows('rollback')
        await waiting
        expect(await told()).to.deep.equal(['mate'])
      })

      for (const level of ['repeatable read', 'serializable']) {
        it(`tells of one with an old snapshot after those that committed meanwhile (${level})`, async () => {
          const { wikijs } = test
          await second.rows(`begin isolation level ${level}`)
          await second.rows('select count(*) from public.tags')
          await wikijs.create({ path: 'tea' })
          expect(await told()).to.deep.equal(['tea'])
          await second.create({ path: 'mate' })
          await second.rows('commit')
          expect(await told()).to.deep.equal(['mate'])
        })
      }
    })
  }
})
