import { isUuid, nfc } from '@lectern/wiki/text'
import { parseInstant, timestampFromInstant } from '@lectern/wiki/time'
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql'

/** A scalar that is text in requests and responses. `read` returns null for a text that is not a valid value. */
const textScalar = (
  name: string,
  specifiedByURL: string,
  expected: string,
  read: (text: string) => string | null,
): GraphQLScalarType => {
  const parse = (value: unknown, node?: ValueNode): string => {
    const result = typeof value === 'string' ? read(value) : null
    if (result === null) throw new GraphQLError(`${name} ${expected}`, { nodes: node })
    return result
  }
  return new GraphQLScalarType({
    name,
    specifiedByURL,
    serialize: (value) => value,
    parseValue: (value) => parse(value),
    parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : undefined, node),
  })
}

export const scalars = {
  DateTime: textScalar(
    'DateTime',
    'https://www.rfc-editor.org/rfc/rfc3339',
    'must be an RFC 3339 date-time such as 2026-05-01T12:34:56.123456Z',
    (text) => {
      const instant = parseInstant(text)
      return instant && timestampFromInstant(instant)
    },
  ),
  UUID: textScalar(
    'UUID',
    'https://www.rfc-editor.org/rfc/rfc9562',
    'must be a UUID such as 0190c1a0-7b1e-7d3a-9a54-0c5f1f0d2b11',
    (text) => (isUuid(text) ? text.toLowerCase() : null),
  ),
  Text: textScalar(
    'Text',
    'https://www.unicode.org/reports/tr15/',
    'must be well-formed text without U+0000',
    (text) => (text.isWellFormed() && !text.includes('\u0000') ? nfc(text) : null),
  ),
}
