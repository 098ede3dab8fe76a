import { z } from 'zod'
import { localeField, namespaceField, pathField, urlField } from './fields.ts'
import { listSchema } from './shared.ts'

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
