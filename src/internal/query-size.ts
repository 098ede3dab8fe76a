import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql'
import { BadRequest } from '../errors.ts'
import { fieldWeight, itemCount, type ReadArgument, type SelectedField } from './field-cost.ts'

/** The size of a selection, with its fragments expanded. */
export interface QuerySize {
  /** Levels of nested fields. */
  depth: number
  aliases: number
  /** Fields, inline fragments and spreads. */
  selections: number
  /** Number of objects that the response could contain, plus the weights of fields. */
  cost: number
}

/**
 * Measures selections bottom-up. It measures each fragment once, so that fragments which double each other take no
 * time.
 * @param measured receives the names of the measured fragments
 * @throws BadRequest for fragments in a cycle, BadParameter for a list size or an offset out of range
 */
export const makeQueryMeter = (
  schema: GraphQLSchema,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  read: ReadArgument,
  measured: Set<string>,
) => {
  const sizes = new Map<string, QuerySize | 'in progress'>()

  const fragment = (name: string): QuerySize => {
    const known = sizes.get(name)
    if (known === 'in progress') throw new BadRequest(`The fragment "${name}" spreads itself.`)
    if (known) return known
    const definition = fragments.get(name)
    if (!definition) return { depth: 0, aliases: 0, selections: 0, cost: 0 }
    measured.add(name)
    sizes.set(name, 'in progress')
    const size = set(definition.selectionSet, schema.getType(definition.typeCondition.name.value))
    sizes.set(name, size)
    return size
  }

  const field = (node: FieldNode, parent: GraphQLNamedType | undefined): QuerySize => {
    const definition = definitionOf(schema, node, parent)
    const type = definition && getNamedType(definition.type)
    const inner = node.selectionSet ? set(node.selectionSet, type) : undefined
    const objects = inner || isCompositeType(type) ? 1 + (inner?.cost ?? 0) : 0
    const coordinate = `${parent?.name}.${node.name.value}`
    return {
      depth: 1 + (inner?.depth ?? 0),
      aliases: (node.alias ? 1 : 0) + (inner?.aliases ?? 0),
      selections: 1 + (inner?.selections ?? 0),
      cost:
        fieldWeight(coordinate) + objects * (definition ? itemCount(node, definition, coordinate, read) : 1),
    }
  }

  const set = (node: SelectionSetNode, parent: GraphQLNamedType | undefined): QuerySize => {
    const sum = { depth: 0, aliases: 0, selections: 0, cost: 0 }
    for (const selection of node.selections) {
      let part: QuerySize
      if (selection.kind === Kind.FIELD) part = field(selection, parent)
      else {
        const condition = selection.kind === Kind.INLINE_FRAGMENT ? selection.typeCondition : undefined
        part =
          selection.kind === Kind.FRAGMENT_SPREAD
            ? fragment(selection.name.value)
            : set(selection.selectionSet, condition ? schema.getType(condition.name.value) : parent)
        sum.selections += 1
      }
      sum.depth = Math.max(sum.depth, part.depth)
      sum.aliases += part.aliases
      sum.selections += part.selections
      sum.cost += part.cost
    }
    return sum
  }

  return { fragment, set }
}

const definitionOf = (
  schema: GraphQLSchema,
  node: FieldNode,
  parent: GraphQLNamedType | undefined,
): SelectedField | undefined => {
  const name = node.name.value
  if (parent === schema.getQueryType()) {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef
  }
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined
}
