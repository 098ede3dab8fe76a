import { z } from 'zod'
import { licenseField, localeField, pathField, titleField, urlField } from './fields.ts'
import { categoryReference, htmlField, markdownField, revisionReference } from './shared.ts'

const translation = z
  .strictObject({
    locale: localeField,
    title: titleField,
    url: urlField('Link to the translation on the wiki.'),
  })
  .meta({ id: 'Translation', description: 'The page in another language.' })

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
    license: licenseField,
  })
  .meta({ id: 'Page', description: 'A live page at its last accepted edit.' })
