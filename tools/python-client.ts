/**
 * Writes the types and methods of the Python client from an OpenAPI document, as far as the routes use OpenAPI.
 * Generators on npm write no operations for Python, and those on PyPI would need a second registry.
 */

interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  items?: Schema
  pattern?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  description?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
}

interface Parameter {
  name: string
  in: 'path' | 'query'
  required?: boolean
  description?: string
  schema: Schema
  /** Of an array: false if it is one text with commas. Absent: a parameter for each value. */
  explode?: boolean
}

interface Operation {
  operationId: string
  summary: string
  description: string
  parameters?: Parameter[]
  responses: { 200: { content: Record<string, { schema: Schema }>; 'x-other-content'?: OtherContent } }
  /** The parameter to which `next` of a list is sent. */
  'x-next-parameter'?: string
}

/** Media types beside JSON, with the parameters that ask for them. Without these, a header does. */
type OtherContent = Record<string, { 'x-query'?: Record<string, string> }>

export interface OpenApi {
  paths: Record<string, { get: Operation }>
  components: { schemas: Record<string, Schema> }
}

/** The items that a list has only with a parameter. An OpenAPI document cannot say that of a response. */
export const ITEMS_WITH_PARAMETER = {
  path: '/pages',
  parameter: 'path',
  item: 'MissingPage',
  list: 'PageList',
  /** The list without these items. */
  listWithout: 'LivePageList',
} as const

/** The schema of the list without the parameter. */
export const schemaWithoutParameter = ({ components }: OpenApi): Schema => {
  const { item, list } = ITEMS_WITH_PARAMETER
  const { properties = {}, ...schema } = components.schemas[list]!
  const anyOf = properties.items!.items!.anyOf!.filter(({ $ref = '' }) => !$ref.endsWith(`/${item}`))
  const items = { ...properties.items, items: { anyOf } }
  const description = `A ${list} without ${item}: the request has no \`${ITEMS_WITH_PARAMETER.parameter}\`.`
  return { ...schema, description, properties: { ...properties, items } }
}

const HEADER = `"""Types and operations of the API. \`npm run generate\` writes this file from schema/openapi.json."""

from __future__ import annotations

import urllib.parse
from collections.abc import Sequence
from datetime import date
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, cast, final, overload


def _with_commas(values: Sequence[str] | None) -> str | None:
    return values if values is None or isinstance(values, str) else ",".join(values)


def _path(start: str, *rest: str) -> str:
    """A path whose parts at odd places are values."""
    return start + "".join(urllib.parse.quote(part, safe="") if i % 2 == 0 else part for i, part in enumerate(rest))
`

/** Python's words that can be names of the API. */
const KEYWORDS = ['from', 'in', 'is', 'not', 'and', 'or', 'import', 'class', 'as', 'for', 'if', 'with', 'def']

/** @throws Error if the document has something that this generator does not know */
export const pythonModule = (openapi: OpenApi): string => {
  const { paths, components } = openapi
  const operations = Object.values(paths).map(({ get }) => get)
  const choices = operations.flatMap(({ operationId, parameters = [] }) =>
    parameters
      .filter(({ schema }) => schema.type === 'array' && schema.items?.enum)
      .map(({ name, schema }) => `${pascalCase(operationId, name)}: TypeAlias = ${typeOf(schema.items!)}\n`),
  )
  const schemas = {
    ...components.schemas,
    [ITEMS_WITH_PARAMETER.listWithout]: schemaWithoutParameter(openapi),
  }
  const types = Object.entries(schemas).map(([name, schema]) => declaration(name, schema))
  const classes = [operationsClass(paths, WITH_THREADS), operationsClass(paths, WITH_ASYNCIO)]
  const lists = operations.flatMap(({ operationId, 'x-next-parameter': next }) =>
    next ? [`    "${snakeCase(operationId)}": "${argument({ name: next })}",\n`] : [],
  )
  const nextParameters = `#: For each list, the parameter to which \`\`next\`\` of a part is sent.
NEXT_PARAMETERS = {\n${lists.join('')}}\n`
  return `${HEADER}\n\n${choices.join('\n')}\n\n${types.join('\n\n')}\n\n${nextParameters}\n\n${classes.join('\n\n')}`
}

/** How the methods of a class wait for a response. */
interface Waiting {
  className: string
  def: string
  wait: string
}
const WITH_THREADS: Waiting = { className: 'Operations', def: 'def', wait: '' }
const WITH_ASYNCIO: Waiting = { className: 'AsyncOperations', def: 'async def', wait: 'await ' }

const operationsClass = (paths: OpenApi['paths'], waiting: Waiting): string => {
  const { className, def } = waiting
  const methods = Object.entries(paths).map(([path, { get }]) => method(path, get, waiting))
  return `class ${className}:
    """One method for each operation of the API."""

    ${def} _get(self, path: str, query: dict[str, Any]) -> Any:
        """The JSON of a response."""
        raise NotImplementedError

    ${def} _get_text(self, path: str, query: dict[str, Any], media_type: str) -> str:
        """The text of a response that is not JSON."""
        raise NotImplementedError

${methods.join('\n')}`
}

const declaration = (name: string, schema: Schema): string => {
  if (!schema.properties) return `${name}: TypeAlias = "${typeOf(schema).replaceAll('"', "'")}"\n`
  const fields = Object.entries(schema.properties).map(([field, of]): [string, string] => [
    field,
    schema.required?.includes(field) ? typeOf(of) : `NotRequired[${typeOf(of)}]`,
  ])
  // The syntax of classes does not allow a field with the name of a keyword.
  if (fields.some(([field]) => KEYWORDS.includes(field)))
    return `${name} = TypedDict(\n    "${name}",\n    {\n${fields
      .map(([field, type]) => `        "${field}": "${type.replaceAll('"', "'")}",\n`)
      .join('')}    },\n)\n`
  // Without subclasses that add fields, type checkers tell alternatives apart by their fields.
  const isAlternative = ['PageItem', ITEMS_WITH_PARAMETER.item].includes(name)
  return `${isAlternative ? '@final\n' : ''}class ${name}(TypedDict):\n${docstring(schema.description)}${fields
    .map(([field, type]) => `    ${field}: ${type}\n`)
    .join('')}`
}

const docstring = (text: string | undefined): string =>
  text === undefined ? '' : `    """${inDocstring(text)}"""\n\n`

const inDocstring = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"""', "'''")

/** What `help` shows of a method: what it returns, and each parameter. */
const methodDocstring = ({ summary, description, parameters = [] }: Operation): string => {
  const ofParameters = parameters.map((one) =>
    wrapped(`:param ${argument(one)}: ${one.description ?? ''}`, '    '),
  )
  const lines = [`${summary}.`, '', ...wrapped(description), '', ...ofParameters.flat()]
  const text = lines.map((line) => (line === '' ? '\n' : `        ${inDocstring(line)}\n`)).join('')
  return `        """${text.trimStart()}        """\n`
}

const LINE_CHARACTERS = 100

/** A text as lines. @param indent of all lines but the first */
const wrapped = (text: string, indent = ''): string[] => {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && `${last} ${word}`.length <= LINE_CHARACTERS)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(last === undefined ? word : indent + word)
  }
  return lines
}

const typeOf = (schema: Schema): string => {
  const { $ref, type, items, additionalProperties } = schema
  if ($ref) return $ref.split('/').at(-1)!
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`
  if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`
  const several = schema.anyOf ?? schema.oneOf
  if (several) return several.map(typeOf).join(' | ')
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(' | ')
  if (type === 'array') return `list[${items ? typeOf(items) : 'Any'}]`
  if (type === 'object')
    return `dict[str, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'Any'}]`
  const known: Record<string, string> = {
    string: 'str',
    integer: 'int',
    number: 'float',
    boolean: 'bool',
    null: 'None',
  }
  const found = type === undefined && Object.keys(schema).length === 0 ? 'Any' : known[type ?? '']
  if (!found) throw new Error(`The generator of the Python client does not know ${JSON.stringify(schema)}`)
  return found
}

const literal = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)

const pascalCase = (...names: string[]): string =>
  names.map((name) => name[0]!.toUpperCase() + name.slice(1)).join('')

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const method = (path: string, operation: Operation, { def, wait }: Waiting): string => {
  const { operationId, parameters = [], responses } = operation
  const [[media, { schema }]] = Object.entries(responses[200].content) as [[string, { schema: Schema }]]
  const inQuery = parameters.filter((one) => one.in === 'query')
  const values = `${pathOf(path, parameters)}, query`
  const callText = (type: string) => `return ${wait}self._get_text(${values}, "${type}")\n`
  const isJson = media === 'application/json'
  const result = isJson ? typeOf(schema) : 'str'
  const call = isJson ? `return cast("${result}", ${wait}self._get(${values}))\n` : callText(media)
  const query = inQuery.map((one) => `            "${one.name}": ${queryValue(one)},\n`).join('')
  const body = `${methodDocstring(operation)}        query: dict[str, Any] = {${query === '' ? '' : `\n${query}        `}}
`
  const text = textOf(operation)
  const alternatives = text ? withText(parameters, text, result) : withItems(path, parameters, result)
  const results = [...new Set([...alternatives.map((one) => one.result), result])].join(' | ')
  const overloads = alternatives.map(
    (one) => `    @overload\n${signature(def, operationId, one.parameters, one.result)} ...\n\n`,
  )
  const callForText = text
    ? `        if ${text.name} == "${text.value}":\n            ${callText(text.type)}`
    : ''
  return `${overloads.join('')}${signature(def, operationId, parameters, results)}
${body}${callForText}        ${call}`
}

/** One of the signatures of a method whose result depends on its parameters. */
interface Alternative {
  parameters: Parameter[]
  result: string
}

/** The signatures of a method that returns JSON, or a text with a value of a parameter. */
const withText = (parameters: Parameter[], { name, value }: Text, result: string): Alternative[] =>
  [false, true].map((isText) => ({
    parameters: parameters.map((one) => {
      if (one.name !== name) return one
      const choices = one.schema.enum!.filter((choice) => (choice === value) === isText)
      return { ...one, required: isText, schema: { ...one.schema, enum: choices } }
    }),
    result: isText ? 'str' : result,
  }))

/** The signatures of the method whose list has further items with a parameter; none for other methods. */
const withItems = (path: string, parameters: Parameter[], result: string): Alternative[] => {
  const { path: ofList, parameter, listWithout } = ITEMS_WITH_PARAMETER
  if (path !== ofList) return []
  const having = (changed: Partial<Parameter>) =>
    parameters.map((one) => (one.name === parameter ? { ...one, ...changed } : one))
  return [
    { parameters: having({ schema: { type: 'null' } }), result: listWithout },
    { parameters: having({ required: true }), result },
  ]
}

interface Text {
  type: string
  name: string
  value: string
}

/** The text that a parameter with this value asks for. */
const textOf = ({ responses }: Operation): Text | undefined => {
  for (const [type, { 'x-query': query = {} }] of Object.entries(responses[200]['x-other-content'] ?? {}))
    for (const [name, value] of Object.entries(query)) return { type, name, value }
  return undefined
}

/** In the pattern of a time. */
const DATE = '\\d{4}-\\d{2}-\\d{2}'

/** The first lines of a method. */
const signature = (def: string, operationId: string, parameters: Parameter[], result: string): string => {
  const valueType = ({ name, schema }: Parameter) =>
    schema.type === 'array'
      ? `Sequence[${schema.items?.enum ? pascalCase(operationId, name) : typeOf(schema.items ?? {})}]`
      : typeOf(schema) + (schema.pattern?.includes(DATE) ? ' | date' : '')
  const declared = (one: Parameter) => {
    if (one.required) return `${argument(one)}: ${valueType(one)}`
    return `${argument(one)}: ${[...new Set([valueType(one), 'None'])].join(' | ')} = None`
  }
  const inPath = parameters.filter((one) => one.in === 'path')
  const named = parameters.filter((one) => one.in === 'query').map(declared)
  const values = [
    'self',
    ...inPath.map((one) => `${argument(one)}: ${typeOf(one.schema)}`),
    ...(named.length > 0 ? ['*', ...named] : []),
  ]
  return `    ${def} ${snakeCase(operationId)}(\n${values.map((value) => `        ${value},\n`).join('')}    ) -> ${result}:`
}

const queryValue = (one: Parameter): string =>
  one.explode === false ? `_with_commas(${argument(one)})` : argument(one)

/** An expression for the path of a request. */
const pathOf = (path: string, parameters: Parameter[]): string => {
  if (!parameters.some((one) => one.in === 'path')) return `"${path}"`
  const parts = path.split(/\{(\w+)\}/)
  const values = parts.map((part, i) => (i % 2 === 0 ? `"${part}"` : argument({ name: part })))
  return `_path(${values.filter((part) => part !== '""').join(', ')})`
}

/** The name of a parameter in Python. */
const argument = ({ name }: { name: string }): string => (KEYWORDS.includes(name) ? `${name}_` : name)
