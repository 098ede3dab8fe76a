import { type MediawikiApiOptions, openMediawikiApi } from '@lectern/import-mediawiki/api/source'
import { openMediawikiSource } from '@lectern/import-mediawiki/dump'
import { expect } from 'chai'
import type { Database } from '../../../src/db/database.ts'
import { runImport } from '../../../src/write/run-import.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { usageErrorOf } from '../../../test/support/failures.ts'
import { png } from '../../../test/support/files.ts'
import { exportText, withFile } from '../../../test/support/importing.ts'
import { dump, dumpedPage } from '../../../test/support/mediawiki.ts'
import { FakeMediawiki, type FakePage } from '../../../test/support/mediawiki-api.ts'
import { withService } from '../../../test/support/service.ts'
import { clearWorld } from '../../../test/support/world.ts'

const LICENSE = 'https://license.example/by-sa'
const OPTIONS = { namespaces: [], redirects: true }

const at = (day: number, second = 0) =>
  `2024-05-${String(day).padStart(2, '0')}T12:00:${String(second).padStart(2, '0')}Z`

describe('import mediawiki: the Action API', () => {
  const test = withService()
  let owner: Database
  let wiki: FakeMediawiki
  let pauses: number[]
  /** A name for each test, so that it begins without a state. */
  let source = 0

  before(async () => {
    owner = (await testDatabase()).owner
  })
  beforeEach(async () => {
    await clearWorld()
    pauses = []
    source += 1
    wiki = new FakeMediawiki()
    await wiki.start()
  })
  afterEach(() => wiki.stop())

  const open = (options: Partial<MediawikiApiOptions> = {}, path = wiki.apiPath) =>
    openMediawikiApi(wiki.url + path, { ...OPTIONS, pause: async (ms) => pauses.push(ms), ...options })

  const read = async (options: Partial<MediawikiApiOptions> = {}) => {
    const { open: openSource } = await open(options)
    wiki.requests.length = 0
    const from = { name: `source-${source}`, isConfirmed: true }
    const { summary, source: read } = await runImport(owner, openSource, { from })
    test.service.invalidate()
    return { ...summary, notes: read.notes().join('\n'), covers: read.covers?.() }
  }

  const paths = async (): Promise<string[]> =>
    (await test.get('/pages?limit=200')).body.items.map(({ path }: { path: string }) => path)

  const formerPaths = async (): Promise<string[]> => {
    const text = 'select path from wiki.live_former_path order by 1'
    const rows = await owner.query<{ path: string }>({ name: 'test_stored_former_paths', text }, [])
    return rows.map(({ path }) => path)
  }

  const sencha = (): FakePage => ({
    id: 1,
    title: 'Sencha',
    revisions: [
      { id: 1, at: at(1), text: 'first' },
      {
        id: 3,
        parentId: 1,
        at: at(3),
        text: "'''Steamed''' [[Category:Green teas|s]]\r\nleaves",
        by: 'Борис',
      },
    ],
  })
  const matcha = (): FakePage => ({
    id: 2,
    title: 'Matcha',
    revisions: [{ id: 2, at: at(2), text: 'Ground' }],
  })

  describe('a first reading', () => {
    it('gives the same export as a dump of the wiki', async () => {
      wiki.pages = [
        sencha(),
        matcha(),
        { id: 3, ns: 14, title: 'Category:Green teas', revisions: [{ id: 4, at: at(4), text: 'All.' }] },
        { id: 4, ns: 10, title: 'Template:Box', revisions: [{ id: 5, at: at(4), text: '{{{1}}}' }] },
        { id: 5, title: 'Data', revisions: [{ id: 6, at: at(4), text: '{"a":1}', model: 'json' }] },
        {
          id: 6,
          title: 'Tea',
          isRedirect: true,
          revisions: [{ id: 7, at: at(4), text: '#TEHIN [[Sencha]]' }],
        },
        { id: 7, ns: 1, title: 'Talk:Sencha', revisions: [{ id: 8, at: at(4), text: 'talk' }] },
        {
          id: 8,
          title: 'Secret',
          revisions: [
            { id: 9, at: at(5), text: 'hidden text', hidden: ['text', 'user', 'comment'] },
            { id: 10, at: at(5), text: 'shown' },
          ],
        },
      ]
      const { notes } = await read()
      expect(notes).to.include('Edits whose text is hidden on the wiki; guests never see them: 1')
      const exported = await exportText(owner)
      await clearWorld()
      const hidden = {
        textElement: '<text bytes="6" deleted="deleted" />',
        contributor: '<contributor deleted="deleted" />',
        commentElement: '<comment deleted="deleted" />',
      }
      const text = dump(
        wiki.pages.map(({ title, ns, isRedirect, revisions }) =>
          dumpedPage(
            title,
            revisions.map((one) => ({ by: 'Ada', ...one, ...(one.hidden ? hidden : {}) })),
            {
              ns,
              redirect: isRedirect ? 'Sencha' : '',
            },
          ),
        ),
      )
      await withFile('dump.xml', text, (file) =>
        runImport(owner, () => openMediawikiSource(file, { ...OPTIONS, license: LICENSE })),
      )
      expect(await exportText(owner)).to.equal(exported)
      expect(exported).to.include(LICENSE).and.not.include('hidden text')
    })

    it('lists revisions 500 per request, and reads 50 texts per request, page by page', async () => {
      wiki.pages = Array.from({ length: 300 }, (_, i) => ({
        id: i + 1,
        title: `Page ${i}`,
        revisions: [0, 1, 2].map((j) => ({
          id: 1 + i + 300 * j,
          parentId: j * i,
          at: at(1 + j),
          text: `${i} ${j}`,
        })),
      }))
      wiki.textsPerResponse = 20
      expect(await read()).to.include({ pages: 300, newRevisions: 900 })
      expect(wiki.requestsOf('allrevisions')).to.have.length(2)
      // 18 batches, each in three parts.
      expect(wiki.requestsOf('revisions')).to.have.length(54)
      expect((await test.get('/pages/Page_7/history')).body.items).to.have.length(3)
    })

    it('asks for at most 4 MB of texts at a time', async () => {
      const text = 'x'.repeat(1_500_000)
      wiki.pages = [1, 2, 3].map((id) => ({ id, title: `Page ${id}`, revisions: [{ id, at: at(id), text }] }))
      await read()
      expect(wiki.requestsOf('revisions').map((one) => one.get('revids'))).to.deep.equal(['1|2', '3'])
    })

    it('leaves out a page that is deleted while it reads; what is read twice is there once', async () => {
      wiki.pages = [sencha(), matcha()]
      wiki.onRequest = (parameters) => {
        if (parameters.has('revids')) wiki.pages = [sencha()]
      }
      expect(await read()).to.include({ pages: 1, newRevisions: 2 })
      expect(await paths()).to.deep.equal(['Sencha'])
    })

    it('takes former paths from the log of moves', async () => {
      wiki.pages = [sencha()]
      const move = (title: string, to: string) => ({
        type: 'move',
        title,
        params: { target_ns: 0, target_title: to },
      })
      wiki.log = [move('Green tea', 'Leaf'), move('Leaf', 'Sencha'), move('Other', 'Gone')]
      await read()
      expect(await formerPaths()).to.deep.equal(['Green_tea', 'Leaf'])
    })
  })

  describe('the next reading', () => {
    beforeEach(async () => {
      wiki.pages = [sencha(), matcha()]
      await read()
    })

    it('reads no page if nothing changed, with four requests', async () => {
      expect(await read()).to.include({ pages: 0, revisions: 0, covers: 'changes' })
      expect(wiki.requests.length).to.be.at.most(4)
    })

    it('reads new revisions and new pages alone', async () => {
      wiki.pages[0]!.revisions.push({ id: 5, parentId: 3, at: at(5), text: 'third' })
      wiki.pages.push({ id: 3, title: 'Mate', revisions: [{ id: 6, at: at(6), text: 'Not a tea' }] })
      expect(await read()).to.include({ pages: 2, revisions: 2, newRevisions: 2 })
      expect(wiki.requestsOf('revisions').map((one) => one.get('revids'))).to.deep.equal(['5|6'])
      expect((await test.get('/pages/Sencha')).body.markdown).to.equal('third\n')
      expect((await test.get('/pages/Sencha/history')).body.items).to.have.length(3)
    })

    it('reads several events of one second, and again in the next reading, once', async () => {
      wiki.pages[0]!.revisions.push(
        { id: 5, parentId: 3, at: at(5), text: 'third' },
        { id: 6, parentId: 5, at: at(5), text: 'fourth' },
      )
      expect(await read()).to.include({ newRevisions: 2 })
      wiki.pages[0]!.revisions.push({ id: 7, parentId: 6, at: at(5), text: 'fifth' })
      expect(await read()).to.include({ newRevisions: 1 })
      expect((await test.get('/pages/Sencha')).body.markdown).to.equal('fifth\n')
    })

    it('removes a page that is deleted, with and without an event that guests see', async () => {
      wiki.pages = [sencha()]
      wiki.log = [{ type: 'delete', title: 'Matcha' }]
      expect((await read()).removed).to.deep.include({ pages: 1 })
      expect(await paths()).to.deep.equal(['Sencha'])
      wiki.pages = [matcha()]
      await read()
      expect(await paths()).to.deep.equal(['Matcha'])
    })

    it('a page that moves keeps its history, and its former path leads to it', async () => {
      wiki.pages[0]!.title = 'Green tea'
      wiki.log = [{ type: 'move', title: 'Sencha', params: { target_ns: 0, target_title: 'Green tea' } }]
      await read()
      expect(await paths()).to.deep.equal(['Green_tea', 'Matcha'])
      expect((await test.get('/pages/Green_tea/history')).body.items).to.have.length(2)
      expect(await formerPaths()).to.deep.equal(['Sencha'])
    })

    it('hides the text, the author or the comment of an older revision', async () => {
      Object.assign(wiki.pages[0]!.revisions[0]!, { hidden: ['text'] })
      Object.assign(wiki.pages[1]!.revisions[0]!, { hidden: ['user', 'comment'] })
      await read()
      const exported = await exportText(owner)
      expect(exported).not.to.include('first')
      expect((await test.get('/pages/Matcha')).body.revision.author).to.deep.equal({ name: '' })
      expect((await test.get('/pages/Sencha/history')).body.items).to.have.length(1)
    })

    it('asks for many long titles in URLs that every server accepts', async () => {
      const title = (i: number) => `${'茶'.repeat(80)} ${i}`
      wiki.log = Array.from({ length: 100 }, (_, i) => ({ type: 'delete', title: title(i) }))
      await read()
      const asked = wiki.requests.flatMap((one) =>
        one.get('titles') === 'A' ? [] : (one.get('titles') ?? []),
      )
      expect(asked.join('|').split('|')).to.have.length(100)
      for (const titles of asked) expect(encodeURIComponent(titles).length).to.be.below(5_000)
    })

    it('reads the log once: an event of the overlap is not handled twice', async () => {
      wiki.log = [{ type: 'delete', title: 'Matcha' }]
      await read()
      expect(wiki.requests.filter((one) => one.has('pageids'))).to.have.length(1)
      await read()
      expect(wiki.requests.filter((one) => one.has('pageids'))).to.have.length(0)
    })

    it('reads pages again whose author has another name', async () => {
      for (const { revisions } of wiki.pages) for (const one of revisions) one.by = 'Lovelace'
      await read()
      expect((await test.get('/pages/Matcha')).body.revision.author).to.deep.equal({ name: 'Lovelace' })
    })

    it('reads the pages of a user whom the log says to be renamed', async () => {
      for (const { revisions } of wiki.pages)
        for (const one of revisions) if (one.by !== 'Борис') one.by = 'Lovelace'
      const limits = { overlapMs: 0, comparedRevisions: 1, checkRequests: 0 }
      await read({ limits })
      expect(await exportText(owner)).not.to.include('Lovelace')
      wiki.log = [{ type: 'renameuser', title: 'User:Ada', params: { olduser: 'Ada', newuser: 'Lovelace' } }]
      await read({ limits })
      expect(await exportText(owner))
        .to.include('Lovelace')
        .and.not.include('"Ada"')
    })

    it('does not take a wiki that does not know the list of revisions for an empty one', async () => {
      wiki.onRequest = (parameters) => {
        if (parameters.get('list') === 'allrevisions')
          wiki.faults.push((response) => response.end('{"batchcomplete":true,"warnings":{}}'))
      }
      expect(await usageErrorOf(read({ readsAll: true }))).to.include('unexpected response')
      wiki.onRequest = () => {}
      wiki.general.generator = 'MediaWiki 1.26.4'
      expect(await usageErrorOf(open())).to.include('1.27 or newer')
      expect(await paths()).to.deep.equal(['Matcha', 'Sencha'])
    })

    it('removes a page that becomes a redirect, if redirects are left out', async () => {
      await read({ redirects: false })
      wiki.pages[1] = { ...matcha(), isRedirect: true }
      wiki.pages[1].revisions.push({ id: 9, parentId: 2, at: at(9), text: '#REDIRECT [[Sencha]]' })
      await read({ redirects: false })
      expect(await paths()).to.deep.equal(['Sencha'])
      expect(await read({ redirects: false })).to.include({ pages: 0 })
    })

    it('finds in the end what it compares a part of in each reading', async () => {
      wiki.pages = Array.from({ length: 60 }, (_, i) => ({
        id: 10 + i,
        title: `Page ${i}`,
        revisions: [{ id: 10 + i, at: at(1, i), text: `text ${i}` }],
      }))
      await read({ readsAll: true })
      wiki.pages.splice(3, 2)
      wiki.pages[0]!.revisions[0]!.hidden = ['text']
      const limits = { overlapMs: 0, comparedRevisions: 10, checkRequests: 1 }
      const found: number[] = []
      for (let i = 0; i < 8; i += 1) {
        await read({ limits })
        found.push((await paths()).length)
      }
      expect(found[0]).to.equal(60)
      expect(found.at(-1)).to.equal(57)
    })

    for (const [what, change] of Object.entries<(options: Partial<MediawikiApiOptions>) => void>({
      'another option': (options) => Object.assign(options, { redirects: false }),
      'another name of the wiki': () => Object.assign(wiki.general, { sitename: 'Other' }),
      'a request for it': (options) => Object.assign(options, { readsAll: true }),
    }))
      it(`reads everything again after ${what}`, async () => {
        const options = {}
        change(options)
        expect(await read(options)).to.include({ pages: 2, revisions: 3, covers: 'wiki' })
      })

    it('fails without a change if the wiki breaks off, and reads the changes the next time', async () => {
      const before = await exportText(owner)
      wiki.pages[0]!.revisions.push({ id: 5, parentId: 3, at: at(5), text: 'third' })
      wiki.onRequest = (parameters) => {
        if (parameters.has('revids')) wiki.faults.push((response) => response.destroy())
      }
      expect(await usageErrorOf(read())).to.include('Cannot reach 127.0.0.1')
      expect(pauses).to.deep.equal([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000])
      expect(await exportText(owner)).to.equal(before)
      wiki.onRequest = () => {}
      wiki.faults.length = 0
      expect(await read()).to.include({ newRevisions: 1 })
    })
  })

  describe('politeness', () => {
    beforeEach(() => {
      wiki.pages = [sencha()]
    })

    it('names itself and the contact, and asks a busy wiki to refuse', async () => {
      await read({ contact: 'ada@tea.example' })
      expect([...wiki.userAgents]).to.have.length(1)
      expect([...wiki.userAgents][0]).to.match(/^Lectern\/\d+\.\d+\.\d+(-dev)? \(ada@tea\.example; /)
      for (const one of wiki.requests) {
        expect(Object.fromEntries(one)).to.include({ maxlag: '5', formatversion: '2', action: 'query' })
      }
    })

    it('waits as long as the wiki says: for lag, for too many requests, and when it is unavailable', async () => {
      const lag = JSON.stringify({
        error: { code: 'maxlag', info: 'Waiting for a server: 7 seconds lagged' },
      })
      const api = await open()
      wiki.faults.push(
        (response) => response.setHeader('retry-after', '7').end(lag),
        (response) => response.writeHead(429, { 'retry-after': '9' }).end('slow down'),
        (response) => response.writeHead(503).end('maintenance'),
        (response) => response.writeHead(503, { 'retry-after': '100000' }).end('maintenance'),
        (response) => response.end('{"batchcomplete":true,"query":{"allre'),
        (response) => response.end(JSON.stringify({ error: { code: 'ratelimited', info: 'slow' } })),
      )
      expect(await api.version()).to.match(/^[0-9a-f]{32}$/)
      expect(pauses).to.deep.equal([7_000, 9_000, 2_000, 300_000, 1_000, 2_000])
    })

    it('one request at a time', async () => {
      let running = 0
      let most = 0
      wiki.onRequest = () => {
        running += 1
        most = Math.max(most, running)
        setImmediate(() => {
          running -= 1
        })
      }
      await read()
      expect(most).to.equal(1)
    })

    it('a wiki that is too busy for long is an error', async () => {
      const api = await open()
      wiki.onRequest = () =>
        wiki.faults.push((response) => response.end(JSON.stringify({ error: { code: 'maxlag', info: '' } })))
      expect(await usageErrorOf(api.version())).to.include('too busy')
      expect(pauses).to.have.length(59)
    })

    it('refuses a response without an end', async () => {
      const api = await open()
      wiki.faults.push((response) => {
        const part = Buffer.alloc(1 << 20, 'x')
        const write = () => {
          while (response.write(part));
        }
        response.on('drain', write)
        write()
      })
      expect(await usageErrorOf(api.version())).to.include('more than 67108864 bytes')
    })

    it('a list that does not continue is an error, and not endless', async () => {
      wiki.onRequest = (parameters) => {
        if (!parameters.has('revids')) return
        const next = { continue: { rvcontinue: '1', continue: '||' }, query: { pages: [] } }
        wiki.faults.push((response) => response.end(JSON.stringify(next)))
      }
      expect(await usageErrorOf(read())).to.include('does not continue its list')
    })
  })

  describe('finding the API', () => {
    const link = (href: string) =>
      `<html><link rel="EditURI" type="application/rsd+xml" href="${href}"/></html>`

    it('by the link in any page of the wiki, and by its usual places', async () => {
      wiki.html.set('/wiki/Sencha', link('//HOST/w/api.php?action=rsd'.replace('HOST', wiki.url.slice(7))))
      expect((await open({}, '/wiki/Sencha')).url).to.equal(`${wiki.url}/w/api.php`)
      expect((await open({}, '/')).url).to.equal(`${wiki.url}/w/api.php`)
      expect((await open({}, '/w/index.php?title=Sencha')).url).to.equal(`${wiki.url}/w/api.php`)
      wiki.apiPath = '/api.php'
      expect((await open({}, '/any/page')).url).to.equal(`${wiki.url}/api.php`)
    })

    it('says what is wrong if there is none', async () => {
      wiki.html.set('/', '<html>A web page</html>')
      wiki.apiPath = '/elsewhere'
      expect(await usageErrorOf(open({}, '/'))).to.include('is not a MediaWiki, or its API is disabled')
      expect(await usageErrorOf(open({}, '/w/api.php'))).to.include('status 404')
      expect(
        await usageErrorOf(openMediawikiApi('http://127.0.0.1:1/', { ...OPTIONS, pause: async () => {} })),
      ).to.include('Cannot reach 127.0.0.1:1')
      expect(await usageErrorOf(openMediawikiApi('http://ada:x@127.0.0.1/', OPTIONS))).to.include('password')
    })

    it('says that a wiki is private', async () => {
      wiki.faults.push((response) =>
        response.end(JSON.stringify({ error: { code: 'readapidenied', info: 'You need read permission' } })),
      )
      expect(await usageErrorOf(open()))
        .to.include('private')
        .and.include('dump')
    })

    it('says that a wiki refuses programs that name no contact', async () => {
      wiki.faults.push((response) => response.writeHead(403).end('<h1>Forbidden</h1>'))
      expect(await usageErrorOf(open())).to.include('--contact')
    })

    it('follows five redirects', async () => {
      const redirect = (response: Parameters<(typeof wiki.faults)[0]>[0]) =>
        response.writeHead(301, { location: `${wiki.apiPath}?${wiki.requests.at(-1)}` }).end()
      wiki.faults.push(...Array.from({ length: 5 }, () => redirect))
      await open()
      wiki.faults.push(...Array.from({ length: 6 }, () => redirect))
      expect(await usageErrorOf(open())).to.include('redirects too often')
    })

    it('refuses an option that does not fit before it reads', async () => {
      expect(await usageErrorOf(open({ contact: 'Ada\n' }))).to.include('is not a contact')
      expect(await usageErrorOf(open({ namespaces: ['Portal'] }))).to.include('no namespace Portal')
    })
  })

  it('copies the files that pages show with --files, and otherwise leaves them on the wiki', async () => {
    const cup = png(40, 30)
    wiki.images.set('Cup_ü.png', { data: cup })
    wiki.images.set('Gone.png', { data: png(2, 2), status: 404 })
    wiki.images.set('Unused.png', { data: png(3, 3) })
    wiki.pages = [
      {
        id: 1,
        title: 'Tea',
        revisions: [
          { id: 1, at: at(1), text: '[[File:cup ü.png|thumb|A cup]] [[File:Gone.png]] [[File:None.png]]' },
        ],
      },
    ]
    const htmlOf = async () => (await test.get('/pages/Tea?format=html')).body.html as string
    await read()
    expect((await test.get('/files')).body.items).to.deep.equal([])
    expect(await htmlOf()).to.include('/Special:Redirect/file/Cup_%C3%BC.png"')
    const { files } = await read({ files: true, readsAll: true })
    expect(files).to.deep.include({ files: 1, bytes: cup.length, missing: 1 })
    expect([...files.leftOut]).to.deep.equal([
      ['the wiki responds with status 404', { files: 1, first: ['Gone.png'] }],
    ])
    expect(await htmlOf()).to.match(
      /media\/[0-9a-f]{64}\/Cup_%C3%BC\.png" alt="A cup" width="40" height="30"/,
    )
    const { body } = await test.get(`/files/${encodeURIComponent('Cup_ü.png')}`)
    expect(body).to.deep.include({ author: { name: 'Ada' }, modified_at: '2024-05-01T12:00:00.000000Z' })

    wiki.images.set('Cup_ü.png', { data: png(8, 8) })
    wiki.log.push({ type: 'upload', title: 'File:Cup ü.png' })
    expect((await read({ files: true })).files.stored).to.equal(1)
    expect(await htmlOf()).to.include('width="8"')
    wiki.images.delete('Cup_ü.png')
    await read({ files: true })
    expect((await test.get('/files')).body.items).to.deep.equal([])
  })
})
