import { CATEGORIES_MAX, TEXT_BYTES_MAX } from '../../limits.ts'
import { ConversionNotes } from '../conversion-notes.ts'
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

const UNCONVERTED: Record<Unconverted, string> = {
  template: 'Template calls, which only the wiki can expand, left as code in newest texts',
  formula: 'Formulas left as code in newest texts',
  extension: 'Extension tags left as code in newest texts',
  table: 'Tables too large for Markdown, left as wikitext in newest texts',
  'too long': 'Newest texts too long to convert, left as wikitext',
}

export class MediawikiNotes extends ConversionNotes<keyof typeof TEXTS, Unconverted> {
  constructor() {
    super(TEXTS, UNCONVERTED)
  }
}
