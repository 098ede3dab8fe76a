/** What the system lets this process have: memory and file descriptors. */
import { readFileSync } from 'node:fs'
import { getHeapStatistics } from 'node:v8'
import { UsageError } from './errors.ts'
import { CONNECTIONS_MAX, FILE_DESCRIPTORS, REFERENCE_HEAP_BYTES } from './limits.ts'

/**
 * The bound of a cache, in the unit of its full bound: less where the heap is small. (D82)
 * @param full its bound where the heap may have `FULL_HEAP_BYTES` or more
 * @param heapBytes the most that JavaScript may use, bytes; `--max-old-space-size` sets it
 */
export const scaledToHeap = (full: number, heapBytes = getHeapStatistics().heap_size_limit): number =>
  Math.floor(full * Math.min(1, heapBytes / REFERENCE_HEAP_BYTES))

/**
 * File descriptors that this process may have. Infinity where the system does not say: outside of Linux.
 * Node.js raises the soft limit to the hard one when it starts.
 */
export const descriptorLimit = (): number => {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/**
 * With too few descriptors even a module may be missing, so nothing else is loaded before this. (D82)
 * @throws UsageError naming the limit, and how to raise it
 */
export const checkDescriptors = (limit = descriptorLimit()): void => {
  if (limit >= FILE_DESCRIPTORS.least) return
  throw new UsageError(
    `This process may open ${limit} files, and Lectern needs ${FILE_DESCRIPTORS.least}: raise the limit, ` +
      `by \`ulimit -n ${FILE_DESCRIPTORS.least}\` in a shell, LimitNOFILE= in a systemd unit, or --ulimit nofile= of docker.`,
  )
}

/**
 * Connections that a listener may have open at a time: never so many that accepting one more fails.
 * @param share of the descriptors that nothing else needs, 0 to 1
 */
export const connectionsMax = (share: number, limit = descriptorLimit()): number =>
  Math.min(CONNECTIONS_MAX, Math.floor((limit - FILE_DESCRIPTORS.reserved) * share))
