import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { ITEMS_WITH_PARAMETER, type OpenApi, schemaWithoutParameter } from './python-client.ts'

/**
 * What the JavaScript client knows of the API: parameters and responses of all operations; which are lists, and which can
 * return a text.
 */
export const javascriptTypes = async (openapi: OpenApi): Promise<string> => {
  const operations = Object.entries(openapi.paths)
  const lists = operations.flatMap(([path, { get }]) =>
    get['x-next-parameter'] ? [`    "${path}": "${get['x-next-parameter']}",\n`] : [],
  )
  const queries = operations.flatMap(([path, { get }]) =>
    Object.values(get.responses[200]['x-other-content'] ?? {}).flatMap(({ 'x-query': query }) =>
      query ? [`    "${path}": ${JSON.stringify(query)};\n`] : [],
    ),
  )
  const types = operations.flatMap(([path, { get }]) => {
    const { content, 'x-other-content': others } = get.responses[200]
    const texts = Object.keys({ ...content, ...others }).filter((type) => type !== 'application/json')
    return texts.length > 0 ? [`    "${path}": ${JSON.stringify(texts)},\n`] : []
  })
  const { path: ofList, parameter, listWithout } = ITEMS_WITH_PARAMETER
  const document = structuredClone(openapi)
  document.components.schemas[listWithout] = schemaWithoutParameter(openapi)
  return `// \`npm run generate\` writes this file from schema/openapi.json.

${astToString(await openapiTS(document as unknown as OpenAPI3, { arrayLength: true }))}
/** For each list, the parameter to which \`next\` of a part is sent. */
export const nextParameters = {\n${lists.join('')}} as const;

/** Media types of responses that are texts. */
export const textTypes = {\n${types.join('')}} as const;

/** Queries whose response is a text instead of JSON. */
export interface TextQueries {\n${queries.join('')}}

/** Lists that have further items with a parameter: the query and the response without it. */
export interface ListsWithoutParameter {
    "${ofList}": { query: { ${parameter}?: undefined }; list: components["schemas"]["${listWithout}"] };
}
`
}
