import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { expect } from 'chai'
import openapiTypescript, { astToString } from 'openapi-typescript'
import ts from 'typescript'
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

  it('becomes, by openapi-typescript, a client that compiles and reads every endpoint', async function () {
    this.timeout(60_000)
    const folder = await mkdtemp(packagePath('dist', 'client-'))
    try {
      await writeFile(join(folder, 'api.d.ts'), astToString(await openapiTypescript(live as never)))
      await writeFile(join(folder, 'client.mts'), CLIENT)
      expect(compileErrors(join(folder, 'client.mts'))).to.deep.equal([])
      const { outputText } = ts.transpileModule(CLIENT, { compilerOptions, fileName: 'client.mts' })
      await writeFile(join(folder, 'client.mjs'), outputText)
      const { readAll } = await import(pathToFileURL(join(folder, 'client.mjs')).href)
      const read = await readAll(`${sample.origin}/api/v1`)
      expect(read.paths).to.deep.equal(ODD_PATHS)
      expect(read).to.deep.include({
        wiki: 'Tea Wiki',
        category: 'green-tea',
        hasHtml: true,
        openapi: '3.1.0',
      })
      expect(read.listed).to.have.members(['pages', 'recent', 'search', 'history'])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

const ODD_PATHS = [
  'sencha',
  'brewing/gongfu/history',
  '100%-oxidised',
  'milk+sugar',
  'iced tea',
  'template:brewing-table',
]

const compilerOptions: ts.CompilerOptions = {
  strict: true,
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  skipLibCheck: true,
  types: [],
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
}

const compileErrors = (file: string): string[] =>
  ts
    .getPreEmitDiagnostics(ts.createProgram([file], { ...compilerOptions, noEmit: true }))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))

/** A client as its author would write it on the generated types. */
const CLIENT = `
import createClient from 'openapi-fetch'
import type { paths } from './api.js'

export const readAll = async (baseUrl: string) => {
  const client = createClient<paths>({ baseUrl })
  const whole = <Data,>({ data, error }: { data?: Data; error?: { error: { message: string } } }): Data => {
    if (data === undefined) throw new Error(error?.error.message)
    return data
  }
  const texts: string[] = []
  const paths: string[] = []
  for (const path of ${JSON.stringify(ODD_PATHS)}) {
    const page = whole(await client.GET('/pages/{path}', { params: { path: { path } } }))
    texts.push(page.markdown ?? '')
    paths.push(page.path)
  }
  const history = whole(await client.GET('/pages/{path}/history', { params: { path: { path: 'sencha' }, query: { limit: 1 } } }))
  const id: string = history.items[0]!.id
  const revision = whole(await client.GET('/revisions/{id}', { params: { path: { id }, query: { format: 'both' } } }))
  const pages = whole(await client.GET('/pages', { params: { query: { ns: 'template', locale: 'ja' } } }))
  const recent = whole(await client.GET('/recent', { params: { query: { before: history.next } } }))
  const search = whole(await client.GET('/search', { params: { query: { q: 'tea', all: true, limit: 5 } } }))
  const category = whole(await client.GET('/categories/{key}', { params: { path: { key: 'green-tea' } } }))
  const wiki = whole(await client.GET('/'))
  const openapi = whole(await client.GET('/openapi.json'))
  const lists = { pages, recent, search, history }
  return {
    paths,
    wiki: wiki.name,
    category: category.category.key,
    hasHtml: revision.html !== undefined,
    openapi: openapi.openapi,
    listed: Object.entries(lists).filter(([, { items }]) => items.length > 0).map(([name]) => name),
  }
}
`
