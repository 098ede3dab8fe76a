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

  const answers: [what: string, code: string, text: string, advice: string][] = [
    [
      'a wrong password',
      '28P01',
      'password authentication failed for user "ada"',
      'the password of ada is wrong',
    ],
    [
      'a user that the server refuses',
      '28000',
      'no pg_hba.conf entry for host',
      'does not let ada connect. Does the role exist',
    ],
    [
      'a database that does not exist',
      '3D000',
      'database "tea" does not exist',
      'there is no database tea. Create it (createdb tea)',
    ],
    [
      'a user without privileges',
      '42501',
      'permission denied for database "tea"',
      'grant connect on database tea to ada',
    ],
    ['too many connections', '53300', 'sorry, too many clients already', 'Raise max_connections'],
    ['a server that is starting', '57P03', 'the database system is starting up', 'Try again in a moment'],
  ]
  for (const [what, code, text, advice] of answers) {
    it(`says what to do about ${what}`, async () => {
      const message = await refusal(await answering(errorMessage(code, text)))
      expect(message).to.include(advice).and.include(text)
    })
  }

  it('says what to do about a port of another program', async () => {
    expect(await refusal(await answering(Buffer.alloc(0)))).to.include(
      'Is that the port of a PostgreSQL server?',
    )
  })

  it('says what to do when nothing listens on the port', async () => {
    expect(await refusal('postgresql://ada:s3cr3t@127.0.0.1:1/tea')).to.include('nothing listens there')
  })

  it('says what to do about an unknown host', async () => {
    expect(await refusal('postgresql://ada:s3cr3t@none.invalid/tea')).to.match(
      /there is no host none\.invalid|cannot be resolved/,
    )
  })

  it('says what to do about a socket that does not exist', async () => {
    expect(await refusal('postgresql://ada:s3cr3t@%2Fnone/tea')).to.include('there is no such socket')
  })
})
