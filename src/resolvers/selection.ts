import {
  type FieldNode,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  getArgumentValues,
  getDirectiveValues,
  isObjectType,
  Kind,
} from 'graphql'

/**
 * Arguments of a field in the selection below this one, so that one statement can read both.
 * @returns undefined when the field is not selected, or more than once, or in a fragment: then the field's own
 * resolver reads it
 */
export const argumentsBelow = <Args>(
  { fieldNodes, returnType, variableValues }: GraphQLResolveInfo,
  name: string,
): Args | undefined => {
  const below = fieldNodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? [])
  const matches = below.filter(
    (node): node is FieldNode => node.kind === Kind.FIELD && node.name.value === name,
  )
  const field = isObjectType(returnType) ? returnType.getFields()[name] : undefined
  if (matches.length !== 1 || !field || below.some(({ kind }) => kind !== Kind.FIELD)) return undefined
  return getArgumentValues(field, matches[0]!, variableValues) as Args
}

/**
 * Whether a field is in the selection below this one, so that the statement reads its column.
 * @returns false also for a field in a fragment: then the field's own resolver reads it
 */
export const isSelected = ({ fieldNodes, variableValues }: GraphQLResolveInfo, name: string): boolean =>
  fieldNodes
    .flatMap(({ selectionSet }) => selectionSet?.selections ?? [])
    .some(
      (node) =>
        node.kind === Kind.FIELD &&
        node.name.value === name &&
        getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if !== false,
    )
