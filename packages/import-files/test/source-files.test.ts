import { createHash } from 'node:crypto'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openFolderSource } from '@lectern/import-files/folder/source'
import { openGitSource } from '@lectern/import-files/git/source'
import { openNdjsonSource } from '@lectern/import-files/ndjson/source'
import { FileLeftOut } from '@lectern/wiki/errors'
import type { ImportSource, SourceFile } from '@lectern/wiki/records'
import { expect } from 'chai'
import { newNotesFolder, writeFiles } from '../../../test/support/folder.ts'
import { commit, type Files, git, gitFolder, newRepository } from '../../../test/support/git.ts'

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

const readFile = async (file: SourceFile | undefined): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of file!.open()) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const opened: ImportSource[] = []

afterEach(async () => {
  for (const source of opened.splice(0)) await source.close?.()
})

/** Reads a source as an import does. It is closed after the test. */
const take = async (source: ImportSource) => {
  opened.push(source)
  const sourcePaths: Record<string, string | undefined> = {}
  for await (const record of source.records)
    if (record.type === 'page') sourcePaths[record.path] = record.sourcePath ?? sourcePaths[record.path]
  const files = new Map<string, SourceFile>()
  const { roots, list } = source.files!()
  for await (const file of list()) files.set(file.path, file)
  const contentOf = async (path: string): Promise<string> => {
    try {
      return await readFile(files.get(path))
    } catch (error) {
      return error instanceof FileLeftOut ? `left out: ${error.message}` : Promise.reject(error)
    }
  }
  return {
    sourcePaths,
    roots,
    files,
    paths: [...files.keys()].sort(),
    contentOf,
    notes: source.notes(),
  }
}

const takeCommit = async (repository: string) =>
  take(await openGitSource(repository, { layouts: [], sourcesFolder: join(gitFolder(), 'sources') }))

const OTHER_PAGES: Files = {
  'draft.md': '---\ndraft: true\n---\nsecret',
  'notes.org': 'secret',
  'guide.rst': 'secret',
  'node_modules/a/b.png': 'x',
  '.env': 'secret',
  '.github/cup.png': 'x',
}

/** The sources that read trees of files. Each gets the files and links of a tree, and opens it. */
const TREES: Record<string, (files: Files, links?: Record<string, string>) => Promise<ImportSource>> = {
  git: async (files, links = {}) => {
    const repository = newRepository()
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(repository, name))
    commit(repository, files)
    return openGitSource(repository, { layouts: [], sourcesFolder: join(gitFolder(), 'sources') })
  },
  folder: async (files, links = {}) => {
    const folder = newNotesFolder()
    writeFiles(folder, files)
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, name))
    return openFolderSource(folder, { layouts: [] })
  },
}

for (const [kind, open] of Object.entries(TREES)) {
  describe(`the files of a ${kind} source`, () => {
    it('are all but pages, hidden files and installed packages, each with its bytes', async () => {
      const { paths, contentOf } = await take(
        await open({
          'tea.md': '![](images/cup.png)',
          'images/cup.png': 'a cup',
          '.gitbook/assets/pot.png': 'a pot',
          '.tea_images/lid.png': 'a lid',
          'empty.txt': '',
          ...OTHER_PAGES,
        }),
      )
      expect(paths).to.deep.equal([
        '.gitbook/assets/pot.png',
        '.tea_images/lid.png',
        'empty.txt',
        'images/cup.png',
      ])
      expect(await contentOf('images/cup.png')).to.equal('a cup')
      expect(await contentOf('empty.txt')).to.equal('')
      expect(await contentOf('.gitbook/assets/pot.png')).to.equal('a pot')
    })

    it('are also those that Sphinx keeps for its pages, but not its other texts', async () => {
      const files = {
        'conf.py': 'html_theme = 1',
        'tea.rst': 'x',
        '_static/cup.png': 'x',
        '_static/a.rst': 'x',
      }
      expect((await take(await open(files))).paths).to.deep.equal(['_static/cup.png', 'conf.py'])
    })

    it('have a size, and a version that changes with the bytes', async () => {
      const [before, after] = await Promise.all(
        ['red', 'blue'].map(async (data) => (await take(await open({ 'a.md': 'a', 'cup.png': data }))).files),
      )
      expect(before!.get('cup.png')!.bytes).to.equal(3)
      expect(before!.get('cup.png')!.version).not.to.equal(after!.get('cup.png')!.version)
    })

    it('can be of any size, and be read in any order, also in part', async () => {
      const large = 'x'.repeat(300_000)
      const { files, contentOf } = await take(await open({ 'a.md': 'a', 'a.txt': large, 'b.txt': 'b' }))
      for await (const chunk of files.get('a.txt')!.open()) {
        expect(chunk.length).to.be.lessThan(100_000)
        break
      }
      expect(await contentOf('b.txt')).to.equal('b')
      expect(await contentOf('a.txt')).to.equal(large)
    })

    it('a symbolic link is the file to which it leads, but not a page, a hidden file, or one elsewhere', async () => {
      const { contentOf } = await take(
        await open(
          { 'a.md': 'a', 'cup.png': 'a cup', ...OTHER_PAGES },
          {
            'link.png': 'cup.png',
            'draft.png': 'draft.md',
            'env.png': '.env',
            'out.png': '/etc/passwd',
            'up.png': '../../x.png',
            'circle.png': 'circle.png',
          },
        ),
      )
      expect(await contentOf('link.png')).to.equal('a cup')
      for (const path of ['draft.png', 'env.png', 'out.png', 'up.png', 'circle.png'])
        expect(await contentOf(path), path).to.equal(
          'left out: a symbolic link that leads to no file of the source',
        )
    })

    it('with unusual names are left out with a note, or found by their names in NFC', async () => {
      const { paths, notes, files } = await take(
        await open({
          'a.md': 'a',
          'caf\u0065\u0301.png': 'x',
          'café.png': 'y',
          'Cup.png': 'x',
          'cup.png': 'x',
          'a\u0007b.png': 'x',
          [`${'a'.repeat(251)}.png`]: 'x',
        }),
      )
      expect(paths).to.deep.equal(['Cup.png', `${'a'.repeat(251)}.png`, 'café.png', 'cup.png'])
      expect(files.size).to.equal(4)
      expect(notes.join('\n')).to.match(/same name in another form of Unicode: 1, first/)
      expect(notes.join('\n')).to.match(/without control characters: 1, first a\ufffdb\.png/)
    })

    it('pages say where they are; references to files begin there, or in folders of static files', async () => {
      const { sourcePaths, roots } = await take(
        await open({
          'mkdocs.yml': 'site_name: Tea',
          'docs/index.md': 'a',
          'docs/tea/index.md': 'a',
          'docs/static/cup.png': 'x',
          'website/public/cup.png': 'x',
        }),
      )
      expect(sourcePaths).to.deep.equal({ index: 'docs/index.md', tea: 'docs/tea/index.md' })
      expect(roots).to.deep.equal(['docs/static', 'docs', '', 'website/public'])
    })

    it('references to files begin in the folder of the default language, too', async () => {
      const pages = ['a', 'b', 'c'].flatMap((name) => [`docs/en/docs/${name}.md`, `docs/de/docs/${name}.md`])
      const { roots } = await take(
        await open({
          'docs/en/mkdocs.yml': 'site_name: Tea',
          ...Object.fromEntries(pages.map((name) => [name, 'a'])),
        }),
      )
      expect(roots).to.deep.equal(['docs/en/docs', 'docs/en', 'docs', ''])
    })

    it('a vault of Obsidian has its references from the folder of the vault', async () => {
      const { roots } = await take(
        await open({
          'vault/.obsidian/app.json': '{}',
          'vault/a.md': '![[cup.png]]',
          'vault/x/cup.png': 'x',
        }),
      )
      expect(roots).to.deep.equal(['vault'])
    })
  })
}

describe('the files of a git source', () => {
  it('pages have their place at the ref, also those that were renamed', async () => {
    const repository = newRepository()
    commit(repository, { 'tea/README.md': 'a', 'b.md': 'b' })
    git(repository, ['mv', 'b.md', 'c.md'])
    commit(repository, {})
    const { sourcePaths } = await takeCommit(repository)
    expect(sourcePaths).to.deep.equal({ tea: 'tea/README.md', c: 'c.md' })
  })

  it('a pointer of Git LFS is its object, if the repository has that', async () => {
    const repository = newRepository()
    const pointer = (oid: string) => `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 5\n`
    const object = sha256('a cup')
    commit(repository, { 'a.md': 'a', 'cup.png': pointer(object), 'pot.png': pointer('0'.repeat(64)) })
    const stored = join(repository, '.git/lfs/objects', object.slice(0, 2), object.slice(2, 4), object)
    mkdirSync(dirname(stored), { recursive: true })
    writeFileSync(stored, 'a cup')
    const { contentOf } = await takeCommit(repository)
    expect(await contentOf('cup.png')).to.equal('a cup')
    expect(await contentOf('pot.png')).to.match(/^left out: a Git LFS pointer/)
  })
})

describe('the files of a folder source', () => {
  it('a file that has changed since it was listed is left out', async () => {
    const folder = newNotesFolder()
    writeFiles(folder, { 'a.md': 'a', 'cup.png': 'a cup' })
    const { contentOf } = await take(await openFolderSource(folder, { layouts: [] }))
    writeFiles(folder, { 'cup.png': 'another cup' })
    expect(await contentOf('cup.png')).to.equal('left out: changed while it was read')
  })
})

describe('the files of an NDJSON source', () => {
  const PAGE = {
    type: 'page',
    locale: 'en',
    path: 'a',
    state: 'live',
    revisions: [],
    source_path: 'docs/a.md',
  }
  const open = async (lines: object[], files: Files) => {
    const folder = newNotesFolder()
    writeFiles(folder, files)
    writeFiles(folder, { 'wiki.ndjson': [PAGE, ...lines].map((line) => JSON.stringify(line)).join('\n') })
    return take(await openNdjsonSource(join(folder, 'wiki.ndjson')))
  }
  const line = (path: string, data: string) => ({ type: 'file', path, sha256: sha256(data) })

  it('are in the folder beside it, under their paths or hashes', async () => {
    const { contentOf, sourcePaths, roots, files } = await open(
      [line('images/cup.png', 'a cup'), line('images/pot.png', 'a pot')],
      { 'wiki.files/images/cup.png': 'a cup', [`wiki.files/${sha256('a pot')}`]: 'a pot' },
    )
    expect(await contentOf('images/cup.png')).to.equal('a cup')
    expect(await contentOf('images/pot.png')).to.equal('a pot')
    expect(files.get('images/pot.png')).to.include({ bytes: 5, version: sha256('a pot') })
    expect(sourcePaths).to.deep.equal({ a: 'docs/a.md' })
    expect(roots).to.deep.equal([''])
  })

  it('are left out if they are not there, or have other bytes', async () => {
    const { contentOf } = await open([line('a.png', 'a'), line('b.png', 'b')], {
      'wiki.files/a.png': 'other',
    })
    expect(await contentOf('a.png')).to.equal('left out: with other bytes than its line says')
    expect(await contentOf('b.png')).to.equal('left out: not in the folder beside the NDJSON file')
  })

  for (const path of ['../wiki.ndjson', '/etc/passwd', 'a//b.png', 'a/./b.png', 'a\u0000.png', '']) {
    it(`the path ${JSON.stringify(path)} is refused`, async () => {
      const error = await open([line(path, 'a')], {}).catch((refusal: Error) => refusal)
      expect(error)
        .to.have.property('message')
        .that.matches(/^Line 2: path: /)
    })
  }

  it('a symbolic link in the folder is not followed', async () => {
    const folder = newNotesFolder()
    writeFiles(folder, {
      'wiki.ndjson': [PAGE, line('cup.png', 'x')].map((one) => JSON.stringify(one)).join('\n'),
      'wiki.files/a.txt': 'x',
      'x.png': 'x',
    })
    symlinkSync('../x.png', join(folder, 'wiki.files/cup.png'))
    const { contentOf } = await take(await openNdjsonSource(join(folder, 'wiki.ndjson')))
    expect(await contentOf('cup.png')).to.equal('left out: not in the folder beside the NDJSON file')
  })
})
