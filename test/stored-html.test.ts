import { openNdjsonSource } from '@lectern/import-files/ndjson/source'
import { makeWikiAddresses } from '@lectern/wiki/links'
import { expect } from 'chai'
import type { Database } from '../src/db/database.ts'
import { statement } from '../src/db/statements.ts'
import { PageDocument } from '../src/generated/queries.ts'
import { makeStoredQueries } from '../src/graphql.ts'
import { RENDER_LIMITS } from '../src/limits/rendering.ts'
import { makeContext } from '../src/query-context.ts'
import type { Render } from '../src/render/render-result.ts'
import type { Renderer } from '../src/render/renderer.ts'
import { storeHtml } from '../src/stored-html.ts'
import { runImport } from '../src/write/run-import.ts'
import { testDatabase } from './support/database.ts'
import { importFiles, makeWorldWithFiles, png } from './support/files.ts'
import { renderHtml } from './support/markdown.ts'
import { pageVariables } from './support/page-variables.ts'
import { SAMPLE_WIKI } from './support/sample.ts'
import { clearWorld, importRecords, type PageSpec, recordsOf } from './support/world.ts'

/** Texts whose HTML depends on the addresses of the wiki, or on other pages. The sample is beside them. */
const TEXTS: Record<string, string> = {
  tea: '[a](cup) [b](/ru/чай) [c](/cup#top) [d](../x) [e](/de/cup) [f](?a=1#b) [h](tea.md)',
  'deep/tea':
    '[a](cup) [b](..) [c](/) [d](/file.pdf) [e](file.pdf) ![](/x/a.png) ![](a.png) <img srcset="/b.png 2x, c.png">',
  named: '[[Cup]] [[Nothing]] ![[cup.png]] ![](cup.png)',
  own: '[a](https://wiki.example/wiki/en/tea) <https://en.wiki.example/tea> [b](http://wiki.example/base/en/tea)',
  host: 'https://wiki.invalid/en/tea and https://files.wiki.invalid/media/x [a](https://wiki.invalid/ru/x)',
  scheme: '[g](//host.example/x)',
  path: '[g](http:x)',
  entity: '[g](&#47;&#47;host.example/x)',
  'a,b c': '[a](<a,b c>) [b](a%2Cb/x.pdf) ![](/a,b/c.png)',
  '..': '[self]() [up](..) ![](../a.png)',
}
const page = (path: string, markdown: string): PageSpec => ({ path, revisions: [{ markdown }] })
const pages: PageSpec[] = [
  ...Object.entries(TEXTS).map(([path, markdown]) => page(path, markdown)),
  { path: 'cup', revisions: [{ title: 'Cup', markdown: 'A cup.' }] },
  { ...page('чай', '[a](tea) [b](/en/tea) ![](/cup.png) [c](/a.pdf)'), locale: 'ru' },
  { ...page('note', '![[Cup]]\n\nx'), dialect: 'obsidian' },
]
const files = [{ path: 'cup.png', data: png(2, 2) }]

/** Addresses of wikis, and the pages that a service renders because they show other texts, or could link to the wiki by URL. */
const WIKIS: [title: string, origin: string, byLocale: Record<string, string>, rendered: string][] = [
  ['no page has its host', 'https://a.example', { ru: 'https://ru.example/w' }, 'note'],
  ['one host for all languages', 'https://wiki.example', {}, 'note own'],
  ['no TLS', 'http://wiki.example/a&b', { en: 'http://wiki.example/base/en' }, 'entity note own path scheme'],
]

describe('stored HTML', () => {
  let owner: Database
  before(async () => {
    owner = (await testDatabase()).owner
  })
  /** Without the processes of a renderer, whose start takes most of the time. */
  const renderer: Pick<Renderer, 'render' | 'close'> = {
    render: async ({ markdown, context }) =>
      markdown.length > RENDER_LIMITS.textLength
        ? { failure: 'input' }
        : { output: renderHtml(markdown, context) },
    close: async () => {},
  }
  const storeAll = () => storeHtml(owner, { renderer })
  const rows = <Row extends object>(text: string) =>
    owner.query<Row>({ name: `test_html_${text.length}`, text }, [])

  /** The HTML of all pages, by a service that has rendered none yet, and those that it renders. */
  const read = async (origin = 'https://wiki.example', byLocale: Record<string, string> = {}) => {
    const rendered: string[] = []
    const render: Render = async ({ markdown, context }) => {
      rendered.push(context.path)
      return { output: renderHtml(markdown, context) }
    }
    const addresses = makeWikiAddresses({ byLocale, fallback: `${origin}/wiki` })
    const { reader } = await testDatabase()
    const query = makeStoredQueries(makeContext(reader, addresses, render, undefined, origin))(PageDocument)
    const html: Record<string, string | undefined> = {}
    for (const { locale, path } of await rows<PageSpec>('select locale, path from guest.page')) {
      const found = await query({ ...pageVariables(locale!, path), markdown: false, html: true })
      html[`${locale} ${path}`] = found.page?.content.html
    }
    return { html, rendered: rendered.sort() }
  }

  it('is what the service would render, whatever the addresses of the wiki are', async () => {
    await makeWorldWithFiles({ pages }, files)
    await runImport(owner, () => openNdjsonSource(SAMPLE_WIKI))
    const expected = []
    for (const [, origin, byLocale] of WIKIS) expected.push((await read(origin, byLocale)).html)
    await storeAll()
    for (const [i, [title, origin, byLocale, rendered]] of WIKIS.entries())
      expect(await read(origin, byLocale), title).to.deep.equal({
        html: expected[i],
        rendered: rendered.split(' '),
      })
  })

  it('follows the page, the pages that it names, its files and the languages of the wiki', async () => {
    /** @param paths the pages whose HTML is not stored, until it is stored again */
    const expectRendered = async (...paths: string[]) => {
      const { html, rendered } = await read()
      expect(rendered).to.deep.equal(paths)
      await storeAll()
      expect(await read()).to.deep.equal({ html, rendered: [] })
      await rows("update wiki.live_html set digest = 'x' || digest")
      expect((await read()).html).to.deep.equal(html)
      await rows('update wiki.live_html set digest = substr(digest, 2)')
    }
    const world = (cup: PageSpec) => ({
      pages: [page('named', TEXTS.named!), page('other', '[x](/de/x)'), cup],
    })
    const cup = page('cup', 'A cup.')
    await makeWorldWithFiles(world(cup), files)
    await expectRendered('cup', 'named', 'other')
    await importFiles(world(page('cup', 'Two cups.')), files)
    await expectRendered('cup')
    await importFiles(world({ ...cup, state: 'draft' }), files)
    await expectRendered('named')
    await importFiles(world({ ...cup, path: 'mugs/cup' }), files)
    await expectRendered('mugs/cup', 'named')
    await importFiles(world({ ...cup, path: 'mugs/cup' }), [{ path: 'cup.png', data: png(3, 3) }])
    await expectRendered('named')
    const german = { path: 'x', locale: 'de' }
    await importRecords(recordsOf({ locales: ['en', 'ru', 'de'], pages: [german] }))
    await expectRendered('mugs/cup', 'named', 'other', 'x')
  })

  it('goes in the transaction that changes or hides its page', async () => {
    const edited = (id: string, change: object = {}): PageSpec => ({
      path: id,
      revisions: [{ id: `00000000-0000-4000-8000-00000000000${id}`, markdown: 'old', ...change }],
    })
    const stored = async () => (await rows<{ html: string }>('select html from guest.page_html')).length
    await clearWorld()
    await importRecords(recordsOf({ pages: ['1', '2', '3', '4'].map((id) => edited(id)) }))
    await storeAll()
    expect(await stored()).to.equal(4)
    const changed = [edited('1', { markdown: 'new' }), edited('2', { status: 'rejected' })]
    await importRecords(recordsOf({ pages: [...changed, { ...edited('3'), state: 'draft' }] }))
    expect(await stored()).to.equal(1)
    // What was read before a page changed comes too late.
    await rows('delete from wiki.live_html')
    const [late] = await rows<{ id: string; change: string }>(
      'select page_id as id, change from wiki.live_change',
    )
    await owner.query(statement('store_html'), ['r', 'h', [late!.id], [late!.change], ['d'], ['html']])
    expect(await stored()).to.equal(0)
  })

  it('is made again by another version, and tried once if a text cannot be rendered', async () => {
    await clearWorld()
    await importRecords(recordsOf({ pages: [page('long', 'a'.repeat(1024 * 1024 + 1)), { path: 'tea' }] }))
    const stored = () => rows('select page_id, html, digest from wiki.live_html order by 2')
    await storeAll()
    const first = await stored()
    expect(first).to.have.deep.nested.property('[1].html', null)
    await rows("update wiki.live_html set digest = 'x'")
    await storeAll()
    expect(await stored()).not.to.deep.equal(first)
    await rows("update wiki.live_html set renderer = 'older'")
    await storeAll()
    expect(await stored()).to.deep.equal(first)
  })
})
