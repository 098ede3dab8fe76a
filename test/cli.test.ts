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

const smallWiki = (path: string, comment = '') =>
  linesOfFile(
    ...recordsOf({
      name: `The wiki of ${path}`,
      pages: [{ path, revisions: [{ id: '11111111-1111-4111-8111-111111111111', comment }] }],
    }),
  )

/** The command fails with one line that says what is wrong, without a stack. */
const expectFailure = ({ status, stdout, stderr }: ExitResult, expected: string | RegExp): void => {
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

  describe('help and usage errors', () => {
    it('--help lists every command', async () => {
      const { status, stdout } = await lectern(['--help'])
      expect(status).to.equal(0)
      for (const command of ['serve', 'migrate', 'import', 'export'])
        expect(stdout).to.match(new RegExp(`^ +${command} `, 'm'))
    })

    it('--help after a command prints its options and examples', async () => {
      const { status, stdout } = await lectern(['import', 'git', '--help'])
      expect(stdout).to.include('--layout').and.include('Examples:')
      expect(status).to.equal(0)
    })

    for (const [args, expected] of [
      [
        ['sreve'],
        'error: unknown command \'sreve\'\n(Did you mean serve?)\nRun "lectern --help" for usage.\n',
      ],
      [
        ['import', 'ndjson'],
        'error: missing required argument \'file\'\nRun "lectern import ndjson --help" for usage.\n',
      ],
      [
        ['serve', '--port', '80'],
        'error: unknown option \'--port\'\nRun "lectern serve --help" for usage.\n',
      ],
      [
        ['import', 'git', '.', '--laout', 'x'],
        'error: unknown option \'--laout\'\n(Did you mean --layout?)\nRun "lectern import git --help" for usage.\n',
      ],
    ] as const) {
      it(`refuses "lectern ${args.join(' ')}" with status 2`, async () => {
        expect(await lectern([...args])).to.include({ status: 2, stdout: '', stderr: expected })
      })
    }

    it('the help of every command has examples', async () => {
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

  describe('refuses without creating a database', () => {
    const cases: [string, string[], Record<string, string>, string][] = [
      ['a missing file', ['import', 'ndjson', 'none.ndjson'], {}, 'There is no file none.ndjson.'],
      ['a folder instead of a file', ['import', 'ndjson', '/'], {}, '/ is a folder'],
      [
        'an invalid port',
        ['serve'],
        { PORT: '80a' },
        'PORT must be a whole number from 0 to 65535, but is "80a".',
      ],
      [
        'an invalid DATABASE_URL',
        ['migrate'],
        { DATABASE_URL: 'x:s3cr3t@y' },
        'DATABASE_URL must be an address such as',
      ],
    ]
    for (const [name, args, environment, expected] of cases) {
      it(name, async () => {
        const dataDir = join(folder, 'none')
        expectFailure(await lectern(args, { DATA_DIR: dataDir, ...environment }), expected)
        expect(existsSync(dataDir)).to.equal(false)
      })
    }

    it('refuses to run if the database server is unreachable', async () => {
      const ended = await lectern(['export', join(folder, 'x.ndjson')], {
        DATABASE_URL: 'postgresql://ada:s3cr3t@127.0.0.1:1/wiki',
      })
      expectFailure(ended, /DATABASE_URL: .*127\.0\.0\.1:1\/wiki: nothing listens there.*ECONNREFUSED/)
      expect(existsSync(join(folder, 'x.ndjson.partial'))).to.equal(false)
      expect(ended.stderr).not.to.include('s3cr3t')
    })
  })

  describe('import and export', () => {
    let owner: Database
    let environment: Record<string, string>
    let remove: () => Promise<void>

    before(async () => {
      const created = await newPlace()
      remove = created.remove
      owner = await openDatabase(created.place, 'owner')
      await migrate(owner)
      environment = environmentOf(created.place)
    })
    after(async () => {
      await owner?.close()
      await remove?.()
    })
    beforeEach(() => importText(owner, smallWiki('tea')))

    it('import ndjson prints what it read, what was new, the duration and the rate', async () => {
      const { status, stderr } = await lectern(['import', 'ndjson', SAMPLE_WIKI], environment)
      expect(stderr).to.match(
        /Read \d+ pages, \d+ categories, \d+ edits \(\d+ new, 0 changed\) in \d+\.\d s: \d+ edits\/s\n$/,
      )
      expect(status).to.equal(0)
      const again = await lectern(['import', 'ndjson', SAMPLE_WIKI], environment)
      expect(again.stderr).to.include('(nothing new)')
    })

    it('import ndjson fails at an invalid line, names it, and changes nothing', async () => {
      const broken = file(
        'broken.ndjson',
        `${smallWiki('tea', 'changed')}${smallWiki('new').replaceAll('1111', '2222')}{"type":"page"`,
      )
      const before = await exportText(owner)
      expectFailure(await lectern(['import', 'ndjson', broken], environment), 'Line 5: not JSON')
      expect(await exportText(owner)).to.equal(before)
    })

    it('a killed import changes nothing, and the next import works', async () => {
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
        (await lectern(['import', 'ndjson', file('next.ndjson', smallWiki('tea', 'next'))], environment))
          .status,
      ).to.equal(0)
      expect(await exportText(owner)).to.include('"next"')
    })

    if (SERVER !== undefined) {
      it('an import explains that the connection to the database was lost', async () => {
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
        writing.end(smallWiki('tea', 'lost'))
        expectFailure(await importing.ended, 'The connection to the database was lost')
        expect(await exportText(owner)).not.to.include('lost')
      })
    }

    it('import mediawiki prints what it read, what it left out and what stayed wikitext', async () => {
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
      expect(stderr).to.match(/Read 1 page, 0 categories, 1 edit \(1 new, 0 changed\) in .*\n$/)
      expect(status).to.equal(0)
      expect(await exportText(owner))
        .to.include('"Media Wiki"')
        .and.include('`{{Tea box}}`')
      const more = ['import', 'mediawiki', xml, '--add', '--namespace', 'Help']
      expect((await lectern(more, environment)).stderr).to.include(
        'Read 3 pages, 0 categories, 3 edits (2 new, 0 changed)',
      )
      expect(await exportText(owner))
        .to.include('"Media Wiki"')
        .and.include('Help:Water')
      expectFailure(await lectern([...more, '--locale', 'x'], environment), 'no locale code')
      const cut = file('cut.xml', dump(pages).slice(0, -40))
      expectFailure(await lectern(['import', 'mediawiki', cut], environment), /Line \d+: unclosed tag/)
    })

    it('import git imports a repository, and finds nothing new the second time', async () => {
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
      expect(stderr).to.match(/Read 1 page, 0 categories, 1 edit \(1 new, 0 changed\)/)
      expect(status).to.equal(0)
      expect(await exportText(owner))
        .to.include('"Git Wiki"')
        .and.include('"author":"Ada","comment":"first"')
      expect((await lectern(['import', 'git', repository], environment)).stderr).to.include('(nothing new)')
      const before = await exportText(owner)
      expectFailure(
        await lectern(['import', 'git', repository, '--layout', 'pages/{path}.rst'], environment),
        'matches no file',
      )
      expectFailure(await lectern(['import', 'git', folder], environment), 'is no git repository')
      expect(await exportText(owner)).to.equal(before)
    })

    it('an import names live pages that its source lacks, and another wiki that stays', async () => {
      await emptyDatabase(owner)
      const wiki = (name: string, path: string) =>
        file(`${path}.ndjson`, linesOfFile(...recordsOf({ name, pages: [{ path }] })))
      await lectern(['import', 'ndjson', wiki('Tea Wiki', 'sencha')], environment)
      const same = await lectern(['import', 'ndjson', wiki('Tea Wiki', 'matcha')], environment)
      expect(same.stderr)
        .to.include('1 live page is in the database but not in this source. It stays public: sencha (en).\n')
        .and.not.include('another wiki')
      const other = await lectern(['import', 'ndjson', wiki('Coffee Wiki', 'mocha')], environment)
      expect(other.stderr).to.include(
        'contained another wiki, "Tea Wiki". Its pages stay, next to the imported ones. If you want only the imported wiki, import it into a new database',
      )
      expect(other.stderr).to.include(
        '2 live pages are in the database but not in this source. They stay public: matcha (en), sencha (en).\n',
      )
      expect(other.status).to.equal(0)
    })

    it('export writes a file that an import reads, and prints how much it wrote', async () => {
      const target = join(folder, 'out.ndjson')
      const { status, stderr } = await lectern(['export', target], environment)
      expect(status).to.equal(0)
      expect(readFileSync(target, 'utf8')).to.equal(await exportText(owner))
      expect(stderr).to.match(/Exported \d+ pages? and \d+ edits? to .*out\.ndjson \(\d+ bytes\)/)
    })

    it('export --public writes what a guest can see; an import reads it, compressed under any name', async () => {
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

    it('export explains why it cannot write the file', async () => {
      const target = join(folder, 'no', 'out.ndjson')
      expectFailure(
        await lectern(['export', target], environment),
        `Cannot write ${target}: the folder does not exist. Create it first.`,
      )
    })

    it('migrate prints that the database is up to date', async () => {
      expect(await lectern(['migrate'], environment)).to.include({
        status: 0,
        stderr: 'The database is up to date.\n',
      })
    })
  })

  if (SERVER !== undefined) {
    describe('with a database that is not set up', () => {
      let made: Awaited<ReturnType<typeof newPlace>>
      before(async () => {
        made = await newPlace()
      })
      after(() => made.remove())

      for (const args of [['serve'], ['import', 'ndjson', SAMPLE_WIKI], ['export', '/tmp/none.ndjson']]) {
        it(`${args[0]} asks you to run migrate first`, async () => {
          expectFailure(
            await lectern(args, { ...environmentOf(made.place), PORT: '0', INTERNAL_PORT: '0' }),
            'run `lectern migrate` first',
          )
        })
      }
    })

    it('names the login to use if the login of the service lacks a privilege; it can run a public export', async () => {
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
          expectFailure(await lectern(args, asService), 'Use the login that ran `lectern migrate`')
        expect((await lectern(['export', '--public', target], asService)).status).to.equal(0)
      } finally {
        await asAdministrator(`drop role if exists ${login}`)
        await owner.close()
        await remove()
      }
    })

    it('serve asks you to migrate a database of an older version', async () => {
      const { place, remove } = await newPlace()
      const owner = await openDatabase(place, 'owner')
      try {
        await migrate(owner)
        const client = await owner.connect()
        await client.query('drop view guest.search_form').finally(() => client.release())
        const ended = await lectern(['serve'], { ...environmentOf(place), PORT: '0', INTERNAL_PORT: '0' })
        expectFailure(ended, 'Another version of Lectern set up this database: run `lectern migrate`')
      } finally {
        await owner.close()
        await remove()
      }
    })

    it('migrate sets up a database and prints the migrations; then serve responds', async () => {
      const { place, remove } = await newPlace()
      try {
        const environment = { ...environmentOf(place), PORT: '0', INTERNAL_PORT: '0' }
        expect(await lectern(['migrate'], environment)).to.include({
          status: 0,
          stderr: MIGRATIONS.map((name) => `applied ${name}\n`).join(''),
        })
        const service = start(['serve'], environment)
        const url = await readyUrl(service)
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

    /** Opens the database in this process, too. */
    const withOwner = async (work: (owner: Database) => Promise<void>) => {
      const owner = await openDatabase(made.place, 'owner')
      try {
        await migrate(owner)
        await importText(owner, smallWiki('tea'))
        await work(owner)
      } finally {
        await endProcesses()
        await owner.close()
      }
    }

    it('prints examples that work, logs each request as one line of JSON, and ends on SIGTERM with status 0', async () => {
      await withOwner(async () => {
        const service = start(['serve'], environment)
        await readyUrl(service)
        const examples = [...service.printed().matchAll(/curl '(\S+)'/g)].map((match) => match[1]!)
        expect(examples.length).to.be.at.least(4)
        for (const url of examples) expect((await fetch(url)).status, url).to.equal(200)
        service.process.kill('SIGTERM')
        const { status, stdout } = await service.ended
        expect(status).to.equal(0)
        const lines = stdout
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
        expect(lines.filter(({ msg }) => msg === 'request')).to.have.length(examples.length)
        expect(lines.at(-1)).to.include({ msg: 'stopping', signal: 'SIGTERM' })
      })
    })

    it('on SIGTERM, finishes a running request and accepts no new one', async () => {
      await withOwner(async (owner) => {
        const service = start(['serve'], environment)
        const url = await readyUrl(service)
        const internal = service.printed().match(/(http:\S+)\/graphql/)![1]!
        const client = await owner.connect()
        await client.query('begin')
        await client.query('lock table wiki.live_page in access exclusive mode')
        const response = fetchFresh(`${url}/pages`)
        // Responses to later requests show that the service has read the first one.
        for (let i = 0; i < 3; i++) expect((await fetch(`${internal}/live`)).status).to.equal(200)
        service.process.kill('SIGTERM')
        while (await isListening(url)) await setTimeout(5)
        expect(service.process.exitCode).to.equal(null)
        await client.query('commit')
        client.release()
        expect(await response).to.include({ status: 200 })
        expect((await response).body).to.include('"tea"')
        expect((await service.ended).status).to.equal(0)
      })
    })

    for (const variable of ['PORT', 'INTERNAL_PORT']) {
      it(`names ${variable} if its port is taken, and ends`, async () => {
        await withOwner(async () => {
          const other = createServer()
          other.listen(0, '127.0.0.1')
          await once(other, 'listening')
          const port = (other.address() as AddressInfo).port
          try {
            const ended = await lectern(['serve'], { ...environment, [variable]: String(port) })
            expectFailure(ended, `port ${port} is in use. Set ${variable} to another port`)
          } finally {
            other.close()
          }
        })
      })
    }

    if (SERVER === undefined) {
      it('imports the sample wiki into a new database, prints so, and keeps its data through restarts and SIGKILL', async () => {
        const first = start(['serve'], environment)
        expect((await (await fetch(`${await readyUrl(first)}/pages/sencha`)).json()).title).to.equal('Sencha')
        expect(first.printed()).to.include('sample wiki').and.include(made.place.dataDir)
        first.process.kill('SIGTERM')
        expect((await first.ended).status).to.equal(0)
        expect(
          (await lectern(['import', 'ndjson', file('mine.ndjson', smallWiki('mine'))], environment)).status,
        ).to.equal(0)
        for (const signal of ['SIGKILL', 'SIGKILL', 'SIGTERM'] as const) {
          const next = start(['serve'], environment)
          const url = await readyUrl(next)
          expect(next.printed()).not.to.include('sample')
          for (const path of ['mine', 'sencha'])
            expect((await fetch(`${url}/pages/${path}`)).status, path).to.equal(200)
          next.process.kill(signal)
          await next.ended
        }
      })

      it('after an import into a new folder, serves that wiki only, even without pages', async () => {
        const wikiAlone = file('alone.ndjson', smallWiki('x').split('\n')[0]!)
        expect((await lectern(['import', 'ndjson', wikiAlone], environment)).status).to.equal(0)
        const service = start(['serve'], environment)
        const url = await readyUrl(service)
        expect((await (await fetch(url)).json()).name).to.equal('The wiki of x')
        expect((await (await fetch(`${url}/pages`)).json()).items).to.deep.equal([])
        expect(service.printed()).not.to.include('sample')
      })

      it('keeps serving while another process imports a wiki, and shows it', async () => {
        const service = start(['serve'], environment)
        const url = await readyUrl(service)
        expect(
          (await lectern(['import', 'ndjson', file('more.ndjson', smallWiki('more'))], environment)).status,
        ).to.equal(0)
        expect((await fetch(`${url}/pages/more`)).status).to.equal(200)
      })
    }
  })
})

/** The base URL of the service, when it is ready. */
const readyUrl = async (service: Running): Promise<string> => {
  const [, url] = await service.prints(/Lectern serves (\S+)[\s\S]*graphql\n/)
  return url!
}

/** Fetches with a connection of its own. */
const fetchFresh = (url: string): Promise<{ status: number | undefined; body: string }> =>
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
