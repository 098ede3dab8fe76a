import { BadParameter } from '../errors.ts'
import { LIST_LIMIT, OFFSET_MAX } from '../limits.ts'
import { parseLocale } from '../wiki/locales.ts'
import { LISTED_NAMESPACES } from '../wiki/namespaces.ts'
import { isUuid } from '../wiki/text.ts'
import { type BeforeArguments, readBefore } from './paging.ts'
import type { Parameter, RequestContext } from './route.ts'

/** Readers and documentation of each kind of parameter. Every `read` throws BadParameter, naming it. */

const whole = (name: string, raw: string, min: number, max: number, expected: string): number => {
  const value = /^\d{1,15}$/.test(raw) ? Number(raw) : Number.NaN
  if (!(value >= min && value <= max)) throw new BadParameter(name, expected)
  return value
}

/** How many items: 1 to `max`. */
export const limitParameter = ({
  max,
  default: standard,
}: {
  max: number
  default: number
} = LIST_LIMIT): Parameter<number> => ({
  in: 'query',
  description: 'How many items at most.',
  schema: { type: 'integer', minimum: 1, maximum: max, default: standard },
  read: (raw) =>
    raw === undefined ? standard : whole('limit', raw, 1, max, `must be a whole number from 1 to ${max}`),
})

export const offsetParameter: Parameter<number> = {
  in: 'query',
  description: `How many results to pass over, ${OFFSET_MAX} at most; take it from \`next\`, which is empty where it would be more.`,
  schema: { type: 'integer', minimum: 0, maximum: OFFSET_MAX, default: 0 },
  read: (raw) =>
    raw === undefined || raw === ''
      ? 0
      : whole('offset', raw, 0, OFFSET_MAX, `must be a whole number from 0 to ${OFFSET_MAX}`),
}

const knownLocale = (raw: string, { wiki }: RequestContext): string => {
  const locale = parseLocale(raw)
  const known = wiki.locales.map((one) => one.locale)
  if (locale !== null && known.includes(locale)) return locale
  throw new BadParameter('locale', `must be a language of this wiki: ${known.join(', ')}`)
}

const localeDocumented = {
  schema: { type: 'string', pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35 },
  example: 'en',
}

/** The content's language; without it the address's own. */
export const localeParameter: Parameter<string> = {
  in: 'query',
  description: 'Language of the content; without it, the language of the address that is called.',
  ...localeDocumented,
  read: (raw, place) => (raw === undefined ? place.locale : knownLocale(raw, place)),
}

/** Only this language; null without it. */
export const localeFilterParameter: Parameter<string | null> = {
  in: 'query',
  description: 'Only this language; without it, every language.',
  ...localeDocumented,
  read: (raw, place) => (raw === undefined ? null : knownLocale(raw, place)),
}

/** One of some words; the first is the default. */
const choiceParameter = <Word extends string>(
  name: string,
  words: readonly [Word, ...Word[]],
  description: string,
): Parameter<Word> => ({
  in: 'query',
  description,
  schema: { type: 'string', enum: [...words], default: words[0] },
  read: (raw) => {
    if (raw === undefined) return words[0]
    const found = words.find((word) => word === raw)
    if (found === undefined) throw new BadParameter(name, `must be one of ${words.join(', ')}`)
    return found
  },
})

export const namespaceParameter = choiceParameter('ns', LISTED_NAMESPACES, 'Namespace of the pages.')
export const formatParameter = choiceParameter(
  'format',
  ['markdown', 'html', 'both'],
  'Which forms of the text are answered.',
)

/** What `format` asks for, as variables of a stored query. */
export const formatsOf = (asked: 'markdown' | 'html' | 'both') => ({
  markdown: asked !== 'html',
  html: asked !== 'markdown',
})

/** `true` or `false` in any letter case, as Python writes them, or `1` or `0`, as PHP does; false without it. */
export const flagParameter = (name: string, description: string): Parameter<boolean> => ({
  in: 'query',
  description,
  schema: { type: 'boolean', default: false },
  read: (raw) => {
    if (raw === undefined) return false
    const word = raw.toLowerCase()
    if (word === 'true' || word === '1') return true
    if (word === 'false' || word === '0') return false
    throw new BadParameter(name, 'must be true or false')
  },
})

/** All that no text may hold, written as every dialect of regular expressions reads it. */
const WITHOUT_NUL = '^[^\\x00]*$'

/** Any text, NFC; absent is empty. */
export const textParameter = (description: string, example: string): Parameter<string> => ({
  in: 'query',
  description,
  schema: { type: 'string', pattern: WITHOUT_NUL },
  example,
  read: (raw) => raw ?? '',
})

/** Text in the path: never empty, since no route matches without it. */
export const pathTextParameter = (description: string, example: string): Parameter<string> => ({
  in: 'path',
  description,
  schema: { type: 'string', minLength: 1, pattern: WITHOUT_NUL },
  example,
  read: (raw) => raw!,
})

export const pathParameter = pathTextParameter(
  'Path of the page, with its namespace prefix if it has one. A slash may stand as it is or as `%2F`; a path that ends in `/history` needs `%2Fhistory`.',
  'sencha',
)

/** A revision's id, lower case. */
export const uuidParameter: Parameter<string> = {
  in: 'path',
  isSegment: true,
  description: 'Id of the revision.',
  schema: { type: 'string', format: 'uuid' },
  example: 'b5250365-b0ff-49df-be05-9a646457bfc1',
  read: (raw) => {
    if (!isUuid(raw!))
      throw new BadParameter('id', 'must be a UUID such as 0190c1a0-7b1e-7d3a-9a54-0c5f1f0d2b11')
    return raw!.toLowerCase()
  },
}

/** Empty is the beginning. A space is a `+` that was not encoded; seconds that are 0 may be left out. */
const RFC_3339_OR_EMPTY =
  '^$|^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?([Zz]|[+ -]\\d{2}:\\d{2})$'

/** Where a list goes on that is newest first; empty variables without it. */
export const beforeParameter: Parameter<BeforeArguments> = {
  in: 'query',
  description:
    'Only what is older than this moment, an RFC 3339 date-time: the `created_at` of the last item, best taken from `next`, which goes on also between items of the same moment. A type for dates may hold it that keeps microseconds.',
  // No `format`: generators would make it a type for dates, which writes it in its own way. (D67)
  schema: { type: 'string', pattern: RFC_3339_OR_EMPTY },
  example: '2025-05-02T15:50:37.041876Z',
  read: (raw) => {
    if (raw === undefined || raw === '') return {}
    const found = readBefore(raw)
    if (found === null)
      throw new BadParameter('before', 'must be an RFC 3339 date-time such as 2026-05-01T12:34:56.123456Z')
    return found
  },
}
