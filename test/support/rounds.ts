import fc from 'fast-check'

// Otherwise the error is only the `cause` of what fast-check throws, which tests in parallel processes do not show.
fc.configureGlobal({ includeErrorInReport: true })

const FACTOR = Number(process.env.LECTERN_TEST_ROUNDS ?? 1)

/** How often a random test repeats: its own number, times `LECTERN_TEST_ROUNDS`. */
export const rounds = (number: number): number => Math.ceil(number * FACTOR)
