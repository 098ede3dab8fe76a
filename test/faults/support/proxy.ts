import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

/** A way to a server on this machine: longer than the machine's own, or one that comes to lead elsewhere. */
export interface TcpProxy {
  readonly port: number
  /** Connections made from now on lead to another port; open ones stay where they are. */
  leadTo(port: number): void
  stop(): Promise<void>
}

/**
 * @param delayMs what each packet takes longer, each way, milliseconds
 * @param connectMs how long a connection waits before it leads anywhere, milliseconds: a TCP connection takes one round trip
 */
export const startProxy = async (port: number, delayMs = 0, connectMs = 2 * delayMs): Promise<TcpProxy> => {
  let target = port
  const sockets = new Set<Socket>()
  const add = (socket: Socket): Socket => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    return socket
  }
  const server = createServer({ allowHalfOpen: true }, (client) => {
    add(client)
    setTimeout(() => {
      const upstream = add(connect({ port: target, host: '127.0.0.1', allowHalfOpen: true }))
      client.pipe(delayed(delayMs)).pipe(upstream)
      upstream.pipe(delayed(delayMs)).pipe(client)
      client.once('close', () => upstream.destroy())
      upstream.once('close', () => client.destroy())
    }, connectMs)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (other) => {
      target = other
    },
    stop: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

/** Passes everything on after a while, however much is on its way: latency takes no bandwidth. */
const delayed = (ms: number): Transform =>
  new Transform({
    transform(chunk: Buffer, _, done) {
      setTimeout(() => this.push(chunk), ms)
      done()
    },
    flush(done) {
      setTimeout(done, ms)
    },
  })
