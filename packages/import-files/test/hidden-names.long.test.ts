import { openGitSource } from '@lectern/import-files/git/source'
import { expect } from 'chai'
import { runImport } from '../../../src/write/run-import.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { commit, type Files, newRepository } from '../../../test/support/git.ts'
import { withService } from '../../../test/support/service.ts'
import { clearWorld, importRecords, type PageSpec, recordsOf } from '../../../test/support/world.ts'

const ID = '00000000-0000-4000-8000-000000000001'
const DRAFT = '---\npublished: false\n---\n'
const TEXT = Array.from({ length: 30 }, (_, i) => `Line ${i} is about tea, and nothing else`).join('\n')

describe('names that guests must not see', () => {
  const test = withService({ cacheSeconds: 0 })
  beforeEach(clearWorld)
  after(clearWorld)

  const importFolder = async (folder: string) => {
    const { owner } = await testDatabase()
    const from = { name: 'main', isConfirmed: true }
    const open = (stored: Parameters<Parameters<typeof runImport>[1]>[0]) =>
      openGitSource(folder, { layouts: [], name: 'Tea', stored: () => stored })
    await runImport(owner, open, { from })
    test.service.invalidate()
  }
  const importSteps = async (...steps: Files[]) => {
    const folder = newRepository()
    for (const [i, files] of steps.entries()) {
      commit(folder, files, { at: `2024-05-0${i + 1}T12:00:00Z` })
      await importFolder(folder)
    }
    return folder
  }
  const importPages = async (...pages: PageSpec[]) => {
    await importRecords(recordsOf({ pages }))
    test.service.invalidate()
  }
  const text = async (path: string): Promise<string> => {
    const { body, headers } = await test.get(path)
    return JSON.stringify([body, headers.link])
  }
  const graphql = async (query: string) => {
    const url = new URL(`/graphql?query=${encodeURIComponent(query)}`, test.service.internalUrl)
    return ((await (await fetch(url)).json()) as { data: Record<string, unknown> }).data
  }
  const movedTo = async (path: string) =>
    (await graphql(`{ movedTo(locale: "en", path: "${path}") { path } }`)).movedTo

  describe('paths of pages that moved', () => {
    const steps: Files[] = [
      { 'layoffs-in-may.md': DRAFT + TEXT, 'tea.md': `${TEXT}\nGreen` },
      { 'layoffs-in-may.md': null, 'news.md': TEXT, 'tea.md': null, 'green-tea.md': `${TEXT}\nGreen` },
    ]

    const expectOneSuccessor = async () => {
      expect(await text('/pages/layoffs-in-may')).to.not.include('successor')
      expect(await movedTo('layoffs-in-may')).to.equal(null)
      expect(await text('/changes')).to.not.include('layoffs')
      expect(await text('/pages/tea'))
        .to.include('/pages/green-tea')
        .and.include('successor-version')
      expect(await movedTo('tea')).to.deep.equal({ path: 'green-tea' })
    }

    it('a path at which a page was a draft has no successor, but one that guests could see has', async () => {
      await importSteps(...steps)
      await expectOneSuccessor()
      expect(await text('/changes')).to.include('"moved_to":{"path":"green-tea"')
    })

    it('a page that becomes a draft is no successor', async () => {
      await importSteps(...steps, { 'green-tea.md': `${DRAFT}${TEXT}\nGreen` })
      expect(await text('/pages/tea')).to.not.include('successor')
      expect(await movedTo('tea')).to.equal(null)
      expect(await text('/changes')).to.not.include('moved_to')
    })
  })

  const answers = async (page: string): Promise<string> =>
    (
      await Promise.all(
        [
          `/pages/${page}?format=both&include=links,text,summary,sections`,
          `/pages/${page}?format=text`,
          `/links?from=${page}`,
          `/pages?include=markdown,html,links,text`,
          '/search?q=layoffs&include=html',
          '/llms.txt',
        ].map(text),
      )
    ).join('\n')
  const linksFrom = async (path: string) =>
    (await test.get(`/links?from=${path}`)).body.items.map((item: { path: string; exists: boolean }) => [
      item.path,
      item.exists,
    ])

  it('Obsidian: links by name do not name drafts, before, while and after they are public', async () => {
    const secret = 'hr/confidential/Layoffs in May.md'
    const news = { '.obsidian/app.json': '{}', 'News.md': 'See [[Layoffs in May]] and [[Plan|the plan]].' }
    const expectHidden = async () => {
      expect(await answers('News')).to.not.include('confidential')
      expect(await linksFrom('News')).to.deep.include(['Layoffs in May', false])
      expect((await test.get('/links?to=hr/confidential/Layoffs-in-May')).status).to.equal(404)
      expect((await test.get('/links?to=hr/confidential/Layoffs%20in%20May')).status).to.equal(404)
    }
    const folder = await importSteps({ ...news, [secret]: DRAFT + TEXT })
    await expectHidden()
    commit(folder, { [secret]: TEXT }, { at: '2024-06-01T12:00:00Z' })
    await importFolder(folder)
    const path = secret.slice(0, -3)
    const { body } = await test.get('/pages/News?format=both')
    expect(body.html).to.include(`/${encodeURI(path)}"`)
    expect(body.markdown).to.include('[[Layoffs in May]]')
    expect(await linksFrom('News')).to.deep.include([path, true])
    expect((await test.get(`/links?to=${encodeURIComponent(path)}`)).body.items).to.have.length(1)
    commit(folder, { [secret]: DRAFT + TEXT }, { at: '2024-06-02T12:00:00Z' })
    await importFolder(folder)
    await expectHidden()
  })

  it('Obsidian: an alias is a name of a public page only', async () => {
    const note = (front: string) => `---\naliases: [Layoffs, "May \\"24\\""]\n${front}---\nText`
    const files = { '.obsidian/app.json': '{}', 'News.md': '[[layoffs]] [[May "24"]]' }
    const folder = await importSteps({ ...files, 'hr/Plan.md': note('published: false\n') })
    expect(await linksFrom('News')).to.deep.equal([
      ['May "24"', false],
      ['layoffs', false],
    ])
    commit(folder, { 'hr/Plan.md': note('') }, { at: '2024-06-01T12:00:00Z' })
    await importFolder(folder)
    expect(await linksFrom('News')).to.deep.equal([['hr/Plan', true]])
    commit(folder, { 'hr/Plan.md': 'Text' }, { at: '2024-06-02T12:00:00Z' })
    await importFolder(folder)
    expect(await linksFrom('News')).to.deep.equal([
      ['May "24"', false],
      ['layoffs', false],
    ])
  })

  it('a link by name leads to no page any more that is hidden, deleted or has another title', async () => {
    const a = { path: 'a', revisions: [{ markdown: '[[Place]] [[place|again]]' }] }
    const place: PageSpec = { path: 'hidden/spot', revisions: [{ id: ID, title: 'Place' }] }
    const expectWanted = async () => {
      expect(await linksFrom('a')).to.deep.equal([
        ['Place', false],
        ['place', false],
      ])
      expect((await test.get('/links?to=hidden/spot')).status).to.equal(404)
      expect((await test.get('/links?to=Place')).body.items).to.have.length(1)
      expect(await text('/pages/a?include=links&format=both')).to.not.include('hidden')
      expect(
        await graphql('{ page(locale: "en", path: "a") { links(first: 5) { path exists } } }'),
      ).to.deep.equal({
        page: {
          links: [
            { path: 'Place', exists: false },
            { path: 'place', exists: false },
          ],
        },
      })
    }
    for (const [how, change] of [
      ['draft', { state: 'draft' }],
      ['deleted', { state: 'deleted' }],
      ['pending', { revisions: [{ id: ID, title: 'Place', status: 'pending' }] }],
    ] as [string, Partial<PageSpec>][]) {
      await clearWorld()
      await importPages(a, place)
      expect(await linksFrom('a'), how).to.deep.equal([['hidden/spot', true]])
      await importPages({ ...place, ...change })
      await expectWanted()
    }
    await importPages({ ...place, state: 'live' })
    await importPages({ ...place, revisions: [{ id: ID, title: 'Other' }] })
    expect(await linksFrom('a')).to.deep.equal([
      ['Place', false],
      ['place', false],
    ])
  })

  it('a link by name leads to the next page with this name after the first one is hidden', async () => {
    const target = (path: string, state: 'live' | 'draft'): PageSpec => ({
      path,
      state,
      revisions: [{ title: 'Place' }],
    })
    await importPages(
      { path: 'z', revisions: [{ markdown: '[[Place]]' }] },
      target('a', 'live'),
      target('b', 'live'),
    )
    expect(await linksFrom('z')).to.deep.equal([['a', true]])
    await importPages(target('a', 'draft'))
    expect(await linksFrom('z')).to.deep.equal([['b', true]])
    await importPages(target('a', 'live'))
    expect(await linksFrom('z')).to.deep.equal([['a', true]])
  })
})
