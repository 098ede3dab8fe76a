import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect } from 'chai'
import { makeMessageSocket } from '../src/db/message-socket.ts'

/** A message of PostgreSQL: its type, its length without the type, and its content. */
const message = (type: string, content: Buffer): Buffer => {
  const header = Buffer.alloc(5)
  header.write(type)
  header.writeUInt32BE(4 + content.length, 1)
  return Buffer.concat([header, content])
}

/** Bytes in which every place is different from its neighbors. */
const bytesOf = (length: number, first: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, i) => (first + i * 7) % 251))

describe('the socket of a connection to PostgreSQL', () => {
  let server: ReturnType<typeof createServer>
  let sender: Socket
  let receiver: Socket

  beforeEach(async () => {
    server = createServer({ noDelay: true }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    receiver = makeMessageSocket()
    receiver.connect((server.address() as AddressInfo).port, '127.0.0.1')
    ;[sender] = (await once(server, 'connection')) as [Socket]
  })

  afterEach(() => {
    receiver.destroy()
    sender.destroy()
    server.close()
  })

  /** What the listener gets while the server sends, in the pieces in which it arrives. */
  const received = async (pieces: readonly Buffer[], length: number): Promise<Buffer[]> => {
    const data: Buffer[] = []
    let count = 0
    const done = new Promise<void>((resolve) => {
      receiver.on('data', (bytes: Buffer) => {
        data.push(Buffer.from(bytes))
        count += bytes.length
        if (count === length) resolve()
      })
    })
    for (const piece of pieces) {
      sender.write(piece)
      // Not all pieces in one packet.
      await new Promise(setImmediate)
    }
    await done
    return data
  }

  /** The lengths of the messages that begin at the beginning; throws if the last one is cut. */
  const wholeMessages = (bytes: Buffer): number => {
    let [count, at] = [0, 0]
    for (; at < bytes.length; count++) at += 1 + bytes.readUInt32BE(at + 1)
    expect(at).to.equal(bytes.length)
    return count
  }

  it('has whole messages only, with the bytes that were sent, however they arrive', async () => {
    const messages = [0, 1, 70_000, 10, 300_000, 65_531, 65_532, 3, 700_000, 0, 12].map((length, i) =>
      message('D', bytesOf(length, i)),
    )
    const all = Buffer.concat(messages)
    for (const size of [all.length, 65_536, 8_192, 1_001]) {
      const pieces = Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
        all.subarray(i * size, (i + 1) * size),
      )
      const data = await received(pieces, all.length)
      expect(Buffer.concat(data).equals(all), `pieces of ${size} bytes`).to.equal(true)
      expect(data.reduce((count, bytes) => count + wholeMessages(bytes), 0)).to.equal(messages.length)
      receiver.removeAllListeners('data')
    }
  })

  it('has a message that arrives byte by byte', async () => {
    const all = Buffer.concat([message('Z', Buffer.from('I')), message('C', Buffer.from('SELECT 1\0'))])
    const data = await received(
      Array.from(all, (byte) => Buffer.of(byte)),
      all.length,
    )
    for (const bytes of data) wholeMessages(bytes)
    expect(Buffer.concat(data).equals(all)).to.equal(true)
  })

  it('decodes texts as UTF-8, whatever their length and their letters are', async () => {
    const texts = ['', 'tea', 'чай', '茶 👩‍🌾', '\ufeffe\u0301'].flatMap((text) => [
      text,
      text.repeat(400),
      `a${text.repeat(3000)}`,
    ])
    const bytes = [
      ...texts.map((text) => Buffer.from(text)),
      bytesOf(1000, 0),
      Buffer.from(`${'é'.repeat(600)}`).subarray(1),
    ]
    const decoded: string[] = []
    receiver.on('data', (data: Buffer) => {
      for (let at = 0; at < data.length; at += 1 + data.readUInt32BE(at + 1))
        decoded.push(data.toString('utf8', at + 5, at + 1 + data.readUInt32BE(at + 1)))
    })
    sender.end(Buffer.concat(bytes.map((text) => message('D', text))))
    await once(receiver, 'end')
    expect(decoded).to.deep.equal(bytes.map((text) => text.toString()))
  })

  it('does not reserve memory for a length that another program sent', async () => {
    const before = process.memoryUsage().arrayBuffers
    sender.write('HTTP/1.1 400 Bad Request\r\n\r\n')
    sender.end()
    receiver.resume()
    await once(receiver, 'end')
    expect(process.memoryUsage().arrayBuffers - before).to.be.below(1024 * 1024)
  })
})
