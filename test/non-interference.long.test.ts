import { openGitSource } from '@lectern/import-files/git/source'
import { openNdjsonSource } from '@lectern/import-files/ndjson/source'
import { expect } from 'chai'
import { runImport } from '../src/write/run-import.ts'
import { testDatabase } from './support/database.ts'
import { guestAnswers } from './support/guest-answers.ts'
import { withFile } from './support/importing.ts'
import { randomChoices } from './support/random-choices.ts'
import { RandomRecords } from './support/random-records.ts'
import { CATEGORY_KEYS, LINK_NAMES, PAGE_PATHS, SECRET_PATHS, WORDS } from './support/random-texts.ts'
import { type Opened, RandomVaults } from './support/random-vaults.ts'
import { rounds } from './support/rounds.ts'
import { withService } from './support/service.ts'
import { clearWorld } from './support/world.ts'

const ROUNDS = rounds(1)
/** The seed with which a failure can be repeated. */
const SEED = Number(process.env.LECTERN_TEST_SEED ?? Math.floor(Math.random() * 1e9))

/** Kinds of git repositories. A short run has one of them. */
const ALL_KINDS = ['plain', 'gollum', 'obsidian'] as const
const KINDS = ROUNDS > 1 ? ALL_KINDS : [ALL_KINDS[SEED % ALL_KINDS.length]!]

const NAMES = {
  paths: [...new Set([...PAGE_PATHS, ...SECRET_PATHS, ...LINK_NAMES])],
  categories: CATEGORY_KEYS,
  words: WORDS,
  revisions: [],
}

describe('what guests see follows from what guests may see', () => {
  const test = withService({ cacheSeconds: 0 })
  beforeEach(clearWorld)
  after(clearWorld)

  /** Runs rounds with a seed each. */
  const forRounds = async (round: (seed: number) => Promise<void>): Promise<void> => {
    for (let i = 0; i < ROUNDS; i += 1) {
      await clearWorld()
      await round(SEED + i)
    }
  }
  const run = async (open: Opened): Promise<void> => {
    const { owner } = await testDatabase()
    await runImport(owner, open, { from: { name: 'main', isConfirmed: true } })
  }
  const importLines = (lines: string): Promise<void> =>
    withFile('wiki.ndjson', lines, (file) => run(() => openNdjsonSource(file)))
  const importVault = ({ folder }: RandomVaults, layouts: string[] = []): Promise<void> =>
    run((stored) => openGitSource(folder, { layouts, name: 'Wiki', stored: () => stored }))

  const expectSame = (one: Map<string, string>, other: Map<string, string>, message: string): void => {
    expect(one.size).to.equal(other.size)
    for (const [request, answer] of one) expect(answer, `${message}: ${request}`).to.equal(other.get(request))
  }

  it(`after any NDJSON imports, as after one import of the last file (seed ${SEED})`, () =>
    forRounds(async (seed) => {
      const random = randomChoices(seed)
      const wiki = new RandomRecords(random)
      for (let n = 2 + random.below(3); n > 0; n--) {
        wiki.change()
        await importLines(wiki.lines())
      }
      const names = { ...NAMES, revisions: wiki.revisionIds() }
      const after = await guestAnswers(test, names, { past: true })
      await clearWorld()
      await importLines(wiki.lines())
      expectSame(after, await guestAnswers(test, names, { past: true }), `seed ${seed}`)
    }))

  it(`NDJSON: whatever is hidden, the answers are the same (seed ${SEED})`, () =>
    forRounds(async (seed) => {
      const answers: Map<string, string>[] = []
      for (const i of [0, 1]) {
        await clearWorld()
        const hidden = randomChoices(seed * 10 + i)
        const wiki = new RandomRecords(randomChoices(seed), hidden)
        for (let n = 0; n < 3; n++) {
          wiki.change()
          await importLines(wiki.lines())
        }
        answers.push(await guestAnswers(test, { ...NAMES, revisions: wiki.revisionIds() }))
      }
      expectSame(answers[0]!, answers[1]!, `seed ${seed}`)
    }))

  for (const kind of KINDS) {
    // Only the first import takes notes that link by name as a vault: with this layout, none does.
    const layouts = kind === 'plain' ? ['{path}.md'] : []
    it(`${kind}: after imports of any commits, as after one import of the last (seed ${SEED})`, () =>
      forRounds(async (seed) => {
        const vault = new RandomVaults(kind, randomChoices(seed))
        for (let n = 0; n < 4; n++) {
          vault.commitSome()
          await importVault(vault, layouts)
        }
        const after = await guestAnswers(test, NAMES, { past: true })
        await clearWorld()
        await importVault(vault, layouts)
        expectSame(after, await guestAnswers(test, NAMES, { past: true }), `seed ${seed}`)
      }))

    it(`${kind}: whatever is hidden, the answers are the same (seed ${SEED})`, () =>
      forRounds(async (seed) => {
        const answers: Map<string, string>[] = []
        for (const i of [0, 1]) {
          await clearWorld()
          const vault = new RandomVaults(kind, randomChoices(seed), randomChoices(seed * 10 + i))
          for (let n = 0; n < 3; n++) {
            vault.commitSome()
            await importVault(vault)
          }
          answers.push(await guestAnswers(test, NAMES, { ids: true }))
        }
        expectSame(answers[0]!, answers[1]!, `seed ${seed}`)
      }))
  }
})
