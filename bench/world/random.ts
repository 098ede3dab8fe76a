/**
 * Pseudorandom numbers that depend only on the seed and a key, such as `of(page, 3)`. They have no sequence, so any
 * part of a data set can be computed without the parts before it.
 */
export interface Random {
  /** A number of at least 0 and less than 1. */
  of(...key: number[]): number
  /** An integer of at least 0 and less than `below`. */
  below(below: number, ...key: number[]): number
  /** A normally distributed number, with mean 0 and standard deviation 1. */
  normal(...key: number[]): number
  /** A UUID in the format of version 4. */
  uuid(...key: number[]): string
}

/** The finalizer of MurmurHash3: each bit of the input affects half of the output's bits. */
const mix = (hash: number): number => {
  let h = hash
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

export const makeRandom = (seed: number): Random => {
  const bits = (key: readonly number[]): number => {
    let hash = mix(seed + 0x9e3779b9)
    for (const part of key) hash = mix(Math.imul(hash, 31) + part + 0x9e3779b9)
    return hash
  }
  const of = (...key: number[]) => bits(key) / 2 ** 32
  // The part comes first, so that keys whose hashes collide in one part do not collide in the others.
  const hex = (key: number[], part: number) =>
    bits([part, ...key])
      .toString(16)
      .padStart(8, '0')
  return {
    of,
    below: (below, ...key) => Math.floor(of(...key) * below),
    normal: (...key) => Math.sqrt(-2 * Math.log(1 - of(...key, 1))) * Math.cos(2 * Math.PI * of(...key, 2)),
    uuid: (...key) => {
      const [a, b, c, d] = [1, 2, 3, 4].map((part) => hex(key, part)) as [string, string, string, string]
      return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`
    },
  }
}
