import { expect } from 'chai'
import { withService } from './support/service.ts'
import { makeWorld, type PageSpec, type WorldSpec } from './support/world.ts'

const edited = (path: string, title: string): PageSpec => ({
  path,
  revisions: [
    { title, markdown: 'Porcelain.', created_at: '2024-05-01T12:00:00.000000Z' },
    { title, markdown: 'Porcelain and clay.', created_at: '2024-05-02T12:00:00.000000Z' },
  ],
})

describe('what the examples of the documentation name', () => {
  const test = withService({ cacheSeconds: 60 })
  const chosen = withService({ examplePage: 'teapot' })

  const changeTo = async (spec: WorldSpec) => {
    await makeWorld(spec)
    test.service.invalidate()
    chosen.service.invalidate()
  }
  /** The example of the path of a page, and whether there is a response. */
  const shown = async (service = test) => {
    const { get } = (await service.get('/openapi.json')).body.paths['/pages/{path}']
    const { examples = {} } = get.responses['200'].content['application/json']
    return [get.parameters[0].example, Object.keys(examples).length > 0]
  }

  it('the first page with the most of categories, links and several edits', async () => {
    await changeTo({
      pages: [
        { path: 'cup', revisions: [{ markdown: 'A cup.' }] },
        { path: 'pot', revisions: [{ markdown: 'A [cup](/en/cup).' }, { markdown: 'A [cup](/en/cup)!' }] },
        edited('teapot', 'Teapot'),
      ],
    })
    expect(await shown()).to.deep.equal(['pot', true])
  })

  it('of equal pages the main page or the introduction, and none in a folder or of a few bytes', async () => {
    const page = (path: string, text = 'A [cup](/en/cup). '.repeat(90)): PageSpec => ({
      path,
      revisions: [{ markdown: text }],
    })
    const post = page('blog/posts/cup')
    await changeTo({ pages: [page('cup'), post, page('index'), page('zarf')] })
    expect(await shown()).to.deep.equal(['index', true])
    await changeTo({ pages: [page('cup'), page('overview')] })
    expect(await shown()).to.deep.equal(['overview', true])
    await changeTo({ pages: [post, page('index', 'A [cup](/en/cup).'), page('zarf')] })
    expect(await shown()).to.deep.equal(['zarf', true])
  })

  it('a page and a section with a sentence, if there are some', async () => {
    const link = '[Cup](/en/cup)'
    const named = `## Sponsors\n\n${link}\n\n## What it is\n\nA pot is a vessel of clay in which one brews tea.`
    const page = (path: string, markdown: string): PageSpec => ({ path, revisions: [{ markdown }] })
    const list = page('albums', `- ${link}\n`.repeat(90))
    await changeTo({ pages: [list, page('cup', 'A cup.'), page('pot', named)] })
    const landing = (await test.call('/')).text
    expect(landing).to.include('data-target="/pages/pot?format=text&#38;section=what-it-is"')
    await changeTo({ pages: [list, page('cup', 'A cup.')] })
    expect(await shown()).to.deep.equal(['albums', true])
  })

  it('EXAMPLE_PAGE: this page, as long as it exists', async () => {
    await changeTo({ pages: [edited('samovar', 'Samovar'), edited('teapot', 'Teapot')] })
    expect(await shown()).to.deep.equal(['samovar', true])
    expect(await shown(chosen)).to.deep.equal(['teapot', true])
    await changeTo({ pages: [edited('samovar', 'Samovar')] })
    expect(await shown(chosen)).to.deep.equal(['samovar', true])
  })

  it('an edit that replaced words, whose highlights the guide shows, rather than one that added lines', async () => {
    const added = { markdown: 'A [cup](/en/cup).\n\nOf clay.', created_at: '2024-05-02T12:00:00.000000Z' }
    await changeTo({
      pages: [
        { path: 'pot', revisions: [{ markdown: 'A [cup](/en/cup).' }, added] },
        edited('teapot', 'Teapot'),
      ],
    })
    const [last] = (await test.get('/pages/teapot/history?limit=1')).body.items
    const guide = (await test.call('/api/v1/docs/guide')).text
    expect(guide).to.include(`/revisions/${last.id}/diff`)
    expect(guide).to.include('Porcelain and clay.\n and clay')
  })

  it('when the wiki has changed, nothing that is gone', async () => {
    await changeTo({ pages: [edited('samovar', 'Samovar')] })
    expect(await shown()).to.deep.equal(['samovar', true])
    await changeTo({ pages: [edited('strainer', 'Strainer')] })
    expect(await shown()).to.deep.equal(['strainer', true])
    for (const path of ['/', '/llms.txt', '/api/v1/docs', '/api/v1/docs/guide', '/api/v1/openapi.json'])
      expect((await test.call(path)).text, path).to.not.match(/samovar/i)
  })

  it('a wiki without pages has no page to name', async () => {
    await changeTo({ pages: [] })
    expect(await shown()).to.deep.equal([undefined, false])
  })

  it('a path that names no page, also if the usual one names one', async () => {
    await changeTo({ pages: [edited('no-such-page', 'A page')] })
    expect((await test.call('/api/v1/docs/guide')).text).to.include('no-such-page-2')
  })
})
