import { BadParameter, BadRequest } from '@lectern/wiki/errors'
import { LIST_LIMIT, OFFSET_MAX, SEARCH_LIMIT, TEXT_BYTES_MAX } from '@lectern/wiki/limits'
import {
  type DefinitionNode,
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  Kind,
  Lexer,
  Source,
  TokenKind,
  visit,
} from 'graphql'
import { type ComplexityEstimator, getComplexity } from 'graphql-query-complexity'
import { CONTRIBUTORS_MAX } from '../limits/content.ts'
import { GRAPHQL_LIMITS, PASSAGE_LIMITS, SUGGEST_LIMIT } from '../limits/service.ts'

/**
 * Checks the number of tokens, and the nesting of braces, brackets and parentheses, before the query is parsed. The
 * parser of graphql is recursive: 2,000 levels overflow the stack.
 * @throws BadRequest for a query beyond the limits, GraphQLError for an invalid token
 */
export const checkQueryText = (query: string): void => {
  const lexer = new Lexer(new Source(query))
  let depth = 0
  for (let tokens = 1; lexer.advance().kind !== TokenKind.EOF; tokens += 1) {
    if (OPENING.has(lexer.token.kind)) depth += 1
    if (CLOSING.has(lexer.token.kind)) depth -= 1
    if (tokens > GRAPHQL_LIMITS.tokens)
      throw new BadRequest(`The query has more than ${GRAPHQL_LIMITS.tokens} tokens.`)
    if (depth > GRAPHQL_LIMITS.nesting)
      throw new BadRequest(`The query's nesting is ${depth}: at most ${GRAPHQL_LIMITS.nesting} is allowed.`)
  }
}

/**
 * Refuses a query that costs too much, before graphql validates it: the validation compares every pair of fields. All
 * operations of the document count. A fragment counts wherever the query spreads it. (D10)
 * @param variables the variables of the request
 * @param operationName the operation that runs
 * @throws BadParameter for a list size or an offset out of range, BadRequest for a cost beyond the limit, GraphQLError
 * for too many fields, and for variables of another type
 */
export const checkQueryCost = (
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Record<string, unknown>,
  operationName?: string | null,
): void => {
  let selections = 0
  visit(document, {
    enter: ({ kind }) => {
      if (SELECTIONS.has(kind)) selections += 1
    },
  })
  if (selections > GRAPHQL_LIMITS.selections)
    throw new BadRequest(
      `The query has ${selections} fields and fragments: at most ${GRAPHQL_LIMITS.selections} are allowed.`,
    )
  // An operation that will not run has no variables. Its cost is checked if it needs none.
  const [asked, others] = operationsOf(document, operationName)
  checkCost(schema, asked, variables)
  checkCost(schema, others, {})
}

/** The operation that runs, or all of them if none is named, and the other ones that need no variables. */
const operationsOf = (document: DocumentNode, name?: string | null): [DocumentNode, DocumentNode] => {
  const isAsked = (one: DefinitionNode) =>
    one.kind === Kind.OPERATION_DEFINITION && (!name || one.name?.value === name)
  const isFragment = ({ kind }: DefinitionNode) => kind === Kind.FRAGMENT_DEFINITION
  const { definitions } = document
  return [
    { ...document, definitions: definitions.filter((one) => isFragment(one) || isAsked(one)) },
    {
      ...document,
      definitions: definitions.filter(
        (one) => isFragment(one) || (!isAsked(one) && !hasRequiredVariables(one)),
      ),
    },
  ]
}

/** Whether a definition is an operation that cannot run without variables. */
export const hasRequiredVariables = (definition: DefinitionNode): boolean =>
  definition.kind === Kind.OPERATION_DEFINITION &&
  definition.variableDefinitions?.some(
    ({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined,
  ) === true

const SELECTIONS: ReadonlySet<string> = new Set([Kind.FIELD, Kind.FRAGMENT_SPREAD, Kind.INLINE_FRAGMENT])

const checkCost = (schema: GraphQLSchema, query: DocumentNode, variables: Record<string, unknown>): void => {
  const cost = getComplexity({
    schema,
    query,
    variables,
    estimators: [estimateCost],
    maxQueryNodes: GRAPHQL_LIMITS.selections,
  })
  if (cost > GRAPHQL_LIMITS.cost)
    throw new BadRequest(
      `The query's cost is ${formatCount(cost)}: at most ${GRAPHQL_LIMITS.cost} is allowed.`,
    )
}

/** Nested lists lead to numbers that nobody can read. */
const formatCount = (number: number): string => (number > 1e9 ? 'over 1000000000' : String(number))

const OPENING = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
const CLOSING = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])

/** The number of objects that a field could return, and what these contain, plus the weight of the field. */
const estimateCost: ComplexityEstimator = ({ type, field, args, childComplexity }) => {
  const coordinate = `${type.name}.${field.name}`
  const isList = isListType(getNullableType(field.type))
  const items = listSize(coordinate, args) ?? (isList ? (LIST_SIZES[coordinate] ?? UNKNOWN_LIST_SIZE) : 1)
  const objects = isCompositeType(getNamedType(field.type)) ? 1 + childComplexity : 0
  return (WEIGHTS[coordinate] ?? 0) + items * objects
}

/**
 * The number of items that the arguments of a field ask for; undefined if none does.
 * @throws BadParameter
 */
const listSize = (coordinate: string, args: Record<string, unknown>): number | undefined => {
  const { first, ids, bytes, offset } = args
  checkRange(`${coordinate}(bytes:)`, bytes, 0, TEXT_BYTES_MAX)
  checkRange(`${coordinate}(offset:)`, offset, 0, OFFSET_MAX)
  // One more than the maximum of the REST API, whose additional item shows whether the list continues.
  const most = FIRST_MAX[coordinate] ?? 1 + LIST_LIMIT.max
  checkRange(`${coordinate}(first:)`, first, 1, most)
  if (Array.isArray(ids) && ids.length > LIST_LIMIT.max)
    throw new BadParameter(
      `${coordinate}(ids:)`,
      `must have at most ${LIST_LIMIT.max} values, not ${ids.length}`,
    )
  if (Array.isArray(ids)) return ids.length
  return first as number | undefined // of type Int!, or the field has none
}

const checkRange = (name: string, value: unknown, least: number, most: number): void => {
  if (typeof value === 'number' && (value < least || value > most))
    throw new BadParameter(name, `must be an integer from ${least} to ${most}, not ${value}`)
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
  'Page.files': 10,
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
