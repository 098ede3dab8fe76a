import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  Source,
  TokenKind,
} from 'graphql'
import { BadRequest } from '../errors.ts'
import { GRAPHQL_LIMITS } from '../limits.ts'
import { argumentReader, type QueryVariables } from './field-cost.ts'
import { makeQueryMeter, type QuerySize } from './query-size.ts'

/**
 * Counts the tokens of a query and its open braces, brackets and parentheses, while it is still a text:
 * graphql's parser calls itself for each of them, and 2,000 overflow the stack.
 * @throws BadRequest for too many, GraphQLError for what is no token
 */
export const checkQueryText = (query: string): void => {
  const lexer = new Lexer(new Source(query))
  let open = 0
  for (let tokens = 1; lexer.advance().kind !== TokenKind.EOF; tokens += 1) {
    open += NESTING[lexer.token.kind] ?? 0
    refuseBeyond('number of tokens', tokens, GRAPHQL_LIMITS.tokens)
    refuseBeyond('nesting', open, NESTED)
  }
}

/**
 * Refuses a query that would take too much, before anything else looks at it: graphql's own validation
 * compares every pair of fields, so it too must only see what is within these bounds.
 * Fragments are measured once each and counted wherever they are spread; `@skip` and `@include` are ignored.
 * @param variables as the request gives them, not yet checked against their types
 * @throws BadParameter for a list size or offset out of its range, BadRequest for a query that is too large
 * @see DECISIONS.md, D10
 */
export const checkQueryCost = (
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: QueryVariables,
): void => {
  const fragments = new Map<string, FragmentDefinitionNode>()
  const operations: OperationDefinitionNode[] = []
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition)
  }
  const reached = new Set<string>()
  for (const operation of operations) {
    const measure = makeQueryMeter(schema, fragments, argumentReader(variables, operation), reached)
    refuseLarge(measure.set(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined))
  }
  // Validation will refuse a fragment that nothing spreads, but only after other rules have walked it.
  const measure = makeQueryMeter(schema, fragments, argumentReader({}), reached)
  for (const name of fragments.keys()) if (!reached.has(name)) refuseLarge(measure.fragment(name))
}

/** Selections after every fragment is put in its place; the longest introspection query has 240. */
const SELECTIONS = 500
/** Braces, brackets and parentheses inside each other: 15 levels of fields with an inline fragment each take 30. */
const NESTED = 60

const NESTING: Partial<Record<TokenKind, number>> = {
  [TokenKind.BRACE_L]: 1,
  [TokenKind.BRACKET_L]: 1,
  [TokenKind.PAREN_L]: 1,
  [TokenKind.BRACE_R]: -1,
  [TokenKind.BRACKET_R]: -1,
  [TokenKind.PAREN_R]: -1,
}

const refuseLarge = (size: QuerySize): void => {
  refuseBeyond('depth', size.depth, GRAPHQL_LIMITS.depth)
  refuseBeyond('number of aliases', size.aliases, GRAPHQL_LIMITS.aliases)
  refuseBeyond('number of selections', size.selections, SELECTIONS)
  refuseBeyond('cost', size.cost, GRAPHQL_LIMITS.cost)
}

const refuseBeyond = (what: string, actual: number, most: number): void => {
  if (actual > most)
    throw new BadRequest(`The query's ${what} is ${shown(actual)}: at most ${most} is allowed.`)
}

/** Nested lists and doubling fragments reach numbers that nobody can read. */
const shown = (number: number): string => (number > 1e9 ? 'over 1000000000' : String(number))
