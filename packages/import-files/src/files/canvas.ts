import { linesWithCode } from '@lectern/wiki/dialects/lines'
import { escapeDestination, escapeText, hanging, textOfLines } from '@lectern/wiki/import/markdown'
import { withoutMarkdownComments } from './comments.ts'
import { MAX_LINE_LENGTH, stripMarkup } from './document.ts'
import { type ConfigValues, tableOf, tablesOf, textOf } from './recognition/tree.ts'

/** Nodes and edges that are read. */
const CANVAS_MAX = 2_000

/**
 * Converts a canvas of Obsidian (JSON Canvas 1.0) to Markdown: cards are items, from top to bottom and left to right, groups are
 * headings above the cards in them, and edges are a list at the end. Fields such as `publish` are front matter. Invalid JSON, in
 * which comments cannot be told, becomes an empty text.
 */
export const canvasToMarkdown = (bytes: Buffer): Buffer => {
  const json = bytes.toString('utf8').trim()
  try {
    const canvas = tableOf(JSON.parse(json || '{}'))
    const [written, edges] = [canvas.nodes, canvas.edges].map((one) => tablesOf(one).slice(0, CANVAS_MAX))
    const nodes = written!.map(nodeOf).sort((a, b) => a.row - b.row || a.x - b.x || a.y - b.y)
    const groups = nodes.filter(({ isGroup }) => isGroup)
    const bySize = groups.toSorted((a, b) => a.width * a.height - b.width * b.height)
    const groupOf = ([x = 0, y = 0]: number[]) =>
      bySize.find((one) => x >= one.x && y >= one.y && x <= one.x + one.width && y <= one.y + one.height)
    const cards = nodes.flatMap((one) => (one.isGroup ? [] : { ...one, group: groupOf(one.middle) }))
    const sections = [undefined, ...groups].flatMap((group) => {
      const inside = cards.filter((one) => one.group === group)
      const heading = group?.name ? [`## ${group.name}`, ''] : []
      return [...heading, ...inside.flatMap(({ lines }) => hanging('- ', lines)), '']
    })
    const names = new Map(nodes.map(({ id, name }) => [id, name]))
    const arrows = edges!.flatMap((edge) => arrowOf(edge, names))
    const fields = Object.entries({ ...tableOf(tableOf(canvas.metadata).frontmatter), ...canvas })
      .filter(([key, value]) => /^[\w-]+$/.test(key) && typeof value !== 'object')
      .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    const front = fields.length > 0 ? ['---', ...fields, '---', ''] : []
    return Buffer.from(
      textOfLines([...front, ...sections, ...(arrows.length > 0 ? ['***', '', ...arrows] : [])]),
    )
  } catch {
    return Buffer.alloc(0)
  }
}

/** `row`: of 100 pixels, in which cards need not be exactly beside each other. `lines`: its Markdown. */
const nodeOf = ({ id, type, ...content }: ConfigValues) => {
  const cut = (value: unknown) => textOf(value)?.slice(0, MAX_LINE_LENGTH)
  const [file, url, subpath = ''] = [content.file, content.url, content.subpath].map(cut)
  const text = publicText(content.text)
  const [x = 0, y = 0, width = 0, height = 0] = 'x y width height'
    .split(' ')
    .map((one) => Number(content[one]))
  const link = file && `[[${file.replace(/\.md$/i, '')}${subpath}]]`
  const target = link ?? (url && `[${escapeText(url)}](${escapeDestination(url)})`)
  const isShown = link && (subpath || !/\.(?:md|canvas)$/i.test(file))
  const lines = target ? [isShown ? `!${target}` : target] : withoutHeadings(text)
  const name = target ?? oneLine(publicText(content.label) || text)
  const place = { x, y, middle: [x + width / 2, y + height / 2], width, height, row: Math.round(y / 100) }
  return { id, isGroup: type === 'group', ...place, name, lines }
}

/** Of each card alone, because its comment can have no end. */
const publicText = (value: unknown) =>
  withoutMarkdownComments(textOf(value) ?? '')
    .markdown.replace(/<!--.*?(?:-->|$)/gs, '')
    .trim()

/** Headings in items would be sections of the page. */
const withoutHeadings = (text: string): string[] =>
  Array.from(linesWithCode(text), ({ line, isCode }) => {
    const heading = isCode ? undefined : /^ {0,3}#{1,6}[ \t]+(.*\S)/.exec(line)?.[1]
    return heading ? `**${heading}**` : isCode || !/^ {0,3}(?:=+|-+)[ \t]*$/.test(line) ? line : ''
  })

const oneLine = (text: string): string => {
  const [first = ''] = text.slice(0, MAX_LINE_LENGTH).split('\n', 1)
  return escapeText(stripMarkup(first.replace(/^(?:[#>*+-]+[ \t]+)+/, '')))
}

const arrowOf = (edge: ConfigValues, names: Map<unknown, string>) => {
  const { toEnd, fromEnd } = edge
  const [from, to, label] = [names.get(edge.fromNode), names.get(edge.toNode), publicText(edge.label)]
  const arrow = toEnd === 'none' ? (fromEnd === 'arrow' ? '←' : '—') : fromEnd === 'arrow' ? '↔' : '→'
  return from && to ? `- ${from} ${arrow} ${to}${label && `: ${oneLine(label)}`}` : []
}
