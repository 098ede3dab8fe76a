import { MapperKind, mapSchema } from '@graphql-tools/utils'
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLScalarType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql'

/**
 * Items of a list that write themselves as JSON. A stored query compiles the selection of a list to one function, which
 * writes the text of an item from the row that a loader returned, with the resolvers of the schema. So no object is
 * made for what an item contains, and `JSON.stringify` does not read it again. (D121)
 */
export interface WritableItem {
  /** The item as JSON, with the texts that were added to it, after its own members. */
  writeJson(): string
  toJSON(): unknown
}

type Row = Record<string, unknown>
type WriteRow = (row: Row) => string

/** A selected field, and how to read its value from a row. */
interface ItemField {
  /** Its name in the response. */
  name: string
  field: GraphQLField<unknown, unknown>
  /** The selection of an object; undefined for a scalar. */
  selection: Selection | undefined
}

/** A selection of an object, compiled. */
interface Selection {
  makeItem(row: Row): WritableItem
  /** Without the brace at the end. */
  write: WriteRow
}

/** What JSON escapes in a string: quotes, backslashes, control characters, and lone surrogates. */
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/

/** @throws TypeError for what is not a text, such as the promise of a resolver that reads another statement */
const plain = (value: unknown): string => {
  if (typeof value !== 'string') throw new TypeError(`A list has an item without a text: ${value}`)
  return value
}

/** A text as JSON without the quotes around it. @throws TypeError as `plain` does */
const escaped = (value: unknown): string =>
  NEEDS_ESCAPE.test(plain(value)) ? JSON.stringify(value).slice(1, -1) : (value as string)

/** Compiles the selection of a list's items. @param context of the resolvers */
const compileSelection = (
  type: GraphQLObjectType,
  { selections }: SelectionSetNode,
  context: unknown,
): Selection => {
  const fields = selections.map((node): ItemField => {
    if (node.kind !== Kind.FIELD || node.directives?.length || node.arguments?.length)
      throw new Error(`Items of ${type} that write themselves have plain fields only`)
    const field = type.getFields()[node.name.value]!
    const inner = getNamedType(field.type)
    return {
      name: (node.alias ?? node.name).value,
      field,
      selection: isObjectType(inner) ? compileSelection(inner, node.selectionSet!, context) : undefined,
    }
  })
  const write = compileWriter(fields, context)
  return { write, makeItem: itemMaker(fields, write, context) }
}

/** What resolvers get instead of arguments. */
const NO_ARGUMENTS = {}

/**
 * One function for a selection, which reads properties by their names: a loop over the fields takes three times as
 * long. Names of GraphQL need no escape.
 * @throws Error when a field is a list
 */
const compileWriter = (fields: ItemField[], context: unknown): WriteRow => {
  const values: Record<string, unknown> = { plain, escaped, context, NO_ARGUMENTS }
  const statements: string[] = []
  let json = ''
  for (const [i, { name, field, selection }] of fields.entries()) {
    const nullable = !isNonNullType(field.type)
    if (isListType(nullable ? field.type : (field.type as GraphQLNonNull<GraphQLOutputType>).ofType))
      throw new Error(`An item that writes itself has the list ${name}`)
    values[`resolve${i}`] = field.resolve
    values[`write${i}`] = selection?.write
    const read = field.resolve ? `resolve${i}(row, NO_ARGUMENTS, context)` : `row.${field.name}`
    statements.push(`const value${i} = ${read}`)
    const [before, value, after] = writtenValue(field, `value${i}`, selection ? `write${i}` : undefined)
    const key = `${i === 0 ? '{' : ','}"${name}":`
    json += nullable
      ? `${key}' + (value${i} == null ? 'null' : '${before}' + ${value} + '${after}') + '`
      : `${key}${before}' + ${value} + '${after}`
  }
  const source = `return (row) => { ${statements.join('; ')}; return '${json}' }`
  return new Function(...Object.keys(values), source)(...Object.values(values))
}

/** URLs are percent-encoded (`pageUrl`), and these scalars have no characters that JSON escapes. */
const isPlain = ({ name, type }: GraphQLField<unknown, unknown>): boolean =>
  name === 'url' || isEnumType(getNamedType(type)) || ['UUID', 'DateTime'].includes(getNamedType(type).name)

/** JavaScript of a value, with the constant text before and after it. */
const writtenValue = (
  field: GraphQLField<unknown, unknown>,
  value: string,
  write: string | undefined,
): [before: string, value: string, after: string] => {
  if (write !== undefined) return ['', `${write}(${value})`, '}']
  const { name } = getNamedType(field.type)
  if (name === 'Int' || name === 'Float') return ['', `Number(${value})`, '']
  if (name === 'Boolean') return ['', `Boolean(${value})`, '']
  return ['"', `${isPlain(field) ? 'plain' : 'escaped'}(${value})`, '"']
}

/** Makes a class of items. Their fields are getters, for the few that a route reads. */
const itemMaker = (fields: ItemField[], write: WriteRow, context: unknown): Selection['makeItem'] => {
  class Item implements WritableItem {
    readonly #row: Row

    constructor(row: Row) {
      this.#row = row
    }

    static rowOf(item: Item): Row {
      return item.#row
    }

    writeJson(): string {
      let json = write(this.#row)
      const added = this as unknown as Row
      for (const name in added) json += `,"${name}":"${escaped(added[name])}"`
      return `${json}}`
    }

    toJSON(): unknown {
      return JSON.parse(this.writeJson())
    }
  }
  for (const { name, field, selection } of fields)
    Object.defineProperty(Item.prototype, name, {
      get(this: Item) {
        const row = Item.rowOf(this)
        const value = field.resolve
          ? field.resolve(row, NO_ARGUMENTS, context, undefined as never)
          : row[field.name]
        return selection && value != null ? selection.makeItem(value as Row) : value
      },
    })
  return (row) => new Item(row)
}

/** A list in a stored query: the names of the fields that lead to it. */
export type ListPath = readonly string[]

/** A query whose list is a scalar: it returns the rows of the list as the resolver does. */
export interface RowsQuery {
  /** A copy of the schema, in which the list is a scalar. */
  schema(): GraphQLSchema
  document: DocumentNode
  /**
   * Returns what replaces the rows in a result of the query by items.
   * @param context of the resolvers
   */
  makeItems(context: unknown): (data: unknown) => void
}

const ROWS = new GraphQLNonNull(new GraphQLScalarType({ name: 'Rows' }))

/**
 * @param path of a list that is never null, within objects that can be
 * @throws Error when the query does not have the list
 */
export const rowsQuery = (schema: GraphQLSchema, document: DocumentNode, path: ListPath): RowsQuery => {
  const [names, last] = [path.slice(0, -1), path.at(-1)!]
  const parent = names.reduce(
    (type, name) => getNamedType(type.getFields()[name]!.type) as GraphQLObjectType,
    schema.getQueryType()!,
  )
  if (!parent?.getFields()[last]) throw new Error(`The query has no list ${path.join('.')}`)
  const itemType = getNamedType(parent.getFields()[last]!.type) as GraphQLObjectType
  const { cut, selectionSet } = cutList(document, path)
  return {
    document: cut,
    schema: () =>
      mapSchema(schema, {
        [MapperKind.OBJECT_FIELD]: (field, name, typeName) =>
          name === last && typeName === parent.name ? { ...field, type: ROWS } : field,
      }),
    makeItems: (context) => {
      const { makeItem } = compileSelection(itemType, selectionSet, context)
      return (data) => {
        let found = data as Row | null
        for (const name of names) found = (found?.[name] ?? null) as Row | null
        if (found) found[last] = (found[last] as Row[]).map(makeItem)
      }
    },
  }
}

/** The document without what is selected of the list, and that selection. */
const cutList = (
  document: DocumentNode,
  path: ListPath,
): { cut: DocumentNode; selectionSet: SelectionSetNode } => {
  let selectionSet: SelectionSetNode | undefined
  const cutBelow = (from: SelectionSetNode, [name, ...rest]: ListPath): SelectionSetNode => ({
    ...from,
    selections: from.selections.map((node) => {
      if (node.kind !== Kind.FIELD || node.name.value !== name) return node
      if (rest.length > 0) return { ...node, selectionSet: cutBelow(node.selectionSet!, rest) }
      selectionSet = node.selectionSet
      return { ...node, selectionSet: undefined } satisfies FieldNode
    }),
  })
  const definitions = document.definitions.map((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? { ...definition, selectionSet: cutBelow(definition.selectionSet, path) }
      : definition,
  )
  if (!selectionSet) throw new Error(`The query has no list ${path.join('.')}`)
  return { cut: { ...document, definitions }, selectionSet }
}
