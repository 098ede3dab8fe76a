import { TEXT_BYTES_MAX } from '../../limits.ts'
import { FILE_NOTES, type FileNoteKind } from '../files/notes.ts'
import { ImportNotes } from '../notes.ts'

const FOLDER_NOTES = {
  'unreadable folder':
    'WARNING: folders that cannot be read. Nothing was removed, because their pages may still exist',
  'unreadable file': 'WARNING: files that cannot be read. If a page was imported before, it stays as it was',
  'too deep': 'Folders left out, because they are in more than 64 folders',
  git: 'The folder is in a git repository. To import its history, too, use lectern import git',
  future: 'Files dated in the future; their edits get the time of the import',
  'too long now': `WARNING: pages that guests do not see, because their text has more than ${TEXT_BYTES_MAX} bytes; split each into several files`,
  link: 'Symbolic links left out, because they lead to no file of the folder, or more than 20 lead to the same file',
  'LFS pointer': 'Pages that are Git LFS pointers, because the folder does not contain their texts',
} as const

export class FolderNotes extends ImportNotes<keyof typeof FOLDER_NOTES | FileNoteKind> {
  constructor() {
    super({ ...FILE_NOTES, ...FOLDER_NOTES })
  }
}
