import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { UsageError } from '@lectern/wiki/errors'
import { expect } from 'chai'
import { openDatabase } from '../src/db/open-database.ts'

/** PostgreSQL's message of an error that ends a connection. */
const errorMessage = (code: string, text: string): Buffer => {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${text}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

describe('connection advice', () => {
  let server: Server | undefined
  afterEach(() => {
    server?.close()
  })

  const refusal = async (address: string): Promise<string> => {
    const error = await openDatabase({ databaseUrl: address, dataDir: '' }, 'owner').then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).to.be.instanceOf(UsageError)
    const { message } = error as Error
    expect(message)
      .to.match(/^DATABASE_URL: /)
      .and.not.include('s3cr3t')
    return message
  }
  const answering = async (answer: Buffer): Promise<string> => {
    server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end(answer))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `postgresql://ada:s3cr3t@127.0.0.1:${(server.address() as AddressInfo).port}/tea`
  }

  /** Of a code of PostgreSQL: its message, and the advice. */
  const answers: Record<string, [text: string, advice: string]> = {
    '28P01': [
      'password authentication failed for user "ada"',
      'the password of ada is wrong, or there is no such role',
    ],
    '28000': ['no pg_hba.conf entry for host', 'does not let ada connect. Does the role exist'],
    '3D000': ['database "tea" does not exist', 'there is no database tea. Create it (createdb tea)'],
    '42501': ['permission denied for database "tea"', 'grant connect on database tea to ada'],
    '53300': ['sorry, too many clients already', 'Raise max_connections'],
    '57P03': ['the database system is starting up', 'Try again in a moment'],
  }
  it('names a user with a percent sign, encoded or not', async () => {
    const denied = errorMessage('42501', 'permission denied to set role "lectern_reader"')
    for (const [user, named] of [
      ['a%za', 'a%za'],
      ['a%40da', 'a@da'],
    ] as const) {
      const address = (await answering(denied)).replace('ada', user)
      expect(await refusal(address)).to.include(`grant lectern_reader to "${named}"`)
      server?.close()
    }
  })

  it('names the limit of a role that has too many connections', async () => {
    const text = 'too many connections for role "ada"'
    const message = await refusal(await answering(errorMessage('53300', text)))
    expect(message).to.include('alter role ada connection limit').and.not.include('max_connections')
  })

  for (const [code, [text, advice]] of Object.entries(answers)) {
    it(`says what to do when the server answers: ${text}`, async () => {
      const message = await refusal(await answering(errorMessage(code, text)))
      expect(message).to.include(advice).and.include(text)
    })
  }

  it('says that the URL names no database', async () => {
    const url = await answering(errorMessage('3D000', 'database "ada" does not exist'))
    expect(await refusal(url.replace(/\/tea$/, ''))).to.include('the URL names no database. Put its name')
  })

  it('says what to do about a port of another program', async () => {
    expect(await refusal(await answering(Buffer.alloc(0)))).to.include(
      'Is that the port of a PostgreSQL server?',
    )
  })

  it('says what to do when there is no server, host or socket', async () => {
    for (const [host, advice] of [
      ['127.0.0.1:1', /nothing listens there/],
      ['none.invalid', /there is no host none\.invalid|cannot be resolved/],
      ['%2Fnone', /there is no such socket/],
    ] as const)
      expect(await refusal(`postgresql://ada:s3cr3t@${host}/tea`)).to.match(advice)
  })
})
