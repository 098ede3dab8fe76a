import { writeFileSync } from 'node:fs'
import { packagePath } from '../src/paths.ts'
import { openapiDocument, readExamples } from '../src/rest/openapi.ts'
import { routes } from '../src/rest/routes/index.ts'
import { serveSample } from '../test/support/sample.ts'

/**
 * Generates the files of the REST layer: `schema/examples.json`, with responses of the sample wiki, and
 * `schema/openapi.json`, from the routes and these examples. `npm run generate` runs it.
 */

const BASE = 'http://localhost:3000/api/v1'

const writeJson = (file: string, value: unknown): void =>
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)

const { get, stop } = await serveSample(BASE)
const examples: Record<string, unknown> = {}
for (const { url } of routes.flatMap((route) => route.examples)) {
  const response = await get(url)
  if (response.status !== 200)
    throw new Error(`The example ${url} returned status ${response.status}: ${response.text}`)
  examples[url] = response.body ?? response.text
}
await stop()
writeJson(packagePath('schema', 'examples.json'), examples)
writeJson(packagePath('schema', 'openapi.json'), openapiDocument(routes, BASE, readExamples()))
