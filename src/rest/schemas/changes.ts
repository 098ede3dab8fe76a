import { z } from 'zod'
import { localeField, namespaceField, pathField, timestampField, titleField, urlField } from './fields.ts'
import { includedPageFields } from './included.ts'
import { listSchema, pageReference, revisionReference } from './shared.ts'

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
