import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError, UsageError } from '@lectern/wiki/errors'
import { quote } from '@lectern/wiki/text'
import { type GraphQLSchema, parse, validate } from 'graphql'
import { checkQueryCost, checkQueryText, hasRequiredVariables } from './query-limits.ts'

/** The texts of GraphQL documents, by the SHA-256 of each in hexadecimal. */
export type StoredDocuments = ReadonlyMap<string, string>

/**
 * Reads the persisted documents of a folder: its files `*.graphql`, each with everything that its operations need. The
 * limits of queries apply to them as to any other. (D10)
 * @param folder absent: there are none
 * @throws ConfigError, or UsageError if it cannot be read, that names the folder or the file, and what is wrong
 */
export const readStoredDocuments = async (folder: string | undefined, graphqlSchema: () => GraphQLSchema) => {
  if (folder === undefined) return undefined
  const schema = graphqlSchema()
  const documents = new Map<string, string>()
  for (const file of await filesOf(folder)) {
    try {
      const bytes = await readFile(join(folder, file))
      const text = bytes.toString('utf8')
      checkDocument(schema, text)
      documents.set(hash('sha256', bytes), text)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      const name = `GRAPHQL_DOCUMENTS: "${quote(join(folder, file))}"`
      if (code !== undefined) throw new UsageError(`${name} cannot be read: ${message}`)
      throw new ConfigError(`${name} is not a valid query: ${message}`)
    }
  }
  return documents
}

const filesOf = async (folder: string): Promise<string[]> => {
  const files = await readdir(folder).catch(({ code }: NodeJS.ErrnoException) => {
    const expected = 'must be a folder that Lectern can read'
    throw new UsageError(`GRAPHQL_DOCUMENTS ${expected}, but "${quote(folder)}" is not: ${code}`)
  })
  return files.filter((file) => file.endsWith('.graphql')).sort()
}

/** The cost is known later if variables are required. @throws Error with a message for the author of the document */
const checkDocument = (schema: GraphQLSchema, text: string): void => {
  checkQueryText(text)
  const document = parse(text)
  const definitions = document.definitions.filter((definition) => !hasRequiredVariables(definition))
  checkQueryCost(schema, { ...document, definitions }, {})
  const [error] = validate(schema, document)
  if (error) throw error
}
