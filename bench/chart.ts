import type { ResultRow } from './report.ts'

const WIDTH = 900
const LABEL_WIDTH = 300
const BAR_HEIGHT = 16
const GROUP_GAP = 22

/** The palette of Okabe and Ito, which colour-blind people can tell apart. */
const COLOURS: Record<ResultRow['server'], string> = {
  lectern: '#0072b2',
  bare: '#999999',
  tuned: '#56b4e9',
  handwritten: '#e69f00',
  sofa: '#009e73',
}

const escapeMarkup = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/**
 * An SVG chart of requests per second, as horizontal bars with one group per workload. Each group has its own
 * scale, because the rate of a cached page is a hundred times the rate of a search.
 */
export const drawChart = (rows: readonly ResultRow[]): string => {
  const titles = [...new Set(rows.map(({ title }) => title))]
  const parts: string[] = []
  let y = 10
  for (const title of titles) {
    const group = rows.filter((row) => row.title === title)
    const highest = Math.max(...group.map(({ perSecond }) => perSecond.max))
    const scale = (WIDTH - LABEL_WIDTH - 90) / highest
    parts.push(`<text x="10" y="${y + 13}" font-weight="bold">${escapeMarkup(title)}</text>`)
    for (const { server, perSecond } of group) {
      const middle = y + BAR_HEIGHT / 2
      const [low, high, end] = [perSecond.min, perSecond.max, perSecond.median].map((rate) =>
        Math.round(LABEL_WIDTH + rate * scale),
      ) as [number, number, number]
      parts.push(
        `<text x="${LABEL_WIDTH - 8}" y="${y + 13}" text-anchor="end">${server}</text>`,
        `<rect x="${LABEL_WIDTH}" y="${y}" width="${end - LABEL_WIDTH}" height="${BAR_HEIGHT}" fill="${COLOURS[server]}"/>`,
        `<path d="M${low} ${middle}H${high}" stroke="#000" stroke-opacity="0.6"/>`,
        `<text x="${Math.max(end, high) + 6}" y="${y + 13}">${Math.round(perSecond.median)}/s</text>`,
      )
      y += BAR_HEIGHT + 4
    }
    y += GROUP_GAP
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" font-family="sans-serif" font-size="12">`,
    '<title>Requests per second of Lectern and of other servers</title>',
    `<rect width="100%" height="100%" fill="#fff"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n')
}
