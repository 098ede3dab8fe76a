import { CATEGORIES_MAX, TEXT_BYTES_MAX } from '../../limits.ts'
import { quote } from '../../wiki/text.ts'
import { ImportNotes } from '../notes.ts'
import type { Unconverted } from '../wikitext/conversion.ts'

const TEXTS = {
  'left out': 'Pages of other namespaces left out (--namespace takes them)',
  'unfit title': 'Pages left out, because a path is at most 512 bytes of UTF-8 without control characters',
  redirect: 'Redirects, kept as pages that link to their target (--no-redirects leaves them out)',
  'redirect left out': 'Redirects left out',
  hidden: 'Edits whose text the wiki hides; guests never see them',
  'hidden author': 'Edits whose author the wiki hides; they have none here',
  missing: 'Edits left out, because the dump has no text for them',
  'too long': `Edits left out, because a text has at most ${TEXT_BYTES_MAX} bytes`,
  'too long now': `WARNING: pages that guests do not see, because their newest text has more than ${TEXT_BYTES_MAX} bytes; make several pages of each`,
  'too many categories': `Edits with more than ${CATEGORIES_MAX} categories; the first ${CATEGORIES_MAX} are kept`,
  'unfit category': 'Categories left out, because a key has at most 255 bytes',
  'other model': 'Edits that are no wikitext but code or data, kept as code',
} as const

export class MediawikiNotes extends ImportNotes<keyof typeof TEXTS> {
  readonly #unconverted = new Map<Unconverted, { count: number; pages: number; first: string }>()

  constructor() {
    super(TEXTS)
  }

  /** @param found what the newest text of a page leaves as wikitext */
  addUnconverted(found: ReadonlyMap<Unconverted, number>, title: string): void {
    for (const [kind, count] of found) {
      const so = this.#unconverted.get(kind) ?? { count: 0, pages: 0, first: title }
      this.#unconverted.set(kind, { ...so, count: so.count + count, pages: so.pages + 1 })
    }
  }

  override lines(): string[] {
    const left = [...this.#unconverted].map(
      ([kind, { count, pages, first }]) =>
        `${LEFT[kind]}: ${count} on ${pages} pages, first on ${quote(first)}`,
    )
    return [...super.lines(), ...left]
  }
}

const LEFT: Record<Unconverted, string> = {
  template: 'Calls of templates, which only the wiki can answer, left as code in newest texts',
  formula: 'Formulas left as code in newest texts',
  extension: 'Tags of extensions left as code in newest texts',
  table: 'Tables too large for Markdown, left as wikitext in newest texts',
  'too long': 'Newest texts too long to convert, left as wikitext',
}
