import { execFileSync } from 'node:child_process'
import { createWriteStream, readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import pg from 'pg'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { withConnection } from '../src/db/write-lock.ts'
import { packagePath } from '../src/paths.ts'
import {
  endProcesses,
  environmentOf,
  expectFailure,
  lectern,
  lecternHere,
  serviceUrl,
  start,
} from './support/cli.ts'
import { copyTemplate, MIGRATED, newPlace } from './support/database.ts'
import { exportText, linesOfFile } from './support/importing.ts'
import { SAMPLE_WIKI } from './support/sample.ts'
import { withTemporaryFolder } from './support/temporary-folder.ts'
import { onePageFile, recordsOf } from './support/world.ts'

const MIGRATIONS = readdirSync(packagePath('schema', 'migrations')).sort()
const NAMES_OWNER =
  /Use the login of the owner, \w+\. The login of the service can only serve, and export with --public\./
const SERVER = process.env.LECTERN_TEST_DATABASE_URL

if (SERVER !== undefined) {
  describe('lectern on a PostgreSQL server', () => {
    const folder = withTemporaryFolder()
    afterEach(endProcesses)

    describe('that is not set up', () => {
      let made: Awaited<ReturnType<typeof newPlace>>
      before(async () => {
        made = await newPlace()
      })
      after(() => made.remove())

      for (const args of [['serve'], ['import', 'ndjson', SAMPLE_WIKI], ['export', '/tmp/none.ndjson']]) {
        it(`${args[0]} says to run \`lectern migrate\` first`, async () => {
          expectFailure(
            await lectern(args, { ...environmentOf(made.place), PORT: '0', INTERNAL_PORT: '0' }),
            /run `.+ migrate` first, with the DATABASE_URL of the owner in the environment/,
          )
        })
      }

      it('migrate names the migrations that it applied', async () => {
        expect(await lecternHere(['migrate'], environmentOf(made.place))).to.include({
          status: 0,
          stderr: MIGRATIONS.map((name) => `applied ${name}\n`).join(''),
        })
      })
    })

    it('a replica that cannot be reached: the log names its setting and host, without a stack', async () => {
      const { place, remove } = await copyTemplate(MIGRATED)
      const replica = { DATABASE_REPLICA_URLS: 'postgresql://ada:s3cr3t@localhost:1/wiki' }
      const service = start(['serve'], { ...environmentOf(place), ...replica, PORT: '0', INTERNAL_PORT: '0' })
      try {
        await serviceUrl(service)
        const line = /.*Lost a database server.*/.exec(service.logged())![0]
        const { setting, host, server } = JSON.parse(line)
        expect([setting, host, server]).to.deep.equal(['DATABASE_REPLICA_URLS', 'localhost:1', 'replica 1'])
        expect(line).not.to.match(/"stack"|s3cr3t/)
      } finally {
        await endProcesses()
        await remove()
      }
    })

    it('names the login that a command needs when the login of the service lacks the rights; a public export needs no other', async () => {
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
        const target = folder.path('web.ndjson')
        const asService = { DATABASE_URL: url.href }
        for (const args of [['export', target], ['reindex'], ['import', 'ndjson', SAMPLE_WIKI]])
          expectFailure(await lecternHere(args, asService), NAMES_OWNER)
        const ports = { PORT: '0', INTERNAL_PORT: '0' }
        const serving = await lectern(['serve', packagePath('docs')], { ...asService, ...ports })
        expect(serving.stderr).to.match(
          /^lectern: .*Use the login of the owner, \w+\. To serve with this login, run `.+ serve` without a source, and `.+ follow` with/,
        )
        expect((await lecternHere(['export', '--public', target], asService)).status).to.equal(0)
      } finally {
        await asAdministrator(`drop role if exists ${login}`)
        await owner.close()
        await remove()
      }
    })

    for (const command of [['migrate'], ['attach', 'wikijs']])
      it(`${command.join(' ')} by a user without CREATEROLE names the statements that an administrator must run, and works after them`, async () => {
        const { place, remove } = await newPlace()
        const url = new URL(place.databaseUrl!)
        const database = url.pathname.slice(1)
        const login = `${database}_owner`
        const asUser = async (connectionString: string, sql: string): Promise<void> => {
          const client = new pg.Client({ connectionString })
          await client.connect()
          await client.query(sql).finally(() => client.end())
        }
        const asAdministrator = (sql: string) => asUser(SERVER, sql)
        const asOwner = Object.assign(new URL(url), { username: login, password: 'owner' }).href
        try {
          await asAdministrator(`create role ${login} login password 'owner'`)
          await asUser(url.href, `grant create on schema public to ${login}`)
          await asUser(asOwner, readFileSync(packagePath('test', 'support', 'wikijs-2.5.sql'), 'utf8'))

          const failed = await lecternHere(command, { DATABASE_URL: asOwner })
          expectFailure(failed, 'As an administrator, run: ')
          const [, statements] = /run: (.*)\. Then/.exec(failed.stderr)!
          const checked = await lecternHere(['check'], { DATABASE_URL: asOwner })
          expect(checked.stdout.replaceAll(/\s+/g, ' '), 'check foresees it').to.include(statements!)
          expect(statements).to.include(`grant lectern_reader to ${login}`)
          await asAdministrator(statements!)

          expect(await lecternHere(command, { DATABASE_URL: asOwner })).to.include({ status: 0 })
          const target = folder.path(`${database}.ndjson`)
          expect(await lecternHere(['export', '--public', target], { DATABASE_URL: asOwner })).to.include({
            status: 0,
          })
        } finally {
          await remove()
          await asAdministrator(`drop role if exists ${login}`)
        }
      })

    it('import ndjson reports that the connection to the database was lost, and stores nothing', async () => {
      const { place, remove } = await copyTemplate(MIGRATED)
      const owner = await openDatabase(place, 'owner')
      try {
        const pipe = folder.path('lost.ndjson')
        execFileSync('mkfifo', [pipe])
        const importing = start(['import', 'ndjson', pipe], environmentOf(place))
        const writing = createWriteStream(pipe)
        writing.on('error', () => {})
        const many = Array.from({ length: 2_000 }, (_, i) => ({ path: `lost${i}` }))
        await new Promise((resolve) => writing.write(linesOfFile(...recordsOf({ pages: many })), resolve))
        const client = await owner.connect()
        const { rows } = await client.query(
          'select count(pg_terminate_backend(pid))::int as n from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
        )
        client.release()
        expect(rows[0].n).to.be.at.least(1)
        writing.end(onePageFile('tea', 'lost'))
        expectFailure(await importing.ended, 'The connection to the database was lost')
        expect(await exportText(owner)).to.equal('')
      } finally {
        await owner.close()
        await remove()
      }
    })

    it('serve says what to do with the database of another version of Lectern', async () => {
      const { place, remove } = await newPlace()
      const owner = await openDatabase(place, 'owner')
      try {
        await migrate(owner)
        const client = await owner.connect()
        await client.query('drop view guest.search_index_version').finally(() => client.release())
        const ended = await lectern(['serve'], { ...environmentOf(place), PORT: '0', INTERNAL_PORT: '0' })
        expectFailure(ended, /Another version of Lectern set up this database: run `.+ migrate`/)
        await migrate(owner)
        await withConnection(owner, (client) =>
          client.query('revoke select on guest.page from lectern_reader'),
        )
        expect((await lecternHere(['migrate'], environmentOf(place))).stderr).to.equal(
          'lectern_reader lacks select on guest.page. Lectern grants this again.\nThe database is up to date.\n',
        )
      } finally {
        await owner.close()
        await remove()
      }
    })
  })
}
