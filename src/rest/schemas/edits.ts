import { z } from 'zod'
import { includedTextFields } from './pages.ts'
import {
  editFields,
  flagField,
  highlightsField,
  htmlField,
  integerField,
  licenseField,
  listSchema,
  markdownField,
  nextEditsField,
  objectSchema,
  pageReference,
  plainTextField,
  textField,
  urlField,
  uuidField,
} from './shared.ts'

const historyItemSchema = objectSchema('HistoryItem', 'An accepted edit.', {
  ...editFields,
  url: urlField('URL of the revision in this API.'),
})

export const historyListSchema = listSchema(
  'HistoryList',
  historyItemSchema,
  'One part of the history of a page.',
  nextEditsField,
)

const recentItemSchema = objectSchema('RecentItem', 'An accepted edit, with its page.', {
  ...editFields,
  url: urlField('URL of the revision in this API.'),
  page: pageReference,
  ...includedTextFields,
})

export const recentListSchema = listSchema(
  'RecentList',
  recentItemSchema,
  'One part of the recent edits.',
  nextEditsField,
)

export const revisionSchema = objectSchema(
  'Revision',
  'An accepted edit, with the text of the page after it.',
  {
    ...editFields,
    page: pageReference,
    parent: z.string().nullable().meta({
      description: 'Id of the accepted edit before this one. Null for the first edit of the page.',
      format: 'uuid',
    }),
    markdown: markdownField,
    html: htmlField,
    text: plainTextField,
    license: licenseField,
  },
)

const lineRange = objectSchema('LineRange', 'Part of a text.', {
  line: integerField('Number of the first line, from 1.', 1),
  lines: integerField('Number of lines.'),
})

const hunkLineKind = z
  .enum(['context', 'removed', 'added'])
  .meta({ id: 'HunkLineKind', description: 'Whether a line is in both texts, or only in one of them.' })

const hunkLine = objectSchema('HunkLine', 'A line of a hunk.', {
  kind: hunkLineKind,
  text: textField('The line without its line feed.'),
  highlights: highlightsField(
    'What differs from the similar line that it replaces, or that replaces it: for each difference, its start and its end (exclusive) in `text`, in UTF-16 code units. Empty if no line is similar.',
  ),
  newline: z
    .literal(false)
    .meta({ description: 'Present if it is the last line of its text, and has no line feed.' })
    .optional(),
})

const hunk = objectSchema(
  'Hunk',
  'Changed lines that are near each other, with up to three lines before and after them.',
  { from: lineRange, to: lineRange, lines: z.array(hunkLine) },
)

export const diffSchema = objectSchema(
  'RevisionDiff',
  'The differences between two revisions, line by line.',
  {
    page: pageReference,
    from: z.string().nullable().meta({
      description:
        'Id of the revision to compare with. Null if the other one is the first of its page: then all its lines are added.',
      format: 'uuid',
    }),
    to: uuidField('Id of the revision.'),
    added: integerField('Number of added lines.'),
    removed: integerField('Number of removed lines.'),
    truncated: flagField(
      'Whether the lines are too many or too long to list. Then the only hunk covers every change, and has no lines: read the two revisions instead.',
    ),
    hunks: z.array(hunk),
    license: licenseField,
  },
)
