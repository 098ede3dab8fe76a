/** A revision's id for tests: such ids are ordered as their numbers are. */
export const testId = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
