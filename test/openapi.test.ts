import { readFile } from 'node:fs/promises'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { packagePath } from '../src/paths.ts'
import { SAMPLE_VALUES } from '../src/rest/openapi/example-values.ts'
import { sampleExamples } from '../src/rest/openapi/openapi.ts'
import { routes } from '../src/rest/routes/index.ts'
import { document } from './support/openapi-check.ts'
import { serveSample } from './support/sample.ts'

const BASE = 'http://localhost:3000/api/v1'

/** A service shows examples of its own wiki. */
const withoutExamples = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutExamples)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => name !== 'example' && name !== 'examples')
  return Object.fromEntries(members.map(([name, inner]) => [name, withoutExamples(inner)]))
}

describe('openapi.json', () => {
  let sample: Awaited<ReturnType<typeof serveSample>>
  // biome-ignore lint/suspicious/noExplicitAny: a document of any shape until the tests have looked
  let live: any
  before(async () => {
    sample = await serveSample(BASE)
    live = (await sample.get('/openapi.json')).body
  })
  after(() => sample?.stop())

  it('equals schema/openapi.json: run `npm run generate` if this fails', async () => {
    const committed = JSON.parse(await readFile(packagePath('schema', 'openapi.json'), 'utf8'))
    expect(withoutExamples(live)).to.deep.equal(withoutExamples(committed))
    expect(JSON.parse(JSON.stringify(document))).to.deep.equal(committed)
  })

  it('passes `redocly lint` with no error and no warning', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({
      source: JSON.stringify(live),
      absoluteRef: 'openapi.json',
      config,
    })
    expect(problems.map(({ message }) => message)).to.deep.equal([])
  })

  it('passes `spectral` with no error and no warning', async () => {
    const spectral = new spectralCore.Spectral()
    spectral.setRuleset({ extends: [oas as RulesetDefinition] })
    const problems = await spectral.run(JSON.stringify(live))
    expect(problems.map(({ message, path }) => `${path.join('.')}: ${message}`)).to.deep.equal([])
  })

  it('documents every status with its headers', () => {
    for (const path in live.paths) {
      expect(Object.keys(live.paths[path].get.responses), path).to.have.members([
        '200',
        '304',
        '400',
        '404',
        '405',
        '429',
        '431',
        '500',
        '503',
      ])
    }
  })

  describe('allows additions within version 1', () => {
    /** All response schemas. */
    const schemasOf = (value: unknown): Record<string, unknown>[] => {
      if (typeof value !== 'object' || value === null) return []
      return [value as Record<string, unknown>, ...Object.values(value).flatMap(schemasOf)]
    }
    /** A response with one more field in each of its objects, and with unknown values. */
    const grown = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(grown)
      if (typeof value !== 'object' || value === null) return value
      const members = Object.entries(value).map(([name, inner]) =>
        name === 'ns' || name === 'code' ? [name, 'a_new_word'] : [name, grown(inner)],
      )
      return { ...Object.fromEntries(members), a_new_member: 'new' }
    }
    const schemaOf = (path: string) =>
      live.paths[path].get.responses['200'].content['application/json'].schema.$ref

    it('no response schema is closed, and no list of values is closed', () => {
      for (const schema of schemasOf(live.components.schemas)) {
        expect(schema.additionalProperties, JSON.stringify(schema)).to.not.equal(false)
        expect(schema).to.not.have.any.keys('enum', 'unevaluatedProperties')
      }
      const { ErrorCode, ListedNamespace, PageNamespace } = live.components.schemas
      expect(ErrorCode).to.deep.equal({
        type: 'string',
        description:
          'The kind of error, for programs. One of `bad_parameter`, `not_found`, `method_not_allowed`, `rate_limited`, `internal`, `unavailable`. Later versions may add values.',
        'x-extensible-enum': [
          'bad_parameter',
          'not_found',
          'method_not_allowed',
          'rate_limited',
          'internal',
          'unavailable',
        ],
      })
      for (const schema of [ListedNamespace, PageNamespace]) {
        expect(schema.type).to.equal('string')
        expect(schema['x-extensible-enum']).to.include.members([
          'main',
          'template',
          'page_template',
          'module',
        ])
      }
    })

    it('request parameters stay strict: they list all accepted values', () => {
      const parameters = live.paths['/pages'].get.parameters as { name: string; schema: object }[]
      expect(parameters.find(({ name }) => name === 'ns')?.schema).to.deep.include({
        enum: ['main', 'template', 'page_template', 'module'],
      })
    })

    it('a validator accepts responses with unknown fields and values', () => {
      const ajv = new Ajv2020({ strict: true, allErrors: true, strictTypes: false, validateFormats: false })
      ajv.addVocabulary(['components', 'discriminator', 'x-extensible-enum'])
      ajv.addSchema({ $id: 'lectern', components: live.components })
      for (const route of routes.filter(({ responseSchema }) => responseSchema)) {
        const { examples } = live.paths[route.path].get.responses['200'].content['application/json']
        for (const { value } of Object.values<{ value: unknown }>(examples)) {
          for (const response of [value, grown(value)]) {
            expect(ajv.validate(`lectern${schemaOf(route.path)}`, response), ajv.errorsText()).to.equal(true)
          }
        }
      }
      const failure = { error: { code: 'gone', message: 'x', hint: 'y' }, help: 'z' }
      expect(ajv.validate('lectern#/components/schemas/ErrorAnswer', failure)).to.equal(true)
      for (const wrong of [{}, { error: { code: 1, message: 'x' } }, { error: { code: 'gone' } }])
        expect(ajv.validate('lectern#/components/schemas/ErrorAnswer', wrong)).to.equal(false)
    })
  })

  it('names functions with a verb, and types unlike globals of JavaScript', () => {
    const operations = Object.values<{ get: { operationId: string } }>(live.paths)
    for (const { get } of operations) expect(get.operationId).to.match(/^(get|list|search)[A-Z]/)
    // A generated type with the name of a global of JavaScript would hide it.
    expect(Object.keys(live.components.schemas).filter((name) => name in globalThis)).to.deep.equal([])
  })

  describe('the committed examples are responses of the sample wiki', () => {
    const committed = sampleExamples().answers
    for (const route of routes) {
      it(`${route.path}: has an example`, () => {
        expect(route.examples(SAMPLE_VALUES)).to.not.be.empty
      })
      for (const { url, changes } of route.examples(SAMPLE_VALUES)) {
        it(`GET ${url}`, async () => {
          if (changes) {
            expect(committed).to.not.have.property(url!)
            return
          }
          const { body, text } = await sample.get(url!)
          expect(committed[url!]).to.deep.equal(body ?? text)
        })
      }
    }
  })

  it('as served, it has an example of each endpoint that this wiki answers', async () => {
    for (const route of routes) {
      const { examples } = Object.values<{ examples: Record<string, { summary: string; value: unknown }> }>(
        live.paths[route.path].get.responses['200'].content,
      )[0]!
      // A short title has no example of a typo.
      const names = route.examples(SAMPLE_VALUES).map(({ name }) => name)
      expect(Object.keys(examples), route.path).to.include.members(names.filter((name) => name !== 'typo'))
      for (const { summary, value } of Object.values(examples)) {
        const { status, body, text } = await sample.get(summary.replace(/^.*: GET /, ''))
        expect(status, summary).to.equal(200)
        if (typeof value === 'string')
          expect(text.startsWith(value.replace(/…$/, '')), summary).to.equal(true)
        else if (!route.examples(SAMPLE_VALUES).some(({ changes }) => changes))
          expect(value, summary).to.deep.equal(body)
      }
    }
  })
})
