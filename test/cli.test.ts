import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  createWriteStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { Agent, get } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { makeProgram } from '../src/commands/program.ts'
import type { Database } from '../src/db/database.ts'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { packagePath } from '../src/paths.ts'
import { type ExitResult, endProcesses, environmentOf, lectern, type Running, start } from './support/cli.ts'
import { newPlace } from './support/database.ts'
import { exportText, importText, linesOfFile } from './support/importing.ts'
import { dump, dumpedPage } from './support/mediawiki.ts'
import { SAMPLE_WIKI } from './support/sample.ts'
import { emptyDatabase, recordsOf } from './support/world.ts'

const MIGRATIONS = readdirSync(packagePath('schema', 'migrations')).sort()

const SERVER = process.env.LECTERN_TEST_DATABASE_URL

const small = (path: string, comment = '') =>
  linesOfFile(
    ...recordsOf({
      name: `The wiki of ${path}`,
      pages: [{ path, revisions: [{ id: '11111111-1111-4111-8111-111111111111', comment }] }],
    }),
  )

/** A person is told in a line or two what is wrong, without a stack. */
const expectRefusal = ({ status, stdout, stderr }: ExitResult, expected: string | RegExp): void => {
  expect(stderr).to.match(/^lectern: [^\n]+\n$/)
  if (typeof expected === 'string') expect(stderr).to.include(expected)
  else expect(stderr).to.match(expected)
  expect(stdout).to.equal('')
  expect(status).to.equal(1)
}

describe('lectern', function () {
  this.timeout(90_000)
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'lectern-cli-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))
  afterEach(endProcesses)

  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }

  describe('says how it is used', () => {
    it('with --help: every command', async () => {
      const { status, stdout } = await lectern(['--help'])
      expect(status).to.equal(0)
      for (const command of ['serve', 'migrate', 'import', 'export'])
        expect(stdout).to.match(new RegExp(`^ +${command} `, 'm'))
    })

    it('with --help after a command: what it takes', async () => {
      const { status, stdout } = await lectern(['import', 'git', '--help'])
      expect(stdout).to.include('--layout').and.include('Examples:')
      expect(status).to.equal(0)
    })

    for (const [args, expected] of [
      [['sreve'], "error: unknown command 'sreve'\n(Did you mean serve?)\n(lectern --help says more)\n"],
      [
        ['import', 'ndjson'],
        "error: missing required argument 'file'\n(lectern import ndjson --help says more)\n",
      ],
      [['serve', '--port', '80'], "error: unknown option '--port'\n(lectern serve --help says more)\n"],
      [
        ['import', 'git', '.', '--laout', 'x'],
        "error: unknown option '--laout'\n(Did you mean --layout?)\n(lectern import git --help says more)\n",
      ],
    ] as const) {
      it(`instead of "lectern ${args.join(' ')}", with status 2`, async () => {
        expect(await lectern([...args])).to.include({ status: 2, stdout: '', stderr: expected })
      })
    }

    it('with examples after every command', async () => {
      const commands = makeProgram().commands.flatMap((command) =>
        command.commands.length > 0 ? command.commands : [command],
      )
      expect(commands.length).to.be.at.least(9)
      for (const command of commands) {
        let help = ''
        command.configureOutput({
          writeOut: (text) => {
            help += text
          },
        })
        command.outputHelp()
        expect(help, command.name()).to.match(/\nExamples?:\n {2}\S/)
      }
    })
  })

  describe('refuses at once, and makes no database', () => {
    const cases: [string, string[], Record<string, string>, string][] = [
      ['a file that is not there', ['import', 'ndjson', 'none.ndjson'], {}, 'There is no file none.ndjson.'],
      ['a folder instead of a file', ['import', 'ndjson', '/'], {}, '/ is a folder'],
      [
        'a bad port',
        ['serve'],
        { PORT: '80a' },
        'PORT must be a whole number from 0 to 65535, but is "80a".',
      ],
      [
        'a bad database address',
        ['migrate'],
        { DATABASE_URL: 'x:s3cr3t@y' },
        'DATABASE_URL must be an address such as',
      ],
    ]
    for (const [name, args, environment, expected] of cases) {
      it(name, async () => {
        const dataDir = join(folder, 'none')
        expectRefusal(await lectern(args, { DATA_DIR: dataDir, ...environment }), expected)
        expect(existsSync(dataDir)).to.equal(false)
      })
    }

    it('a server that does not answer', async () => {
      const ended = await lectern(['export', join(folder, 'x.ndjson')], {
        DATABASE_URL: 'postgresql://ada:s3cr3t@127.0.0.1:1/wiki',
      })
      expectRefusal(ended, /DATABASE_URL: .*127\.0\.0\.1:1\/wiki: nothing listens there.*ECONNREFUSED/)
      expect(existsSync(join(folder, 'x.ndjson.partial'))).to.equal(false)
      expect(ended.stderr).not.to.include('s3cr3t')
    })
  })

  describe('import and export', () => {
    let owner: Database
    let environment: Record<string, string>
    let remove: () => Promise<void>

    before(async () => {
      const made = await newPlace()
      remove = made.remove
      owner = await openDatabase(made.place, 'owner')
      await migrate(owner)
      environment = environmentOf(made.place)
    })
    after(async () => {
      await owner?.close()
      await remove?.()
    })
    beforeEach(() => importText(owner, small('tea')))

    it('import ndjson says what it read, what was new, how long and how fast', async () => {
      const { status, stderr } = await lectern(['import', 'ndjson', SAMPLE_WIKI], environment)
      expect(stderr).to.match(
        /\d+ pages, \d+ categories, \d+ edits read \(\d+ new, 0 changed\) in \d+\.\d s: \d+ edits\/s\n$/,
      )
      expect(status).to.equal(0)
      const again = await lectern(['import', 'ndjson', SAMPLE_WIKI], environment)
      expect(again.stderr).to.include('(nothing new)')
    })

    it('a broken line ends it with status 1, its place, and nothing kept', async () => {
      const broken = file(
        'broken.ndjson',
        `${small('tea', 'changed')}${small('new').replaceAll('1111', '2222')}{"type":"page"`,
      )
      const before = await exportText(owner)
      expectRefusal(await lectern(['import', 'ndjson', broken], environment), 'Line 5: not JSON')
      expect(await exportText(owner)).to.equal(before)
    })

    it('killed half-way, it leaves nothing, and the next one works', async () => {
      const before = await exportText(owner)
      const pipe = join(folder, 'pipe.ndjson')
      execFileSync('mkfifo', [pipe])
      const importing = start(['import', 'ndjson', pipe], environment)
      const writing = createWriteStream(pipe)
      const many = Array.from({ length: 2_000 }, (_, i) => ({ path: `p${i}` }))
      const isOver = importing.ended.then(() => true)
      writing.on('error', () => {}) // its reader is killed
      const written = new Promise((resolve) =>
        writing.write(linesOfFile(...recordsOf({ pages: many })), resolve),
      )
      expect(await Promise.race([written, isOver]), importing.printed()).not.to.equal(true)
      importing.process.kill('SIGKILL')
      expect((await importing.ended).signal).to.equal('SIGKILL')
      writing.destroy()
      expect(await exportText(owner)).to.equal(before)
      expect(
        (await lectern(['import', 'ndjson', file('next.ndjson', small('tea', 'next'))], environment)).status,
      ).to.equal(0)
      expect(await exportText(owner)).to.include('"next"')
    })

    if (SERVER !== undefined) {
      it('says so when the server goes away meanwhile', async () => {
        const pipe = join(folder, 'lost.ndjson')
        execFileSync('mkfifo', [pipe])
        const importing = start(['import', 'ndjson', pipe], environment)
        const writing = createWriteStream(pipe)
        writing.on('error', () => {})
        const many = Array.from({ length: 2_000 }, (_, i) => ({ path: `lost${i}` }))
        await new Promise((resolve) => writing.write(linesOfFile(...recordsOf({ pages: many })), resolve))
        const client = await owner.connect()
        const ended = await client.query(
          'select count(pg_terminate_backend(pid))::int as n from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
        )
        client.release()
        expect(ended.rows[0].n).to.be.at.least(1)
        writing.end(small('tea', 'lost'))
        expectRefusal(await importing.ended, 'The database went away')
        expect(await exportText(owner)).not.to.include('lost')
      })
    }

    it('import mediawiki says what it read, what was left out and what stayed wikitext', async () => {
      const pages = [
        dumpedPage('Sencha', 'Steamed. {{Tea box}}'),
        dumpedPage('Steamed tea', '#REDIRECT [[Sencha]]', { redirect: 'Sencha' }),
        dumpedPage('Help:Water', 'hot', { ns: 12 }),
      ]
      const xml = file('dump.xml', dump(pages))
      const { status, stderr } = await lectern(
        ['import', 'mediawiki', xml, '--no-redirects', '--name', 'Media Wiki'],
        environment,
      )
      expect(stderr).to.include('Redirects left out: 1, first Steamed tea\n')
      expect(stderr).to.include('left out (--namespace takes them): 1, first Help:Water\n')
      expect(stderr).to.include('Calls of templates')
      expect(stderr).to.match(/1 pages, 0 categories, 1 edits read \(1 new, 0 changed\) in .*\n$/)
      expect(status).to.equal(0)
      expect(await exportText(owner))
        .to.include('"Media Wiki"')
        .and.include('`{{Tea box}}`')
      const more = ['import', 'mediawiki', xml, '--add', '--namespace', 'Help']
      expect((await lectern(more, environment)).stderr).to.include(
        '3 pages, 0 categories, 3 edits read (2 new, 0 changed)',
      )
      expect(await exportText(owner))
        .to.include('"Media Wiki"')
        .and.include('Help:Water')
      expectRefusal(await lectern([...more, '--locale', 'x'], environment), 'no locale code')
      const cut = file('cut.xml', dump(pages).slice(0, -40))
      expectRefusal(await lectern(['import', 'mediawiki', cut], environment), /Line \d+: unclosed tag/)
    })

    it('import git makes a wiki of a repository; the second time there is nothing new', async () => {
      const repository = mkdtempSync(join(folder, 'wiki-'))
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
          cwd: repository,
        })
      git('init', '-q')
      writeFileSync(join(repository, 'sencha.md'), '# Sencha\n\nSteamed.')
      git('add', '.')
      git('commit', '-q', '-m', 'first')
      const { status, stderr } = await lectern(
        ['import', 'git', repository, '--name', 'Git Wiki'],
        environment,
      )
      expect(stderr).to.match(/1 pages?, 0 categories, 1 edits? read \(1 new, 0 changed\)/)
      expect(status).to.equal(0)
      expect(await exportText(owner))
        .to.include('"Git Wiki"')
        .and.include('"author":"Ada","comment":"first"')
      expect((await lectern(['import', 'git', repository], environment)).stderr).to.include('(nothing new)')
      const before = await exportText(owner)
      expectRefusal(
        await lectern(['import', 'git', repository, '--layout', 'pages/{path}.rst'], environment),
        'matches no file',
      )
      expectRefusal(await lectern(['import', 'git', folder], environment), 'is no git repository')
      expect(await exportText(owner)).to.equal(before)
    })

    it('an import says which live pages it did not bring, and of another wiki that the one before stays', async () => {
      await emptyDatabase(owner)
      const wiki = (name: string, path: string) =>
        file(`${path}.ndjson`, linesOfFile(...recordsOf({ name, pages: [{ path }] })))
      await lectern(['import', 'ndjson', wiki('Tea Wiki', 'sencha')], environment)
      const same = await lectern(['import', 'ndjson', wiki('Tea Wiki', 'matcha')], environment)
      expect(same.stderr)
        .to.include('1 live page is in the database but not in this source; it stays public: sencha (en).\n')
        .and.not.include('held a wiki')
      const other = await lectern(['import', 'ndjson', wiki('Coffee Wiki', 'mocha')], environment)
      expect(other.stderr).to.include(
        'held a wiki called "Tea Wiki": its pages stay, beside the new ones. To have one wiki alone, import it into a new database',
      )
      expect(other.stderr).to.include(
        '2 live pages are in the database but not in this source; they stay public: matcha (en), sencha (en).\n',
      )
      expect(other.status).to.equal(0)
    })

    it('export writes what an import reads, and says how much', async () => {
      const target = join(folder, 'out.ndjson')
      const { status, stderr } = await lectern(['export', target], environment)
      expect(status).to.equal(0)
      expect(readFileSync(target, 'utf8')).to.equal(await exportText(owner))
      expect(stderr).to.match(/\d+ pages and \d+ edits written to .*out\.ndjson \(\d+ bytes\)/)
    })

    it('export --public writes what a guest may see; import reads it, compressed under any name', async () => {
      const hidden = { path: 'hidden', state: 'draft' as const, revisions: [{ title: 'kanarienvogel' }] }
      await importText(owner, linesOfFile(...recordsOf({ pages: [hidden] })))
      const target = join(folder, 'public.dump')
      const { status, stderr } = await lectern(['export', '--public', '--gzip', target], {
        ...environment,
        LICENSE_URL: 'https://other.example/',
      })
      expect(status, stderr).to.equal(0)
      const text = gunzipSync(readFileSync(target)).toString()
      expect(text)
        .to.include('"path":"tea"')
        .and.include('"license":"https://other.example/"')
        .and.not.include('kanarienvogel')
      expect((await lectern(['import', 'ndjson', target], environment)).status).to.equal(0)
    })

    it('export says so when the file cannot be written', async () => {
      const target = join(folder, 'no', 'out.ndjson')
      expectRefusal(
        await lectern(['export', target], environment),
        `${target} cannot be written: there is no such folder; make it first`,
      )
    })

    it('migrate says that there is nothing to do', async () => {
      expect(await lectern(['migrate'], environment)).to.include({
        status: 0,
        stderr: 'The database is up to date.\n',
      })
    })
  })

  if (SERVER !== undefined) {
    describe('on a server that is not set up', () => {
      let made: Awaited<ReturnType<typeof newPlace>>
      before(async () => {
        made = await newPlace()
      })
      after(() => made.remove())

      for (const args of [['serve'], ['import', 'ndjson', SAMPLE_WIKI], ['export', '/tmp/none.ndjson']]) {
        it(`${args[0]} says what to do first`, async () => {
          expectRefusal(
            await lectern(args, { ...environmentOf(made.place), PORT: '0', INTERNAL_PORT: '0' }),
            'run `lectern migrate` first',
          )
        })
      }
    })

    it('says which login it takes where that of the service has no right; a public export needs no other', async () => {
      const { place, remove } = await newPlace()
      const owner = await openDatabase(place, 'owner')
      const login = `lectern_test_web_${process.pid}`
      const asAdministrator = async (sql: string) => {
        const client = await owner.connect()
        await client.query(sql).finally(() => client.release())
      }
      try {
        await migrate(owner)
        await asAdministrator(`create role ${login} login password 'reader' in role lectern_reader`)
        const url = new URL(place.databaseUrl!)
        url.username = login
        url.password = 'reader'
        const target = join(folder, 'web.ndjson')
        const asService = { DATABASE_URL: url.href }
        for (const args of [['export', target], ['reindex'], ['import', 'ndjson', SAMPLE_WIKI]])
          expectRefusal(await lectern(args, asService), 'use the login that ran `lectern migrate`')
        expect((await lectern(['export', '--public', target], asService)).status).to.equal(0)
      } finally {
        await asAdministrator(`drop role if exists ${login}`)
        await owner.close()
        await remove()
      }
    })

    it('serve says what to do with a database of an older Lectern', async () => {
      const { place, remove } = await newPlace()
      const owner = await openDatabase(place, 'owner')
      try {
        await migrate(owner)
        const client = await owner.connect()
        await client.query('drop view guest.search_form').finally(() => client.release())
        const ended = await lectern(['serve'], { ...environmentOf(place), PORT: '0', INTERNAL_PORT: '0' })
        expectRefusal(ended, 'set up by another version of Lectern: run `lectern migrate`')
      } finally {
        await owner.close()
        await remove()
      }
    })

    it('migrate sets a server up, names what it applied, and serve then answers', async () => {
      const { place, remove } = await newPlace()
      try {
        const environment = { ...environmentOf(place), PORT: '0', INTERNAL_PORT: '0' }
        expect(await lectern(['migrate'], environment)).to.include({
          status: 0,
          stderr: MIGRATIONS.map((name) => `applied ${name}\n`).join(''),
        })
        const service = start(['serve'], environment)
        const url = await served(service)
        expect((await fetch(`${url}/pages`)).status).to.equal(200)
        service.process.kill('SIGINT')
        expect((await service.ended).status).to.equal(0)
      } finally {
        await endProcesses()
        await remove()
      }
    })
  }

  describe('serve', () => {
    let made: Awaited<ReturnType<typeof newPlace>>
    let environment: Record<string, string>

    beforeEach(async () => {
      made = await newPlace()
      environment = { ...environmentOf(made.place), PORT: '0', INTERNAL_PORT: '0', HOST: '127.0.0.1' }
    })
    afterEach(async () => {
      await endProcesses()
      await made.remove()
    })

    /** A database that this process has opened too. */
    const withOwner = async (work: (owner: Database) => Promise<void>) => {
      const owner = await openDatabase(made.place, 'owner')
      try {
        await migrate(owner)
        await importText(owner, small('tea'))
        await work(owner)
      } finally {
        await endProcesses()
        await owner.close()
      }
    }

    it('prints what to try, all of which works; logs each request as one line of JSON; ends on SIGTERM with status 0', async () => {
      await withOwner(async () => {
        const service = start(['serve'], environment)
        await served(service)
        const tries = [...service.printed().matchAll(/curl '(\S+)'/g)].map((match) => match[1]!)
        expect(tries.length).to.be.at.least(4)
        for (const address of tries) expect((await fetch(address)).status, address).to.equal(200)
        service.process.kill('SIGTERM')
        const { status, stdout } = await service.ended
        expect(status).to.equal(0)
        const lines = stdout
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
        expect(lines.filter(({ msg }) => msg === 'request')).to.have.length(tries.length)
        expect(lines.at(-1)).to.include({ msg: 'stopping', signal: 'SIGTERM' })
      })
    })

    it('finishes a running request when it is told to end, and takes no new one', async () => {
      await withOwner(async (owner) => {
        const service = start(['serve'], environment)
        const url = await served(service)
        const internal = service.printed().match(/(http:\S+)\/graphql/)![1]!
        const client = await owner.connect()
        await client.query('begin')
        await client.query('lock table wiki.live_page in access exclusive mode')
        const answer = answerOf(`${url}/pages`)
        // What came before an answered call has been read, too.
        for (let i = 0; i < 3; i++) expect((await fetch(`${internal}/live`)).status).to.equal(200)
        service.process.kill('SIGTERM')
        while (await isListening(url)) await setTimeout(5)
        expect(service.process.exitCode).to.equal(null)
        await client.query('commit')
        client.release()
        expect(await answer).to.include({ status: 200 })
        expect((await answer).body).to.include('"tea"')
        expect((await service.ended).status).to.equal(0)
      })
    })

    for (const variable of ['PORT', 'INTERNAL_PORT']) {
      it(`names ${variable} when its port is taken, and ends`, async () => {
        await withOwner(async () => {
          const other = createServer()
          other.listen(0, '127.0.0.1')
          await once(other, 'listening')
          const port = (other.address() as AddressInfo).port
          try {
            const ended = await lectern(['serve'], { ...environment, [variable]: String(port) })
            expectRefusal(ended, `port ${port} is taken; set ${variable} to another`)
          } finally {
            other.close()
          }
        })
      })
    }

    if (SERVER === undefined) {
      it('holds the sample wiki when it is new, and says so; keeps its data through restarts and SIGKILL', async () => {
        const first = start(['serve'], environment)
        expect((await (await fetch(`${await served(first)}/pages/sencha`)).json()).title).to.equal('Sencha')
        expect(first.printed()).to.include('sample wiki').and.include(made.place.dataDir)
        first.process.kill('SIGTERM')
        expect((await first.ended).status).to.equal(0)
        expect(
          (await lectern(['import', 'ndjson', file('mine.ndjson', small('mine'))], environment)).status,
        ).to.equal(0)
        for (const signal of ['SIGKILL', 'SIGKILL', 'SIGTERM'] as const) {
          const next = start(['serve'], environment)
          const url = await served(next)
          expect(next.printed()).not.to.include('sample')
          for (const path of ['mine', 'sencha'])
            expect((await fetch(`${url}/pages/${path}`)).status, path).to.equal(200)
          next.process.kill(signal)
          await next.ended
        }
      })

      it('after an import into a new folder shows that wiki alone, pages or none', async () => {
        const wikiAlone = file('alone.ndjson', small('x').split('\n')[0]!)
        expect((await lectern(['import', 'ndjson', wikiAlone], environment)).status).to.equal(0)
        const service = start(['serve'], environment)
        const url = await served(service)
        expect((await (await fetch(url)).json()).name).to.equal('The wiki of x')
        expect((await (await fetch(`${url}/pages`)).json()).items).to.deep.equal([])
        expect(service.printed()).not.to.include('sample')
      })

      it('goes on while a wiki is imported by another process, and shows it', async () => {
        const service = start(['serve'], environment)
        const url = await served(service)
        expect(
          (await lectern(['import', 'ndjson', file('more.ndjson', small('more'))], environment)).status,
        ).to.equal(0)
        expect((await fetch(`${url}/pages/more`)).status).to.equal(200)
      })
    }
  })
})

/** The service's address, once it serves. */
const served = async (service: Running): Promise<string> => {
  const [, url] = await service.prints(/Lectern serves (\S+)[\s\S]*graphql\n/)
  return url!
}

const answerOf = (url: string): Promise<{ status: number | undefined; body: string }> =>
  new Promise((resolve, reject) => {
    get(url, { agent: new Agent() }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text
      })
      response.on('end', () => resolve({ status: response.statusCode, body }))
    }).on('error', reject)
  })

const isListening = async (url: string): Promise<boolean> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isOpen
}
