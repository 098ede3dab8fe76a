import { quotable } from '../wiki/text.ts'

/** What happened on the way that the person should know: how often each thing, and where first. */
export class CountedNotes<Kind extends string> {
  readonly #texts: Readonly<Record<Kind, string>>
  readonly #found = new Map<Kind, { count: number; first: string | null }>()

  constructor(texts: Readonly<Record<Kind, string>>) {
    this.#texts = texts
  }

  add(kind: Kind, example: string | null = null): void {
    const found = this.#found.get(kind)
    if (found) found.count += 1
    else this.#found.set(kind, { count: 1, first: example })
  }

  lines(): string[] {
    return [...this.#found].map(([kind, { count, first }]) =>
      first === null ? `${this.#texts[kind]}.` : `${this.#texts[kind]}: ${count}, first ${quotable(first)}`,
    )
  }
}
