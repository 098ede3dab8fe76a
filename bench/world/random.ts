/**
 * Numbers that look random and are the same for the same seed. Each is asked for by place (`of(page, 3)`), not
 * in turn, so that any part of a world can be made without the parts before it.
 */
export interface Random {
  /** From 0 up to, not including, 1. */
  of(...place: number[]): number
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number, ...place: number[]): number
  /** Normally distributed, mean 0, deviation 1. */
  normal(...place: number[]): number
  /** 128 bits in the form of a UUID, version 4. */
  uuid(...place: number[]): string
}

/** The finalizer of MurmurHash3: each bit of the input changes half of the output. */
const mix = (hash: number): number => {
  let h = hash
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

export const makeRandom = (seed: number): Random => {
  const bits = (place: readonly number[]): number => {
    let hash = mix(seed + 0x9e3779b9)
    for (const part of place) hash = mix(Math.imul(hash, 31) + part + 0x9e3779b9)
    return hash
  }
  const of = (...place: number[]) => bits(place) / 2 ** 32
  // The part comes first: places whose 32 bits collide in one part do not collide in the others.
  const hex = (place: number[], part: number) =>
    bits([part, ...place])
      .toString(16)
      .padStart(8, '0')
  return {
    of,
    below: (below, ...place) => Math.floor(of(...place) * below),
    normal: (...place) =>
      Math.sqrt(-2 * Math.log(1 - of(...place, 1))) * Math.cos(2 * Math.PI * of(...place, 2)),
    uuid: (...place) => {
      const [a, b, c, d] = [1, 2, 3, 4].map((part) => hex(place, part)) as [string, string, string, string]
      return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`
    },
  }
}
