import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'

/** The types of the JavaScript client: parameters and responses of all operations. */
export const javascriptTypes = async (openapi: unknown): Promise<string> =>
  `// \`npm run generate\` writes this file from schema/openapi.json.\n\n${astToString(
    await openapiTS(structuredClone(openapi) as OpenAPI3),
  )}`
