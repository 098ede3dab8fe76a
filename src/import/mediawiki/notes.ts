import { CATEGORIES_MAX, TEXT_BYTES_MAX } from '../../limits.ts'
import { formatCount, quote } from '../../wiki/text.ts'
import { ImportNotes } from '../notes.ts'
import type { Unconverted } from '../wikitext/conversion.ts'

const TEXTS = {
  'left out': 'Pages of other namespaces left out (--namespace imports them)',
  'unfit title': 'Pages left out, because a path is at most 512 bytes of UTF-8 without control characters',
  redirect: 'Redirects imported as pages that link to their target (--no-redirects leaves them out)',
  'redirect left out': 'Redirects left out',
  hidden: 'Edits whose text is hidden on the wiki; guests never see them',
  'hidden author': 'Edits whose author is hidden on the wiki; they have no author',
  missing: 'Edits left out, because the wiki gives no text for them',
  'too long': `Edits left out, because their text has more than ${TEXT_BYTES_MAX} bytes`,
  'too long now': `WARNING: pages that guests do not see, because their newest text has more than ${TEXT_BYTES_MAX} bytes; split each into several pages`,
  'too many categories': `Edits with more than ${CATEGORIES_MAX} categories; only the first ${CATEGORIES_MAX} are imported`,
  'unfit category': 'Categories left out, because a key has at most 255 bytes',
  'other model': 'Edits with code or data instead of wikitext, imported as code',
} as const

export class MediawikiNotes extends ImportNotes<keyof typeof TEXTS> {
  readonly #unconverted = new Map<Unconverted, { count: number; pages: number; first: string }>()

  constructor() {
    super(TEXTS)
  }

  /** @param counts the constructs in the newest text of a page that stay wikitext */
  addUnconverted(counts: ReadonlyMap<Unconverted, number>, title: string): void {
    for (const [kind, count] of counts) {
      const total = this.#unconverted.get(kind) ?? { count: 0, pages: 0, first: title }
      this.#unconverted.set(kind, { ...total, count: total.count + count, pages: total.pages + 1 })
    }
  }

  override lines(): string[] {
    const unconverted = [...this.#unconverted].map(
      ([kind, { count, pages, first }]) =>
        `${UNCONVERTED[kind]}: ${count} on ${formatCount(pages, 'page')}, first on ${quote(first)}`,
    )
    return [...super.lines(), ...unconverted]
  }
}

const UNCONVERTED: Record<Unconverted, string> = {
  template: 'Template calls, which only the wiki can expand, left as code in newest texts',
  formula: 'Formulas left as code in newest texts',
  extension: 'Extension tags left as code in newest texts',
  table: 'Tables too large for Markdown, left as wikitext in newest texts',
  'too long': 'Newest texts too long to convert, left as wikitext',
}
