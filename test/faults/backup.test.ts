import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect } from 'chai'
import { packagePath } from '../../src/paths.ts'
import { SAMPLE_FILE } from '../../src/serving/serving.ts'
import { CLI, lectern as command } from '../support/cli.ts'
import { codeBlocks } from '../support/documents.ts'
import { linesOfFile } from '../support/importing.ts'
import { until } from '../support/until.ts'
import { recordsOf } from '../support/world.ts'
import { type Lectern, startLectern } from './support/lectern.ts'
import { copyEmbeddedWiki, type Postgres, programFolder, startPostgres } from './support/postgres.ts'

const DOCUMENT = 'docs/operating/backup.md'

/** URLs of every endpoint on the sample wiki, as openapi.json has them. */
const urls = Object.keys(JSON.parse(readFileSync(packagePath('schema', 'examples.json'), 'utf8')) as object)

describe('docs/operating/backup.md', () => {
  let folder: string
  let services: Lectern[]
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lectern-backup-'))
    services = []
  })
  afterEach(async () => {
    await Promise.all(services.map((one) => one.stop()))
    rmSync(folder, { recursive: true, force: true })
  })

  /** The commands of a section, one string for each block. */
  const commandsOf = (section: string): string[] =>
    codeBlocks(DOCUMENT)
      .filter((block) => block.section === section && block.language === 'sh')
      .map(({ text }) => text)

  /** Runs commands as an operator does, where `lectern` is this build. @throws Error with what they print */
  const run = async (script: string, environment: Record<string, string>): Promise<void> => {
    const { PATH, HOME } = process.env
    const child = spawn(
      'bash',
      ['-euo', 'pipefail', '-c', `lectern() { node --liftoff-only '${CLI}' "$@"; }\n${script}`],
      {
        cwd: folder,
        env: {
          PATH: [programFolder(), PATH].filter(Boolean).join(delimiter),
          HOME,
          PORT: '0',
          INTERNAL_PORT: '0',
          ...environment,
        },
      },
    )
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    const [status] = await once(child, 'close')
    expect(status, `${script}\n${output}`).to.equal(0)
  }

  const serve = async (environment: Record<string, string>): Promise<Lectern> => {
    const service = await startLectern(environment)
    services.push(service)
    return service
  }
  /** Responses without the port of the service, which their links contain. A busy machine may need a second request. */
  const answers = async (service: Lectern, paths: readonly string[]) => {
    const found: Record<string, string> = {}
    for (const path of paths) {
      await until(`${path} is answered`, async () => {
        const { status, text } = await service.get(path)
        found[path] = `${status} ${text.replaceAll(`:${new URL(service.url).port}/`, '/')}`
        return status !== 503
      })
    }
    return found
  }
  const isOfChanges = (path: string) => path.startsWith('/changes')

  it('PostgreSQL: a dump of a running service, restored on another server, gives the same responses', async () => {
    const servers: Postgres[] = []
    try {
      servers.push(...(await Promise.all([startPostgres(), startPostgres()])))
      const [old, next] = servers as [Postgres, Postgres]
      const urlOf = ({ port }: Postgres) => `postgresql://lectern:secret@127.0.0.1:${port}/lectern`
      await old.query('create role lectern login createrole')
      await old.query('create database lectern owner lectern')
      for (const args of [['migrate'], ['import', 'ndjson', SAMPLE_FILE]])
        expect((await command(args, { DATABASE_URL: urlOf(old) })).status).to.equal(0)
      const service = await serve({ DATABASE_URL: urlOf(old) })
      const [backUp, prepare, restore, invalidate] = commandsOf('PostgreSQL')
      await run(backUp!, { DATABASE_URL: urlOf(old) })
      await run(prepare!, { ADMIN_URL: next.url })
      await run(restore!, { DATABASE_URL: urlOf(next), WIKI_ADDRESSES: '' })
      const restored = await serve({ DATABASE_URL: urlOf(next) })
      const expected = await answers(service, urls)
      expect(Object.values(expected).filter((text) => text.startsWith('200 '))).to.have.length.above(15)
      expect(await answers(restored, urls)).to.deep.equal(expected)

      const { cursor } = JSON.parse((await service.get('/changes')).text)
      expect((await restored.get(`/changes?after=${cursor}`)).status).to.equal(200)
      await run(invalidate!, { DATABASE_URL: urlOf(next) })
      const { status, text } = await restored.get(`/changes?after=${cursor}&limit=9`)
      expect([status, JSON.parse(text).error.message]).to.match(/^400,after/)
      expect((await restored.get('/changes?limit=9')).status).to.equal(200)
    } finally {
      await Promise.all(servers.map((one) => one.remove()))
    }
  })

  it('embedded database: an export of a running service in a new folder, and a copy of the folder, put back, give the same responses', async () => {
    const environment = { DATA_DIR: await copyEmbeddedWiki(folder) }
    const service = await serve(environment)
    const before = await answers(service, urls)
    const { cursor } = JSON.parse((await service.get('/changes')).text)
    const [exporting, importing] = commandsOf('Embedded database: an export')
    await run(exporting!, environment)
    await service.stop()
    const [backUp, restore] = commandsOf('Embedded database: the folder')
    await run(backUp!, environment)
    const other = join(folder, 'other.ndjson')
    writeFileSync(other, linesOfFile(...recordsOf({ pages: [{ path: 'other' }] })))
    expect((await command(['import', 'ndjson', other], environment)).status).to.equal(0)
    await run(restore!, environment)
    expect(await answers(await serve(environment), urls)).to.deep.equal(before)

    await run(importing!, {})
    const imported = await serve({ DATA_DIR: join(folder, 'restored') })
    const ofImport = await answers(
      imported,
      urls.filter((path) => !isOfChanges(path)),
    )
    for (const [path, answer] of Object.entries(ofImport)) expect(answer, path).to.equal(before[path])
    expect((await imported.get(`/changes?after=${cursor}`)).status).to.equal(400)
  })
})
