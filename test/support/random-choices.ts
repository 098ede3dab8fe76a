import { randomNumbers } from './random-repository.ts'

/** Random choices that a seed repeats. */
export interface RandomChoices {
  /** From 0 to `count` - 1. */
  below(count: number): number
  /** True once in `times`. */
  once(times: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

export const randomChoices = (seed: number): RandomChoices => {
  const below = randomNumbers(seed)
  return { below, once: (times) => below(times) === 0, pick: (items) => items[below(items.length)]! }
}
