import { expect } from 'chai'
import { packagePath } from '../src/paths.ts'
import { endProcesses, environmentOf, lectern, serviceUrl, start } from './support/cli.ts'
import { copyTemplate, newPlace, type TemporaryDatabase } from './support/database.ts'
import { WITH_SAMPLE } from './support/sample.ts'
import { withTemporaryFolder } from './support/temporary-folder.ts'
import { until } from './support/until.ts'
import { onePageFile } from './support/world.ts'

const SERVER = process.env.LECTERN_TEST_DATABASE_URL

describe('lectern serve', () => {
  const folder = withTemporaryFolder()

  let database: TemporaryDatabase
  let environment: Record<string, string>
  afterEach(async () => {
    await endProcesses()
    await database.remove()
  })

  const use = async (created: Promise<TemporaryDatabase>): Promise<void> => {
    database = await created
    environment = { ...environmentOf(database.place), PORT: '0', INTERNAL_PORT: '0', HOST: '127.0.0.1' }
  }

  it('prints commands to try, which all work; logs each request as one line of JSON; goes on after SIGHUP, which needs workers; ends on SIGTERM with status 0', async () => {
    await use(copyTemplate(WITH_SAMPLE))
    const service = start(['serve'], environment)
    await serviceUrl(service)
    const examples = [...service.printed().matchAll(/curl '(\S+)'/g)].map((match) => match[1]!)
    expect(examples.length).to.be.at.least(4)
    for (const url of examples) expect((await fetch(url)).status, url).to.equal(200)
    expect(service.printed()).not.to.include('Other machines')
    service.process.kill('SIGHUP')
    await until('it tells what a reload needs', () => service.logged().includes('set WORKERS=2 or more'))
    service.process.kill('SIGTERM')
    const { status, stdout } = await service.ended
    expect(status).to.equal(0)
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.filter(({ msg }) => msg === 'request')).to.have.length(examples.length)
    expect(lines[0]).to.include({ level: 'info', msg: 'serving', wiki: 'Tea Wiki' })
    expect(lines[0].database).not.to.include('//')
    expect(lines[0].pages).to.be.above(50)
    expect(new Date(lines[0].time).toISOString()).to.equal(lines[0].time)
    expect(lines.at(-1)).to.include({ msg: 'stopping', signal: 'SIGTERM' })
  })

  it('ends with `npm start`, when a supervisor ends that', async () => {
    await use(copyTemplate(WITH_SAMPLE))
    const script = 'cd "$1" && exec npm start --ignore-scripts'
    const { HOST: _, ...toAll } = environment
    const npm = start([], toAll, { through: ['sh', '-c', script, 'sh', packagePath()] })
    await serviceUrl(npm)
    expect(npm.printed()).to.include('reach it, too. To prevent that, set HOST=127.0.0.1.')
    npm.process.kill('SIGTERM')
    // Its output ends when the service does.
    expect((await npm.ended).stdout).to.include('"signal":"SIGTERM","msg":"stopping"')
  })

  if (SERVER === undefined) {
    it('starts with the sample wiki in a new data directory, and says so; an import by another process replaces it at once; keeps its data through SIGKILL and a restart', async () => {
      await use(newPlace())
      const first = start(['serve'], environment)
      expect((await (await fetch(`${await serviceUrl(first)}/pages/sencha`)).json()).title).to.equal('Sencha')
      expect(first.printed()).to.include('sample wiki').and.include(database.place.dataDir)
      const file = folder.write('mine.ndjson', onePageFile('mine'))
      const imported = await lectern(['import', 'ndjson', file], environment)
      expect(imported.status).to.equal(0)
      expect(imported.stderr)
        .to.match(/^Removed the sample wiki\.\n/m)
        .and.match(/\nAnother Lectern has this database open\. If it is a service, it shows the wiki.*\n$/)
        .and.not.include('lectern serve')
      expect((await fetch(`${await serviceUrl(first)}/pages/mine`)).status, 'while it serves').to.equal(200)
      first.process.kill('SIGKILL')
      await first.ended
      const next = start(['serve'], { ...environment, LOG_FORMAT: 'json', RATE_LIMT: '1', LOG_LEVL: 'x' })
      await until('it serves', () => next.logged().includes('"msg":"serving"'))
      const [warning, another, { url }] = next
        .logged()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(warning).to.include({
        level: 'warn',
        msg: 'RATE_LIMT (environment) is not read. Did you mean RATE_LIMIT?',
      })
      expect(another.msg).to.equal('LOG_LEVL (environment) is not read. Did you mean LOG_LEVEL?')
      expect(next.printed(), 'beside the log').to.equal('')
      expect((await fetch(`${url}/pages/mine`)).status).to.equal(200)
      expect((await fetch(`${url}/pages/sencha`)).status, 'a page of the sample wiki').to.equal(404)
      next.process.kill('SIGINT')
      const ended = await next.ended
      expect(ended.status).to.equal(0)
      expect(ended.stdout).to.include('"signal":"SIGINT"')
    })

    it('shows an imported wiki alone, with or without pages, when the import came before the first start', async () => {
      await use(newPlace())
      const wikiAlone = folder.write('alone.ndjson', onePageFile('x').split('\n')[0]!)
      expect((await lectern(['import', 'ndjson', wikiAlone], environment)).status).to.equal(0)
      const service = start(['serve'], environment)
      const url = await serviceUrl(service)
      expect((await (await fetch(url)).json()).name).to.equal('The wiki of x')
      expect((await (await fetch(`${url}/pages`)).json()).items).to.deep.equal([])
      expect(service.printed()).not.to.include('sample')
      expect(service.logged()).to.match(/The wiki has no pages\. Import some: `.+ import --help`\./)
    })
  }
})
