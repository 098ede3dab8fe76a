import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { checkedRemote, repositoryAt } from '@lectern/import-files/git/remote/address'
import { gitVersion, openRepository } from '@lectern/import-files/git/repository'
import { openMediawikiApi } from '@lectern/import-mediawiki/api/source'
import { AddressRefused, rangeOf, WebClient } from '@lectern/wiki/import/web-client'
import { expect } from 'chai'
import { failureOf } from './support/failures.ts'
import { commit, git, gitFolder, newRepository } from './support/git.ts'

describe('addresses of the public Internet', () => {
  for (const [address, range] of [
    ['1.1.1.1', 'unicast'],
    ['2606:4700:4700::1111', 'unicast'],
    ['64:ff9b::101:101', 'unicast'],
    ['::ffff:1.1.1.1', 'unicast'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['64:ff9b::7f00:1', 'loopback'],
    ['0.0.0.0', 'unspecified'],
    ['::', 'unspecified'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['192.168.1.1', 'private'],
    ['169.254.169.254', 'linkLocal'],
    ['::ffff:169.254.169.254', 'linkLocal'],
    ['fe80::1', 'linkLocal'],
    ['fd00:ec2::254', 'uniqueLocal'],
    ['100.64.0.1', 'carrierGradeNat'],
    ['2002:7f00:1::', '6to4'],
    ['::ffff:0:127.0.0.1', 'rfc6145'],
    ['4000::1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
  ] as const)
    it(`${address} is ${range}`, () => {
      expect(rangeOf(address)).to.equal(range)
    })
})

describe('a live source', () => {
  let open: Server
  let internal: Server
  let openUrl: string
  let internalUrl: string
  /** What the public server responds. */
  let respond: RequestListener
  let asked: string[]
  /** In these tests, 127.0.0.1 is on the public Internet, and 127.0.0.2 is not. */
  const test = { rangeOf: (address: string) => (address === '127.0.0.1' ? 'unicast' : 'loopback') }

  const listen = async (server: Server, host: string): Promise<string> => {
    await new Promise<void>((resolve) => server.listen(0, host, resolve))
    return `http://${host}:${(server.address() as AddressInfo).port}`
  }
  const close = (server: Server): Promise<unknown> => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  beforeEach(async () => {
    asked = []
    open = createServer((request, response) => respond(request, response))
    internal = createServer((request, response) => {
      asked.push(request.url!)
      response.end('internal')
    })
    openUrl = await listen(open, '127.0.0.1')
    internalUrl = await listen(internal, '127.0.0.2')
  })
  afterEach(async () => {
    await close(open)
    await close(internal)
    expect(asked, 'requests to an internal address').to.deep.equal([])
  })
  const redirectTo = (location: string) => {
    respond = (_, response) => response.writeHead(302, { location }).end()
  }
  const expectRefused = async (work: Promise<unknown>) => {
    const error = await failureOf(work)
    expect(error).to.be.instanceOf(AddressRefused)
    expect(error.message).to.include('127.0.0.2').and.to.include('name that address as the source')
  }

  describe('MediaWiki', () => {
    const read = (path: string) =>
      openMediawikiApi(openUrl + path, {
        namespaces: [],
        redirects: true,
        pause: async () => {},
        ...test,
      })

    for (const path of ['/', '/wiki/Tea', '/w/api.php', '/index.php?title=Tea'])
      it(`is not followed to an internal address: from ${path}`, async () => {
        redirectTo(`${internalUrl}/latest/meta-data`)
        await expectRefused(read(path))
      })

    it('is not followed over several redirects, or to an API that a page names there', async () => {
      respond = (request, response) =>
        request.url === '/' ? response.writeHead(301, { location: '/a' }).end() : redirect(response)
      const redirect = (response: Parameters<RequestListener>[1]) =>
        response.writeHead(307, { location: `${internalUrl}/` }).end()
      await expectRefused(read('/'))
      respond = (_, response) => response.end(`<link rel="EditURI" href="${internalUrl}/api.php?action=rsd">`)
      await expectRefused(read('/'))
      respond = (request, response) => (request.url === '/' ? response.end('') : redirect(response))
      await expectRefused(read('/'))
    })

    it('is not followed to a name whose addresses are internal', async () => {
      const other = createServer((_, response) => {
        asked.push('by name')
        response.end()
      })
      const { port } = new URL(await listen(other, '127.0.0.2'))
      try {
        redirectTo(`http://localhost:${port}/`)
        const work = openMediawikiApi(`${openUrl}/`, {
          namespaces: [],
          redirects: true,
          pause: async () => {},
          // The name resolves to 127.0.0.1, and perhaps ::1; here, the source is public and they are not.
          rangeOf: (() => {
            let isFirst = true
            return () => {
              const range = isFirst ? 'unicast' : 'loopback'
              isFirst = false
              return range
            }
          })(),
        })
        expect(await failureOf(work)).to.be.instanceOf(AddressRefused)
      } finally {
        await close(other)
      }
    })

    it('that was public is not read at an internal address to which its name leads later', async () => {
      respond = (_, response) => response.setHeader('connection', 'close').end('a page')
      let isPublic = true
      const source = `http://localhost:${new URL(openUrl).port}/`
      const web = new WebClient(source, () => (isPublic ? 'unicast' : 'loopback'))
      const signal = AbortSignal.timeout(60_000)
      const { body } = await web.get(new URL(source), { signal })
      body.resume()
      await once(body, 'end')
      isPublic = false
      expect(await failureOf(web.get(new URL(source), { signal }))).to.be.instanceOf(AddressRefused)
    })

    it('may redirect to a public address, and to where the source was named', async () => {
      respond = (request, response) =>
        request.url === '/' ? response.writeHead(301, { location: '/a' }).end() : response.end('a page')
      expect((await failureOf(read('/'))).message).to.include('is not a MediaWiki')
      redirectTo(`${openUrl}/`)
      const { message } = await failureOf(
        openMediawikiApi(`${openUrl}/`, { namespaces: [], redirects: true, pause: async () => {} }),
      )
      expect(message).to.include('redirects too often')
    })
  })

  describe('git', () => {
    let folders = 0
    const uses: [string, (url: string) => Promise<unknown>][] = [
      [
        'an import',
        (url) => openRepository(url, { sourcesFolder: join(gitFolder(), `r${++folders}`), ...test }),
      ],
      ['a check for changes', (url) => gitVersion(url, { sourcesFolder: gitFolder(), ...test })],
      ['recognizing the source', (url) => repositoryAt(url.replace(/\.git$/, ''), test.rangeOf)],
    ]
    for (const [use, run] of uses)
      it(`is not followed to an internal address: ${use}`, async () => {
        redirectTo(`${internalUrl}/tea.git/info/refs?service=git-upload-pack`)
        await expectRefused(run(`${openUrl}/tea.git`))
      })

    it('does not follow what it meets after the first response: a redirect, or alternates', async () => {
      const folder = newRepository()
      commit(folder, { 'tea.md': 'x' })
      git(folder, ['update-server-info'])
      const objects = join(folder, '.git', 'objects')
      const blob = git(folder, ['rev-parse', 'HEAD:tea.md']).trim()
      rmSync(join(objects, blob.slice(0, 2), blob.slice(2)))
      for (const name of ['http-alternates', 'alternates'])
        writeFileSync(join(objects, 'info', name), `${internalUrl}/objects\n`)
      let responses = 0
      const serve: RequestListener = (request, response) => {
        const file = join(folder, '.git', new URL(request.url!, openUrl).pathname.replace('/tea.git', ''))
        if (existsSync(file)) response.end(readFileSync(file))
        else response.writeHead(404).end()
      }
      respond = serve
      await failureOf(uses[0]![1](`${openUrl}/tea.git`))
      respond = (request, response) => {
        responses += 1
        if (responses === 1) serve(request, response)
        else response.writeHead(302, { location: internalUrl + request.url }).end()
      }
      const { message } = await failureOf(uses[1]![1](`${openUrl}/tea.git`))
      expect(message).to.include('redirects to another address')
    })

    it('is followed to a public address, which git gets, with the addresses that were checked', async () => {
      const folder = newRepository()
      commit(folder, { 'tea.md': 'x' })
      git(folder, ['update-server-info'])
      respond = (request, response) => {
        const { pathname, search } = new URL(request.url!, openUrl)
        const file = join(folder, '.git', pathname.replace('/new.git', ''))
        if (pathname.startsWith('/old'))
          response.writeHead(301, { location: `/new.git${pathname.slice(4)}${search}` }).end()
        else if (existsSync(file)) response.end(readFileSync(file))
        else response.writeHead(404).end()
      }
      const commits = await gitVersion(`${openUrl}/old`, { sourcesFolder: gitFolder(), ...test })
      expect(commits).to.equal(git(folder, ['rev-parse', 'HEAD']).trim())
      const byName = `http://localhost:${new URL(openUrl).port}`
      const { url, config } = await checkedRemote(`${byName}/old`)
      expect(url).to.equal(`${byName}/new.git`)
      expect(config.join()).to.match(
        /^http\.followRedirects=false,http\.curloptResolve=localhost:\d+:[^,]*127\.0\.0\.1/,
      )
      expect(await gitVersion(`${byName}/old`, { sourcesFolder: gitFolder() })).to.equal(commits)
    })

    for (const location of ['file:///etc/passwd', 'ftp://127.0.0.2/x', 'ssh://127.0.0.2/x', 'http://'])
      it(`is not followed to ${location}`, async () => {
        redirectTo(location)
        for (const [, run] of uses.slice(0, 2))
          expect((await failureOf(run(`${openUrl}/tea.git`))).message).to.include('not a web address')
      })
  })
})
