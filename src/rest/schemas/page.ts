import { z } from 'zod'
import { licenseField, localeField, pathField, titleField, urlField } from './fields.ts'
import {
  categoriesField,
  contributorsField,
  includedTextFields,
  linksField,
  translationsField,
} from './included.ts'
import { htmlField, markdownField, plainTextField, revisionReference } from './shared.ts'

export const pageSchema = z
  .strictObject({
    path: pathField,
    title: titleField,
    locale: localeField,
    url: urlField('Link to the page on the wiki.'),
    revision: revisionReference,
    categories: categoriesField,
    translations: translationsField,
    markdown: markdownField,
    html: htmlField,
    text: plainTextField,
    summary: includedTextFields.summary,
    sections: includedTextFields.sections,
    links: linksField,
    contributors: contributorsField,
    license: licenseField,
  })
  .meta({ id: 'Page', description: 'A live page at its last accepted edit.' })
