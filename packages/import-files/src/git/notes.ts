import { ImportNotes } from '@lectern/wiki/import/notes'
import { FILE_NOTES } from '../files/notes.ts'

const GIT_NOTES = {
  shallow:
    'WARNING: the clone is shallow, so older history is missing. Run git fetch --unshallow before the import; if you do it later, every edit gets a new id',
  submodule: 'Submodules left out; import their repositories as sources of their own',
  'moved page': 'Pages whose file was renamed; their histories are joined',
  'late clock':
    'Edits dated before the edit that they replace (a clock was wrong); they get the time of that edit',
  'many includes':
    'WARNING: pages with older texts of the files that they include, because changes of these would be more than 200,000 edits',
  'other edits':
    'Pages most of whose stored edits are not in this history (was it rewritten?); they stay next to the new edits',
  'other text':
    'Pages that still show an edit that is not in this history (was it rewritten?). To get the content of the ref, import it into a new database',
} as const

export const makeGitNotes = () => new ImportNotes({ ...FILE_NOTES, ...GIT_NOTES })

export type GitNotes = ReturnType<typeof makeGitNotes>
