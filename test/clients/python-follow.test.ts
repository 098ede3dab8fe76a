import type { ChildProcess } from 'node:child_process'
import { expect } from 'chai'
import { type ChangesServer, startChangesServer } from '../support/changes-server.ts'
import { kill } from '../support/mirror-process.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { clearWorld, importRecords, recordsOf } from '../support/world.ts'
import { runPython, startPython } from './support/python.ts'

const TRANSPORTS = ['urllib', 'httpx', 'async']

/** A program that prints each change. */
class Program {
  readonly #child: ChildProcess
  #output = ''

  /** @param idle seconds without a byte @param after a cursor, and how often to look */
  constructor(api: string, transport: string, mode: 'follow' | 'mirror', idle = 30, after: string[] = []) {
    this.#child = startPython('follow_changes.py', api, transport, mode, String(idle), ...after)
    this.#child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text
    })
  }

  get lines(): { path?: string; type?: string; cursor?: string; reason?: string }[] {
    const lines = this.#output.split('\n').slice(0, -1)
    return lines.map((line) => JSON.parse(line))
  }

  get changes() {
    return this.lines.filter(({ path }) => path !== undefined)
  }

  async untilPaths(...paths: string[]): Promise<void> {
    await until(`${paths} came`, () => this.changes.length >= paths.length || this.#child.exitCode !== null)
    expect(this.changes.map(({ type, path }) => (type === 'gone' ? `-${path}` : path))).to.deep.equal(paths)
  }

  async end(): Promise<void> {
    if (this.#child.exitCode === null) await kill(this.#child)
  }
}

describe('the Python client, while the wiki changes', () => {
  const open: Program[] = []
  const start = (...values: ConstructorParameters<typeof Program>) => {
    const program = new Program(...values)
    open.push(program)
    return program
  }
  afterEach(() => Promise.all(open.splice(0).map((program) => program.end())))

  describe('of a service', () => {
    let test: TestService
    beforeEach(async () => {
      await clearWorld()
      test = await startService({ cacheSeconds: 0 })
    })
    afterEach(() => test.service.close())
    const api = () => `${test.service.listeningUrl}/api/v1`
    const importPage = (path: string, more = {}) => importRecords(recordsOf({ pages: [{ path, ...more }] }))

    const untilStreams = (count: number) =>
      until(`${count} streams are open`, async () => {
        const metrics = await (await fetch(`${test.service.internalUrl}/metrics`)).text()
        return metrics.includes(`\nlectern_http_streams ${count}\n`)
      })

    it('follow() yields what there is, then what happens, also when the service was stopped and started', async () => {
      const port = Number(new URL(test.service.listeningUrl).port)
      await importPage('tea')
      const programs = TRANSPORTS.map((transport) => start(api(), transport, 'follow'))
      const untilAll = (...paths: string[]) => Promise.all(programs.map((one) => one.untilPaths(...paths)))
      await untilAll('tea')
      const fromNow = ['urllib', 'async'].map((transport) => start(api(), transport, 'follow', 30, ['now']))
      await untilStreams(5)
      await importPage('mate')
      await untilAll('tea', 'mate')
      for (const one of fromNow) await one.untilPaths('mate')
      await test.service.close()
      await importPage('tea', { state: 'deleted' })
      await until('all have noticed', () =>
        programs.every(({ lines }) => lines.some(({ reason }) => reason !== undefined)),
      )
      test = await startService({ cacheSeconds: 0, port })
      await untilAll('tea', 'mate', '-tea')
      await importPage('cocoa')
      await untilAll('tea', 'mate', '-tea', 'cocoa')
      const after = programs[0]!.changes[2]!.cursor!
      await start(api(), 'urllib', 'follow', 30, [after]).untilPaths('cocoa')
    })

    it('mirror() learns of a change at once, however seldom it looks', async () => {
      await importPage('tea')
      const programs = TRANSPORTS.map((transport) => start(api(), transport, 'mirror'))
      for (const program of programs) await program.untilPaths('tea')
      await untilStreams(3)
      await importPage('mate')
      for (const program of programs) await program.untilPaths('tea', 'mate')
    })

    it('a program that leaves a loop over afollow() ends without complaints', async () => {
      await importPage('tea')
      await importPage('mate')
      expect(await runPython('leave.py', [api()])).to.deep.equal(['tea'])
    })

    it('the events of a stream end when the task that reads them is cancelled', async () => {
      expect(await runPython('cancelled.py', [])).to.deep.equal(['first', 'end', 'one of many', 'closed'])
    })

    it('follow() raises UnknownCursor', async () => {
      for (const transport of TRANSPORTS) {
        const program = start(api(), transport, 'follow', 30, ['x'])
        await until('it has ended', () => program.lines.length > 0)
        expect(program.lines).to.deep.equal([{ reason: 'bad_parameter' }])
      }
    })
  })

  describe('of a stand-in', () => {
    let server: ChangesServer
    beforeEach(async () => {
      server = await startChangesServer()
    })
    afterEach(() => server.close())
    const streams = () => server.requests.filter(({ headers }) => headers.accept === 'text/event-stream')

    for (const transport of TRANSPORTS) {
      for (const [what, onStream] of Object.entries({
        'there are no streams': undefined,
        'a proxy collects the stream': ((response) => {
          response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
        }) as NonNullable<ChangesServer['onStream']>,
        'nothing comes at all': () => {},
      }))
        it(`follow() through ${transport} looks at the list where ${what}`, async () => {
          if (onStream) server.onStream = onStream
          for (const path of ['tea', 'mate', 'cocoa']) server.put(path, '')
          const program = start(server.api, transport, 'follow', 0.5)
          await program.untilPaths('tea', 'mate', 'cocoa')
          expect(program.changes.map(({ cursor }) => cursor)).to.deep.equal(['', '1-2', '1-3'])
          server.remove('tea')
          await program.untilPaths('tea', 'mate', 'cocoa', '-tea')
          expect(streams()).to.have.length(1)
        })
    }

    for (const [what, onStream] of Object.entries({
      'Retry-After of a 503': (response) => response.writeHead(503, { 'Retry-After': '1' }).end(),
      'retry of a stream that ended': (response) =>
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end('retry: 1000\n\n'),
    } satisfies Record<string, NonNullable<ChangesServer['onStream']>>))
      it(`follow() waits as long as ${what} says`, async () => {
        server.onStream = onStream
        // Its list is looked at after `poll`, at the latest.
        start(server.api, 'urllib', 'follow', 30, ['1-0', '60'])
        await until('a second stream was asked for', () => streams().length === 2)
        expect(server.requests[1]!.at - server.requests[0]!.at).to.be.at.least(990)
      })

    it('events are read however their bytes are cut', async () => {
      const text =
        '\n:\n\nretry: 1500\n\nevent: upsert\nid: 1\ndata: {"a":"чай 🍵"}\n\ndata:b\rdata: c\r\n\r\nid: 3\n\ndata\n\ndata: d\n\nlost'
      const results = await runPython('events.py', [], text)
      expect(results).to.have.length(Buffer.byteLength(text) - 1)
      for (const result of results)
        expect(result).to.deep.equal({
          events: [
            ['1', '{"a":"чай 🍵"}'],
            ['1', 'b\nc'],
            ['3', 'd'],
          ],
          retry: 1.5,
        })
    })
  })
})
