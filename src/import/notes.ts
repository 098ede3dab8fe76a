import { quote } from '../wiki/text.ts'

/** How many examples of each thing are named. */
const EXAMPLES = 3

/** What happened on the way that the person should know: how often each thing, and the first three examples. */
export class ImportNotes<Kind extends string> {
  readonly #texts: Readonly<Record<Kind, string>>
  readonly #found = new Map<Kind, { count: number; first: string[] }>()

  constructor(texts: Readonly<Record<Kind, string>>) {
    this.#texts = texts
  }

  add(kind: Kind, example: string | null = null): void {
    const found = this.#found.get(kind) ?? { count: 0, first: [] }
    this.#found.set(kind, found)
    found.count += 1
    if (example !== null && found.first.length < EXAMPLES) found.first.push(example)
  }

  lines(): string[] {
    return [...this.#found].map(([kind, { count, first }]) =>
      first.length === 0
        ? `${this.#texts[kind]}.`
        : `${this.#texts[kind]}: ${count}, first ${first.map(quote).join(', ')}`,
    )
  }
}
