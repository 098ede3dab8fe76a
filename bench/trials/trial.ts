import type { World } from '../world/world.ts'

/** A figure that no load of several servers gives. */
export interface Figure {
  title: string
  unit: string
  value: number
  /** What was measured on the way to it, such as each of several starts. */
  details: string
  must: { atMost: number } | { atLeast: number }
}

export interface TrialOptions {
  /** Address of any database of the server. */
  server: string
  rounds: number
  seconds: number
  soakMinutes: number
  growTo: number
  /** A repository for the import of git, and how its files are laid out. */
  git?: string
  layout: string[]
  say(line: string): void
}

/** Run only where it is named: each takes minutes. */
export type Trial = (world: World, options: TrialOptions) => Promise<Figure[]>

export const isReached = ({ value, must }: Figure): boolean =>
  'atMost' in must ? value <= must.atMost : value >= must.atLeast

/** As a Markdown table under the trial's name. */
export const figureTable = (name: string, figures: Figure[]): string =>
  [
    `### ${name}`,
    '',
    '| | measured | must | | details |',
    '|---|---:|---:|---|---|',
    ...figures.map(figureLine),
    '',
  ].join('\n')

const figureLine = (figure: Figure): string => {
  const { title, unit, value, details, must } = figure
  const bound = 'atMost' in must ? `≤ ${must.atMost}` : `≥ ${must.atLeast}`
  const digits = value < 10 ? 2 : 0
  return `| ${title} | ${value.toFixed(digits)} ${unit} | ${bound} | ${isReached(figure) ? 'reached' : 'MISSED'} | ${details} |`
}
