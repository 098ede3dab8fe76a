import {
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  getNullableType,
  isListType,
  Kind,
  type OperationDefinitionNode,
} from 'graphql'
import { BadParameter } from '../errors.ts'
import { LIST_LIMIT, OFFSET_MAX, PASSAGE_LIMITS, SEARCH_LIMIT } from '../limits.ts'

export type SelectedField = GraphQLField<unknown, unknown>

/** Variables as a request gives them. */
export type QueryVariables = Readonly<Record<string, unknown>>

/**
 * How many items a field may have: 1 where it is no list.
 * @param coordinate as in `Query.pages`
 * @throws BadParameter for a `first` or `offset` out of its range
 */
export const itemCount = (
  node: FieldNode,
  definition: SelectedField,
  coordinate: string,
  read: ReadArgument,
): number => {
  // One more than a client of the REST API may ask for: the extra item tells whether there is more.
  const most = 1 + (coordinate === 'Query.search' ? SEARCH_LIMIT.max : LIST_LIMIT.max)
  let items = isListType(getNullableType(definition.type)) ? (LIST_SIZES[coordinate] ?? UNKNOWN_LIST_SIZE) : 1
  for (const argument of definition.args) {
    const value = read(node, argument)
    if (argument.name === 'first') items = inRange(`${coordinate}(first:)`, value, 1, most) ?? most
    if (argument.name === 'offset') inRange(`${coordinate}(offset:)`, value, 0, OFFSET_MAX)
  }
  return items
}

const inRange = (name: string, value: unknown, least: number, most: number): number | undefined => {
  if (typeof value !== 'number' || !Number.isInteger(value)) return undefined
  if (value >= least && value <= most) return value
  throw new BadParameter(name, `must be an integer from ${least} to ${most}, not ${value}`)
}

/** What a field costs apart from its objects. */
export const fieldWeight = (coordinate: string): number => WEIGHTS[coordinate] ?? 0

export type ReadArgument = (field: FieldNode, argument: GraphQLArgument) => unknown

/**
 * Reads integers: as written, from the request's variables (unchecked, so of any type), or by default.
 * What is no integer is left to graphql, which refuses it before anything runs.
 */
export const argumentReader =
  (variables: QueryVariables, operation?: OperationDefinitionNode): ReadArgument =>
  (field, argument) => {
    const value = field.arguments?.find((given) => given.name.value === argument.name)?.value
    if (value === undefined) return argument.defaultValue
    if (value.kind === Kind.INT) return Number(value.value)
    if (value.kind !== Kind.VARIABLE) return undefined
    const name = value.name.value
    if (Object.hasOwn(variables, name)) return variables[name]
    const written = operation?.variableDefinitions?.find(
      (each) => each.variable.name.value === name,
    )?.defaultValue
    return written?.kind === Kind.INT ? Number(written.value) : argument.defaultValue
  }

/** Lists without a `first`: how many items they are taken to have. */
const LIST_SIZES: Readonly<Record<string, number>> = {
  'Page.categories': 10,
  'Page.translations': 20,
  // The field that it is of has `first`.
  'RevisionList.items': 1,
  'SearchHit.passages': PASSAGE_LIMITS.max,
  'Wiki.locales': 20,
  '__Schema.types': 40,
  '__Schema.directives': 6,
  '__Type.fields': 5,
  '__Type.inputFields': 2,
  '__Type.interfaces': 2,
  '__Type.possibleTypes': 2,
  '__Type.enumValues': 5,
  '__Field.args': 2,
  '__Directive.args': 2,
}
/** A list that nobody thought of here. */
const UNKNOWN_LIST_SIZE = 50

/** What a field costs besides its objects, which count 1 each: long texts, and work apart from rows. */
const WEIGHTS: Readonly<Record<string, number>> = {
  'Query.search': 1000,
  'Revision.markdown': 10,
  // Markdown is rendered on the way: 3.7 ms for 10 KB, against 0.01 ms for an object of a list.
  'Revision.html': 100,
}
