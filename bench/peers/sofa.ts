import { createServer } from 'node:http'
import { useSofa } from 'sofa-api'
import { readConfig } from '../../src/config.ts'
import { routes } from '../../src/rest/routes/index.ts'
import { openContext, schemaOf } from './schema.ts'

/** sofa-api derives a REST API from a schema. Each stored query has its own instance, which selects the same fields. */
const config = readConfig()
const context = await openContext()
const handlers = new Map(
  routes.map(({ name, query }) => [
    name,
    useSofa({ basePath: `/${name}`, schema: schemaOf(query), context }),
  ]),
)

createServer((request, response) => {
  const handle = handlers.get(request.url!.split('/', 2)[1]!)
  if (handle) handle(request, response)
  else response.writeHead(404).end()
}).listen(config.port, config.host!)
