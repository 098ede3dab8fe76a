import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { paths } from '../clients/javascript/src/api.ts'
import {
  type ApiError,
  createWiki,
  paginate,
  toApiError,
  UnexpectedResponse,
  type Wiki,
} from '../clients/javascript/src/index.ts'
import { packagePath } from '../src/paths.ts'
import { SAMPLE_VALUES } from '../src/rest/openapi/example-values.ts'
import { routes } from '../src/rest/routes/index.ts'
import { writeClientArchives } from '../tools/client-archives.ts'
import { serveSample } from './support/sample.ts'

const { page, category: key, file, revision, edit } = SAMPLE_VALUES
const path = { path: page!.path }

/**
 * A call of each operation, and a field of its response. That this compiles is a part of the test: each response has the
 * type of its JSON alone, although some endpoints have other media types, too.
 */
const CALLS: { [Path in keyof paths]: (wiki: Wiki) => Promise<unknown> } = {
  '/': async (wiki) => (await wiki.GET('/')).data!.name,
  '/pages': async (wiki) => (await wiki.GET('/pages')).data!.items[0]?.title,
  '/pages/{path}': async (wiki) =>
    (await wiki.GET('/pages/{path}', { params: { path } })).data!.revision.author.name,
  '/pages/{path}/history': async (wiki) =>
    (await wiki.GET('/pages/{path}/history', { params: { path } })).data!.items[0]?.comment,
  '/revisions/{id}': async (wiki) =>
    (await wiki.GET('/revisions/{id}', { params: { path: { id: revision! } } })).data!.markdown,
  '/revisions/{id}/diff': async (wiki) =>
    (await wiki.GET('/revisions/{id}/diff', { params: { path: { id: edit! } } })).data!.hunks[0]?.lines[0]
      ?.text,
  '/search': async (wiki) =>
    (await wiki.GET('/search', { params: { query: { q: 'tea' } } })).data!.items[0]?.passages[0]?.text,
  '/suggest': async (wiki) =>
    (await wiki.GET('/suggest', { params: { query: { q: 'senc' } } })).data!.items[0]?.highlights[0]?.length,
  '/recent': async (wiki) => (await wiki.GET('/recent')).data!.items[0]?.page.title,
  '/recent.atom': async (wiki) => (await wiki.GET('/recent.atom')).data!.length,
  '/categories': async (wiki) => (await wiki.GET('/categories')).data!.items[0]?.pages,
  '/categories/{key}': async (wiki) =>
    (await wiki.GET('/categories/{key}', { params: { path: { key: key! } } })).data!.category.name,
  '/links': async (wiki) =>
    (await wiki.GET('/links', { params: { query: { from: page!.path } } })).data!.items[0]?.url,
  '/files': async (wiki) => (await wiki.GET('/files')).data!.items[0]?.sha256,
  '/files/{path}': async (wiki) =>
    (await wiki.GET('/files/{path}', { params: { path: { path: file! } } })).data!.media_type,
  '/changes': async (wiki) => {
    const [change] = (await wiki.GET('/changes')).data!.items
    return change?.type === 'upsert' ? change.title.length : change?.moved_to?.path
  },
  '/openapi.json': async (wiki) => (await wiki.GET('/openapi.json')).data!.openapi,
}

/** A program with the packed client. Its types are a part of the test. */
const PROGRAM = `
import { ApiError, createWiki, paginate } from 'lectern-client'
import { mirrorFolder } from 'lectern-client/folder'

export const wiki = createWiki({ base: 'http://127.0.0.1/api/v1' })
export const titles = async (): Promise<string[]> => {
  const found: string[] = []
  for await (const page of paginate(wiki, '/pages')) found.push(page.title)
  for await (const page of paginate(wiki, '/pages', { params: { query: { limit: 3 } } })) found.push(page.title)
  const { data } = await wiki.GET('/pages', { params: { query: { limit: 3 } } })
  for (const page of data?.items ?? []) found.push(page.title)
  const query = { path: ['tea'] }
  for await (const page of paginate(wiki, '/pages', { params: { query } }))
    // @ts-expect-error It can be a MissingPage.
    found.push(page.title)
  // @ts-expect-error A parameter has its type.
  paginate(wiki, '/pages', { params: { query: { limit: '3' } } })
  const named = await wiki.GET('/pages', { params: { query } })
  for (const page of named.data?.items ?? []) found.push('missing' in page ? page.path : page.title)
  const params = { path: { path: 'tea' } }
  const page = await wiki.GET('/pages/{path}', { params })
  if (page.data) found.push(page.data.markdown)
  const asHtml = await wiki.GET('/pages/{path}', { params: { ...params, query: { format: 'html' } } })
  if (asHtml.data) found.push(asHtml.data.html)
  // @ts-expect-error A response with the HTML lacks the Markdown.
  if (asHtml.data) found.push(asHtml.data.markdown)
  const formatted: { format?: 'html' } = {}
  const either = await wiki.GET('/pages/{path}', { params: { ...params, query: formatted } })
  // @ts-expect-error It may be the HTML.
  if (either.data) found.push(either.data.markdown)
  return found
}
export const status: string | null = new ApiError(404, '', '').headers.get('Date')
export const folder: typeof mirrorFolder = mirrorFolder
`

describe('createWiki() of the JavaScript client calls', () => {
  let sample: Awaited<ReturnType<typeof serveSample>>
  before(async () => {
    sample = await serveSample('http://localhost:3000/api/v1')
  })
  after(() => sample?.stop())

  for (const [template, call] of Object.entries(CALLS))
    it(template, async () => {
      const value = await call(createWiki({ base: `${sample.origin}/api/v1` }))
      expect(value).to.be.a(typeof value === 'number' ? 'number' : 'string')
      expect(value).not.to.be.oneOf(['', 0])
    })

  it('/revisions/{id}/diff?format=unified, which is a text', async () => {
    const { GET } = createWiki({ base: `${sample.origin}/api/v1` })
    const query = { format: 'unified' } as const
    const { data } = await GET('/revisions/{id}/diff', { params: { path: { id: edit! }, query } })
    expect(data!.split('\n')[0]).to.match(/^--- /)
    const equal = { ...query, from: edit! }
    const none = await GET('/revisions/{id}/diff', { params: { path: { id: edit! }, query: equal } })
    expect(none.data).to.equal('')
    const asked = await GET('/revisions/{id}/diff', {
      params: { path: { id: edit! }, query },
      parseAs: 'text',
    })
    expect(asked.data).to.equal(data)
  })

  it('and says that its base is no URL', () => {
    const values: { base: string }[] = [{} as { base: string }, { base: 'wiki' }, { base: 'ftp://wiki/' }]
    for (const value of values) expect(() => createWiki(value)).to.throw(TypeError, /^base: must /)
  })

  it('every list to its end, with paginate()', async () => {
    const wiki = createWiki({ base: `${sample.origin}/api/v1` })
    const limit = { limit: 3 }
    const all = async <Item>(items: AsyncIterable<Item>, value: (item: Item) => unknown) => {
      const found: unknown[] = []
      for await (const item of items) found.push(value(item))
      expect(found.length, String(found[0])).to.be.above(limit.limit)
      expect(new Set(found).size).to.equal(found.length)
      return found
    }
    const query = { params: { query: limit } }
    const { data, response } = await wiki.GET('/pages')
    expect(response.headers.get('ETag')).to.match(/"/)
    const paths = await all(paginate(wiki, '/pages', query), (page) => page.path)
    expect(paths).to.deep.equal(data!.items.map((page) => page.path))
    await all(paginate(wiki, '/recent', query), (edited) => edited.id)
    const history = (of: object) =>
      all(paginate(wiki, '/pages/{path}/history', { params: { path, query: of } }), (edited) => edited.id)
    expect(await history({ ...limit, order: 'asc' })).to.deep.equal((await history({})).reverse())
    await all(paginate(wiki, '/categories', query), (category) => category.key)
    await all(paginate(wiki, '/changes', query), (change) => `${change.locale} ${change.path}`)
    await all(paginate(wiki, '/files', query), (one) => one.path)
    const inPath = (params: { path: string }) => ({ params: { path: params, query: limit } })
    await all(paginate(wiki, '/pages/{path}/history', inPath(path)), (edited) => edited.id)
    const words = { params: { query: { q: 'tea', ...limit } } }
    await all(paginate(wiki, '/search', words), (hit) => hit.path)
    const links = { params: { query: { from: page!.path, ...limit } } }
    await all(paginate(wiki, '/links', links), (link) => `${link.locale} ${link.path}`)
  })

  it('with errors that tell what to do', async () => {
    const wiki = createWiki({ base: `${sample.origin}/api/v1`, giveUpAfter: 0 })
    const query = { limit: 0, locale: '?' }
    const { error, response } = await wiki.GET('/pages', { params: { query } })
    const refused = toApiError(response, error)
    expect([refused.status, refused.code, refused.message]).to.deep.equal([
      400,
      'bad_parameter',
      error!.error.message,
    ])
    expect(refused.invalidParameters).to.deep.equal(['locale', 'limit'])
    expect(refused.requestId).to.equal(response.headers.get('X-Request-Id'))
    expect([refused.retryAfter, refused.movedTo]).to.deep.equal([undefined, undefined])
    const thrown = await paginate(wiki, '/pages', { params: { query } })
      .next()
      .catch((one: ApiError) => one.invalidParameters)
    expect(thrown).to.deep.equal(['locale', 'limit'])
    const moved = {
      Link: '<https://a.example/help>; rel="help", <https://a.example/new>; rel="successor-version"',
    }
    expect(toApiError({ status: 404, headers: new Headers(moved) }, '<h1>No</h1>')).to.include({
      code: '',
      message: 'status 404. Check the URL of the API: that of a Lectern ends with /api/v1',
      movedTo: 'https://a.example/new',
    })
    const headers = new Headers({ 'Retry-After': '7' })
    expect(toApiError({ status: 429, headers }, undefined).retryAfter).to.equal(7)
  })

  it('and says at once that a response is not what was asked for', async () => {
    let requests = 0
    const portal = createServer((request, response) => {
      requests += 1
      const type = request.url!.endsWith('?limit=1') ? 'application/json' : 'text/html'
      response.writeHead(200, { 'Content-Type': type }).end('<h1>Please log in</h1>')
    })
    await new Promise<void>((resolve) => portal.listen(0, '127.0.0.1', resolve))
    const wiki = createWiki({ base: `http://127.0.0.1:${(portal.address() as AddressInfo).port}/api/v1` })
    const errors: unknown[] = []
    for (const call of [
      () => wiki.GET('/pages'),
      () => wiki.GET('/pages', { params: { query: { limit: 1 } } }),
      () => wiki.GET('/recent.atom'),
    ])
      errors.push(await call().catch((error: unknown) => error))
    portal.closeAllConnections()
    portal.close()
    for (const error of errors) {
      expect(error).to.be.instanceOf(UnexpectedResponse)
      expect((error as Error).message).to.match(
        /\/api\/v1\/.*did not expect .*Please log in.*Check the URL of the API/,
      )
    }
    expect(requests).to.equal(3)
  })

  it('every operation', () => {
    expect(Object.keys(CALLS)).to.have.members([...routes.map((route) => route.path), '/openapi.json'])
  })
})

describe('the package of the JavaScript client', () => {
  it('compiles strictly, without the types of Node', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-client-types-'))
    try {
      writeClientArchives(folder)
      const installed = join(folder, 'node_modules', 'lectern-client')
      mkdirSync(installed, { recursive: true })
      const archive = join(folder, 'javascript.tgz')
      execFileSync('tar', ['-xzf', archive, '-C', installed, '--strip-components=1'])
      symlinkSync(packagePath('node_modules', 'openapi-fetch'), join(folder, 'node_modules', 'openapi-fetch'))
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
      writeFileSync(join(folder, 'program.ts'), PROGRAM)
      const compilerOptions = {
        strict: true,
        noEmit: true,
        module: 'nodenext',
        target: 'es2022',
        lib: ['es2022', 'dom'],
        types: [],
      }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
      const compiler = packagePath('node_modules', 'typescript-7', 'bin', 'tsc')
      const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
      expect(stdout).to.equal('')
      expect(status).to.equal(0)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
