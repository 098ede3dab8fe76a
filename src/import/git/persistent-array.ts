/**
 * A persistent array: a tree of nodes with 32 slots. A change returns a new array that shares all nodes with the old
 * one, except the path to the change. Comparing two versions skips the nodes that they share.
 */
export interface PersistentArray<T> {
  /** Levels of nodes below the root. */
  depth: number
  root: Node<T>
}

type Node<T> = readonly (Node<T> | T | undefined)[]

const BITS = 5
const SLOTS = 1 << BITS

export const emptyArray = <T>(): PersistentArray<T> => ({ depth: 0, root: [] })

/** @returns undefined if nothing was set */
export const entryAt = <T>({ depth, root }: PersistentArray<T>, index: number): T | undefined => {
  if (index >= SLOTS ** (depth + 1)) return undefined
  let node: Node<T> | undefined = root
  for (let level = depth; level > 0; level -= 1) node = node?.[slotAt(index, level)] as Node<T> | undefined
  return node?.[slotAt(index, 0)] as T | undefined
}

/** @param index from 0 to 2^30 - 1 */
export const withEntry = <T>(array: PersistentArray<T>, index: number, value: T): PersistentArray<T> => {
  const { depth, root } = withDepth(array, depthFor(index))
  return { depth, root: nodeWith(root, depth, index, value) }
}

/**
 * Merges two versions. `combine` decides about each entry of the second version that differs from the first, which are
 * usually few. Entries that only the first version has stay.
 */
export const merged = <T>(
  first: PersistentArray<T>,
  second: PersistentArray<T>,
  combine: (one: T | undefined, other: T, index: number) => T,
): PersistentArray<T> => {
  const depth = Math.max(first.depth, second.depth)
  const a = withDepth(first, depth).root
  const b = withDepth(second, depth).root
  return { depth, root: mergedNodes(a, b, depth, 0, combine) }
}

/** All entries that were set, with their index, in order. */
export function* entries<T>({ depth, root }: PersistentArray<T>): Generator<[index: number, value: T]> {
  yield* entriesBelow(root, depth, 0)
}

function* entriesBelow<T>(node: Node<T>, level: number, from: number): Generator<[number, T]> {
  for (const [slot, child] of node.entries()) {
    if (child === undefined) continue
    const index = from + slot * SLOTS ** level
    if (level === 0) yield [index, child as T]
    else yield* entriesBelow(child as Node<T>, level - 1, index)
  }
}

const slotAt = (index: number, level: number): number => (index >>> (level * BITS)) & (SLOTS - 1)

const depthFor = (index: number): number => {
  let depth = 0
  for (let rest = index >>> BITS; rest > 0; rest >>>= BITS) depth += 1
  return depth
}

const withDepth = <T>({ depth, root }: PersistentArray<T>, least: number): PersistentArray<T> => {
  let [deeper, node] = [depth, root]
  for (; deeper < least; deeper += 1) node = [node]
  return { depth: deeper, root: node }
}

const nodeWith = <T>(node: Node<T> | undefined, level: number, index: number, value: T): Node<T> => {
  const slot = slotAt(index, level)
  const copy = node === undefined ? [] : node.slice()
  while (copy.length < slot) copy.push(undefined)
  copy[slot] = level === 0 ? value : nodeWith(copy[slot] as Node<T> | undefined, level - 1, index, value)
  return copy
}

const mergedNodes = <T>(
  a: Node<T> | undefined,
  b: Node<T>,
  level: number,
  from: number,
  combine: (one: T | undefined, other: T, index: number) => T,
): Node<T> => {
  if (a === b) return b
  const length = Math.max(a?.length ?? 0, b.length)
  return Array.from({ length }, (_, slot) => {
    const [one, other] = [a?.[slot], b[slot]]
    if (other === undefined || one === other) return one
    const index = from + slot * SLOTS ** level
    return level === 0
      ? combine(one as T | undefined, other as T, index)
      : mergedNodes(one as Node<T> | undefined, other as Node<T>, level - 1, index, combine)
  })
}
