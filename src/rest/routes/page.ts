import { NotFound } from '@lectern/wiki/errors'
import { quote } from '@lectern/wiki/text'
import { z } from 'zod'
import { PageDocument } from '../../generated/queries.ts'
import { example, exampleUrl } from '../openapi/example-values.ts'
import { defineRoute } from '../route.ts'
import * as fields from './shared/fields.ts'
import { includedFields, includedLinks, includeParameter, PAGE_FIELDS } from './shared/include.ts'
import * as parameters from './shared/parameters.ts'

const { summary, sections, properties, links, contributors, files } = fields.ofIncludedPages

export const pageRoute = defineRoute({
  name: 'page',
  operationId: 'getPage',
  path: '/pages/{path}',
  requestClass: 'page',
  tag: 'Pages',
  summary: 'One page',
  description:
    'Returns a live page: its text, last accepted edit, categories and translations. With `include=sections`, it returns the outline of the page, and with `section` one section of it. Send `Accept: text/markdown` to get the Markdown itself instead of JSON.',
  parameters: {
    path: parameters.pathOfPage,
    locale: parameters.contentLocale,
    format: parameters.format,
    section: parameters.section,
    include: includeParameter(PAGE_FIELDS),
  },
  query: PageDocument,
  variables: ({ path, locale, format, section, include }) => {
    const formats = parameters.formatsOf(format)
    const { markdown, html, text, summary, sections, properties, links, contributors, files } =
      includedFields(include)
    // One literal: to spread the fields takes twenty times as long.
    return {
      path,
      locale,
      section: section ?? '',
      isSection: section !== null,
      markdown: formats.markdown || markdown,
      html: formats.html || html,
      text: formats.text || text,
      summary,
      sections,
      properties,
      links,
      contributors,
      files,
    }
  },
  responseSchema: fields.object('Page', 'A live page at its last accepted edit.', {
    ...fields.pageReference.shape,
    revision: fields.revisionReference,
    categories: z.array(fields.categoryReference),
    translations: z.array(fields.translation),
    markdown: fields.markdown,
    html: fields.html,
    text: fields.withoutMarkup,
    summary,
    sections,
    properties,
    links,
    contributors,
    files,
    license: fields.license,
  }),
  reshape: ({ page }, { locale, section: id }, { license }) => {
    if (!page) return null
    const { section, summary, sections, properties } = page.content
    if (id !== null && !section)
      throw new NotFound(`This page has no section ${nameOf(id)}. \`include=sections\` lists its sections.`)
    const { markdown, html, text } = section ?? page.content
    // Named one by one: spreading the page and the rest of the revision takes ten times as long.
    const body = {
      path: page.path,
      title: page.title,
      locale: page.locale,
      ns: page.ns,
      url: page.url,
      revision: page.revision,
      categories: page.categories,
      translations: page.translations,
      links: page.links && includedLinks(page.links),
      contributors: page.contributors,
      files: page.files,
      markdown,
      html,
      text,
      summary,
      sections,
      properties,
      license,
    }
    return { body, locale }
  },
  markdownOf: ({ markdown = '', url }) => ({ text: markdown, canonicalUrl: url }),
  examples: ({ page, sectionPath, section }) => [
    example('markdown', 'A page as Markdown', exampleUrl`/pages/${page?.path}`),
    example('html', 'A page as HTML', exampleUrl`/pages/${page?.path}?format=html`),
    example(
      'section',
      'The outline of a page, and one section as plain text',
      exampleUrl`/pages/${sectionPath}?format=text&section=${section}&include=sections`,
    ),
  ],
})

/** The id in quotes. What cannot be an id, such as HTML, is not repeated. */
const nameOf = (id: string) => (/^[\p{L}\p{M}\p{N}_-]*$/u.test(id) ? `"${quote(id)}"` : 'with this id')
