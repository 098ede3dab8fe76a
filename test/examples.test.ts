import { expect } from 'chai'
import { makeKeptValues } from '../src/rest/examples/kept-values.ts'
import { withService } from './support/service.ts'
import { makeWorld, type PageSpec } from './support/world.ts'

const edited = (path: string, title: string): PageSpec => ({
  path,
  revisions: [
    { title, markdown: 'Porcelain.', created_at: '2024-05-01T12:00:00.000000Z' },
    { title, markdown: 'Porcelain and clay.', created_at: '2024-05-02T12:00:00.000000Z' },
  ],
})

describe('what the examples of the documentation name', () => {
  const test = withService({ cacheSeconds: 60 })

  /** Reads the service, and counts. Searches wait while there is a `gate`. */
  const reader = (gate?: Promise<void>) => {
    const urls: string[] = []
    const read = async (url: string) => {
      urls.push(url)
      if (url.startsWith('/search')) await gate
      const { status, text, headers } = await test.get(url)
      return { status, text, link: String(headers.link ?? '') }
    }
    return { urls, read }
  }
  const changeTo = async (...pages: PageSpec[]) => {
    await makeWorld({ pages })
    test.service.invalidate()
  }

  it('no page waits for the choice: the first one names a page, without responses, and the service does not keep it', async () => {
    await changeTo(edited('teapot', 'Teapot'))
    const { body } = await test.get('/openapi.json')
    const { parameters, responses } = body.paths['/pages/{path}'].get
    expect(parameters[0].example).to.equal('teapot')
    expect(responses['200'].content['application/json']).to.not.have.property('examples')
    for (const path of ['/', '/api/v1/docs', '/api/v1/docs/guide', '/llms.txt'])
      expect((await test.call(path)).status, path).to.equal(200)
    expect((await test.call('/api/v1/docs')).headers['cache-control']).to.equal('public, max-age=0')
    await test.service.chooseExamples()
    expect((await test.call('/api/v1/docs')).headers['cache-control']).to.equal('public, max-age=60')
    const chosen = await test.get('/openapi.json')
    expect(chosen.body.paths['/pages/{path}'].get.responses['200'].content['application/json'].examples).to
      .not.be.empty
  })

  it('while it is being made, others are not waited for; one is made at a time', async () => {
    await changeTo(edited('teapot', 'Teapot'))
    let open = () => {}
    const { urls, read } = reader(
      new Promise<void>((done) => {
        open = done
      }),
    )
    const kept = makeKeptValues(read)
    const first = await Promise.all([kept.get(), kept.get()])
    expect(first.map(({ isFirst, values }) => [isFirst, values.page?.path])).to.deep.equal([
      [true, 'teapot'],
      [true, 'teapot'],
    ])
    const chosen = kept.choose()
    open()
    await chosen
    expect(urls.filter((url) => url.startsWith('/pages?limit=50'))).to.have.length(1)
    const { values, isFirst } = await kept.get()
    expect({ isFirst, words: values.words }).to.deep.equal({ isFirst: false, words: 'Porcelain' })
  })

  it('when the wiki has changed, they stay if they still hold, and are never what is gone', async () => {
    await changeTo(edited('teapot', 'Teapot'), edited('kettle', 'Kettle'))
    const { urls, read } = reader()
    const kept = makeKeptValues(read)
    await kept.choose()
    const { page } = (await kept.get()).values
    kept.invalidate()
    urls.length = 0
    expect((await kept.get()).values.page).to.deep.equal(page)
    expect(urls).to.have.length.within(5, 14)
    urls.length = 0
    await kept.get()
    expect(urls).to.deep.equal([])
    await changeTo(edited('strainer', 'Strainer'))
    kept.invalidate()
    expect(await kept.get())
      .to.deep.include({ isFirst: true })
      .and.nested.include({ 'values.page.path': 'strainer' })
    await kept.choose()
    expect((await kept.get()).values.page).to.deep.equal({ path: 'strainer', title: 'Strainer' })
  })

  it('after ten minutes, others are chosen in the background', async () => {
    await changeTo(edited('teapot', 'Teapot'))
    let now = 0
    const { urls, read } = reader()
    const kept = makeKeptValues(read, () => now)
    await kept.choose()
    urls.length = 0
    now = 601_000
    expect((await kept.get()).isFirst).to.equal(false)
    await kept.choose()
    expect(urls.filter((url) => url.startsWith('/pages?limit=50'))).to.have.length(1)
    urls.length = 0
    await kept.get()
    expect(urls).to.deep.equal([])
  })

  it('a wiki that had no pages gets examples with its first one', async () => {
    await changeTo()
    const { read } = reader()
    const kept = makeKeptValues(read)
    await kept.choose()
    expect(await kept.get())
      .to.deep.include({ isFirst: false })
      .and.not.nested.property('values.page.path')
    await changeTo(edited('teapot', 'Teapot'))
    kept.invalidate()
    expect(await kept.get()).to.nested.include({ isFirst: true, 'values.page.path': 'teapot' })
  })
})
