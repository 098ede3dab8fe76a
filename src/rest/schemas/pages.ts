import { z } from 'zod'
import { pageFile } from './files.ts'
import {
  categoryReference,
  flagField,
  htmlField,
  integerField,
  licenseField,
  listSchema,
  localeField,
  markdownField,
  namespaceField,
  nextField,
  objectSchema,
  pageReference,
  pathField,
  plainTextField,
  revisionReference,
  textField,
  timestampField,
  titleField,
  urlField,
} from './shared.ts'

const linkItemSchema = objectSchema(
  'LinkItem',
  'A page that links to the page, or to which the page links.',
  {
    path: pathField,
    title: z.string().nullable().meta({ description: 'Title of the page. Null if the page does not exist.' }),
    locale: localeField,
    ns: namespaceField,
    url: urlField('Link to the page on the wiki, also if the page does not exist.'),
    exists: flagField('Whether the page exists.'),
    redirect: flagField('Whether the page is a redirect: its text is nothing but a link to another page.'),
  },
)

export const linkListSchema = listSchema('LinkList', linkItemSchema, 'One part of the list of links.')

/** Fields that `include` adds, and the pages of lists that can have them. */

const translation = objectSchema('Translation', 'The page in another language.', {
  locale: localeField,
  path: pathField,
  title: titleField,
  url: urlField('Link to the translation on the wiki.'),
})

const section = objectSchema('Section', 'A heading of a page, and what belongs to it.', {
  id: textField(
    'Id of the heading in the HTML, for the parameter `section`. Empty for what stands before the first heading.',
  ),
  level: integerField('1 to 6: the level of the heading. 0 for what stands before the first heading.'),
  title: textField('Text of the heading, without markup.'),
  start: integerField('Where the section begins in the Markdown, in UTF-16 code units.'),
  end: integerField(
    'Where the section ends (exclusive), with its subsections, in UTF-16 code units of the Markdown.',
  ),
})

const contributors = objectSchema(
  'Contributors',
  'The authors of a page: those with the most accepted edits first, at most 100.',
  {
    total: integerField('How many authors the page has.', 1),
    items: z.array(
      objectSchema('Contributor', 'An author of a page.', {
        name: textField('Display name.'),
        edits: integerField('How many accepted edits of the page they made.', 1),
        last_at: timestampField,
      }),
    ),
  },
)

const included = (description: string) => ({ description: `${description} Present if \`include\` names it.` })

/** Fields of a text that `include` adds. */
export const includedTextFields = {
  markdown: z.string().meta(included('Text in Markdown.')).optional(),
  html: z.string().meta(included('Text as sanitized HTML with absolute URLs.')).optional(),
  text: z.string().meta(included('Plain text without markup.')).optional(),
  summary: z
    .string()
    .max(500)
    .meta(included('Plain text of the beginning, at most 500 UTF-16 code units.'))
    .optional(),
  sections: z.array(section).meta(included('The outline of the text.')).optional(),
}

/** Fields of a page that `include` adds. */
export const includedPageFields = {
  ...includedTextFields,
  categories: z.array(categoryReference).meta(included('Categories of the page.')).optional(),
  translations: z.array(translation).meta(included('The page in other languages.')).optional(),
  /** Up to 200 links; `next` is a cursor of `GET /links?from=`. */
  links: linkListSchema.optional(),
  contributors: contributors.optional(),
  files: z.array(pageFile).meta(included('Files that the page shows or links.')).optional(),
}

const listedPageFields = {
  ...pageReference.shape,
  revision: revisionReference,
  ...includedPageFields,
}

export const pageSchema = objectSchema('Page', 'A live page at its last accepted edit.', {
  ...pageReference.shape,
  revision: revisionReference,
  categories: z.array(categoryReference),
  translations: z.array(translation),
  markdown: markdownField,
  html: htmlField,
  text: plainTextField,
  summary: includedTextFields.summary,
  sections: includedTextFields.sections,
  links: includedPageFields.links,
  contributors: includedPageFields.contributors,
  files: includedPageFields.files,
  license: licenseField,
})

const pageItemSchema = objectSchema('PageItem', 'A page in a list.', listedPageFields)

const missingPageSchema = objectSchema('MissingPage', 'A path of the request that has no live page.', {
  path: pathField,
  missing: z.literal(true).meta({ description: 'The wiki has no live page at this path.' }),
})

const listedPageSchema = z.union([pageItemSchema, missingPageSchema])
export type ListedPage = z.infer<typeof listedPageSchema>

export const pageListSchema = listSchema('PageList', listedPageSchema, 'One part of the list of pages.')

const categoryEntrySchema = objectSchema('CategoryEntry', 'A category with live pages.', {
  ...categoryReference.shape,
  pages: integerField('How many live pages it has.', 1),
})

export const categoryEntryListSchema = listSchema(
  'CategoryEntryList',
  categoryEntrySchema,
  'One part of the list of categories.',
)

const categoryItemSchema = objectSchema('CategoryItem', 'A page in a category.', {
  ...listedPageFields,
  sort_key: textField('The text by which the list of the category is sorted.'),
})

export const categoryListSchema = objectSchema(
  'CategoryList',
  'One part of the list of pages of a category.',
  {
    items: z.array(categoryItemSchema),
    next: nextField,
    category: categoryReference,
    total: integerField('How many pages the whole list has. Present if `include` names it.').optional(),
  },
)

const changeSchema = objectSchema(
  'Change',
  'The last change of a page, or of an address that has no page any more. With `gone`, `moved_to` is the page at its new path, if the wiki knows that it moved.',
  {
    type: z.enum(['upsert', 'gone']).meta({
      id: 'ChangeType',
      description:
        'What to do with your copy. `upsert`: add the page at this path, or replace it. `gone`: remove it.',
    }),
    ...pageReference.shape,
    title: titleField.meta({ description: 'Title of the page. Only with `upsert`.' }).optional(),
    url: urlField('Link to the page on the wiki. Only with `upsert`.').optional(),
    revision: revisionReference.optional(),
    changed_at: timestampField,
    // Only with `gone`.
    moved_to: pageReference.optional(),
    ...includedPageFields,
  },
)

export const changeListSchema = listSchema('ChangeList', changeSchema, 'One part of the changes.')
  .extend({
    cursor: textField(
      'Never empty. Store it when you have applied the items, and send it as `after` to get later changes.',
    ),
  })
  .meta({ id: 'ChangeList', description: 'One part of the changes.' })
