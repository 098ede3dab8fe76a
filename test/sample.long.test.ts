import { readFileSync } from 'node:fs'
import { openNdjsonSource } from '@lectern/import-files/ndjson/source'
import type { PageRecord } from '@lectern/wiki/records'
import { expect } from 'chai'
import { runImport } from '../src/write/run-import.ts'
import { testDatabase } from './support/database.ts'
import { exportText, parseText } from './support/importing.ts'
import { SAMPLE_WIKI } from './support/sample.ts'
import { withService } from './support/service.ts'
import { clearWorld } from './support/world.ts'

/** In every hidden page and revision of the sample, and in nothing public. */
const HIDDEN = /unseenleaf/i
const sample = readFileSync(SAMPLE_WIKI, 'utf8')

describe('the sample wiki', () => {
  const test = withService({ wikiAddresses: {} })

  before(async () => {
    await clearWorld()
    await runImport((await testDatabase()).owner, () => openNdjsonSource(SAMPLE_WIKI))
    test.service.invalidate()
  })

  it('is the same bytes that an export of it writes', async () => {
    expect(await exportText((await testDatabase()).owner)).to.equal(sample)
  })

  it('shows what the API is for: five languages, every namespace, categories, translations, histories', async () => {
    const { body } = await test.get('/')
    expect(body.locales.map(({ locale }: { locale: string }) => locale)).to.deep.equal([
      'ar',
      'en',
      'es',
      'ja',
      'ru',
    ])
    for (const ns of ['main', 'template', 'page_template', 'module'])
      expect((await test.get(`/pages?ns=${ns}`)).body.items, ns).not.to.deep.equal([])
    const { body: page } = await test.get('/pages/sencha')
    expect(page.categories).not.to.deep.equal([])
    expect(page.translations).to.have.length(4)
    expect((await test.get('/pages/sencha/history')).body.items.length).to.be.above(1)
    expect(
      (await test.get(`/search?q=${encodeURIComponent('お茶')}&locale=ja`)).body.items,
    ).not.to.deep.equal([])
  })

  it('hides drafts, deleted pages, and edits that wait or were rejected, each of which says Unseenleaf', async () => {
    const pages = (await parseText(sample)).filter((record): record is PageRecord => record.type === 'page')
    const states = new Set(pages.map(({ state }) => state))
    const statuses = new Set(pages.flatMap(({ revisions }) => revisions.map(({ status }) => status)))
    expect(states).to.deep.equal(new Set(['live', 'draft', 'deleted']))
    expect(statuses).to.deep.equal(new Set(['accepted', 'pending', 'rejected', 'draft']))
    for (const { state, path, revisions } of pages) {
      for (const revision of revisions) {
        const isHidden = state !== 'live' || revision.status !== 'accepted'
        expect(HIDDEN.test(JSON.stringify(revision)), `${path} ${revision.id}`).to.equal(isHidden)
      }
    }
  })

  it('never shows the word Unseenleaf, wherever one looks', async () => {
    const answered: string[] = []
    const look = async (path: string, status = 200) => {
      const answer = await test.getServed(path)
      expect(answer.status, path).to.equal(status)
      // The word is in the address of the call for it, and so in what links back to that.
      const { link, ...headers } = answer.headers
      expect(`${answer.text} ${JSON.stringify(headers)}`, path).not.to.match(HIDDEN)
      answered.push(path)
      return answer.body
    }
    const encoded = encodeURIComponent
    const categories = new Set<string>()
    for (const { locale } of (await look('/')).locales) {
      await look(`/recent?locale=${locale}&limit=200`)
      for (const ns of ['main', 'template', 'page_template', 'module']) {
        for (const { path } of (await look(`/pages?locale=${locale}&ns=${ns}&limit=200`)).items) {
          const page = await look(`/pages/${encoded(path)}?locale=${locale}&format=both`)
          for (const { key } of page.categories) categories.add(`${encoded(key)}?locale=${locale}`)
          await look(`/pages/${encoded(path)}/history?locale=${locale}&limit=200`)
          await look(`/search?locale=${locale}&q=${encoded(page.title)}`)
        }
      }
      for (const q of ['unseenleaf', 'Unseenleaf', '"unseenleaf"', 'unseen', '-tea unseenleaf'])
        expect((await look(`/search?locale=${locale}&q=${encoded(q)}`)).items, q).to.deep.equal([])
    }
    expect((await look('/search?all=true&q=unseenleaf')).items).to.deep.equal([])
    for (const category of categories) await look(`/categories/${category}`)
    for (const { id } of (await look('/recent?limit=200')).items) await look(`/revisions/${id}?format=both`)

    for (const page of await parseText(sample)) {
      if (page.type !== 'page') continue
      const isShown = page.state === 'live' && page.revisions.some(({ status }) => status === 'accepted')
      if (!isShown) {
        // A hidden page's path is in the address of the call; the answer does not repeat it.
        await look(`/pages/${encoded(page.path)}?locale=${page.locale}`, 404)
        await look(`/pages/${encoded(page.path)}/history?locale=${page.locale}`, 404)
      }
      for (const { id, status } of page.revisions) {
        if (!isShown || status !== 'accepted') await look(`/revisions/${id}`, 404)
      }
    }
    await look('/openapi.json')
    expect(answered.length).to.be.above(300)
  })
})
