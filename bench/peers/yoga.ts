import { createServer } from 'node:http'
import { createYoga } from 'graphql-yoga'
import { readConfig } from '../../src/config.ts'
import { makeSchema } from '../../src/graphql.ts'
import { openContext } from './schema.ts'

/** graphql-yoga's own HTTP endpoint, as it comes, but for its pages for people; it keeps parsed queries. */
const config = readConfig()
const context = await openContext()
const yoga = createYoga({
  schema: makeSchema(),
  context,
  graphiql: false,
  landingPage: false,
  logging: false,
})

createServer(yoga).listen(config.port, config.host!)
