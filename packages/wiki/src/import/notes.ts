import { formatCount, quote } from '../text.ts'

const MAX_EXAMPLES = 3

/** Notes for the user after an import: of each kind the number and the first three examples, the most important first. */
export class ImportNotes<Kind extends string> {
  readonly #texts: Readonly<Record<Kind, string>>
  readonly #notes = new Map<Kind, { count: number; examples: string[] }>()

  constructor(texts: Readonly<Record<Kind, string>>) {
    this.#texts = texts
  }

  /** @param added how many there are, of which some are examples */
  add(kind: Kind, examples: string | readonly string[] = [], added = 1): void {
    const { count, examples: former } = this.#notes.get(kind) ?? { count: 0, examples: [] }
    const first = former.concat(examples).slice(0, MAX_EXAMPLES)
    this.#notes.set(kind, { count: count + added, examples: first })
  }

  addAll(other: ImportNotes<Kind>): void {
    for (const [kind, { count, examples }] of other.#notes) this.add(kind, examples, count)
  }

  lines(): string[] {
    const kinds = (Object.keys(this.#texts) as Kind[]).filter((kind) => this.#notes.has(kind))
    return kinds.map((kind) => {
      const { count, examples } = this.#notes.get(kind)!
      return examples.length === 0
        ? `${this.#texts[kind]}.`
        : `${this.#texts[kind]}: ${count}, first ${examples.map((one) => quote(one, 240)).join(', ')}`
    })
  }
}

/** The notes of an import that converts texts to Markdown: also how often each construct was not converted. */
export class ConversionNotes<Kind extends string, Construct extends string> extends ImportNotes<Kind> {
  readonly #texts: Readonly<Record<Construct, string>>
  readonly #unconverted = new Map<Construct, { count: number; pages: number; first: string }>()

  constructor(texts: Readonly<Record<Kind, string>>, unconverted: Readonly<Record<Construct, string>>) {
    super(texts)
    this.#texts = unconverted
  }

  /** @param counts the constructs in the newest text of a page that were not converted */
  addUnconverted(counts: ReadonlyMap<Construct, number>, page: string): void {
    for (const [kind, count] of counts) {
      const total = this.#unconverted.get(kind) ?? { count: 0, pages: 0, first: page }
      this.#unconverted.set(kind, { ...total, count: total.count + count, pages: total.pages + 1 })
    }
  }

  override lines(): string[] {
    const unconverted = [...this.#unconverted].map(
      ([kind, { count, pages, first }]) =>
        `${this.#texts[kind]}: ${count} on ${formatCount(pages, 'page')}, first on ${quote(first)}`,
    )
    return [...super.lines(), ...unconverted]
  }
}

const MAX_LINES = 10

/** The notes of an import for a terminal: all warnings, and other lines up to ten. The last one says how to see the rest. */
export const condenseNotes = (lines: readonly string[]): string[] => {
  const warnings = lines.filter((line) => line.startsWith('WARNING'))
  const sorted = [...warnings, ...lines.filter((line) => !warnings.includes(line))]
  if (sorted.length <= Math.max(MAX_LINES, warnings.length)) return sorted
  const shown = sorted.slice(0, Math.max(MAX_LINES - 1, warnings.length))
  return [...shown, `${sorted.length - shown.length} more notes. To see them all, set LOG_LEVEL=debug.`]
}
