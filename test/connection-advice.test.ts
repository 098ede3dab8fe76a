import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { expect } from 'chai'
import { openDatabase } from '../src/db/open-database.ts'
import { UsageError } from '../src/errors.ts'

/** PostgreSQL's message of an error that ends a connection. */
const errorMessage = (code: string, text: string): Buffer => {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${text}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

describe('a database that cannot be opened', () => {
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

  const answers: [what: string, code: string, text: string, advice: string][] = [
    [
      'a wrong password',
      '28P01',
      'password authentication failed for user "ada"',
      'the password of ada is wrong',
    ],
    [
      'a user who is not let in',
      '28000',
      'no pg_hba.conf entry for host',
      'does not let ada in. Does the role exist',
    ],
    [
      'no such database',
      '3D000',
      'database "tea" does not exist',
      'there is no database tea. Make it (createdb tea)',
    ],
    [
      'no right to it',
      '42501',
      'permission denied for database "tea"',
      'grant connect on database tea to ada',
    ],
    ['too many connections', '53300', 'sorry, too many clients already', 'Raise max_connections'],
    ['a server that is starting', '57P03', 'the database system is starting up', 'Try again in a moment'],
  ]
  for (const [what, code, text, advice] of answers) {
    it(`is told with what to do: ${what}`, async () => {
      const message = await refusal(await answering(errorMessage(code, text)))
      expect(message).to.include(advice).and.include(text)
    })
  }

  it('is told with what to do: a port of something else', async () => {
    expect(await refusal(await answering(Buffer.alloc(0)))).to.include(
      'Is that the port of a PostgreSQL server?',
    )
  })

  it('is told with what to do: nothing that listens', async () => {
    expect(await refusal('postgresql://ada:s3cr3t@127.0.0.1:1/tea')).to.include('nothing listens there')
  })

  it('is told with what to do: a host that nobody knows', async () => {
    expect(await refusal('postgresql://ada:s3cr3t@none.invalid/tea')).to.match(
      /no host is called none\.invalid|cannot be looked up/,
    )
  })

  it('is told with what to do: a socket that is not there', async () => {
    expect(await refusal('postgresql://ada:s3cr3t@%2Fnone/tea')).to.include('there is no such socket')
  })
})
