/** Where GraphQL is spoken. */
export const GRAPHQL_PATH = '/graphql'
