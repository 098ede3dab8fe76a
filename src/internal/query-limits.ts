import { BadParameter, BadRequest } from '@lectern/wiki/errors'
import { LIST_LIMIT, OFFSET_MAX, TEXT_BYTES_MAX } from '@lectern/wiki/limits'
import {
  type DefinitionNode,
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  Kind,
  Lexer,
  Source,
  TokenKind,
  ValuesOfCorrectTypeRule,
  validate,
  visit,
} from 'graphql'
import { type ComplexityEstimator, getComplexity } from 'graphql-query-complexity'
import { GRAPHQL_LIMITS } from '../limits/service.ts'

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
  const isAsked = (one: DefinitionNode) =>
    one.kind === Kind.OPERATION_DEFINITION && (!operationName || one.name?.value === operationName)
  checkCost(schema, operations(document, isAsked), variables)
  const isOther = (one: DefinitionNode) => !isAsked(one) && !hasRequiredVariables(one)
  checkCost(schema, operations(document, isOther), {})
}

/** The operations that match, and all fragments. */
const operations = (document: DocumentNode, matches: (one: DefinitionNode) => boolean): DocumentNode => ({
  ...document,
  definitions: document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION || matches(one)),
})

/** Whether a definition is an operation that cannot run without variables. */
export const hasRequiredVariables = (definition: DefinitionNode): boolean =>
  definition.kind === Kind.OPERATION_DEFINITION &&
  definition.variableDefinitions?.some(
    ({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined,
  ) === true

const SELECTIONS: ReadonlySet<string> = new Set([Kind.FIELD, Kind.FRAGMENT_SPREAD, Kind.INLINE_FRAGMENT])

const checkCost = (schema: GraphQLSchema, query: DocumentNode, variables: Record<string, unknown>): void => {
  const cost = costOf(schema, query, variables)
  if (cost > GRAPHQL_LIMITS.cost)
    throw new BadRequest(
      // Nested lists lead to numbers that nobody can read.
      `The query's cost is ${cost > 1e9 ? 'over 1000000000' : cost}: at most ${GRAPHQL_LIMITS.cost} is allowed.`,
    )
}

/** @throws GraphQLError for an invalid value, which says what is expected: the rule visits each node once */
const costOf = (schema: GraphQLSchema, query: DocumentNode, variables: Record<string, unknown>): number => {
  const maxQueryNodes = GRAPHQL_LIMITS.selections
  try {
    return getComplexity({ schema, query, variables, estimators: [estimateCost], maxQueryNodes })
  } catch (error) {
    throw validate(schema, query, [ValuesOfCorrectTypeRule])[0] ?? error
  }
}

const OPENING = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
const CLOSING = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])

/**
 * The number of objects that a field could return, and what these contain, plus its weight. `schema/wiki.graphql` has
 * the directives that say more than the type of the field.
 * @throws BadParameter
 */
const estimateCost: ComplexityEstimator = ({ type, field, args, childComplexity }) => {
  const coordinate = `${type.name}.${field.name}`
  const isList = isListType(getNullableType(field.type))
  const assumedSize = isList ? (directiveOf(field, 'listSize') ?? INTROSPECTION_SIZES[coordinate] ?? 50) : 1
  const items = listSize(coordinate, field, args) ?? assumedSize
  const objects = isCompositeType(getNamedType(field.type)) ? 1 + childComplexity : 0
  return (directiveOf(field, 'cost') ?? 0) + items * objects
}

/** The number that a directive of a field or an argument has; undefined without the directive. */
const directiveOf = ({ astNode }: GraphQLField<unknown, unknown> | GraphQLArgument, name: string) => {
  const value = astNode?.directives?.find((one) => one.name.value === name)?.arguments?.[0]?.value
  return value?.kind === Kind.INT ? Number(value.value) : undefined
}

/** How many items the arguments of a field ask for; undefined if none does. @throws BadParameter */
const listSize = (
  coordinate: string,
  field: GraphQLField<unknown, unknown>,
  { first, ids, paths, bytes, offset }: Record<string, unknown>,
): number | undefined => {
  checkRange(`${coordinate}(bytes:)`, bytes, 0, TEXT_BYTES_MAX)
  checkRange(`${coordinate}(offset:)`, offset, 0, OFFSET_MAX)
  const argument = field.args.find(({ name }) => name === 'first')
  // One more than the maximum of the REST API, whose additional item shows whether the list continues.
  const most = (argument && directiveOf(argument, 'constraint')) ?? 1 + LIST_LIMIT.max
  checkRange(`${coordinate}(first:)`, first, 1, most)
  for (const [name, keys] of Object.entries({ ids, paths })) {
    if (!Array.isArray(keys)) continue
    if (keys.length <= LIST_LIMIT.max) return keys.length
    const message = `must have at most ${LIST_LIMIT.max} values, not ${keys.length}`
    throw new BadParameter(`${coordinate}(${name}:)`, message)
  }
  return first as number | undefined // of type Int!, or the field has none
}

const checkRange = (name: string, value: unknown, least: number, most: number): void => {
  if (typeof value === 'number' && (value < least || value > most))
    throw new BadParameter(name, `must be an integer from ${least} to ${most}, not ${value}`)
}

/** Assumed sizes of the lists of introspection. */
const INTROSPECTION_SIZES: Readonly<Record<string, number>> = {
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
