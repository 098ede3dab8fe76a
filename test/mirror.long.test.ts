import { expect } from 'chai'
import { runImport } from '../src/write/run-import.ts'
import { testDatabase } from './support/database.ts'
import { Mirrors } from './support/mirror.ts'
import { randomChoices } from './support/random-choices.ts'
import { importStep } from './support/random-imports.ts'
import { wikijsStep } from './support/random-wikijs.ts'
import { rounds } from './support/rounds.ts'
import { withService } from './support/service.ts'
import { withWikijs } from './support/wikijs.ts'
import { clearWorld } from './support/world.ts'

/** Imports or transactions of each test. */
const STEPS = rounds(8)
/** The seed with which a failure can be repeated. */
const SEED = Number(process.env.LECTERN_TEST_SEED ?? Math.floor(Math.random() * 1e9))

describe('a copy of the wiki that follows GET /changes is what guests see', () => {
  describe('after every import', () => {
    const test = withService({ cacheSeconds: 0 })
    before(clearWorld)
    after(clearWorld)

    it(`of random pages, also authoritative ones, moves and failures (seed ${SEED})`, async () => {
      const { owner } = await testDatabase()
      const random = randomChoices(SEED)
      const mirrors = new Mirrors(test, (text) => owner.query({ name: 'mirror_pages', text }, []))
      const nextImport = importStep(random)
      for (let n = 0; n < STEPS; n += 1) {
        const { title, source, options, fails, isHidden } = nextImport()
        const failure = await runImport(owner, async () => source, options).then(
          () => undefined,
          (error: Error) => error,
        )
        if (failure && !fails) throw failure
        expect(failure !== undefined, title).to.equal(fails)
        test.service.invalidate()
        await mirrors.readSome(random.below)
        await mirrors.expectTrue(random.below, `after import ${n}, ${title}`, isHidden)
      }
      await mirrors.expectAllTrue()
    })
  })

  describe('after every transaction of an attached Wiki.js', () => {
    const test = withWikijs()

    it(`of random writes (seed ${SEED})`, async () => {
      const random = randomChoices(SEED)
      await test.wikijs.rows(
        `insert into public.users (id, email, name, "createdAt", "updatedAt") values (4, 'a@example.com', 'Author', '', '')`,
      )
      const mirrors = new Mirrors(test, (text) => test.wikijs.rows(text))
      const write = wikijsStep(random, test.wikijs)
      for (let n = 0; n < STEPS; n += 1) {
        const { title, isHidden } = await write(async () => {
          test.service.invalidate()
          await mirrors.readSome(random.below)
          await mirrors.startAnother()
        })
        test.service.invalidate()
        await mirrors.readSome(random.below)
        await mirrors.expectTrue(random.below, `after transaction ${n}, ${title}`, isHidden)
      }
      await mirrors.expectAllTrue()
    })
  })
})
