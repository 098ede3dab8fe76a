import { type FieldNode, type GraphQLResolveInfo, getArgumentValues, isObjectType, Kind } from 'graphql'

/**
 * Arguments of a field that is asked for below this one, so that one statement can read both.
 * @returns undefined where the field is not asked for, more than once, or in a fragment: it is then read by
 * its own resolver
 */
export const argumentsBelow = <Args>(
  { fieldNodes, returnType, variableValues }: GraphQLResolveInfo,
  name: string,
): Args | undefined => {
  const below = fieldNodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? [])
  const found = below.filter(
    (node): node is FieldNode => node.kind === Kind.FIELD && node.name.value === name,
  )
  const field = isObjectType(returnType) ? returnType.getFields()[name] : undefined
  if (found.length !== 1 || !field || below.some(({ kind }) => kind !== Kind.FIELD)) return undefined
  return getArgumentValues(field, found[0]!, variableValues) as Args
}
