import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { gitVersion, uncommittedNote } from '@lectern/import-files/git/repository'
import { expect } from 'chai'
import { recognizeLocation } from '../src/import/source-kind.ts'
import { usageErrorOf } from './support/failures.ts'
import { commit, git, gitFolder, newRepository } from './support/git.ts'
import { withTemporaryFolder } from './support/temporary-folder.ts'

describe('recognizing what a location is', () => {
  const folder = withTemporaryFolder()
  const recognizedKind = async (location: string) => (await recognizeLocation(location)).kind

  it('git: a work tree, and a bare repository', async () => {
    expect(await recognizedKind(newRepository())).to.equal('git')
    expect(await recognizedKind(newRepository({ isBare: true }))).to.equal('git')
  })

  it('folder: another folder, also one inside a repository', async () => {
    expect(await usageErrorOf(recognizedKind(folder.path()))).to.include('is empty')
    for (const name of ['a.ndjson.gz', 'a.xml.gz', 'a.gz'])
      expect(await usageErrorOf(recognizedKind(folder.write(name, '')))).to.include('is empty')
    folder.write('tea.md', 'x')
    expect(await recognizedKind(folder.path())).to.equal('folder')
    const repository = newRepository()
    commit(repository, { 'docs/tea.md': 'x' })
    expect(await recognizedKind(join(repository, 'docs'))).to.equal('folder')
  })

  it('dokuwiki: an installation, also without its configuration, and its data', async () => {
    for (const [path, ...parts] of [
      ['a', 'conf', 'data/pages'],
      ['b', 'data/pages', 'data/meta'],
      ['c', 'pages', 'meta', 'attic'],
    ]) {
      for (const part of parts) mkdirSync(folder.path(`${path}/${part}`), { recursive: true })
      expect(await recognizedKind(folder.path(path!)), path).to.equal('dokuwiki')
    }
  })

  const urls = [
    'git@wiki.example:tea/wiki.git',
    'ssh://git@wiki.example/tea.git',
    'git://wiki.example/tea',
    'file:///srv/tea.git',
  ]
  for (const url of urls)
    it(`git: ${url}`, async () => {
      expect(await recognizeLocation(url)).to.deep.equal({ kind: 'git', location: url })
    })

  const record = '{"type":"wiki"}\n'
  const files: [string, string | Buffer, string][] = [
    ['a.ndjson', record, 'ndjson'],
    ['a.ndjson.gz', gzipSync(record), 'ndjson'],
    ['a.jsonl', record, 'ndjson'],
    ['without-extension', `\ufeff ${record}`, 'ndjson'],
    ['compressed-without-extension', gzipSync(record + 'x'.repeat(1_000_000)), 'ndjson'],
    ['a.xml', '<mediawiki>', 'dump'],
    ['a.xml.gz', gzipSync('<mediawiki>'), 'dump'],
    ['a.xml.bz2', 'BZh9', 'dump'],
    ['dump-without-extension', '<mediawiki>', 'dump'],
  ]
  for (const [name, content, kind] of files)
    it(`${kind}: a file ${name}`, async () => {
      writeFileSync(folder.path(name), content)
      expect(await recognizedKind(folder.path(name))).to.equal(kind)
    })

  it('says what is wrong with other locations', async () => {
    writeFileSync(folder.path('text.txt'), 'Tea.')
    expect(await usageErrorOf(recognizeLocation(folder.path('text.txt')))).to.include(
      'neither an NDJSON file',
    )
    writeFileSync(folder.path('one.md'), 'Tea.')
    expect(await usageErrorOf(recognizeLocation(folder.path('one.md')))).to.include('Import its folder: ')
    expect(await usageErrorOf(recognizeLocation(folder.path('nothing')))).to.include('does not exist')
    expect(await usageErrorOf(recognizeLocation('ftp://x.y/z'))).to.include('ftp://x.y/z')
  })

  it('of what this user may not read names the folder that it may not enter', async () => {
    const [closed, docs] = [folder.path('closed'), folder.path('closed/docs')]
    mkdirSync(docs, { recursive: true })
    const refusal = (location: string) => usageErrorOf(recognizeLocation(location))
    for (const above of [folder.path(), dirname(folder.path())]) chmodSync(above, 0o755)
    chmodSync(closed, 0)
    const user = process.geteuid!()
    try {
      if (user === 0) process.seteuid!(65_534)
      for (const location of [docs, join(docs, 'one.md')])
        expect(await refusal(location)).to.include(
          `"${location}" cannot be read: permission denied for ${closed}. Let this user read it`,
        )
    } finally {
      process.seteuid!(user)
      chmodSync(closed, 0o755)
    }
  })

  describe('by URL', () => {
    let server: Server
    let origin: string

    before(async () => {
      server = createServer((request, response) => {
        const { pathname, searchParams } = new URL(request.url!, 'http://x')
        if (pathname.startsWith('/smart/')) {
          const isAdvertisement =
            pathname.endsWith('.git/info/refs') && searchParams.get('service') === 'git-upload-pack'
          if (!isAdvertisement) response.writeHead(404).end()
          else response.setHeader('Content-Type', 'application/x-git-upload-pack-advertisement').end('001e')
          return
        }
        if (pathname.startsWith('/everything')) return response.end('<html>')
        const file = join(gitFolder(), pathname)
        if (existsSync(file)) response.end(readFileSync(file))
        else response.writeHead(404).end()
      }).listen(0, '127.0.0.1')
      await new Promise((resolve) => server.once('listening', resolve))
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    })
    after(() => server.close())

    it('an address without https:// is refused, and the URL is proposed', async () => {
      const refused = (location: string) => recognizeLocation(location).catch(String)
      expect(await refused('wiki.example/me/docs')).to.match(
        /Did you mean https:\/\/wiki\.example\/me\/docs\?$/,
      )
      for (const path of ['../docs', 'docs/tea', './a.b/c'])
        expect(await refused(path)).to.include('Name a folder')
    })

    it('git: a URL that ends in .git is not asked', async () => {
      const location = 'https://127.0.0.1:1/tea.git'
      expect(await recognizeLocation(location)).to.deep.equal({ kind: 'git', location })
    })

    const pages: [string, string][] = [
      ['/smart/tea/wiki', '/smart/tea.wiki.git'],
      ['/smart/tea/wiki/Home', '/smart/tea.wiki.git'],
      ['/smart/group/tea/-/wikis/home', '/smart/group/tea.wiki.git'],
    ]
    for (const [page, repository] of pages)
      it(`git: the page ${page} of a code host leads to the repository of its wiki`, async () => {
        const location = origin + repository
        expect(await recognizeLocation(origin + page)).to.deep.equal({ kind: 'git', location })
      })

    it('git: a server of files', async () => {
      const source = newRepository()
      commit(source, { 'tea.md': 'x' })
      const bare = join(gitFolder(), 'dumb')
      mkdirSync(bare)
      git(bare, ['clone', '-q', '--bare', source, '.'])
      git(bare, ['update-server-info'])
      expect(await recognizedKind(`${origin}/dumb`)).to.equal('git')
    })

    it('says that a server refuses the connection or has no address, not what it lacks', async () => {
      expect(await usageErrorOf(recognizeLocation('http://127.0.0.1:1/wiki'))).to.equal(
        'Cannot reach 127.0.0.1:1. It refuses the connection. Check the URL, and that the server runs.',
      )
      expect(await usageErrorOf(recognizeLocation('http://wiki.invalid/tea'))).to.match(
        /^Cannot reach wiki.invalid\. (No server has this name|getaddrinfo EAI_AGAIN)/,
      )
    })

    it('says that nothing is there, without a password', async () => {
      for (const path of ['/nothing', '/everything']) {
        const message = await usageErrorOf(
          recognizeLocation(`${origin.replace('//', '//ada:s3cr3t@')}${path}`),
        )
        expect(message).to.include('no git repository').and.not.include('s3cr3t')
      }
    })
  })
})

describe('the version of a git repository', () => {
  const options = { sourcesFolder: '/nonexistent' }

  it('is the commit of HEAD, of a branch or of a tag, of a folder and of a URL', async () => {
    const folder = newRepository()
    const first = commit(folder, { 'tea.md': 'x' })
    git(folder, ['tag', 'v1'])
    const second = commit(folder, { 'tea.md': 'y' })
    git(folder, ['branch', 'other', first])
    // Git also lists these names, whose end is the same.
    git(folder, ['branch', 'a/other', second])
    git(folder, ['tag', 'a/v1', second])
    for (const location of [folder, `file://${folder}`]) {
      expect(await gitVersion(location, options)).to.equal(second)
      expect(await gitVersion(location, { ...options, ref: 'other' })).to.equal(first)
      expect(await gitVersion(location, { ...options, ref: 'v1' })).to.equal(first)
      expect(await gitVersion(location, { ...options, ref: second })).to.equal(second)
    }
  })

  it('differs when a tag moves', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'x' })
    git(folder, ['tag', 'v1'])
    const before = await gitVersion(`file://${folder}`, { ...options, ref: 'v1' })
    commit(folder, { 'tea.md': 'y' })
    git(folder, ['tag', '-f', 'v1'])
    expect(await gitVersion(`file://${folder}`, { ...options, ref: 'v1' })).not.to.equal(before)
  })

  it('tells of changes of the work tree that are not committed, and runs no program that the repository names', async () => {
    const folder = newRepository()
    expect(await uncommittedNote(folder)).to.equal(null)
    commit(folder, {
      'tea.md': 'x',
      'mate.md': 'x',
      '.gitattributes': '*.md filter=evil',
      '.gitignore': 'dist',
    })
    expect(await uncommittedNote(folder)).to.equal(null)
    for (const name of ['tea.md', 'new.md', 'dist']) writeFileSync(join(folder, name), 'changed')
    rmSync(join(folder, 'mate.md'))
    const changed =
      /^Changes of 3 files are not shown until you commit them: mate\.md, tea\.md, new\.md\. .* folder \//
    expect(await uncommittedNote(folder)).to.match(changed)
    expect(await uncommittedNote(folder, 'main'), 'of another commit').to.equal(null)
    expect(await uncommittedNote(join(folder, '.git')), 'no work tree').to.equal(null)
    const other = newRepository()
    writeFileSync(join(other, 'tea.md'), 'x')
    git(folder, ['config', 'core.worktree', other])
    expect(await uncommittedNote(folder)).to.match(changed)
    git(folder, ['config', 'filter.evil.clean', 'touch evil'])
    expect(await uncommittedNote(folder)).to.equal(null)
    expect(existsSync(join(folder, 'evil'))).to.equal(false)
  })

  it('says what is wrong', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'x' })
    expect(await usageErrorOf(gitVersion(`file://${folder}`, { ...options, ref: 'none' }))).to.include(
      'no branch or tag none',
    )
    expect(await usageErrorOf(gitVersion(folder, { ...options, ref: 'none' }))).to.include('is not a commit')
    expect(await usageErrorOf(gitVersion('file:///nonexistent', options))).to.include('no git repository')
  })
})
