import { Ajv2020 } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { expect } from 'chai'
import type { Parameter } from '../../src/rest/route.ts'
import { routes } from '../../src/rest/routes/index.ts'
import { pythonModule } from '../../tools/python-client.ts'
import { withService, withWorld } from '../support/service.ts'

interface OpenapiParameter {
  name: string
  in: 'path' | 'query'
  schema: { type: string }
  example?: string
}

describe('GET /openapi.json', () => {
  const test = withService({ baseUrl: 'https://api.wiki.example/api/v1' })
  withWorld(test, {})

  it('is OpenAPI 3.1.0, version 1, has the URL of this instance as server, and needs no key', async () => {
    const { status, body, headers } = await test.get('/openapi.json')
    expect(status).to.equal(200)
    expect(headers['content-type']).to.equal('application/json; charset=utf-8')
    expect([body.openapi, body.info.version, body.security]).to.deep.equal(['3.1.0', '1', []])
    expect(body.servers[0].url).to.equal('https://api.wiki.example/api/v1')
    const again = await test.get('/openapi.json', { headers: { 'If-None-Match': headers.etag! } })
    expect(again.status).to.equal(304)
  })

  it('describes exactly the routes, all of them GET, with 200, 400, 404 and 429', async () => {
    const { body } = await test.get('/openapi.json')
    expect(Object.keys(body.paths)).to.have.members([...routes.map(({ path }) => path), '/openapi.json'])
    for (const [path, item] of Object.entries<{ get: { responses: object } }>(body.paths)) {
      expect(Object.keys(item), path).to.deep.equal(['get'])
      expect(Object.keys(item.get.responses), path).to.include.members(['200', '400', '404', '429'])
    }
  })

  it('describes limits and defaults of the parameters', async () => {
    const { body } = await test.get('/openapi.json')
    const schema = (path: string, name: string) =>
      body.paths[path].get.parameters.find((parameter: { name: string }) => parameter.name === name).schema
    for (const path of ['/pages', '/pages/{path}/history', '/recent', '/categories/{key}']) {
      expect(schema(path, 'limit'), path).to.deep.include({ minimum: 1, maximum: 200, default: 50 })
    }
    expect(schema('/search', 'limit')).to.deep.include({ minimum: 1, maximum: 50, default: 20 })
    expect(schema('/pages', 'ns')).to.deep.include({
      enum: ['main', 'template', 'page_template', 'module'],
      default: 'main',
    })
    expect(schema('/pages/{path}', 'format')).to.deep.include({
      enum: ['markdown', 'html', 'both', 'text'],
      default: 'markdown',
    })
    // Generated clients must accept a boolean.
    expect(schema('/search', 'all')).to.deep.equal({ type: 'boolean', default: false })
  })

  it('is the help of the methods of the Python client, with each parameter', async () => {
    const { body } = await test.get('/openapi.json')
    const lines = pythonModule(body).split('\n')
    const start = lines.indexOf('        """Search pages.')
    const help = lines.slice(start, lines.indexOf('        """', start))
    const { description, parameters } = body.paths['/search'].get
    expect(help.map((line) => line.trim()).join(' ')).to.include(` ${description} `)
    for (const { name, description } of parameters)
      expect(help.map((line) => line.trim()).join(' ')).to.include(`:param ${name}: ${description}`)
    expect(Math.max(...help.map(({ length }) => length))).to.be.within(80, 112)
  })

  it('allows no parameter to contain U+0000, which every operation refuses', async () => {
    const ajv = new Ajv2020({
      strict: false,
      formats: { 'date-time': fullFormats['date-time'], uuid: fullFormats.uuid },
    })
    const { body } = await test.get('/openapi.json')
    let texts = 0
    for (const [path, { get }] of Object.entries<{ get: { parameters?: OpenapiParameter[] } }>(body.paths)) {
      for (const { name, in: where, schema, example = '' } of get.parameters ?? []) {
        if (schema.type !== 'string') continue
        texts += 1
        for (const text of ['\u0000', 'a\u0000', '\u0000a', 'a\u0000\n']) {
          expect(ajv.validate(schema, text), `${path} ${name} ${JSON.stringify(text)}`).to.equal(false)
          const raw = encodeURIComponent(text)
          const address = where === 'path' ? path.replace(`{${name}}`, raw) : `${path}?${name}=${raw}`
          const { status } = await test.get(address.replace(/\{\w+\}/, 'x'))
          expect(status, address).to.equal(400)
        }
        if (example !== '') expect(ajv.validate(schema, example), `${path} ${name}`).to.equal(true)
      }
    }
    const parameters = routes.flatMap((route) => Object.values<Parameter>(route.parameters))
    expect(texts).to.equal(parameters.filter(({ schema }) => schema.type === 'string').length)
  })
})
