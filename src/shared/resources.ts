import { readFileSync } from 'node:fs'
import { getHeapStatistics } from 'node:v8'
import { UsageError } from '@lectern/wiki/errors'
import { CONNECTIONS_MAX, FILE_DESCRIPTORS, REFERENCE_HEAP_BYTES } from '../limits/service.ts'
import { leastNodeVersion } from '../paths.ts'

/**
 * The bound of a cache, which is smaller if the heap is small. (D70)
 * @param full its bound with a heap of `REFERENCE_HEAP_BYTES` or more
 * @param heapBytes the maximum of the heap, bytes; `--max-old-space-size` sets it
 */
export const scaledToHeap = (full: number, heapBytes = getHeapStatistics().heap_size_limit): number =>
  Math.floor(full * Math.min(1, heapBytes / REFERENCE_HEAP_BYTES))

/**
 * How many file descriptors this process may have. Infinity on systems other than Linux, which do not report it.
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

/** Memory of a process and of those that it has started, without what they share, bytes. Linux only: elsewhere 0. */
export const memoryOfProcesses = (pid: number | string = process.pid): number => {
  try {
    const [, kilobytes] = /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []
    return children.map(memoryOfProcesses).reduce((sum, bytes) => sum + bytes, Number(kilobytes ?? 0) * 1024)
  } catch {
    return 0 // the process has ended
  }
}

/**
 * Modules of Lectern need what older versions of Node lack. So this runs before they are loaded.
 * @throws UsageError
 */
export const checkNodeVersion = (version = process.versions.node): void => {
  const least = leastNodeVersion()
  if (version.localeCompare(least, 'en', { numeric: true }) < 0)
    throw new UsageError(`Lectern needs Node ${least} or newer; this is ${version}.`)
}

/**
 * Runs before anything else is loaded, because with too few descriptors not even modules can be loaded. (D70)
 * @throws UsageError that names the limit, and says how to raise it
 */
export const checkDescriptors = (limit = descriptorLimit()): void => {
  if (limit >= FILE_DESCRIPTORS.least) return
  throw new UsageError(
    `This process may open ${limit} files, and Lectern needs ${FILE_DESCRIPTORS.least}. Raise the limit ` +
      `with \`ulimit -n ${FILE_DESCRIPTORS.least}\` in a shell, LimitNOFILE= in a systemd unit, or --ulimit nofile= of docker.`,
  )
}

/**
 * How many connections a listener may have open at a time, so that a descriptor is always free to accept one more.
 * @param share the listener's share of the descriptors that nothing else needs, 0 to 1
 */
export const connectionsMax = (share: number, limit = descriptorLimit()): number =>
  Math.min(CONNECTIONS_MAX, Math.floor((limit - FILE_DESCRIPTORS.reserved) * share))
