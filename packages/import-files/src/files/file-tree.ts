import { baseName, resolveSegments } from '@lectern/wiki/folders'
export interface TreeFile {
  /** Its name from the top folder on, with slashes. U+FFFD replaces bytes that are not UTF-8. */
  name: string
  kind: 'regular' | 'link'
  /** Identifies its content for `readContents`. */
  content: string
}

/** The files of a source at one time: in the tree of a commit, or in a folder. */
export interface FileTree {
  /** Whether guests see only texts whose front matter has `publish: true`. */
  explicitPublish?: boolean | undefined
  /** Each file, always in the same order. Leaves out submodules and special files. */
  files(): Iterable<TreeFile>
  /** Reads contents in order; null for one that is too long or unreadable. That of a symbolic link is where it leads. */
  readContents<File extends Pick<TreeFile, 'content'>>(
    files: readonly File[],
    maxBytes: number,
  ): AsyncGenerator<[File, Buffer | null]>
}

export const isMarkdownFile = (name: string): boolean =>
  /\.(?:md|mdx|markdown|mdown|mkdn?|mdwn|mdtext|qmd|rmd)$/i.test(name)

/** Links that are followed one after another, and the length of a link, bytes: as on Linux. */
const LIMITS = { steps: 8, bytes: 4096 } as const

/** Follows links within a tree, and reads nothing outside. @returns for each link a regular file, or null */
export const followLinks = async (tree: FileTree, links: TreeFile[]): Promise<Map<string, string | null>> => {
  const followed = new Map<string, string | null>(links.map(({ name }) => [name, null]))
  /** Links that are not followed to their end: where each has led so far. */
  let open = links.map(({ name, content }) => ({ name, at: name, content }))
  for (let step = 0; step < LIMITS.steps && open.length > 0; step += 1) {
    const targets: (string | null)[] = []
    for await (const [{ at }, bytes] of tree.readContents(open, LIMITS.bytes))
      targets.push(targetOf(at, bytes))
    const wanted = new Set(targets)
    const found = new Map<string, TreeFile>()
    for (const file of tree.files()) if (wanted.has(file.name)) found.set(file.name, file)
    open = open.flatMap(({ name }, i) => {
      const file = found.get(targets[i] ?? '')
      if (file?.kind === 'regular') followed.set(name, file.name)
      return file?.kind === 'link' ? [{ name, at: file.name, content: file.content }] : []
    })
  }
  return followed
}

/** The name in the tree that a link contains; null if it leads outside. */
const targetOf = (link: string, bytes: Buffer | null): string | null => {
  const target = bytes?.toString('utf8') ?? '/'
  if (target.startsWith('/')) return null
  return resolveSegments(link.split('/').slice(0, -1), target)?.join('/') ?? null
}

/** The folder of a file: empty for the top folder, otherwise with a slash at the end. */
export const folderOf = (file: string): string => file.slice(0, file.lastIndexOf('/') + 1)

/** A path and the folders above it: `guide`, `guide/tea`. */
export const stepsTo = (path: string): string[] =>
  path.split('/').map((_, i, segments) => segments.slice(0, i + 1).join('/'))

/** The folder of a file and those above it, without slashes at their ends, the top folder last. */
export const ancestorsOf = (file: string): string[] => [...stepsTo(file).slice(0, -1).reverse(), '']

export const stemOf = (file: string): string => baseName(file).replace(/(?<=.)\.\w+$/, '')
