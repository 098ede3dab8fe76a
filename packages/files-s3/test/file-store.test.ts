import { readdirSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { makeFileStore } from '@lectern/files-s3/file-store'
import { Unavailable } from '@lectern/wiki/errors'
import { expect } from 'chai'

const HASH = 'a'.repeat(64)
const SETTINGS = ['AWS_ENDPOINT_URL_S3', 'AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']

/** How a store that is not as it should be is used. `test/s3` has a real server. */
describe('a store of files', () => {
  let server: Server
  let respond: RequestListener
  let requests: string[]
  const former = SETTINGS.map((name) => process.env[name])

  before(async () => {
    server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url!.split('?')[0]} ${request.headers.range ?? ''}`.trim())
      respond(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const values = [
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      'eu-west-1',
      'ada',
      'secret',
    ]
    for (const [i, name] of SETTINGS.entries()) process.env[name] = values[i]
  })
  after(() => {
    for (const [i, name] of SETTINGS.entries())
      if (former[i] === undefined) delete process.env[name]
      else process.env[name] = former[i]
    server.closeAllConnections()
    server.close()
  })
  beforeEach(() => {
    requests = []
  })

  /** The reason why a read fails. */
  const refusal = async (length: number): Promise<string> => {
    const error = await makeFileStore('s3://tea/')
      .read(HASH, 0, length)
      .then(
        () => expect.fail('it was read'),
        (reason: unknown) => reason,
      )
    expect(error).to.be.instanceOf(Unavailable)
    return ((error as Error).cause as Error).message
  }

  it('asks for the bytes that it needs, by an address with the bucket in its path', async () => {
    respond = (_, response) => void response.writeHead(206).end('some')
    expect(String(await makeFileStore('s3://tea/wiki/files').read(HASH, 4, 8))).to.equal('some')
    expect(requests).to.deep.equal([`GET /tea/wiki/files/${HASH} bytes=4-7`])
  })

  it('does not take more or fewer bytes than it has asked for', async () => {
    respond = (_, response) => void response.writeHead(200).end('some more')
    expect(await refusal(4)).to.include('another number of bytes')
    expect(await refusal(20)).to.include('another number of bytes')
  })

  it('asks no more for a second after a failure, and for an empty range never', async () => {
    respond = (_, response) => void response.writeHead(403).end()
    const store = makeFileStore('s3://tea')
    const read = () => store.read(HASH, 0, 4).catch(({ code }: Unavailable) => code)
    expect([await read(), await read()]).to.deep.equal(['unavailable', 'unavailable'])
    expect(requests).to.have.length(1)
    expect(await store.read(HASH, 0, 0)).to.have.length(0)
  })

  it('asks for other objects after one that is lost', async () => {
    respond = (_, response) => void response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
    const store = makeFileStore('s3://tea')
    const read = () => store.read(HASH, 0, 4).catch(({ code }: Unavailable) => code)
    expect([await read(), await read()]).to.deep.equal(['unavailable', 'unavailable'])
    expect(requests).to.have.length(2)
  })

  it('writes nothing that is there, and after a failure begins no other object', async () => {
    respond = ({ method }, response) =>
      void (method === 'HEAD'
        ? response.writeHead(200, { 'Content-Length': '3' }).end()
        : response.writeHead(403).end())
    const store = makeFileStore('s3://tea')
    await store.put([{ sha256: Buffer.from(HASH, 'hex'), data: Buffer.from('cup') }])
    expect(requests.map((one) => one.slice(0, 4))).to.deep.equal(['HEAD'])
    const many = Array.from({ length: 100 }, () => ({ sha256: Buffer.alloc(32), data: Buffer.from('a pot') }))
    const error = await store.put(many).catch((reason: Error) => reason)
    expect((error as Error).message).to.match(
      /^FILES_URL: the store does not allow this user to use the bucket "tea"/,
    )
    expect(requests.length).to.be.lessThan(40)
  })

  it('removes the temporary file, also when its source fails', async () => {
    const spooled = () => readdirSync(tmpdir()).filter((name) => name.startsWith('lectern-file-')).length
    const before = spooled()
    const store = makeFileStore('s3://tea')
    const failing = async function* () {
      yield Buffer.from('some')
      throw new Error('the source is gone')
    }
    expect(await store.spool(failing()).catch(({ message }: Error) => message)).to.equal('the source is gone')
    const file = await store.spool(
      (async function* () {
        yield Buffer.from('a ')
        yield Buffer.from('cup')
      })(),
    )
    expect([file.data.length, file.sha256.toString('hex').slice(0, 8)]).to.deep.equal([5, 'a58220be'])
    await file.remove()
    expect(spooled()).to.equal(before)
  })
})
