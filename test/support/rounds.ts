const FACTOR = Number(process.env.LECTERN_TEST_ROUNDS ?? 1)

/** How often a random test repeats: its own number, times `LECTERN_TEST_ROUNDS`. */
export const rounds = (number: number): number => Math.ceil(number * FACTOR)
