import { contentMarkdown } from './content-markdown.ts'
import type { SyntaxConversion } from './conversion.ts'
import type { ListItem } from './nodes.ts'

/** Deeper levels become this level. */
const MAX_LEVELS = 12

interface OpenList {
  depth: number
  /** Indentation of its items' content, columns. */
  width: number
}

/**
 * Converts a list to Markdown. Every number is 1, because Markdown counts itself. Like DokuWiki, an item can be only
 * one level deeper than the one before it.
 * @param isAlternative whether to use the other marks, `*` and `1)`
 */
export const listMarkdown = (
  items: ListItem[],
  conversion: SyntaxConversion,
  isAlternative: boolean,
): string => {
  const out: string[] = []
  const open: OpenList[] = []
  for (const { isOrdered, depth, children } of items) {
    while (open.length > 1 && open.at(-1)!.depth > depth) open.pop()
    const last = open.at(-1)
    if (last === undefined || (depth > last.depth && open.length < MAX_LEVELS)) open.push({ depth, width: 0 })
    const mark = isOrdered ? (isAlternative ? '1) ' : '1. ') : isAlternative ? '* ' : '- '
    open.at(-1)!.width = mark.length
    const indent = ' '.repeat(open.slice(0, -1).reduce((sum, { width }) => sum + width, 0))
    const [first, ...rest] = contentMarkdown(children, conversion).split('\n')
    out.push(`${indent}${mark}${first}`.trimEnd())
    for (const line of rest) out.push(line === '' ? '' : `${indent}${' '.repeat(mark.length)}${line}`)
  }
  return out.join('\n')
}
