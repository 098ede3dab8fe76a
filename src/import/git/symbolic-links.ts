import { isRegular } from './log.ts'
import { eachEntry, readBlobs } from './objects.ts'
import type { Repository } from './repository.ts'

/** Links that are followed one after another, and the length of a link, bytes: as on Linux. */
const LIMITS = { steps: 8, bytes: 4096 } as const

/** The mode of a symbolic link. */
export const isLink = (mode: string): boolean => mode === '120000'

/**
 * Follows symbolic links within the tree of a commit. Nothing outside the repository is read. (D88)
 * @param links names of links, with their blobs
 * @returns for each link, the name of a regular file; null if it leads elsewhere, or in a circle
 */
export const followLinks = async (
  repository: Repository,
  head: string,
  links: ReadonlyMap<string, string>,
): Promise<Map<string, string | null>> => {
  const followed = new Map<string, string | null>([...links.keys()].map((name) => [name, null]))
  /** Links that are not followed to their end: where each has led so far. */
  let open = [...links].map(([name, blob]) => ({ name, at: name, blob }))
  for (let step = 0; step < LIMITS.steps && open.length > 0; step += 1) {
    const targets: (string | null)[] = []
    for await (const bytes of readBlobs(
      repository,
      open.map(({ blob }) => blob),
      LIMITS.bytes,
    ))
      targets.push(targetOf(open[targets.length]!.at, bytes))
    const wanted = new Map<string, { mode: string; blob: string } | null>(
      targets.filter((target) => target !== null).map((target) => [target, null]),
    )
    await eachEntry(repository, head, ({ file, mode, blob }) => {
      if (wanted.has(file)) wanted.set(file, { mode, blob })
    })
    open = open.flatMap(({ name }, i) => {
      const target = targets[i] ?? null
      const entry = target === null ? null : wanted.get(target)
      if (target === null || !entry) return []
      if (isRegular(entry.mode)) followed.set(name, target)
      return isLink(entry.mode) ? [{ name, at: target, blob: entry.blob }] : []
    })
  }
  return followed
}

/** The name in the repository that a link contains; null if it leads outside. */
const targetOf = (link: string, bytes: Buffer | null): string | null => {
  if (bytes === null || bytes[0] === SLASH) return null
  const segments = link.split('/').slice(0, -1)
  for (const segment of bytes.toString('utf8').split('/')) {
    if (segment === '..' && segments.pop() === undefined) return null
    if (!['', '.', '..'].includes(segment)) segments.push(segment)
  }
  return segments.join('/')
}

const SLASH = 0x2f
