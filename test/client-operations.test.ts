import { expect } from 'chai'
import type { paths } from '../clients/javascript/src/api.ts'
import { createWiki, type Wiki } from '../clients/javascript/src/index.ts'
import { SAMPLE_VALUES } from '../src/rest/openapi/example-values.ts'
import { routes } from '../src/rest/routes/index.ts'
import { serveSample } from './support/sample.ts'

const { page, category: key, file, revision, edit } = SAMPLE_VALUES
const path = { path: page!.path }

/**
 * A call of each operation, and a field of its response. That this compiles is a part of the test: each response has the
 * type of its JSON alone, although some endpoints have other media types, too.
 */
const CALLS: { [Path in keyof paths]: (wiki: Wiki) => Promise<unknown> } = {
  '/': async (wiki) => (await wiki.GET('/')).data!.name,
  '/pages': async (wiki) => {
    const [item] = (await wiki.GET('/pages')).data!.items
    return 'missing' in item! ? item.path : item?.title
  },
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
  '/recent.atom': async (wiki) => (await wiki.GET('/recent.atom', { parseAs: 'text' })).data!.length,
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

  it('every operation', () => {
    expect(Object.keys(CALLS)).to.have.members([...routes.map((route) => route.path), '/openapi.json'])
  })
})
