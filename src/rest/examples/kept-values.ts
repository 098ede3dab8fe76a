import { chooseFirstValues, chooseValues } from './choose-values.ts'
import type { ExampleValues } from './example-values.ts'
import type { ReadOwnApi } from './own-answer.ts'
import { valuesHold } from './values-hold.ts'

/** How long values are used until others are chosen, milliseconds: the wiki may have got better examples. */
const VALUES_TTL_MS = 10 * 60_000

/** What examples name, chosen in the background. */
export interface KeptValues {
  /**
   * No choice is waited for: while none is made, this returns a few values that cost two reads, with `isFirst`.
   * @throws PublicError when the service is overloaded
   */
  get(): Promise<{ values: ExampleValues; isFirst: boolean }>
  /** Chooses now. @throws PublicError when the service is overloaded */
  choose(): Promise<void>
  /** The wiki changed: what is kept is tried before it is used again. */
  invalidate(): void
}

/** @param read reads the API whose wiki the examples show */
export const makeKeptValues = (read: ReadOwnApi, now = () => performance.now()): KeptValues => {
  let kept: { values: ExampleValues; chosenAt: number } | undefined
  /** Whether what is kept holds; undefined: the wiki has changed since it was tried. */
  let trying: Promise<boolean> | undefined
  let choosing: Promise<void> | undefined
  let changes = 0

  const chooseNow = async (): Promise<void> => {
    const before = changes
    const values = await chooseValues(read)
    kept = { values, chosenAt: now() }
    trying = before === changes ? Promise.resolve(true) : undefined
  }
  const choose = (): Promise<void> => {
    choosing ??= chooseNow().finally(() => {
      choosing = undefined
    })
    return choosing
  }
  const chooseInBackground = (): void => void choose().catch(() => {}) // the next request tries again
  const keptHolds = async (): Promise<boolean> => {
    if (!kept) return false
    trying ??= valuesHold(read, kept.values)
    const current = trying
    return current.catch((error: unknown) => {
      if (trying === current) trying = undefined
      throw error
    })
  }
  return {
    get: async () => {
      if (!(await keptHolds())) {
        chooseInBackground()
        return { values: await chooseFirstValues(read), isFirst: true }
      }
      const { values, chosenAt } = kept!
      if (now() - chosenAt > VALUES_TTL_MS) chooseInBackground()
      return { values, isFirst: false }
    },
    choose,
    invalidate: () => {
      changes += 1
      trying = undefined
    },
  }
}
