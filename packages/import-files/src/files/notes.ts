import { ImportNotes } from '@lectern/wiki/import/notes'
import { CATEGORIES_MAX, TEXT_BYTES_MAX } from '@lectern/wiki/limits'
import { addToList, nfc } from '@lectern/wiki/text'

/** Notes about files with pages, in a git repository or a folder, in the order of their importance. */
export const FILE_NOTES = {
  'too long now': `WARNING: pages that guests do not see, because their text has more than ${TEXT_BYTES_MAX} bytes; split each into several files`,
  'other layout':
    'WARNING: pages get other paths than at the last import, because other layouts are recognized. The former paths lead to them. To keep those, add each of these options',
  'unused exclude': 'WARNING: patterns of --exclude that match no file',
  'kept vault':
    'WARNING: nothing marks the files as a vault of Obsidian any more; their comments stay hidden, as at the last import. If there are none, set --layout markdown',
  'kept settings':
    'WARNING: settings of the vault that are missing or broken; what they excluded stays left out. To publish it, write {} into each',
  'broken front matter': 'WARNING: pages whose front matter is invalid; it stays in their text',
  'broken configuration': 'WARNING: configuration files that are invalid, so not all of their settings count',
  'invalid front matter': 'Pages whose front matter is invalid YAML, which was read line by line',
  'unclear draft':
    'WARNING: pages that guests see, although their front matter may mean a draft; to hide them, write draft: true',
  draft: 'Pages that guests do not see, because the front matter hides them',
  unmarked: 'Pages that guests do not see, because their front matter has no publish: true',
  'future page': 'Pages with a date in the future, which guests do not see until then',
  'expired page': 'Pages that guests do not see any more, because they have expired',
  'unlisted page':
    'Pages that guests do not see, because the site has them in no list (unlisted, build.list)',
  'perhaps comment':
    'WARNING: edits with %%…%%, which Obsidian hides and guests now see. If the files are a vault, set --layout obsidian; if not, --layout markdown',
  'new vault':
    'WARNING: an .obsidian folder makes the files a vault of Obsidian now, with its comments hidden, its titles and, without --layout, its paths',
  'no vault':
    'Notes link others by name, as in a vault of Obsidian. Comments (%%…%%) are hidden, but paths and titles stay as they were; to change them, set --layout obsidian',
  'hidden comment':
    'Pages with comments of Obsidian (%%…%%), which guests do not see. If the files are no notes of Obsidian, set --layout markdown',
  'vault comment':
    'Pages with comments of Obsidian (%%…%%), which guests do not see, because the folder .obsidian marks a vault',
  'LFS pointer': 'Pages that are Git LFS pointers, because the source does not contain their texts',
  'too long': `Edits left out, because their text has more than ${TEXT_BYTES_MAX} bytes`,
  'missing page': 'Entries of the navigation whose files do not exist',
  'unread navigation':
    'Files of the navigation that are not read, because they are unreadable, or all together have more than 1 MiB',
  'plugin parts': "Pages with parts that only the site's own plugins make, such as references of code",
  shortcode: "Edits with shortcodes of Hugo that show nothing, because only the site's templates make text",
  license: 'Files with a license. If it is that of the texts, set --license to its URL',
  'no title': 'Pages whose title is the name of their file, because nothing gives them one',
  'unfit path': 'Files left out, because a path is UTF-8 with at most 512 bytes and no control characters',
  link: 'Symbolic links left out, because they lead to no file of the source, or more than 20 lead to the same file',
  'no converter': 'Edits in markups that Lectern cannot convert (Creole, Pod, RDoc), imported as code',
  failed: 'Edits whose markup could not be converted within the limits, imported as code',
  generated:
    'Edits with parts that only the site makes, such as those of autodoc; the pages say where they are, or show their source as code',
  'open comment': 'Edits with a comment of Obsidian that has no end (%%); the text after it is left out',
  include:
    'Edits with includes that stay as they are written, because the file does not exist, is no text or a draft, or a limit is reached',
  'no layout': 'Texts that match no layout',
  hidden: 'Texts in hidden folders or node_modules, and templates of issues, left out',
  'double page': 'Pages with two files; the first file is used',
  case: 'Pages whose files differ only in case; a file system that ignores case can have only one of them',
  excluded: 'Texts that --exclude leaves out',
  'no page': 'Files of navigation and parts of pages left out',
  'excluded note': "Drawings (Excalidraw), templates, and notes that the vault's settings exclude, left out",
  base: 'Bases of Obsidian (.base). Notes that embed one show its table; a map, or a view with formulas, functions or dates that Lectern does not know, stays a link',
  'unread filter':
    "Regular expressions in the vault's settings, which Lectern does not read; they exclude nothing",
  'unfit tag': 'Tags left out, because a key has at most 255 bytes',
  'too many tags': `Edits with more than ${CATEGORIES_MAX} tags; only the first ${CATEGORIES_MAX} are imported`,
  'replaced bytes': 'Edits in which bytes that are not UTF-8 were replaced, or U+0000 removed',
  'large front matter': 'Edits whose front matter is too long or nested for YAML; it was read line by line',
  'UTF-16': 'Edits in UTF-16, which was decoded',
  'Latin-1': 'Edits in Latin-1 or Windows-1252, which was decoded',
} as const

export type FileNoteKind = keyof typeof FILE_NOTES
export type FileNotes = Pick<ImportNotes<FileNoteKind>, 'add'>

/** Notes file names that differ only in case. A file system that ignores case, as on macOS, can have only one of them. */
export const addCaseClashes = (names: readonly string[], notes: FileNotes): void => {
  const groups = new Map<string, string[]>()
  for (const name of names) addToList(groups, nfc(name).toLowerCase(), name)
  for (const group of groups.values()) if (group.length > 1) notes.add('case', group.join(', '))
}

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
