import { LIST_LIMIT } from '@lectern/wiki/limits'
import { AtomDocument, type AtomQuery } from '../../generated/queries.ts'
import { example, exampleUrl } from '../openapi/example-values.ts'
import { defineRoute, type RequestContext } from '../route.ts'
import * as parameters from './shared/parameters.ts'

export const atomRoute = defineRoute({
  name: 'atom',
  operationId: 'getRecentFeed',
  path: '/recent.atom',
  requestClass: 'list',
  tag: 'Edits',
  summary: 'Recent edits as a feed',
  description: `Returns the ${LIST_LIMIT.default} newest accepted edits as an Atom feed (RFC 4287), for feed readers. Errors are JSON.`,
  parameters: { locale: parameters.localeFilter, author: parameters.author, ns: parameters.namespaceFilter },
  query: AtomDocument,
  variables: (filters) => ({ ...filters, first: LIST_LIMIT.default }),
  textTypes: { 'application/atom+xml': 'An Atom feed.' },
  reshape: ({ recent }, { locale, ...filters }, context) => ({
    body: atomFeed(recent.items, locale, filters, context),
    type: 'application/atom+xml',
    locale: locale ?? undefined,
  }),
  examples: ({ otherLocale }) => [
    example('newest', 'The newest edits in one language', exampleUrl`/recent.atom?locale=${otherLocale}`),
  ],
})

type Edit = AtomQuery['recent']['items'][number]

/** Attributes of an element, in order. What is undefined is left out. */
type Attributes = Readonly<Record<string, string | undefined>>

const open = (name: string, attributes: Attributes = {}): string => {
  const written = ([key, value = '']: [string, string?]) => ` ${key}="${escapeXml(value)}"`
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined)
  return name + given.map(written).join('')
}

const element = (name: string, text: string, attributes?: Attributes): string =>
  `<${open(name, attributes)}>${escapeXml(text)}</${name}>`

const link = (attributes: Attributes): string => `<${open('link', attributes)}/>`

/**
 * The Atom feed (RFC 4287) of edits, newest first. (D102)
 * @param locale the only language of the edits; null if there can be several
 * @param filters what else they have in common, by parameter: null if nothing
 */
const atomFeed = (
  edits: readonly Edit[],
  locale: string | null,
  filters: Readonly<Record<string, string | null>>,
  { wiki, base, license, isLicenseKnown, locale: defaultLocale }: RequestContext,
): string => {
  const asked = Object.entries({ locale, ...filters }).filter(([, value]) => value !== null)
  const query = String(new URLSearchParams(asked as [string, string][]))
  const self = `${base}/recent.atom${query === '' ? '' : `?${query}`}`
  const shown = wiki.locales.find((one) => one.locale === (locale ?? defaultLocale))
  const parts = asked.map(([name, value]) => (name === 'locale' ? shown?.name : value))
  return `${[
    '<?xml version="1.0" encoding="utf-8"?>',
    `<${open('feed', { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': locale ?? undefined })}>`,
    element('id', self),
    element('title', `${wiki.name}: recent edits${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`, {
      'xml:lang': 'en',
    }),
    element('updated', edits[0]?.created_at ?? NEVER),
    link({ rel: 'self', type: 'application/atom+xml', href: self }),
    link({ rel: 'alternate', type: 'text/html', href: shown?.url ?? base }),
    ...(isLicenseKnown ? [link({ rel: 'license', href: license })] : []),
    element('generator', 'Lectern'),
    ...edits.map((edit) => entry(edit, base)),
    '</feed>',
  ].join('\n')}\n`
}

/** A feed must have a date. */
const NEVER = '1970-01-01T00:00:00Z'

const entry = ({ id, created_at, author, comment, page }: Edit, base: string): string =>
  [
    `<${open('entry', { 'xml:lang': page.locale })}>`,
    element('id', `urn:uuid:${id}`),
    element('title', page.title),
    element('updated', created_at),
    element('published', created_at),
    // Atom requires a name that is not empty.
    `<author>${element('name', author.name.trim() === '' ? 'Anonymous' : author.name)}</author>`,
    link({ rel: 'alternate', type: 'text/html', hreflang: page.locale, href: page.url }),
    link({ rel: 'related', type: 'application/json', href: `${base}/revisions/${id}/diff` }),
    comment.trim() === ''
      ? element('summary', 'An edit without a comment.', { 'xml:lang': 'en' })
      : element('summary', comment),
    '</entry>',
  ].join('\n')

/** Characters that XML 1.0 forbids, also as references (2.2, Char). */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

/** Text for XML 1.0, with U+FFFD for what it forbids. References keep parsers from changing line ends and tabs. */
export const escapeXml = (text: string): string =>
  text
    .replace(FORBIDDEN, '\ufffd')
    .replace(/[&<>"'\t\n\r\u0085\u2028]/g, (letter) => `&#${letter.charCodeAt(0)};`)
