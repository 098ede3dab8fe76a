import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { ndjsonLine } from '@lectern/wiki/records'
import { z } from 'zod'
import { guideOutputs } from '../src/docs-site/guide/markdown.ts'
import { packagePath } from '../src/paths.ts'
import { SAMPLE_VALUES } from '../src/rest/openapi/example-values.ts'
import { openapiDocument, sampleExamples } from '../src/rest/openapi/openapi.ts'
import { routes } from '../src/rest/routes/index.ts'
import { serveSample } from '../test/support/sample.ts'
import { javascriptTypes } from './javascript-client.ts'
import { type OpenApi, pythonModule } from './python-client.ts'

/**
 * Generates the files of the REST layer: `schema/examples.json`, with responses of the sample wiki, `schema/guide-outputs.json`, with
 * what the examples of `site/guide.md` print for it, `schema/openapi.json`, from the routes and these examples, and the types of the clients from that. Also
 * `schema/ndjson.schema.json`, from the records that an import reads, and the table of endpoints in `README.md`.
 * `npm run generate` runs it.
 */

const BASE = 'http://localhost:3000/api/v1'

const writeJson = (file: string, value: unknown): void =>
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)

/** Puts a row for each route, with its first example, between the two comments `endpoints` of `README.md`. */
const writeEndpoints = (): void => {
  const rows = routes.map(
    (route) =>
      `| [\`${route.path}\`](${BASE}${route.examples(SAMPLE_VALUES)[0]?.url ?? route.path}) | ${route.summary} |`,
  )
  const readme = readFileSync(packagePath('README.md'), 'utf8')
  writeFileSync(
    packagePath('README.md'),
    readme.replace(
      /(<!-- endpoints: `npm run generate` writes them -->\n).*(\n\n<!-- \/endpoints -->)/s,
      (_, start, end) =>
        `${start}${['| `GET` under `/api/v1` | Returns |', '|---|---|', ...rows].join('\n')}${end}`,
    ),
  )
}

const { get, stop } = await serveSample(BASE)
const examples: Record<string, unknown> = {}
for (const { url, changes } of routes.flatMap((route) => route.examples(SAMPLE_VALUES))) {
  if (changes) continue
  if (url === undefined) throw new Error('An example lacks a value')
  let response = await get(url)
  // A busy machine may start the processes that render too late.
  for (let attempt = 1; response.status === 503 && attempt < 10; attempt++) {
    await setTimeout(1000)
    response = await get(url)
  }
  if (response.status !== 200)
    throw new Error(`The example ${url} returned status ${response.status}: ${response.text}`)
  examples[url] = response.body ?? response.text
}
const outputs = await guideOutputs({
  base: BASE,
  values: SAMPLE_VALUES,
  read: async (url) => {
    const { status, text, headers } = await get(url)
    return { status, text, link: String(headers.link ?? '') }
  },
})
await stop()
writeJson(packagePath('schema', 'guide-outputs.json'), outputs)
writeJson(packagePath('schema', 'examples.json'), examples)
const openapi = openapiDocument(routes, BASE, sampleExamples()) as unknown as OpenApi
writeJson(packagePath('schema', 'openapi.json'), openapi)
writeFileSync(packagePath('clients', 'javascript', 'src', 'api.ts'), await javascriptTypes(openapi))
writeFileSync(packagePath('clients', 'python', 'src', 'lectern_client', 'api.py'), pythonModule(openapi))
writeJson(packagePath('schema', 'ndjson.schema.json'), {
  title: 'A line of a wiki in NDJSON',
  description: 'docs/ndjson.md explains the format. An import checks more than a schema can say.',
  ...z.toJSONSchema(ndjsonLine, { io: 'input' }),
})
writeEndpoints()
