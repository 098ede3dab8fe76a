import { readFile } from 'node:fs/promises'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { expect } from 'chai'
import { packagePath } from '../src/paths.ts'
import { routes } from '../src/rest/routes/index.ts'
import { document } from './support/openapi-check.ts'
import { serveSample } from './support/sample.ts'

const BASE = 'http://localhost:3000/api/v1'

describe('openapi.json', () => {
  let sample: Awaited<ReturnType<typeof serveSample>>
  // biome-ignore lint/suspicious/noExplicitAny: a document of any shape until the tests have looked
  let live: any
  before(async () => {
    sample = await serveSample(BASE)
    live = (await sample.get('/openapi.json')).body
  })
  after(() => sample?.stop())

  it('is OpenAPI 3.1.0 and repeats the version 1', () => {
    expect(live).to.include({ openapi: '3.1.0' }).and.have.nested.property('info.version', '1')
  })

  it('is what schema/openapi.json holds: run `npm run generate` when this fails', async () => {
    const committed = JSON.parse(await readFile(packagePath('schema', 'openapi.json'), 'utf8'))
    expect(live).to.deep.equal(committed)
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

  it('documents every status and the headers that come with it', () => {
    for (const path in live.paths) {
      expect(Object.keys(live.paths[path].get.responses), path).to.have.members([
        '200',
        '304',
        '400',
        '404',
        '429',
        '500',
        '503',
      ])
    }
  })

  it('gives generated clients functions with a verb and types with names of their own', () => {
    const operations = Object.values<{ get: { operationId: string } }>(live.paths)
    for (const { get } of operations) expect(get.operationId).to.match(/^(get|list|search)[A-Z]/)
    // Names of JavaScript's own, which a generated type would hide.
    expect(Object.keys(live.components.schemas).filter((name) => name in globalThis)).to.deep.equal([])
  })

  describe('its examples are what the sample wiki answers', () => {
    for (const route of routes) {
      it(`${route.path}: has an example`, () => {
        expect(route.examples).to.not.be.empty
      })
      for (const { url, name } of route.examples) {
        it(`GET ${url}`, async () => {
          const { examples } = live.paths[route.path].get.responses['200'].content['application/json']
          expect((await sample.get(url)).body).to.deep.equal(examples[name].value)
        })
      }
    }
  })
})
