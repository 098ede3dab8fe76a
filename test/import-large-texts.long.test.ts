import { openGitSource } from '@lectern/import-files/git/source'
import { openMediawikiSource } from '@lectern/import-mediawiki/dump'
import type { ImportSource, PageRecord } from '@lectern/wiki/records'
import { expect } from 'chai'
import { withHistory } from './support/fast-import.ts'
import { withFile } from './support/importing.ts'
import { dump, dumpedPage } from './support/mediawiki.ts'

const MIB = 1024 * 1024
const TOO_LONG = 'x'.repeat(8 * MIB + 1)

const pagesOf = async (source: ImportSource): Promise<PageRecord[]> => {
  const pages: PageRecord[] = []
  for await (const record of source.records) if (record.type === 'page') pages.push(record)
  await source.close?.()
  return pages
}

const shape = (pages: PageRecord[]) =>
  pages.map(({ path, state, revisions }) => [
    path,
    state,
    revisions.map(({ markdown }) => markdown.slice(0, 5)),
  ])

describe('import git: large texts', () => {
  const read = (folder: string) => openGitSource(folder, { layouts: [] })

  it('leaves out and notes an edit of more than 8 MiB, but imports the other edits', async () => {
    await withHistory(
      [{ 'tea.md': 'one' }, { 'tea.md': TOO_LONG }, { 'tea.md': 'three' }],
      async (folder) => {
        const source = await read(folder)
        expect(shape(await pagesOf(source))).to.deep.equal([['tea', 'live', ['one', 'three']]])
        expect(source.notes().join('\n')).to.match(
          /^Edits left out, because their text has more than 8388608 bytes: 1, first tea\.md at [0-9a-f]{10}$/m,
        )
      },
    )
  })

  it('counts the replacement characters of bytes that are not UTF-8', async () => {
    const bytes = Buffer.alloc(3 * MIB, 0xff)
    await withHistory([{ 'tea.md': 'one' }, { 'tea.md': bytes }, { 'tea.md': 'three' }], async (folder) => {
      const source = await read(folder)
      expect(shape(await pagesOf(source))).to.deep.equal([['tea', 'live', ['one', 'three']]])
      expect(source.notes().join('\n')).to.include('because their text has more than 8388608 bytes: 1')
    })
  })

  it('hides a page whose text at the ref is too long, and warns', async () => {
    await withHistory([{ 'tea.md': 'one', 'mate.md': 'mate' }, { 'tea.md': TOO_LONG }], async (folder) => {
      const source = await read(folder)
      expect(shape(await pagesOf(source))).to.deep.equal([
        ['mate', 'live', ['mate']],
        ['tea', 'draft', ['one']],
      ])
      expect(source.notes().find((note) => note.startsWith('WARNING'))).to.match(
        /guests do not see.*8388608 bytes.*: 1, first tea\.md$/,
      )
    })
  })

  it('imports a text of exactly 8 MiB, also after a longer one', async () => {
    const just = TOO_LONG.slice(1)
    await withHistory([{ 'tea.md': TOO_LONG }, { 'tea.md': just }], async (folder) => {
      expect(shape(await pagesOf(await read(folder)))).to.deep.equal([['tea', 'live', ['xxxxx']]])
    })
  })

  it('divides long edits into records of at most 4 MiB, in order', async () => {
    const text = 'tea '.repeat(100_000)
    const commits = Array.from({ length: 40 }, (_, i) => ({
      'tea.md': `${String(i).padStart(5, '0')} ${text}`,
    }))
    await withHistory(commits, async (folder) => {
      const pages = await pagesOf(await read(folder))
      expect(pages.map(({ revisions }) => revisions.length)).to.deep.equal([10, 10, 10, 10])
      expect(
        pages.flatMap(({ revisions }) => revisions.map(({ markdown }) => Number(markdown.slice(0, 5)))),
      ).to.deep.equal(commits.map((_, i) => i))
    })
  })

  it('leaves out and notes tags beyond 500', async () => {
    const tags = Array.from({ length: 600 }, (_, i) => `t${i}`)
    await withHistory([{ 'tea.md': `---\ntags: [${tags.join(', ')}]\n---\ntea` }], async (folder) => {
      const source = await read(folder)
      const [page] = await pagesOf(source)
      expect(page!.revisions[0]!.categories.map(({ key }) => key)).to.deep.equal(tags.slice(0, 500))
      expect(source.notes().join('\n')).to.match(
        /^Edits with more than 500 tags; only the first 500 are imported: 1, first tea\.md/m,
      )
    })
  })
})

describe('import mediawiki: large texts', () => {
  const read = (content: string, use: (source: ImportSource, pages: PageRecord[]) => void) =>
    withFile('dump.xml', content, async (file) => {
      const source = await openMediawikiSource(file, { namespaces: [], redirects: true })
      use(source, await pagesOf(source))
    })
  const edits = (...texts: string[]) =>
    texts.map((text, i) => ({ id: i + 1, at: `2024-05-0${i + 1}T12:00:00Z`, text }))

  it('leaves out and notes an edit of more than 8 MiB, but imports the other edits', () =>
    read(dump([dumpedPage('Tea', edits('one', TOO_LONG, 'three'))]), (source, pages) => {
      expect(shape(pages)).to.deep.equal([['Tea', 'live', ['one\n', 'three']]])
      expect(source.notes()).to.deep.equal([
        'Edits left out, because their text has more than 8388608 bytes: 1, first Tea, edit 2',
      ])
    }))

  it('hides a page whose newest text is too long, and warns', () =>
    read(
      dump([dumpedPage('Tea', edits('one [[Category:A]]', TOO_LONG)), dumpedPage('Mate')]),
      (source, pages) => {
        expect(shape(pages)).to.deep.equal([
          ['Tea', 'draft', ['one\n']],
          ['Mate', 'live', ['text\n']],
        ])
        expect(source.notes().find((note) => note.startsWith('WARNING'))).to.match(
          /guests do not see.*: 1, first Tea$/,
        )
      },
    ))
  it('leaves out and notes categories beyond 500', () => {
    const text = Array.from({ length: 600 }, (_, i) => `[[Category:C${i}]]`).join('\n')
    return read(dump([dumpedPage('Tea', text)]), (source, pages) => {
      expect(pages[0]!.revisions[0]!.categories.map(({ key }) => key)).to.deep.equal(
        Array.from({ length: 500 }, (_, i) => `C${i}`),
      )
      expect(source.notes().join('\n')).to.include(
        'Edits with more than 500 categories; only the first 500 are imported: 1',
      )
    })
  })
})
