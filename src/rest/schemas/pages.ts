import { z } from 'zod'
import { pageFile } from './files.ts'
import {
  categoryReference,
  htmlField,
  integerField,
  licenseField,
  listedNamespaceField,
  listSchema,
  localeField,
  markdownField,
  namespaceField,
  nextField,
  pageReference,
  pathField,
  plainTextField,
  revisionReference,
  timestampField,
  titleField,
  urlField,
} from './shared.ts'

const linkItemSchema = z
  .strictObject({
    path: pathField,
    title: z.string().nullable().meta({ description: 'Title of the page. Null if the page does not exist.' }),
    locale: localeField,
    ns: namespaceField,
    url: urlField('Link to the page on the wiki, also if the page does not exist.'),
    exists: z.boolean().meta({ description: 'Whether the page exists.' }),
    redirect: z.boolean().meta({
      description: 'Whether the page is a redirect: its text is nothing but a link to another page.',
    }),
  })
  .meta({ id: 'LinkItem', description: 'A page that links to the page, or to which the page links.' })

export const linkListSchema = listSchema('LinkList', linkItemSchema, 'One part of the list of links.')

/** Fields that `include` adds, and the pages of lists that can have them. */

const translation = z
  .strictObject({
    locale: localeField,
    title: titleField,
    url: urlField('Link to the translation on the wiki.'),
  })
  .meta({ id: 'Translation', description: 'The page in another language.' })

const section = z
  .strictObject({
    id: z.string().meta({
      description:
        'Id of the heading in the HTML, for the parameter `section`. Empty for what stands before the first heading.',
    }),
    level: integerField('1 to 6: the level of the heading. 0 for what stands before the first heading.'),
    title: z.string().meta({ description: 'Text of the heading, without markup.' }),
    start: integerField('Where the section begins in the Markdown, in UTF-16 code units.'),
    end: integerField(
      'Where the section ends (exclusive), with its subsections, in UTF-16 code units of the Markdown.',
    ),
  })
  .meta({ id: 'Section', description: 'A heading of a page, and what belongs to it.' })

const contributors = z
  .strictObject({
    total: integerField('How many authors the page has.', 1),
    items: z.array(
      z
        .strictObject({
          name: z.string().meta({ description: 'Display name.' }),
          edits: integerField('How many accepted edits of the page they made.', 1),
          last_at: timestampField,
        })
        .meta({ id: 'Contributor', description: 'An author of a page.' }),
    ),
  })
  .meta({
    id: 'Contributors',
    description: 'The authors of a page: those with the most accepted edits first, at most 100.',
  })

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
  path: pathField,
  title: titleField,
  locale: localeField,
  ns: listedNamespaceField,
  url: urlField('Link to the page on the wiki.'),
  revision: revisionReference,
  ...includedPageFields,
}

export const pageSchema = z
  .strictObject({
    path: pathField,
    title: titleField,
    locale: localeField,
    url: urlField('Link to the page on the wiki.'),
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
  .meta({ id: 'Page', description: 'A live page at its last accepted edit.' })

const pageItemSchema = z
  .strictObject(listedPageFields)
  .meta({ id: 'PageItem', description: 'A page in a list.' })

export const pageListSchema = listSchema('PageList', pageItemSchema, 'One part of the list of pages.')

const categoryEntrySchema = z
  .strictObject({ ...categoryReference.shape, pages: integerField('How many live pages it has.', 1) })
  .meta({ id: 'CategoryEntry', description: 'A category with live pages.' })

export const categoryEntryListSchema = listSchema(
  'CategoryEntryList',
  categoryEntrySchema,
  'One part of the list of categories.',
)

const categoryItemSchema = z
  .strictObject({
    ...listedPageFields,
    ns: namespaceField,
    sort_key: z.string().meta({ description: 'The text by which the list of the category is sorted.' }),
  })
  .meta({ id: 'CategoryItem', description: 'A page in a category.' })

export const categoryListSchema = z
  .strictObject({ items: z.array(categoryItemSchema), next: nextField, category: categoryReference })
  .meta({ id: 'CategoryList', description: 'One part of the list of pages of a category.' })

const changeSchema = z
  .strictObject({
    type: z.enum(['upsert', 'gone']).meta({
      id: 'ChangeType',
      description:
        'What to do with your copy. `upsert`: add the page at this path, or replace it. `gone`: remove it.',
    }),
    path: pathField,
    title: titleField.meta({ description: 'Title of the page. Only with `upsert`.' }).optional(),
    locale: localeField,
    ns: namespaceField,
    url: urlField('Link to the page on the wiki. Only with `upsert`.').optional(),
    revision: revisionReference.optional(),
    changed_at: timestampField,
    // Only with `gone`.
    moved_to: pageReference.optional(),
    ...includedPageFields,
  })
  .meta({
    id: 'Change',
    description:
      'The last change of a page, or of an address that has no page any more. With `gone`, `moved_to` is the page at its new path, if the wiki knows that it moved.',
  })

export const changeListSchema = listSchema('ChangeList', changeSchema, 'One part of the changes.')
  .extend({
    cursor: z.string().meta({
      description:
        'Never empty. Store it when you have applied the items, and send it as `after` to get later changes.',
    }),
  })
  .meta({ id: 'ChangeList', description: 'One part of the changes.' })
