import { formatCount, quote } from '../wiki/text.ts'
import { ImportNotes } from './notes.ts'

/** The notes of an import that converts texts to Markdown: also how often each construct was not converted. */
export class ConversionNotes<Kind extends string, Construct extends string> extends ImportNotes<Kind> {
  readonly #texts: Readonly<Record<Construct, string>>
  readonly #unconverted = new Map<Construct, { count: number; pages: number; first: string }>()

  /** @param unconverted what is said of each construct */
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
