import { CATEGORIES_MAX, TEXT_BYTES_MAX } from '../../limits.ts'
import { ImportNotes } from '../notes.ts'

const TEXTS = {
  shallow:
    'The clone is shallow: older history is missing, and its oldest commits stand for all before them. Run git fetch --unshallow before importing; afterwards every edit would get a new id',
  'unfit path': 'Files left out, because a path is UTF-8 of at most 512 bytes without control characters',
  link: 'Symbolic links left out',
  'double page': 'Pages that two files claim; the first file counts',
  'moved page': 'Pages whose file moved; their histories are joined',
  'broken front matter':
    'Edits whose front matter cannot be read, or has more than 65,536 characters; their text is kept whole',
  'large front matter':
    'Edits whose front matter is too large to be read as YAML (over 4,096 characters, or 200 levels of nesting); it was read line by line',
  'replaced bytes':
    'Edits with bytes that are not UTF-8, or U+0000; the former were replaced, the latter removed',
  'too long': `Edits left out, because a text has at most ${TEXT_BYTES_MAX} bytes`,
  'too long now': `WARNING: pages that guests do not see, because their text at the ref has more than ${TEXT_BYTES_MAX} bytes; make several files of each`,
  'too many tags': `Edits with more than ${CATEGORIES_MAX} tags; the first ${CATEGORIES_MAX} are kept`,
  'unfit tag': 'Tags left out, because a key has at most 255 bytes',
  'late clock':
    'Edits dated before the edit that they replace (a clock was wrong); they take the time of that one',
  'other edits':
    'Pages most of whose stored edits are not in this history (was it rewritten?); those stay beside the new ones',
  'other text':
    'Pages that go on showing an edit that is not in this history (was it rewritten?). To have what the ref has, import it into a new database',
  'no layout': 'Markdown files that no layout takes',
} as const

type NoteKind = keyof typeof TEXTS

export class GitNotes extends ImportNotes<NoteKind> {
  constructor() {
    super(TEXTS)
  }
}
