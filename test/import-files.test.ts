import { ImportError } from '@lectern/wiki/errors'
import { expect } from 'chai'
import { DEFAULT_FILE_LIMITS, makeFileLimits } from '../src/write/file-writer.ts'
import { rowsOf } from './support/database.ts'
import { type FileSpec, importFiles, makeWorldWithFiles, png, sha256 } from './support/files.ts'
import type { PageSpec } from './support/world.ts'

const page = (path: string, markdown: string, more: Partial<PageSpec> = {}): PageSpec => ({
  path,
  revisions: [{ title: path, markdown, created_at: '2024-02-01T00:00:00Z' }],
  ...more,
})

/** Paths of the stored files. */
const stored = async (): Promise<string[]> =>
  (await rowsOf<{ path: string }>('select path from wiki.live_file order by path')).map(({ path }) => path)

/** References of pages, and the files to which they lead. */
const uses = async (): Promise<string[]> =>
  (
    await rowsOf<{ use: string }>(`
      select u.page_path || ': ' || u.reference || ' = ' || f.path as use
        from wiki.live_file_use u join wiki.live_file f on f.id = u.file_id
         order by u.page_path, u.reference`)
  ).map(({ use }) => use)

/** How many blobs and parts are stored. */
const blobs = async () =>
  (
    await rowsOf<{ blobs: number; parts: number }>(
      'select (select count(*)::int from wiki.live_blob) as blobs, (select count(*)::int from wiki.live_blob_part) as parts',
    )
  )[0]!

const cup = png(40, 30)
const pot = png(20, 10, 200)

describe('files of an import', () => {
  it('stores the files that the accepted text of a live page shows or links, and asks for no others', async () => {
    const { summary, opened } = await makeWorldWithFiles(
      {
        pages: [
          page('tea/green', '![A cup](images/cup.png) and [the manual](/manual.pdf)\n\n![missing](no.png)'),
          page('draft', '![](secret.png)', { state: 'draft' }),
          {
            path: 'waiting',
            revisions: [
              { markdown: 'Text', created_at: '2024-01-01T00:00:00Z' },
              { markdown: '![](pending.png)', status: 'pending', created_at: '2024-01-02T00:00:00Z' },
              { markdown: '![](old.png)', created_at: '2023-01-02T00:00:00Z' },
            ],
          },
        ],
      },
      [
        { path: 'tea/images/cup.png', data: cup },
        { path: 'manual.pdf', data: '%PDF-1.7 tea' },
        { path: 'secret.png', data: pot },
        { path: 'pending.png', data: pot },
        { path: 'old.png', data: pot },
        { path: 'unused.png', data: pot },
      ],
    )
    expect(opened).to.have.members(['tea/images/cup.png', 'manual.pdf'])
    expect(await stored()).to.deep.equal(['manual.pdf', 'tea/images/cup.png'])
    expect(summary.files).to.deep.include({
      ...{ files: 2, stored: 2, bytes: cup.length + 12, missing: 1 },
      firstMissing: [{ reference: 'no.png', page: 'tea/green' }],
    })
    expect(
      await rowsOf(`select path, media_type, bytes, width, height, encode(sha256, 'hex') as sha256
                    from wiki.live_file where width is not null`),
    ).to.deep.equal([
      {
        ...{ path: 'tea/images/cup.png', media_type: 'image/png', bytes: cup.length },
        ...{ width: 40, height: 30, sha256: sha256(cup) },
      },
    ])
  })

  it('stores files of repositories whose names have no extension, but no page of such a name', async () => {
    const text = '[a](LICENSE) [b](docs/Makefile) [c](license) [d](TEA) [[COPYING]] <a href="NOTICE">e</a>'
    const files = ['LICENSE', 'docs/Makefile', 'license', 'TEA', 'COPYING', 'NOTICE']
    await makeWorldWithFiles(
      { pages: [page('tea', text)] },
      files.map((path) => ({ path, data: 'all: tea' })),
    )
    expect(await stored()).to.deep.equal(['LICENSE', 'NOTICE', 'docs/Makefile'])
  })

  it('resolves references relative to the file of the page, in the folders for rooted ones, and by name', async () => {
    await makeWorldWithFiles(
      {
        pages: [
          page('tea', '![](a%20b.png) ![](../up.png) ![](/rooted.png?raw=true#x) <img src="./Ü.png">'),
          page('notes', '![[cup.png]] ![[deep/cup.png]] ![[POT.png]] ![[sub/none.png]]'),
          // Only in a vault of Obsidian is the name enough.
          page('vault', '![](pot.png#dark) ![](./deep/cup.png)', { dialect: 'obsidian' }),
          page('readme', '![](pot.png)'),
        ],
      },
      [
        { path: 'docs/tea/a b.png', data: cup },
        { path: 'docs/up.png', data: cup },
        { path: 'static/rooted.png', data: cup },
        { path: 'docs/tea/Ü.png', data: cup },
        { path: 'x/y/cup.png', data: cup },
        { path: 'x/cup.png', data: cup },
        { path: 'a/b/deep/cup.png', data: cup },
        { path: 'x/pot.png', data: cup },
        { path: 'other/none.png', data: cup },
        { path: 'up.png', data: pot },
      ],
      { roots: ['public', 'static'], sourcePaths: { tea: 'docs/tea/index.md' } },
    )
    expect(await uses()).to.deep.equal([
      'notes: [[POT.png]] = x/pot.png',
      'notes: [[cup.png]] = x/cup.png',
      'notes: [[deep/cup.png]] = a/b/deep/cup.png',
      'tea: ../up.png = docs/up.png',
      'tea: ./Ü.png = docs/tea/Ü.png',
      'tea: /rooted.png = static/rooted.png',
      'tea: a b.png = docs/tea/a b.png',
      'vault: ./deep/cup.png = a/b/deep/cup.png',
      'vault: pot.png = x/pot.png',
    ])
    expect(await blobs()).to.deep.equal({ blobs: 1, parts: 1 })
  })

  it('reads only what has changed, and removes what the source no longer has', async () => {
    const pages = [page('tea', '![](cup.png) ![](pot.png) ![](copy.png)')]
    const files: FileSpec[] = [
      { path: 'cup.png', data: cup },
      { path: 'pot.png', data: pot },
      { path: 'copy.png', data: cup },
    ]
    await makeWorldWithFiles({ pages }, files)
    expect(await blobs()).to.deep.equal({ blobs: 2, parts: 2 })
    const again = await importFiles({ pages }, files)
    expect(again.opened).to.deep.equal([])
    expect(again.summary.files).to.deep.include({ files: 3, stored: 0 })
    const third = await importFiles({ pages }, [{ path: 'cup.png', data: png(1, 1) }, files[1]!])
    expect(third.opened).to.deep.equal(['cup.png'])
    expect(await stored()).to.deep.equal(['cup.png', 'pot.png'])
    expect(third.summary.files.missing).to.equal(1)
    expect(await blobs()).to.deep.equal({ blobs: 2, parts: 2 })
    await importFiles({ pages }, undefined)
    expect(await stored()).to.deep.equal([])
    expect(await blobs()).to.deep.equal({ blobs: 0, parts: 0 })
  })

  it('keeps a file while any live page uses it, whatever hides the others', async () => {
    const files = [{ path: 'cup.png', data: cup }]
    const text = '![](/cup.png)'
    await makeWorldWithFiles({ pages: [page('tea', text), page('mate', text)] }, files)
    await importFiles({ pages: [page('tea', text, { state: 'draft' }), page('mate', text)] }, files)
    expect(await uses()).to.deep.equal(['mate: /cup.png = cup.png'])
    const { opened } = await importFiles({ pages: [page('drinks/mate', text), page('tea', 'x')] }, files)
    expect(opened, 'a page that moves keeps its files').to.deep.equal([])
    expect(await uses()).to.deep.equal(['drinks/mate: /cup.png = cup.png'])
    const later = [{ title: 'mate', markdown: 'No picture.', created_at: '2024-03-01T00:00:00Z' }]
    await importFiles({ pages: [page('drinks/mate', text, { revisions: later }), page('tea', 'x')] }, files)
    expect(await stored()).to.deep.equal([])
  })

  it('finds files again when the page moves in its source, or the folders of rooted references change', async () => {
    const pages = [page('tea', '![](cup.png) ![](/pot.png)')]
    const files = ['a/cup.png', 'b/cup.png', 'a/pot.png', 'b/pot.png'].map((path, i) => ({
      path,
      data: png(i + 1, 1),
    }))
    await makeWorldWithFiles({ pages }, files, { roots: ['a'], sourcePaths: { tea: 'a/tea.md' } })
    expect(await uses()).to.deep.equal(['tea: /pot.png = a/pot.png', 'tea: cup.png = a/cup.png'])
    await importFiles({ pages }, files, { roots: ['b'], sourcePaths: { tea: 'b/tea.md' } })
    expect(await uses()).to.deep.equal(['tea: /pot.png = b/pot.png', 'tea: cup.png = b/cup.png'])
    expect(await stored()).to.deep.equal(['b/cup.png', 'b/pot.png'])
  })

  it('does not mix the files of two sources, and leaves out a path that another source has', async () => {
    await makeWorldWithFiles({ pages: [page('tea', '![](cup.png)')] }, [{ path: 'cup.png', data: cup }])
    const { summary } = await importFiles(
      { pages: [page('coffee', '![](cup.png) ![](bean.png)')] },
      [
        { path: 'cup.png', data: pot },
        { path: 'bean.png', data: pot },
      ],
      { from: { name: 'coffee' } },
    )
    expect(await uses()).to.deep.equal(['coffee: bean.png = bean.png', 'tea: cup.png = cup.png'])
    expect([...summary.files.leftOut]).to.deep.equal([
      ['another source has a file at its path', { files: 1, first: ['cup.png'] }],
    ])
    await importFiles({ pages: [page('tea', '![](cup.png)')] }, undefined)
    expect(await stored()).to.deep.equal(['bean.png'])
  })

  it('leaves out what is too large, not allowed, fails while it is read, or has no safe path', async () => {
    const failing: FileSpec = {
      path: 'failing.bin',
      data: '',
      open: async function* () {
        yield Buffer.alloc(700 * 1024, 1)
        throw new ImportError('the file changed while it was read')
      },
    }
    const longer: FileSpec = {
      path: 'longer.bin',
      data: '',
      bytes: 5,
      open: async function* () {
        for (let i = 0; i < 5; i++) yield Buffer.alloc(300 * 1024, i)
      },
    }
    const { summary, opened } = await makeWorldWithFiles(
      {
        pages: [
          page(
            'tea',
            '![](a.png) ![](b.exe) [](failing.bin) [](longer.bin) [](huge.bin) ![](../x.png) ![](n/a.png)',
          ),
        ],
      },
      [
        { path: 'a.png', data: cup },
        { path: 'b.exe', data: 'MZ\0\0' },
        failing,
        longer,
        { path: 'huge.bin', data: 'x', bytes: 2 * 1024 * 1024 },
        { path: '../x.png', data: cup },
        { path: 'x\u0007.png', data: cup },
        { path: 'n//a.png', data: cup },
      ],
      {
        fileLimits: makeFileLimits({ fileBytesMax: 1024 * 1024, filesAllow: ['image', '.bin'] }),
      },
    )
    expect(opened).not.to.include('huge.bin')
    expect(await stored()).to.deep.equal(['a.png'])
    expect(await blobs()).to.deep.equal({ blobs: 1, parts: 1 })
    expect(Object.fromEntries(summary.files.leftOut)).to.deep.equal({
      'of a type that FILES_ALLOW does not have': { files: 1, first: ['b.exe'] },
      'could not be read': { files: 2, first: ['failing.bin', 'longer.bin'] },
      'larger than FILE_BYTES_MAX': { files: 1, first: ['huge.bin'] },
    })
  })

  it('reads files again when other limits count', async () => {
    const files = [
      { path: 'cup.png', data: cup },
      { path: 'tea.pdf', data: '%PDF-1.7 tea' },
      { path: 'tool.bin', data: Buffer.alloc(9, 1) },
    ]
    const spec = { pages: [page('tea', '![](cup.png) [](tea.pdf) [](tool.bin)')] }
    await makeWorldWithFiles(spec, files, { fileLimits: DEFAULT_FILE_LIMITS })
    expect(await stored()).to.deep.equal(['cup.png', 'tea.pdf'])
    const only = (...filesAllow: string[]) => ({
      fileLimits: makeFileLimits({ fileBytesMax: 1024, filesAllow }),
    })
    const narrower = await importFiles(spec, files, only('image', '.bin'))
    expect(await stored()).to.deep.equal(['cup.png', 'tool.bin'])
    expect(narrower.summary.files).to.deep.include({ missing: 0, firstMissing: [], files: 2 })
    expect((await importFiles(spec, files, only('image', '.bin'))).opened).to.deep.equal(['tea.pdf'])
  })

  it('leaves statistics of every table that grows with the wiki', async () => {
    const ofWiki = "in (select oid from pg_class where relnamespace = 'wiki'::regnamespace and relkind = 'r')"
    await rowsOf(`delete from pg_statistic where starelid ${ofWiki}`)
    const categories = [{ key: 'tea' }]
    const revisions = [{ markdown: '![](cup.png) [](/pot)', categories, created_at: '2024-02-01T00:00:00Z' }]
    await makeWorldWithFiles({ pages: [{ path: 'tea', revisions }] }, [{ path: 'cup.png', data: cup }])
    const tables = await rowsOf<{ name: string }>(`
      select relname as name from pg_class
       where oid ${ofWiki} and not exists (select from pg_statistic where starelid = pg_class.oid)`)
    const filled: string[] = []
    for (const { name } of tables)
      if ((await rowsOf(`select from wiki.${name} limit 1`)).length > 0) filled.push(name)
    const small =
      'change_feed locale migration search_index_version search_size search_statistics source wiki'
    expect(filled.sort()).to.deep.equal(small.split(' '))
  })

  it('stores large files in parts of 256 KiB, equal ones once, and empty ones', async () => {
    const large = Buffer.alloc(600 * 1024, 'tea ')
    await makeWorldWithFiles({ pages: [page('tea', '[](a.zip) [](b.zip) [](exact.bin) [](empty.bin)')] }, [
      { path: 'a.zip', data: large },
      { path: 'b.zip', data: large },
      { path: 'exact.bin', data: Buffer.alloc(256 * 1024, 1) },
      { path: 'empty.bin', data: '' },
    ])
    expect(await stored()).to.deep.equal(['a.zip', 'b.zip', 'empty.bin', 'exact.bin'])
    expect(await blobs()).to.deep.equal({ blobs: 3, parts: 3 + 1 + 1 })
    const parts = await rowsOf<{ sha256: string; bytes: number }>(`
      select encode(b.sha256, 'hex') as sha256, sum(octet_length(p.data))::int as bytes
        from wiki.live_blob b join wiki.live_blob_part p on p.blob_id = b.id
       group by b.id order by bytes`)
    expect(parts.map(({ bytes }) => bytes)).to.deep.equal([0, 256 * 1024, 600 * 1024])
    expect(parts[2]!.sha256).to.equal(sha256(large))
  })

  it('stores nothing when the import fails', async () => {
    const pages = [page('tea', '![](cup.png)')]
    await makeWorldWithFiles({ pages }, [{ path: 'cup.png', data: cup }])
    const broken: FileSpec = {
      path: 'cup.png',
      data: pot,
      open: async function* () {
        yield Buffer.concat([pot, Buffer.alloc(300 * 1024)])
        throw new Error('the disk is gone')
      },
    }
    const failure = await importFiles({ pages }, [broken]).catch((error: Error) => error.message)
    expect(failure).to.equal('the disk is gone')
    expect(
      (await rowsOf<{ sha256: string }>(`select encode(sha256, 'hex') as sha256 from wiki.live_file`))[0]!
        .sha256,
    ).to.equal(sha256(cup))
  })
})
