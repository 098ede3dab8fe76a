import { expect } from 'chai'
import { type FileSpec, importFiles, makeWorldWithFiles, png, sha256 } from '../support/files.ts'
import { withService } from '../support/service.ts'
import type { PageSpec } from '../support/world.ts'

const page = (path: string, markdown: string, more: Partial<PageSpec> = {}): PageSpec => ({
  path,
  revisions: [{ title: path.toUpperCase(), markdown, created_at: '2024-02-01T00:00:00Z' }],
  ...more,
})

const cup = png(40, 30)
const ORIGIN = 'http://localhost:3000'
const mediaUrl = (data: Buffer | string, name: string) => `${ORIGIN}/media/${sha256(data)}/${name}`

const files: FileSpec[] = [
  {
    ...{ path: 'images/cup.png', data: cup, author: 'Ada' },
    modifiedAt: '2024-01-02T03:04:05.000006Z',
  },
  { path: 'images/a b.png', data: png(2, 3) },
  { path: 'manual.pdf', data: '%PDF-1.7 tea' },
  { path: 'notes/leaf.svg', data: '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="9"></svg>' },
  { path: 'data.csv', data: 'tea,cups\n' },
  { path: 'unused.png', data: png(9, 9) },
]

const pages: PageSpec[] = [
  page('tea', '![A cup](images/cup.png)\n\n[The manual](manual.pdf#page=3) ![](images/a%20b.png)'),
  page('notes/day', '![](leaf.svg) ![](/images/cup.png) <img src="../images/cup.png"> [data](../data.csv)'),
  page('plain', 'No files.'),
  page('hidden', '![](unused.png)', { state: 'draft' }),
]

const paths = (body: { items: { path: string }[] }) => body.items.map(({ path }) => path)

describe('GET /files', () => {
  const test = withService()
  before(async () => {
    await makeWorldWithFiles({ pages }, files)
    test.service.invalidate()
  })

  it('200: the files that live pages use, by the bytes of their paths', async () => {
    const { status, body } = await test.get('/files')
    expect(status).to.equal(200)
    expect(paths(body)).to.deep.equal([
      'data.csv',
      'images/a b.png',
      'images/cup.png',
      'manual.pdf',
      'notes/leaf.svg',
    ])
    expect(body.next).to.equal('')
    expect(body.items[2]).to.deep.equal({
      path: 'images/cup.png',
      locale: null,
      url: mediaUrl(cup, 'cup.png'),
      media_type: 'image/png',
      bytes: cup.length,
      sha256: sha256(cup),
      width: 40,
      height: 30,
      modified_at: '2024-01-02T03:04:05.000006Z',
    })
    expect(body.items[1].url).to.match(/\/a%20b\.png$/)
    expect(body.items[3]).to.deep.include({ media_type: 'application/pdf', width: null, modified_at: null })
  })

  it('lists those of a media type, of all types that begin alike, and those whose path begins with a text', async () => {
    expect(paths((await test.get('/files?type=image')).body)).to.have.length(3)
    expect(paths((await test.get('/files?type=image/svg%2Bxml')).body)).to.deep.equal(['notes/leaf.svg'])
    expect(paths((await test.get('/files?type=IMAGE/PNG&prefix=images/c')).body)).to.deep.equal([
      'images/cup.png',
    ])
    expect(paths((await test.get('/files?prefix=images/')).body)).to.have.length(2)
    expect(paths((await test.get('/files?prefix=x')).body)).to.deep.equal([])
  })

  for (const query of ['', '?type=image', '?prefix=images/'])
    it(`continues after \`next\`: ${query || 'all files'}`, async () => {
      const all = paths((await test.get(`/files${query}`)).body)
      const walked = await test.walk(`/files${query}`, 'after', 1)
      expect(walked.map(({ path }) => path)).to.deep.equal(all)
    })

  it('400: an invalid type or limit, naming the parameter', async () => {
    for (const [query, name] of [
      ['type=image/', 'type'],
      ['type=%2e%2e', 'type'],
      ['limit=201', 'limit'],
    ])
      expect((await test.get(`/files?${query}`)).body.error?.message, query).to.include(name)
  })

  describe('GET /files/{path}', () => {
    it('200: one file, who changed it, and the pages that use it', async () => {
      const { status, body } = await test.get('/files/images/cup.png')
      expect(status).to.equal(200)
      expect(body.author).to.deep.equal({ name: 'Ada' })
      expect(body.used_by).to.deep.equal({
        items: ['notes/day', 'tea'].map((path) => ({
          ...{ path, title: path.toUpperCase(), locale: 'en', ns: 'main' },
          url: `https://en.wiki.example/${path}`,
        })),
        next: '',
      })
      expect((await test.get('/files/images%2Fcup.png')).body).to.deep.equal(body)
      expect((await test.get('/files/manual.pdf')).body.author).to.equal(null)
    })

    it('404: a file that only a hidden page uses, one that does not exist, and paths that climb', async () => {
      for (const path of [
        'unused.png',
        'none.png',
        '../manual.pdf',
        '%2e%2e/manual.pdf',
        'images',
        '%00',
        'images/CUP.png',
      ])
        expect((await test.get(`/files/${path}`)).status, path).to.be.oneOf(path === '%00' ? [400] : [404])
    })

    it('lists 50 pages at a time, each once', async () => {
      const many = Array.from({ length: 60 }, (_, i) => page(`p${100 + i}`, '![](/a.png) ![](a.png)'))
      await makeWorldWithFiles({ pages: many }, [{ path: 'a.png', data: cup }])
      test.service.invalidate()
      const { used_by: first } = (await test.get('/files/a.png')).body
      expect(first.items).to.have.length(50)
      expect(first.next).to.equal('en/p149')
      const { used_by: rest } = (await test.get(`/files/a.png?after=${first.next}`)).body
      expect(paths(rest)).to.deep.equal(many.slice(50).map(({ path }) => path))
      await makeWorldWithFiles({ pages }, files)
      test.service.invalidate()
    })
  })

  describe('include=files', () => {
    const ofTea = [
      { path: 'images/a b.png', name: 'a%20b.png', data: png(2, 3), type: 'image/png' },
      { path: 'images/cup.png', name: 'cup.png', data: cup, type: 'image/png' },
      { path: 'manual.pdf', name: 'manual.pdf', data: Buffer.from('%PDF-1.7 tea'), type: 'application/pdf' },
    ].map(({ path, name, data, type }) => ({
      ...{ path, url: mediaUrl(data, name), media_type: type },
      ...{ bytes: data.length, sha256: sha256(data) },
    }))

    it('adds the files of a page, each once', async () => {
      expect((await test.get('/pages/tea?include=files')).body.files).to.deep.equal(ofTea)
      expect((await test.get('/pages/plain?include=files')).body.files).to.deep.equal([])
      expect((await test.get('/pages/tea')).body).not.to.have.property('files')
      expect((await test.get('/pages/notes%2Fday?include=files')).body.files).to.have.length(3)
    })

    it('adds them to the items of lists and of changes', async () => {
      for (const list of [
        '/pages?include=files',
        '/changes?include=files,summary',
        '/search?q=tea&include=markdown,files',
      ]) {
        const { items } = (await test.get(list)).body
        expect(items.find(({ path }: { path: string }) => path === 'tea').files, list).to.deep.equal(ofTea)
      }
    })
  })

  describe('html', () => {
    it('shows pictures with their address and size, and leads links to the bytes', async () => {
      const { html } = (await test.get('/pages/tea?format=html')).body
      expect(html).to.include(
        `<img src="${mediaUrl(cup, 'cup.png')}" alt="A cup" width="40" height="30" loading="lazy" />`,
      )
      expect(html).to.include(`<a href="${mediaUrl('%PDF-1.7 tea', 'manual.pdf')}#page=3">The manual</a>`)
      expect((await test.get('/pages/tea')).body.markdown).to.include('](images/cup.png)')
    })

    it('keeps the size and the loading that the author set, and what the source does not have as it is', async () => {
      await makeWorldWithFiles(
        {
          pages: [
            page(
              'tea',
              '<img src="images/cup.png" width="20" loading="eager" srcset="images/cup.png 1x, big.png 2x">\n\n![](none.png) ![](images/cup.png#only-dark) ![](https://other.example/images/cup.png) [x](none.pdf)\n\n![[cup.png|300]] ![[cup.png]] [[manual.pdf]]\n\n<video src="film.webm" poster="images/cup.png"></video>',
            ),
          ],
        },
        [files[0]!, files[2]!, { path: 'film.webm', data: Buffer.from('1a45dfa34282847765626d', 'hex') }],
      )
      test.service.invalidate()
      const { html } = (await test.get('/pages/tea?format=html')).body
      const url = mediaUrl(cup, 'cup.png')
      expect(html).to.include(
        `<img src="${url}" width="20" loading="eager" srcset="${url} 1x, https://en.wiki.example/big.png 2x" />`,
      )
      expect(html)
        .to.include('<img src="https://en.wiki.example/none.png" alt="" />')
        .and.not.include('only-dark')
      expect(html).to.include('<img src="https://other.example/images/cup.png" alt="" />')
      expect(html).to.include('<a href="https://en.wiki.example/none.pdf">x</a>')
      expect(html).to.include(`<img src="${url}" alt="cup.png" width="300" loading="lazy" />`)
      expect(html).to.include(`<img src="${url}" alt="cup.png" width="40" height="30" loading="lazy" />`)
      expect(html).to.include(`>manual.pdf</a>`)
      expect(html).to.include(`poster="${url}"`)
    })

    it('changes when a file changes, and with it /changes', async () => {
      const world = { pages: [page('tea', '![](cup.png)'), page('plain', 'No files.')] }
      await makeWorldWithFiles(world, [{ path: 'cup.png', data: cup }])
      test.service.invalidate()
      const { cursor } = (await test.get('/changes')).body
      await test.get('/pages/tea?format=html')
      const other = png(7, 5, 100)
      await importFiles(world, [{ path: 'cup.png', data: other }])
      test.service.invalidate()
      expect((await test.get('/pages/tea?format=html')).body.html).to.include(mediaUrl(other, 'cup.png'))
      const changes = await test.get(`/changes?after=${cursor}&include=files`)
      expect(changes.body.items).to.have.length(1)
      expect(changes.body.items[0]).to.deep.include({ type: 'upsert', path: 'tea' })
      expect(changes.body.items[0].files[0].sha256).to.equal(sha256(other))
      await importFiles(world, [])
      test.service.invalidate()
      const gone = await test.get(`/changes?after=${changes.body.cursor}&include=files`)
      expect(
        gone.body.items.map(({ path, files }: { path: string; files: object[] }) => [path, files]),
      ).to.deep.equal([['tea', []]])
      await importFiles(world, [])
      expect((await test.get(`/changes?after=${gone.body.cursor}`)).body.items).to.deep.equal([])
    })
  })
})
