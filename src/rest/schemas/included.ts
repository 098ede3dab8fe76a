import { z } from 'zod'
import {
  integerField,
  listedNamespaceField,
  localeField,
  pathField,
  timestampField,
  titleField,
  urlField,
} from './fields.ts'
import { linkListSchema } from './links.ts'
import { categoryReference, revisionReference } from './shared.ts'

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

export const categoriesField = z.array(categoryReference)
export const translationsField = z.array(translation)
/** Up to 200 links; `next` is a cursor of `GET /links?from=`. */
export const linksField = linkListSchema.optional()
export const contributorsField = contributors.optional()

/** Fields of a page that `include` adds. */
export const includedPageFields = {
  ...includedTextFields,
  categories: categoriesField.meta(included('Categories of the page.')).optional(),
  translations: translationsField.meta(included('The page in other languages.')).optional(),
  links: linksField,
  contributors: contributorsField,
}

export const listedPageFields = {
  path: pathField,
  title: titleField,
  locale: localeField,
  ns: listedNamespaceField,
  url: urlField('Link to the page on the wiki.'),
  revision: revisionReference,
  ...includedPageFields,
}
