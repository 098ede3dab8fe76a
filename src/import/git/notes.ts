import { FILE_NOTES, type FileNoteKind } from '../files/notes.ts'
import { ImportNotes } from '../notes.ts'

const GIT_NOTES = {
  shallow:
    'WARNING: the clone is shallow, so older history is missing. Run git fetch --unshallow before the import; if you do it later, every edit gets a new id',
  submodule: 'Submodules left out; import their repositories as sources of their own',
  'moved page': 'Pages whose file was renamed; their histories are joined',
  'late clock':
    'Edits dated before the edit that they replace (a clock was wrong); they get the time of that edit',
  'other edits':
    'Pages most of whose stored edits are not in this history (was it rewritten?); they stay next to the new edits',
  'other text':
    'Pages that still show an edit that is not in this history (was it rewritten?). To get the content of the ref, import it into a new database',
} as const

export class GitNotes extends ImportNotes<keyof typeof GIT_NOTES | FileNoteKind> {
  constructor() {
    super({ ...FILE_NOTES, ...GIT_NOTES })
  }
}
