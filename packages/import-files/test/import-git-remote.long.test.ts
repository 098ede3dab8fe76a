import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseRemote, redactUrls } from '@lectern/import-files/git/remote/address'
import { remoteError } from '@lectern/import-files/git/remote/clone'
import { UsageError } from '@lectern/wiki/errors'
import { expect } from 'chai'
import { commit, git, gitFolder, newRepository, refusalOf, take } from '../../../test/support/git.ts'

const urlOf = (folder: string): string => pathToFileURL(folder).href

const pathsOf = async (location: string, options: Parameters<typeof take>[1] = {}) =>
  (await take(location, options)).pages.map(({ path }) => path)

let folders = 0
/** A folder for clones that no other test uses. */
const newSourcesFolder = (): string => join(gitFolder(), `sources${++folders}`)

describe('import git: the repository of a URL', () => {
  let server: Server
  let port: number
  /** Status of all responses, or null to serve the files of the repositories. */
  let status: number | null = null
  /** The header without which the server responds with 401. */
  let authorization: string | undefined
  const requests: string[] = []

  before(async () => {
    server = createServer((request, response) => {
      requests.push(request.url ?? '')
      const file = join(gitFolder(), new URL(request.url ?? '', 'http://x').pathname)
      const isForbidden = authorization !== undefined && request.headers.authorization !== authorization
      if (status !== null || isForbidden || !existsSync(file)) {
        response
          .writeHead(status ?? (isForbidden ? 401 : 404), { 'www-authenticate': 'Basic realm="x"' })
          .end()
      } else response.end(readFileSync(file))
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    port = (server.address() as AddressInfo).port
  })
  after(() => server.close())
  afterEach(() => {
    status = null
  })

  it('is cloned, with the name of the URL and the default branch', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'x' })
    git(folder, ['branch', 'other'])
    const bare = join(gitFolder(), 'Tea House.wiki.git')
    git(gitFolder(), ['clone', '-q', '--bare', folder, bare])
    const { pages, wiki } = await take(urlOf(bare))
    expect(pages.map(({ path }) => path)).to.deep.equal(['tea'])
    expect(wiki?.type === 'wiki' && wiki.name).to.equal('Tea House')
  })

  it('is fetched into the same clone later: new, rewritten, renamed and deleted branches and tags', async () => {
    const sourcesFolder = newSourcesFolder()
    const folder = newRepository()
    commit(folder, { 'tea.md': 'x' })
    git(folder, ['branch', 'old'])
    git(folder, ['tag', 'v1'])
    expect(await pathsOf(urlOf(folder), { sourcesFolder })).to.deep.equal(['tea'])
    expect(await pathsOf(urlOf(folder), { sourcesFolder, ref: 'old' })).to.deep.equal(['tea'])

    commit(folder, { 'mate.md': 'x' })
    expect(await pathsOf(urlOf(folder), { sourcesFolder })).to.deep.equal(['mate', 'tea'])
    expect(readdirSync(sourcesFolder)).to.have.length(1)

    git(folder, ['checkout', '-q', '--orphan', 'rewritten'])
    commit(folder, { 'tea.md': null, 'mate.md': null, 'rooibos.md': 'x' })
    git(folder, ['branch', '-q', '-M', 'rewritten', 'main'])
    git(folder, ['branch', '-q', '-D', 'old'])
    git(folder, ['branch', '-q', 'old/er'])
    git(folder, ['tag', '-f', 'v1'])
    expect(await pathsOf(urlOf(folder), { sourcesFolder })).to.deep.equal(['rooibos'])
    expect(await pathsOf(urlOf(folder), { sourcesFolder, ref: 'old/er' })).to.deep.equal(['rooibos'])
    expect(await pathsOf(urlOf(folder), { sourcesFolder, ref: 'v1' })).to.deep.equal(['rooibos'])
    expect((await refusalOf(urlOf(folder), { sourcesFolder, ref: 'old' })).message).to.include(
      `old is not a commit of ${urlOf(folder)}. Set --ref to a branch, tag or commit of it, such as old/er`,
    )

    git(folder, ['branch', '-q', '-m', 'main', 'trunk'])
    commit(folder, { 'chai.md': 'x' })
    expect(await pathsOf(urlOf(folder), { sourcesFolder })).to.deep.equal(['chai', 'rooibos'])
  })

  it('can have a HEAD without a branch, and be served as files by a web server', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'x' })
    git(folder, ['checkout', '-q', '--detach'])
    commit(folder, { 'mate.md': 'x' })
    expect(await pathsOf(urlOf(folder))).to.deep.equal(['mate', 'tea'])
    git(folder, ['update-server-info'])
    const url = `http://127.0.0.1:${port}/${folder.split('/').at(-1)}/.git`
    expect(await pathsOf(url)).to.deep.equal(['mate', 'tea'])
  })

  it('reports the progress of the fetch', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'x', 'mate.md': 'y' })
    const units = new Set<string>()
    await take(urlOf(folder), { onFetchProgress: ({ unit }) => units.add(unit) })
    expect([...units].join()).to.include('objects (')
  })

  it('is fetched by ssh without a prompt', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'x' })
    const program = join(gitFolder(), 'ssh.sh')
    const log = join(gitFolder(), 'ssh.log')
    writeFileSync(
      program,
      `#!/bin/sh\necho "$*" >>${log}\nwhile :; do case "$1" in -o|-p) shift 2;; -*) shift;; *) break;; esac; done\nshift\neval "$*"\n`,
    )
    chmodSync(program, 0o755)
    process.env.GIT_SSH_COMMAND = program
    try {
      expect(await pathsOf(`git@tea.example:${folder}`)).to.deep.equal(['tea'])
      expect(await pathsOf(`ssh://git@tea.example${folder}`)).to.deep.equal(['tea'])
    } finally {
      delete process.env.GIT_SSH_COMMAND
    }
    expect(readFileSync(log, 'utf8')).to.match(/-oBatchMode=yes .*git@tea\.example git-upload-pack/)
  })

  it('without commits is refused', async () => {
    const { message } = await refusalOf(urlOf(newRepository()))
    expect(message).to.include('is empty')
  })

  it('that does not exist or needs a login is refused, without the password in the message', async () => {
    const missing = await refusalOf(`http://ada:pass-word@127.0.0.1:${port}/none.git`)
    expect(missing.message).to.include(`There is no git repository at http://…@127.0.0.1:${port}/none.git`)
    expect(missing.message).to.not.include('pass-word')
    status = 401
    for (const user of ['', 'ada@', 'ada:pass-word@']) {
      const { message } = await refusalOf(`http://${user}127.0.0.1:${port}/private.git`)
      expect(message).to.include('does not exist, or it needs a login')
      expect(message).to.not.include('pass-word').and.not.include('ada')
    }
    status = 500
    expect((await refusalOf(`http://127.0.0.1:${port}/x.git`)).message).to.include('cannot be fetched')
    expect((await refusalOf(urlOf(join(gitFolder(), 'nowhere')))).message).to.include(
      'There is no git repository at file:///',
    )
  })

  it('that needs a login is fetched with the header in the configuration of the user', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'x' })
    git(folder, ['update-server-info'])
    const url = `http://127.0.0.1:${port}/${folder.split('/').at(-1)}/.git`
    const home = join(gitFolder(), 'home')
    mkdirSync(home)
    const before = process.env.HOME
    try {
      authorization = 'Basic YWRhOnRva2Vu'
      expect((await refusalOf(url)).message).to.include('needs a login')
      process.env.HOME = home
      writeFileSync(
        join(home, '.gitconfig'),
        `[http "${url}"]\n  extraHeader = Authorization: ${authorization}\n`,
      )
      expect(await pathsOf(url)).to.deep.equal(['tea'])
    } finally {
      process.env.HOME = before
      authorization = undefined
    }
  })

  it('of an unknown host, or one that does not respond, is refused', async () => {
    expect((await refusalOf('http://tea.invalid/x.git')).message).to.match(/host of http:\/\/tea\.invalid/)
    const sourcesFolder = newSourcesFolder()
    const refusal = await refusalOf('http://127.0.0.1:1/x.git', { sourcesFolder })
    expect(refusal.message).to.include('does not respond')
    expect(existsSync(sourcesFolder), 'nothing is left').to.equal(false)
  })

  it('does not name a clone by the password, and does not store the password', async () => {
    const sourcesFolder = newSourcesFolder()
    const folder = newRepository()
    commit(folder, { 'tea.md': 'x' })
    git(folder, ['update-server-info'])
    const path = `127.0.0.1:${port}/${folder.split('/').at(-1)}/.git`
    await take(`http://ada:pass-word@${path}`, { sourcesFolder })
    await take(`http://ada:new-word@${path}`, { sourcesFolder })
    expect(readdirSync(sourcesFolder)).to.have.length(1)
    const stored = readdirSync(sourcesFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    expect(stored.length).to.be.above(3)
    expect(stored.filter((text) => /(?:pass|new)-word/.test(text))).to.deep.equal([])
  })

  it('is not followed into submodules', async () => {
    const folder = newRepository()
    const before = requests.length
    commit(folder, {
      'tea.md': 'x',
      '.gitmodules': `[submodule "m"]\n\tpath = m\n\turl = http://127.0.0.1:${port}/submodule.git\n`,
    })
    git(folder, ['update-index', '--add', '--cacheinfo', `160000,${git(folder, ['rev-parse', 'HEAD'])},m`])
    git(folder, ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'x'])
    expect(await pathsOf(urlOf(folder))).to.deep.equal(['tea'])
    expect(requests.length).to.equal(before)
  })
})

describe('import git: which arguments are URLs', () => {
  for (const url of [
    'https://github.com/tea/house',
    'https://github.com/tea/house.wiki.git',
    'ssh://git@tea.example:22/house.git',
    'git@tea.example:tea/house.git',
    'git://tea.example/house',
    'file:///srv/house.git',
  ]) {
    it(`${url} is one`, () => {
      expect(parseRemote(url)).to.include({ url, name: 'house' })
      expect(parseRemote(url)?.folderName).to.match(/^house-[0-9a-f]{12}\.git$/)
    })
  }

  for (const folder of ['../docs', '/srv/wiki', 'wiki.git', 'C:\\wiki', 'C:/wiki', './a:b'])
    it(`${folder} is none`, () => {
      expect(parseRemote(folder)).to.equal(null)
    })

  for (const argument of [
    'ext::sh -c touch% x',
    'ftp://tea.example/x',
    'http://',
    'https://a b/',
    'fd::17/foo',
  ])
    it(`${argument} is refused`, () => {
      expect(() => parseRemote(argument)).to.throw(UsageError, 'Use https, http, ssh, git or file')
    })

  it('a folder that exists is a folder, whatever its name is', async () => {
    const folder = join(gitFolder(), 'host:wiki')
    mkdirSync(folder)
    git(folder, ['init', '-q'])
    commit(folder, { 'tea.md': 'x' })
    expect(await pathsOf(folder)).to.deep.equal(['tea'])
  })

  it('URLs have no passwords in messages', () => {
    expect(redactUrls('fatal: http://a:b@c/d and https://token@e, ssh://git:x@f/ and ssh://git@g/')).to.equal(
      'fatal: http://…@c/d and https://…@e, ssh://git:…@f/ and ssh://git@g/',
    )
  })

  it('the folder of a clone has a safe name', () => {
    expect(parseRemote('https://tea.example/..%2f..%2fetc')?.folderName).to.match(
      /^[\w-]+-[0-9a-f]{12}\.git$/,
    )
    expect(parseRemote('git@tea.example:~')?.folderName).to.match(/^[\w-]+-[0-9a-f]{12}\.git$/)
  })

  it('messages say what to do', () => {
    const remote = parseRemote('git@tea.example:house')!
    for (const [message, words] of [
      ['git fetch: fatal: write error: No space left on device', 'The disk of /clones is full'],
      ['git ls-remote: Host key verification failed.', 'Connect once with ssh'],
      ['git ls-remote: git@tea.example: Permission denied (publickey).', 'needs a login'],
      ['ssh: Could not resolve hostname tea.example', 'is unknown'],
      ["Unable to create '/clones/refs/heads/main.lock': File exists.", 'delete /clones'],
    ] as const)
      expect(remoteError(remote, '/clones', message).message).to.include(words)
  })
})
