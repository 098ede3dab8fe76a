import { fileCandidates } from './references.ts'

/** A relative reference of a page, and the path of the file to which it leads. */
export type ResolvedReference = readonly [reference: string, file: string]

/** References that are compared. */
const COMPARED_MAX = 50

/**
 * A path in whose folder the relative references of a page lead to their files: that of an export for guests, who do not see
 * where the source has the page. Null: the path of the page, or there is none.
 */
export const impliedSourcePath = (path: string, uses: readonly ResolvedReference[]): string | null => {
  const compared = uses.slice(0, COMPARED_MAX)
  const resolved = (sourcePath: string | null): number =>
    compared.filter(([reference, file]) =>
      fileCandidates(reference, { path, sourcePath, roots: [] }).paths.includes(file),
    ).length
  let best: { sourcePath: string | null; count: number } = { sourcePath: null, count: resolved(null) }
  if (best.count === compared.length) return null
  for (const sourcePath of new Set(
    compared.flatMap(([reference, file]) => sourcePathFor(path, reference, file)),
  )) {
    const count = resolved(sourcePath)
    if (count > best.count) best = { sourcePath, count }
  }
  return best.sourcePath
}

/** With `../` in the reference, the last folders are unknown: they are those of the page. */
const sourcePathFor = (path: string, reference: string, file: string): string[] => {
  const [, ups = '', rest = ''] = /^((?:\.\.?\/)*)(.*)$/s.exec(reference) ?? []
  if (!`/${file}`.endsWith(`/${rest}`)) return []
  const above = ups.split('/').filter((segment) => segment === '..').length
  const folders = path.split('/').slice(0, -1)
  const unknown = Array.from({ length: above }, (_, i) => folders[folders.length - above + i] ?? '_')
  return [file.slice(0, file.length - rest.length) + [...unknown, path.split('/').at(-1)!].join('/')]
}
