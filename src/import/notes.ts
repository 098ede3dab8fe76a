import { quote } from '../wiki/text.ts'

/** Examples of each kind of note. */
const MAX_EXAMPLES = 3

/** Notes for the user after an import: for each kind, how often it occurred, and the first three examples. */
export class ImportNotes<Kind extends string> {
  readonly #texts: Readonly<Record<Kind, string>>
  readonly #notes = new Map<Kind, { count: number; examples: string[] }>()

  constructor(texts: Readonly<Record<Kind, string>>) {
    this.#texts = texts
  }

  add(kind: Kind, example: string | null = null): void {
    const note = this.#notes.get(kind) ?? { count: 0, examples: [] }
    this.#notes.set(kind, note)
    note.count += 1
    if (example !== null && note.examples.length < MAX_EXAMPLES) note.examples.push(example)
  }

  lines(): string[] {
    return [...this.#notes].map(([kind, { count, examples }]) =>
      examples.length === 0
        ? `${this.#texts[kind]}.`
        : `${this.#texts[kind]}: ${count}, first ${examples.map(quote).join(', ')}`,
    )
  }
}
