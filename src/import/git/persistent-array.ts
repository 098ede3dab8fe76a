/**
 * An array that changes by giving a new one, which shares with the old all but the way to what changed: a tree
 * of nodes with 32 places. Of two versions, what they share is found equal without a look at it.
 */
export interface PersistentArray<T> {
  /** Levels of nodes below the root. */
  depth: number
  root: Node<T>
}

type Node<T> = readonly (Node<T> | T | undefined)[]

const BITS = 5
const PLACES = 1 << BITS

export const emptyArray = <T>(): PersistentArray<T> => ({ depth: 0, root: [] })

/** undefined where nothing was set. */
export const entryAt = <T>({ depth, root }: PersistentArray<T>, index: number): T | undefined => {
  if (index >= PLACES ** (depth + 1)) return undefined
  let node: Node<T> | undefined = root
  for (let level = depth; level > 0; level -= 1) node = node?.[placeAt(index, level)] as Node<T> | undefined
  return node?.[placeAt(index, 0)] as T | undefined
}

/** @param index from 0 to 2^30 - 1 */
export const withEntry = <T>(array: PersistentArray<T>, index: number, value: T): PersistentArray<T> => {
  const { depth, root } = deepened(array, depthFor(index))
  return { depth, root: nodeWith(root, depth, index, value) }
}

/**
 * Two versions as one: `combine` says what becomes of each entry that the second has otherwise than the first,
 * which is mostly few. What only the first has stays.
 */
export const merged = <T>(
  first: PersistentArray<T>,
  second: PersistentArray<T>,
  combine: (one: T | undefined, other: T, index: number) => T,
): PersistentArray<T> => {
  const depth = Math.max(first.depth, second.depth)
  const a = deepened(first, depth).root
  const b = deepened(second, depth).root
  return { depth, root: mergedNodes(a, b, depth, 0, combine) }
}

/** What was set, with its index, in order of the index. */
export function* entries<T>({ depth, root }: PersistentArray<T>): Generator<[index: number, value: T]> {
  yield* entriesBelow(root, depth, 0)
}

function* entriesBelow<T>(node: Node<T>, level: number, from: number): Generator<[number, T]> {
  for (const [place, one] of node.entries()) {
    if (one === undefined) continue
    const index = from + place * PLACES ** level
    if (level === 0) yield [index, one as T]
    else yield* entriesBelow(one as Node<T>, level - 1, index)
  }
}

const placeAt = (index: number, level: number): number => (index >>> (level * BITS)) & (PLACES - 1)

const depthFor = (index: number): number => {
  let depth = 0
  for (let rest = index >>> BITS; rest > 0; rest >>>= BITS) depth += 1
  return depth
}

const deepened = <T>({ depth, root }: PersistentArray<T>, least: number): PersistentArray<T> => {
  let [deeper, node] = [depth, root]
  for (; deeper < least; deeper += 1) node = [node]
  return { depth: deeper, root: node }
}

const nodeWith = <T>(node: Node<T> | undefined, level: number, index: number, value: T): Node<T> => {
  const place = placeAt(index, level)
  const copy = node === undefined ? [] : node.slice()
  while (copy.length < place) copy.push(undefined)
  copy[place] = level === 0 ? value : nodeWith(copy[place] as Node<T> | undefined, level - 1, index, value)
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
  const places = Math.max(a?.length ?? 0, b.length)
  return Array.from({ length: places }, (_, place) => {
    const [one, other] = [a?.[place], b[place]]
    if (other === undefined || one === other) return one
    const index = from + place * PLACES ** level
    return level === 0
      ? combine(one as T | undefined, other as T, index)
      : mergedNodes(one as Node<T> | undefined, other as Node<T>, level - 1, index, combine)
  })
}
