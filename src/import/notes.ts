import { quote } from '../wiki/text.ts'

/** Examples of each kind of note. */
const MAX_EXAMPLES = 3

/** Lines of notes that an import prints. */
const MAX_LINES = 5

/**
 * The notes of an import for a terminal: at most five lines, warnings first. The last line counts the others, and says
 * how to see them.
 */
export const condenseNotes = (lines: readonly string[]): string[] => {
  const isWarning = (line: string) => line.startsWith('WARNING')
  const sorted = [...lines.filter(isWarning), ...lines.filter((line) => !isWarning(line))]
  if (sorted.length <= MAX_LINES) return sorted
  const shown = sorted.slice(0, MAX_LINES - 1)
  return [...shown, `${sorted.length - shown.length} more notes. To see them all, set LOG_LEVEL=debug.`]
}

/**
 * Notes for the user after an import: for each kind, how often it occurred, and the first three examples. Their texts are
 * in the order of their importance.
 */
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
    const kinds = (Object.keys(this.#texts) as Kind[]).filter((kind) => this.#notes.has(kind))
    return kinds.map((kind) => {
      const { count, examples } = this.#notes.get(kind)!
      return examples.length === 0
        ? `${this.#texts[kind]}.`
        : `${this.#texts[kind]}: ${count}, first ${examples.map(quote).join(', ')}`
    })
  }
}
