import type { Line } from './report.ts'

const WIDTH = 900
const LABEL = 300
const BAR = 16
const GAP = 22

/** Colours that colour-blind people tell apart (Okabe and Ito's). */
const COLOURS: Record<Line['server'], string> = {
  lectern: '#0072b2',
  bare: '#999999',
  tuned: '#56b4e9',
  handwritten: '#e69f00',
  sofa: '#009e73',
  'sofa-shared': '#009e73',
  yoga: '#cc79a7',
  'yoga-shared': '#cc79a7',
  mediawiki: '#d55e00',
}

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/**
 * Requests a second as horizontal bars, a group a workload; each group has its own scale, since a cached
 * page is a hundred times a search.
 */
export const chartOf = (lines: readonly Line[]): string => {
  const titles = [...new Set(lines.map(({ title }) => title))]
  const parts: string[] = []
  let y = 10
  for (const title of titles) {
    const group = lines.filter((line) => line.title === title)
    const most = Math.max(...group.map(({ perSecond }) => perSecond.max))
    const scale = (WIDTH - LABEL - 90) / most
    parts.push(`<text x="10" y="${y + 13}" font-weight="bold">${escaped(title)}</text>`)
    for (const { server, perSecond } of group) {
      const middle = y + BAR / 2
      const [from, to, at] = [perSecond.min, perSecond.max, perSecond.median].map((rate) =>
        Math.round(LABEL + rate * scale),
      ) as [number, number, number]
      parts.push(
        `<text x="${LABEL - 8}" y="${y + 13}" text-anchor="end">${server}</text>`,
        `<rect x="${LABEL}" y="${y}" width="${at - LABEL}" height="${BAR}" fill="${COLOURS[server]}"/>`,
        `<path d="M${from} ${middle}H${to}" stroke="#000" stroke-opacity="0.6"/>`,
        `<text x="${Math.max(at, to) + 6}" y="${y + 13}">${Math.round(perSecond.median)}/s</text>`,
      )
      y += BAR + 4
    }
    y += GAP
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" font-family="sans-serif" font-size="12">`,
    '<title>Requests a second of Lectern and of other servers</title>',
    `<rect width="100%" height="100%" fill="#fff"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n')
}
