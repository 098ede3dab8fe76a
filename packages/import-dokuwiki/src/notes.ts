import { ConversionNotes } from '@lectern/wiki/import/notes'
import { CATEGORIES_MAX, FIELD_BYTES_MAX, TEXT_BYTES_MAX } from '@lectern/wiki/limits'
import type { UnconvertedSyntax } from './syntax/inline-markdown.ts'

const TEXTS = {
  restricted: 'Pages left out, because the access control list does not let guests read them',
  hidden: "Pages left out, because $conf['hidepages'] hides them",
  'restricted file': 'Media files left out, because the access control list does not let guests see them',
  unreachable: 'Files left out, because no address of DokuWiki leads to a file with such a name',
  'long id': `Pages left out, because a path has at most ${FIELD_BYTES_MAX.path} bytes`,
  link: 'Symbolic links among the pages, which are not followed',
  unreadable: 'WARNING: folders that cannot be read; their pages are left out',
  elsewhere: 'The pages are in another folder, as the configuration says',
  'broken text': 'WARNING: pages that guests do not see, because their file cannot be read',
  'broken revision': 'Edits left out, because their file is damaged',
  'no text': 'Edits left out, because DokuWiki has no text for them',
  'no changelog': 'Changelogs that cannot be read; only the current text of these pages is imported',
  'old revisions': "Old revisions left out, because $conf['disableactions'] hides them",
  'too long': `Edits left out, because their text has more than ${TEXT_BYTES_MAX} bytes`,
  'too long now': `WARNING: pages that guests do not see, because their newest text has more than ${TEXT_BYTES_MAX} bytes; split each into several pages`,
  'too many categories': `Edits with more than ${CATEGORIES_MAX} tags; only the first ${CATEGORIES_MAX} are imported`,
  'unfit category': 'Tags left out, because a key has at most 255 bytes without control characters',
} as const

const UNCONVERTED: Record<UnconvertedSyntax, string> = {
  plugin: 'Syntax of plugins, left as code in current texts',
  table: 'Tables too large for Markdown, left as code in current texts',
  'too long': 'Current texts too long to convert, left as they are',
}

export class DokuwikiNotes extends ConversionNotes<keyof typeof TEXTS, UnconvertedSyntax> {
  constructor() {
    super(TEXTS, UNCONVERTED)
  }
}
