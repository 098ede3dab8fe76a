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
import { CONTRIBUTORS_MAX } from '../limits/content.ts'
import {
  LIST_LIMIT,
  OFFSET_MAX,
  PASSAGE_LIMITS,
  SEARCH_LIMIT,
  SUGGEST_LIMIT,
  TEXT_BYTES_MAX,
} from '../limits.ts'

export type SelectedField = GraphQLField<unknown, unknown>

/** The variables of a request, before their types are checked. */
export type QueryVariables = Readonly<Record<string, unknown>>

/**
 * How many items a field can return: 1 if it is not a list.
 * @param coordinate type and field, for example `Query.pages`
 * @throws BadParameter if `first` or `offset` is out of range
 */
export const itemCount = (
  node: FieldNode,
  definition: SelectedField,
  coordinate: string,
  read: ReadArgument,
): number => {
  // One more than the maximum of the REST API, whose additional item shows whether the list continues.
  const most = FIRST_MAX[coordinate] ?? 1 + LIST_LIMIT.max
  let items = isListType(getNullableType(definition.type)) ? (LIST_SIZES[coordinate] ?? UNKNOWN_LIST_SIZE) : 1
  for (const argument of definition.args) {
    const value = read(node, argument)
    if (argument.name === 'first') items = inRange(`${coordinate}(first:)`, value, 1, most) ?? most
    if (argument.name === 'ids') items = lengthInRange(`${coordinate}(ids:)`, value)
    if (argument.name === 'bytes') inRange(`${coordinate}(bytes:)`, value, 0, TEXT_BYTES_MAX)
    if (argument.name === 'offset') inRange(`${coordinate}(offset:)`, value, 0, OFFSET_MAX)
  }
  return items
}

const inRange = (name: string, value: unknown, least: number, most: number): number | undefined => {
  if (typeof value !== 'number' || !Number.isInteger(value)) return undefined
  if (value >= least && value <= most) return value
  throw new BadParameter(name, `must be an integer from ${least} to ${most}, not ${value}`)
}

const lengthInRange = (name: string, value: unknown): number => {
  if (!Array.isArray(value)) return 1 // a single value, which GraphQL takes as a list of one
  if (value.length <= LIST_LIMIT.max) return value.length
  throw new BadParameter(name, `must have at most ${LIST_LIMIT.max} values, not ${value.length}`)
}

/** The cost of a field, without its objects. */
export const fieldWeight = (coordinate: string): number => WEIGHTS[coordinate] ?? 0

export type ReadArgument = (field: FieldNode, argument: GraphQLArgument) => unknown

/**
 * Reads the value of an argument: from the query, from the variables of the request (unchecked, so of any type), or
 * from the defaults. Of a list in the query, only the length is right. Other values that are not integers pass: graphql
 * refuses them before it executes the query.
 */
export const argumentReader =
  (variables: QueryVariables, operation?: OperationDefinitionNode): ReadArgument =>
  (field, argument) => {
    const value = field.arguments?.find(({ name }) => name.value === argument.name)?.value
    if (value === undefined) return argument.defaultValue
    if (value.kind === Kind.INT) return Number(value.value)
    if (value.kind === Kind.LIST) return value.values
    if (value.kind !== Kind.VARIABLE) return undefined
    const name = value.name.value
    if (Object.hasOwn(variables, name)) return variables[name]
    const variableDefault = operation?.variableDefinitions?.find(
      ({ variable }) => variable.name.value === name,
    )?.defaultValue
    return variableDefault?.kind === Kind.INT ? Number(variableDefault.value) : argument.defaultValue
  }

/** The maximum of `first` where it is not that of all lists. */
const FIRST_MAX: Readonly<Record<string, number>> = {
  'Query.search': 1 + SEARCH_LIMIT.max,
  'Query.searchList': 1 + SEARCH_LIMIT.max,
  'Query.suggest': SUGGEST_LIMIT.max,
}

/** Assumed number of items of lists without the argument `first`. */
const LIST_SIZES: Readonly<Record<string, number>> = {
  'Page.categories': 10,
  'Page.translations': 20,
  'Contributors.items': CONTRIBUTORS_MAX,
  // The parent field has `first`.
  'ChangeList.items': 1,
  // Together, because the hunks of a difference have at most 10,000 lines. `Query.diff` costs what they do.
  'Diff.hunks': 1,
  'Hunk.lines': 1,
  'CategoryMemberList.items': 1,
  'PageList.items': 1,
  'RevisionList.items': 1,
  'Revision.sections': 20,
  'SearchList.items': 1,
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
/** Assumed number of items of every other list. */
const UNKNOWN_LIST_SIZE = 50

/** Additional cost of a field. An object costs 1. Long texts, and work besides reading rows, cost more. */
const WEIGHTS: Readonly<Record<string, number>> = {
  'Query.search': 1000,
  'Query.searchList': 1000,
  // With `since` or `until`, it looks at 10,000 members.
  'Category.memberList': 500,
  // Reads two texts and compares them: up to 0.1 s, and up to 10,000 lines.
  'Query.diff': 1000,
  'Query.suggest': 500,
  // Reads up to 8 MiB of texts.
  'Query.revisionTexts': 1000,
  'Revision.markdown': 10,
  // The Markdown has to be rendered: 3.7 ms for 10 KB, against 0.01 ms for an object of a list.
  'Revision.html': 100,
  'Revision.text': 150,
  'Revision.sections': 100,
  'Revision.section': 100,
  'Revision.summary': 20,
  'Section.markdown': 10,
  'Section.html': 100,
  'Section.text': 150,
  // All revisions of the page are read.
  'Page.contributors': 100,
}
