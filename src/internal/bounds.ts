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
 * Checks the number of tokens, and the nesting of braces, brackets and parentheses, before the query is parsed. The
 * parser of graphql is recursive: 2,000 levels overflow the stack.
 * @throws BadRequest for a query beyond the limits, GraphQLError for an invalid token
 */
export const checkQueryText = (query: string): void => {
  const lexer = new Lexer(new Source(query))
  let depth = 0
  for (let tokens = 1; lexer.advance().kind !== TokenKind.EOF; tokens += 1) {
    depth += NESTING_CHANGES[lexer.token.kind] ?? 0
    refuseBeyond('number of tokens', tokens, GRAPHQL_LIMITS.tokens)
    refuseBeyond('nesting', depth, NESTING_MAX)
  }
}

/**
 * Refuses a query that costs too much, before graphql validates it: the validation compares every pair of fields, so
 * it also needs these limits. Each fragment is measured once, and counts wherever the query spreads it. `@skip` and
 * `@include` are ignored. (D10)
 * @param variables the variables of the request, before their types are checked
 * @throws BadParameter for a list size or an offset out of range, BadRequest for a query beyond the limits
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
  const measured = new Set<string>()
  for (const operation of operations) {
    const meter = makeQueryMeter(schema, fragments, argumentReader(variables, operation), measured)
    refuseLarge(meter.set(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined))
  }
  // The validation refuses an unused fragment, but only after other rules have visited it.
  const meter = makeQueryMeter(schema, fragments, argumentReader({}), measured)
  for (const name of fragments.keys()) if (!measured.has(name)) refuseLarge(meter.fragment(name))
}

/** Selections, with every fragment expanded. The longest introspection query has 240. */
const SELECTIONS_MAX = 500
/** Nesting of braces, brackets and parentheses. 15 levels of fields, each in an inline fragment, need 30. */
const NESTING_MAX = 60

const NESTING_CHANGES: Partial<Record<TokenKind, number>> = {
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
  refuseBeyond('number of selections', size.selections, SELECTIONS_MAX)
  refuseBeyond('cost', size.cost, GRAPHQL_LIMITS.cost)
}

const refuseBeyond = (what: string, actual: number, most: number): void => {
  if (actual > most)
    throw new BadRequest(`The query's ${what} is ${formatCount(actual)}: at most ${most} is allowed.`)
}

/** Nested lists and doubling fragments lead to numbers that nobody can read. */
const formatCount = (number: number): string => (number > 1e9 ? 'over 1000000000' : String(number))
