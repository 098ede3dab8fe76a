import { BadParameter } from '@lectern/wiki/errors'
import { LIST_LIMIT, OFFSET_MAX } from '@lectern/wiki/limits'
import { LISTED_NAMESPACES, NAMESPACES, parseLocale } from '@lectern/wiki/locales'
import { isUuid } from '@lectern/wiki/text'
import type { ExampleValues } from '../../openapi/example-values.ts'
import type { Parameter, RequestContext } from '../../route.ts'
import { type BeforeArguments, readBefore } from './paging.ts'

/** The parameters of routes: how each is read, and its documentation. Every `read` throws BadParameter with its name. */

/** No text may contain U+0000. All dialects of regular expressions understand this pattern. */
const WITHOUT_NUL = '^[^\\x00]*$'

const readInteger = (name: string, raw: string, min: number, max: number): number => {
  const value = /^\d{1,15}$/.test(raw) ? Number(raw) : Number.NaN
  if (!(value >= min && value <= max))
    throw new BadParameter(name, `must be a whole number from ${min} to ${max}`)
  return value
}

export const limit = (bounds: { max: number; default: number } = LIST_LIMIT): Parameter<number> => ({
  description: 'Maximum number of items to return.',
  schema: { type: 'integer', minimum: 1, maximum: bounds.max, default: bounds.default },
  read: (raw) => (raw === undefined ? bounds.default : readInteger('limit', raw, 1, bounds.max)),
})

export const offset: Parameter<number> = {
  description: `How many results to skip, at most ${OFFSET_MAX}. Send \`next\` of the previous response, as a number. \`next\` is empty if the next offset would be larger.`,
  schema: { type: 'integer', minimum: 0, maximum: OFFSET_MAX, default: 0 },
  read: (raw) => (raw === undefined || raw === '' ? 0 : readInteger('offset', raw, 0, OFFSET_MAX)),
}

/** The language of a wiki that is the same but for its region: `en` for `en-US`, or the other way round. */
export const similarLocale = (tag: string, { wiki }: RequestContext): string | undefined => {
  const [language] = tag.toLowerCase().split(/[-_]/, 1)
  return wiki.locales.find(({ locale }) => locale.split('-')[0] === language)?.locale
}

export const unknownLocale = (context: RequestContext, raw = ''): BadParameter => {
  const locales = context.wiki.locales.map(({ locale }) => locale)
  const meant = similarLocale(raw, context)
  const hint = meant ? `. Did you mean ${meant}?` : ''
  return new BadParameter('locale', `must be a language of this wiki: ${locales.join(', ')}${hint}`)
}

export const contentLocale: Parameter<string> = {
  description: 'Language of the content. Default: the language of the host that you call.',
  schema: { type: 'string', pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35 },
  example: ({ locale }) => locale,
  read: (raw, context) => {
    if (raw === undefined) return context.locale
    const locale = parseLocale(raw)
    if (locale !== null && context.wiki.locales.some((one) => one.locale === locale)) return locale
    throw unknownLocale(context, raw)
  },
}

/** A parameter without a default: null without it. */
const optional = <Value>(parameter: Parameter<Value>, description: string): Parameter<Value | null> => {
  const { default: _, ...schema } = parameter.schema
  const { read } = parameter
  return {
    ...parameter,
    description,
    schema,
    read: (raw, context) => (raw === undefined ? null : read(raw, context)),
  }
}

export const localeFilter = optional(contentLocale, 'Return only this language. Default: all languages.')

/** Unlike `localeFilter`, it accepts a language that the wiki does not have, or no longer has. */
export const formerLocaleFilter: Parameter<string | null> = {
  ...localeFilter,
  description: 'Return only this language, also if it no longer has pages. Default: all languages.',
  read: (raw, context) => {
    if (raw === undefined) return null
    const locale = parseLocale(raw)
    if (locale === null) throw unknownLocale(context, raw)
    return locale
  },
}

/** One of several values. The first is the default. */
const choiceParameter = <Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
  description: string,
): Parameter<Value> => ({
  description,
  schema: { type: 'string', enum: [...values], default: values[0] },
  read: (raw = values[0]) => {
    const found = values.find((value) => value === raw)
    if (found === undefined) throw new BadParameter(name, `must be one of ${values.join(', ')}`)
    return found
  },
})

export const order = choiceParameter('order', ['desc', 'asc'], 'Newest or, with `asc`, oldest edit first.')

export const namespace = choiceParameter('ns', LISTED_NAMESPACES, 'Namespace of the pages.')

const ONE_NAMESPACE = 'Return only pages of this namespace. Default: all'

export const namespaceFilter = optional(choiceParameter('ns', NAMESPACES, ''), `${ONE_NAMESPACE}.`)

export const searchedNamespace = optional(namespace, `${ONE_NAMESPACE} but categories.`)

export const format = choiceParameter(
  'format',
  ['markdown', 'html', 'both', 'text'],
  'Format of the text: Markdown, HTML, both, or plain text without markup.',
)

export const diffFormat = choiceParameter(
  'format',
  ['json', 'unified'],
  'Format of the response: JSON, or the text of a patch in the unified format, which `git apply` and `patch` read.',
)

/** The value of `format` as variables of a stored query. */
export const formatsOf = (format: 'markdown' | 'html' | 'both' | 'text') => ({
  markdown: format === 'markdown' || format === 'both',
  html: format === 'html' || format === 'both',
  text: format === 'text',
})

/** Id of a section. Null without the parameter; empty for what stands before the first heading. */
export const section: Parameter<string | null> = {
  description:
    'Return only this section of the text, with its subsections. The value is an `id` of `sections`: the id of the heading in the HTML, or an empty text for what stands before the first heading.',
  schema: { type: 'string', pattern: WITHOUT_NUL },
  // Without an example, which the reference would fill in: most pages do not have such a section.
  read: (raw) => raw ?? null,
}

/** `true` or `false` in any letter case (Python writes `True`), or `1` or `0` (as PHP writes). Default: false. */
export const boolean = (name: string, description: string): Parameter<boolean> => ({
  description,
  schema: { type: 'boolean', default: false },
  read: (raw = 'false') => {
    const value = raw.toLowerCase()
    if (value === 'true' || value === '1') return true
    if (value === 'false' || value === '0') return false
    throw new BadParameter(name, 'must be true or false')
  },
})

/** Any text, normalized to NFC. Default: empty. */
export const anyText = (description: string, example?: Parameter['example']): Parameter<string> => ({
  description,
  schema: { type: 'string', pattern: WITHOUT_NUL },
  example,
  read: (raw) => raw ?? '',
})

type TextArguments = Parameters<typeof anyText>

/** The cursor of a list that is sorted by a text. @param items what has a place after it: `pages whose path is` */
export const after = (items: string): Parameter<string> =>
  anyText(`Return only ${items} after this one. Use \`next\` of the previous response.`)

/** The same as `anyText`, but null without it. */
export const optionalText = (...given: TextArguments): Parameter<string | null> => ({
  ...anyText(...given),
  read: (raw) => raw || null,
})

export const author = optionalText('Return only edits by the author with this name. Empty: all.')

/** A media type, or its beginning up to the slash. Null without it. */
export const mediaType: Parameter<string | null> = {
  description:
    'Return only files of this media type, such as `image/png`, or of all that begin alike: `image`.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9]+(/[A-Za-z0-9.+-]+)?$', maxLength: 100 },
  example: () => 'image',
  read: (raw) => {
    if (raw === undefined) return null
    if (/^[a-z0-9]+(?:\/[a-z0-9.+-]+)?$/i.test(raw) && raw.length <= 100) return raw.toLowerCase()
    throw new BadParameter('type', 'must be a media type such as image/png, or its beginning such as image')
  },
}

/** Text in the path. It is never empty, because then no route matches. */
export const pathText = (...given: TextArguments): Parameter<string> => ({
  ...anyText(...given),
  in: 'path',
  schema: { type: 'string', minLength: 1, pattern: WITHOUT_NUL },
  read: (raw) => raw!,
})

export const pathOfPage = pathText(
  'Path of the page, with its namespace prefix if it has one. You can send a slash as it is or as `%2F`, but the slash of a path that ends in `/history` must be `%2F`.',
  ({ page }) => page?.path,
)

const readUuid = (name: string, raw: string): string => {
  if (!isUuid(raw))
    throw new BadParameter(name, 'must be a UUID such as 0190c1a0-7b1e-7d3a-9a54-0c5f1f0d2b11')
  return raw.toLowerCase()
}

/** Id of a revision, in lower case. */
export const revisionId: Parameter<string> = {
  in: 'path',
  isSegment: true,
  description: 'Id of the revision.',
  schema: { type: 'string', format: 'uuid' },
  example: ({ revision }) => revision,
  read: (raw) => readUuid('id', raw!),
}

/** Id of the revision with which another one is compared, in lower case. Null without the parameter. */
export const from: Parameter<string | null> = {
  description:
    'Id of the revision to compare with. It can be of another page. Default: the accepted edit before this one; for the first edit of a page, an empty text.',
  schema: { type: 'string', format: 'uuid' },
  read: (raw) => (raw === undefined ? null : readUuid('from', raw)),
}

/** A date alone is its midnight in UTC, and an empty text the beginning. A space is a `+` that was not encoded. Seconds are optional. */
const TIME = /^$|^\d{4}-\d{2}-\d{2}([Tt]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+ -]\d{2}:\d{2}))?$/

/** What is wrong with a text that is no time. */
const timeMistake = (raw: string): string => {
  if (/Z_[\da-f-]{36}$/.test(raw)) return 'is the cursor of a list with order=asc: send it as after'
  if (TIME.test(raw)) return 'has a date, time or offset that does not exist'
  if (TIME.test(`${raw}Z`)) return 'lacks a time zone: add Z for UTC, or an offset such as +02:00'
  return 'must be a date such as 2026-05-01, or an RFC 3339 date-time such as 2026-05-01T12:34:56.123456Z'
}

const timeParameter = <Value>(
  name: string,
  description: string,
  convert: (time: BeforeArguments) => Value,
): Parameter<Value> => ({
  description,
  // Without `format`: client generators would use a date type, which may write the value differently. (D7)
  schema: { type: 'string', pattern: TIME.source },
  read: (raw = '') => {
    const found = raw === '' ? {} : readBefore(raw)
    if (found === null) throw new BadParameter(name, timeMistake(raw))
    return convert(found)
  },
})

const periodParameter = (name: string, description: string) =>
  timeParameter(name, description, ({ before, cursor }) => before ?? cursor)

/** Of a list of edits, newest first: its cursor, and the period to which it belongs. No variables without them. */
export const ofEdits = {
  before: {
    ...timeParameter(
      'before',
      'Return only edits before this time, an RFC 3339 date-time or date (UTC). Use `next` of the previous response: it also works between edits that have the same time, where it is a millisecond soon after that time. You can store it in a date type that has microseconds.',
      (time) => time,
    ),
    example: ({ before }: ExampleValues) => before,
  },
  since: periodParameter('since', 'Return only edits from this RFC 3339 date-time or date (UTC) on.'),
  until: periodParameter('until', 'Return only edits before this RFC 3339 date-time or date, in all parts.'),
}
