import type { World } from '../world/world.ts'

/** A result about Lectern alone, not a comparison of servers. */
export interface Figure {
  title: string
  unit: string
  value: number
  /** The single measurements behind the value, such as the time of each start. */
  details: string
  /** The target. */
  must: { atMost: number } | { atLeast: number }
}

export interface TrialOptions {
  /** URL of any database on the PostgreSQL server. */
  server: string
  rounds: number
  seconds: number
  soakMinutes: number
  growTo: number
  /** A git repository to import. */
  git?: string
  /** Patterns for the layout of its files. */
  layout: string[]
  say(line: string): void
}

/** A measurement that takes minutes. It runs only if the option `--only` names it. */
export type Trial = (world: World, options: TrialOptions) => Promise<Figure[]>

const isReached = ({ value, must }: Figure): boolean =>
  'atMost' in must ? value <= must.atMost : value >= must.atLeast

/** The figures as a Markdown table under the name of the trial. */
export const figureTable = (name: string, figures: Figure[]): string =>
  [
    `### ${name}`,
    '',
    '| | measured | target | result | details |',
    '|---|---:|---:|---|---|',
    ...figures.map(figureRow),
    '',
  ].join('\n')

/** A figure as a row of a Markdown table. */
export const figureRow = (figure: Figure): string => {
  const { title, unit, value, details, must } = figure
  const bound = 'atMost' in must ? `≤ ${must.atMost}` : `≥ ${must.atLeast}`
  const digits = value < 10 ? 2 : 0
  return `| ${title} | ${value.toFixed(digits)} ${unit} | ${bound} | ${isReached(figure) ? 'reached' : 'MISSED'} | ${details} |`
}
