import { type FieldNode, type GraphQLResolveInfo, getArgumentValues, isObjectType, Kind } from 'graphql'

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
