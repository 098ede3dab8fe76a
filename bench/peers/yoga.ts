import { createServer } from 'node:http'
import { createYoga } from 'graphql-yoga'
import { readConfig } from '../../src/config.ts'
import { graphqlSchema } from '../../src/graphql.ts'
import { openContext } from './schema.ts'

/** The HTTP endpoint of graphql-yoga with its defaults, which cache parsed queries. GraphiQL and the landing page are off. */
const config = readConfig()
const context = await openContext()
const yoga = createYoga({
  schema: graphqlSchema(),
  context,
  graphiql: false,
  landingPage: false,
  logging: false,
})

createServer(yoga).listen(config.port, config.host!)
