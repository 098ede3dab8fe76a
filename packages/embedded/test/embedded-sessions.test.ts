import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ReaderCopy } from '@lectern/embedded/instance'
import { commandComplete, queryMessage, readyForQuery } from '@lectern/embedded/messages'
import { type SendMessages, type SessionClient, SessionLost } from '@lectern/embedded/session-backend'
import { Sessions } from '@lectern/embedded/sessions'
import type { SharedSession } from '@lectern/embedded/shared-session'
import { expect } from 'chai'
import { protocolMessage } from '../../../test/support/wire-protocol.ts'

/** An instance that knows BEGIN, COMMIT and NOTIFY, and records what it gets. A copy never ends `forever`. */
class FakeInstance {
  readonly received: string[] = []
  readonly #isCopy: boolean
  #status: 'I' | 'T' = 'I'
  #fail: ((error: Error) => void) | null = null
  #failure: Error | null = null

  constructor(isCopy: boolean) {
    this.#isCopy = isCopy
  }

  readonly send: SendMessages = async (messages) => {
    const sql = messages.toString('latin1', 5).replaceAll('\0', '')
    this.received.push(sql)
    if (this.#failure) throw this.#failure
    if (sql === 'forever' && this.#isCopy)
      await new Promise((_, reject) => {
        this.#fail = reject
      })
    if (sql === 'begin') this.#status = 'T'
    if (sql !== 'commit') return readyForQuery(this.#status)
    this.#status = 'I'
    const notification = protocolMessage('A', Buffer.from('\0\0\0\0news\0\0'))
    return Buffer.concat([commandComplete('COMMIT'), notification, readyForQuery('I')])
  }

  end(): void {
    this.#failure = new SessionLost('it has crashed')
    this.#fail?.(this.#failure)
  }
}

describe('embedded database: the sessions of a long transaction', () => {
  let main: FakeInstance
  let copy: FakeInstance
  let sessions: Sessions
  let endOfCopy: () => void
  let openCopy: (signal: AbortSignal) => Promise<ReaderCopy>
  let onNotification: () => void
  let warnings: string[]
  let closed: number
  let ended: string[]

  const client = (isReader: boolean, name = ''): SessionClient => ({
    settings: `set ${name}`,
    isReader,
    end: (code) => ended.push(`${name} ${code}`),
  })
  const run = (of: SessionClient, sql: string): Promise<void> =>
    new Promise((resolve) => {
      sessions.enqueue({
        client: of,
        run: async (session: SharedSession) => {
          await session.exchange(of, { messages: queryMessage(sql) })
          resolve()
        },
      })
    })
  const announce = (of: SessionClient): void =>
    sessions.enqueue({ client: of, run: async (session) => session.announce(of) })

  beforeEach(() => {
    main = new FakeInstance(false)
    copy = new FakeInstance(true)
    warnings = []
    ended = []
    closed = 0
    onNotification = () => {}
    const copyEnded = new Promise<void>((resolve) => {
      endOfCopy = () => {
        copy.end()
        resolve()
      }
    })
    openCopy = async () => ({
      send: copy.send,
      ended: copyEnded,
      close: async () => {
        closed += 1
      },
    })
    sessions = new Sessions({
      send: main.send,
      notify: () => onNotification(),
      channels: ['news'],
      hasSpace: () => true,
      hasReaders: () => true,
      openCopy: (_, signal) => openCopy(signal),
      onNoCopy: (reason) => warnings.push(reason),
    })
  })

  const writer = client(false, 'writer')

  it('a statement that runs when the copy crashes runs again when the transaction has ended', async () => {
    const reader = client(true, 'reader')
    announce(writer)
    await run(writer, 'begin')
    const read = run(reader, 'forever')
    const next = run(reader, 'next')
    endOfCopy()
    await run(writer, 'commit')
    await Promise.all([read, next])
    expect(main.received.join()).to.match(/commit.*forever.*next/s)
    expect(warnings).to.have.length(1)
    expect({ closed, ended }).to.deep.equal({ closed: 1, ended: [] })
  })

  it('a reader in a transaction loses its connection when the copy crashes', async () => {
    const reader = client(true, 'reader')
    announce(writer)
    await run(writer, 'begin')
    await run(reader, 'begin')
    void run(reader, 'forever')
    endOfCopy()
    await run(writer, 'commit')
    await nextTurn()
    expect(ended).to.deep.equal(['reader 57P01'])
    expect(main.received.join()).to.not.include('forever')
  })
})
