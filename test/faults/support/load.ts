import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

export interface LoadOptions {
  /** Start of the API's addresses. */
  url: string
  /** Under it, in turn; `{n}` becomes the number of the request. */
  paths: string[]
  connections: number
  /** How many clients the requests come from by turns, as a proxy would hand them on; absent: one. */
  clients?: number
  /** Requests a second, whether or not those before are answered; absent: each connection one after the other. */
  rate?: number
  seconds: number
}

export interface FaultLoadResult {
  /** Answers, by what they say; a 404 is an answer too. */
  answered: number[]
  refused: number[]
  /** Of the refused, those without Retry-After. */
  withoutRetryAfter: number
  /** Connections that ended, and answers of any other status. */
  broken: number
  seconds: number
}

/** The value that so much of them is not above, milliseconds. */
export const percentile = (values: number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0

/**
 * Sends requests and takes the time until each is answered, milliseconds: at a rate from the moment when it was
 * due, so that a request that finds no free connection counts as waiting.
 */
export const runFaultLoad = async ({
  url,
  paths,
  connections,
  clients: addresses = 1,
  rate,
  seconds,
}: LoadOptions): Promise<FaultLoadResult> => {
  const { hostname, port, pathname } = new URL(url)
  const result: FaultLoadResult = { answered: [], refused: [], withoutRetryAfter: 0, broken: 0, seconds }
  const idle: Client[] = []
  const due: number[] = []
  let sent = 0
  let isOver = false

  const send = (client: Client, at: number): void => {
    client.began = at
    const path = paths[sent % paths.length]!.replace('{n}', String(sent))
    const address = `10.${connections % 256}.${(sent % addresses) >> 8}.${(sent % addresses) & 255}`
    sent += 1
    client.socket.write(`GET ${pathname}${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n\r\n`)
  }
  const answered = (client: Client, head: string): void => {
    const status = Number(head.slice(9, 12))
    const ms = performance.now() - client.began
    if (status === 503) {
      result.refused.push(ms)
      if (!/\r\nRetry-After: [1-9]/.test(head)) result.withoutRetryAfter += 1
    } else if (status === 200 || status === 404) result.answered.push(ms)
    else result.broken += 1
    if (isOver) return
    if (rate === undefined) send(client, performance.now())
    else if (due.length > 0) send(client, due.shift()!)
    else idle.push(client)
  }
  const clients = Array.from({ length: connections }, () => {
    const client = { socket: connect(Number(port), hostname), began: 0 }
    readAnswers(client.socket, (head) => answered(client, head))
    client.socket.on('error', () => {
      if (!isOver) result.broken += 1
    })
    return client
  })
  await Promise.all(clients.map(({ socket }) => new Promise((resolve) => socket.once('connect', resolve))))

  const began = performance.now()
  const past = () => performance.now() - began
  if (rate === undefined) {
    for (const client of clients) send(client, performance.now())
    await wait(seconds * 1000)
  } else {
    idle.push(...clients)
    for (let n = 0; past() < seconds * 1000; await wait(1)) {
      for (; n < (past() / 1000) * rate; n++) {
        const client = idle.pop()
        const at = began + (n / rate) * 1000
        if (client) send(client, at)
        else due.push(at)
      }
    }
  }
  isOver = true
  await wait(1000) // what is under way
  for (const { socket } of clients) socket.destroy()
  return result
}

interface Client {
  socket: Socket
  began: number
}

/** Calls back with the head of each answer, once all of it is there. */
const readAnswers = (socket: Socket, answered: (head: string) => void): void => {
  let head = ''
  let left = 0
  let rest: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      if (head === '') {
        const end = rest.indexOf('\r\n\r\n')
        if (end < 0) return
        head = rest.toString('latin1', 0, end + 2)
        left = Number(/\r\nContent-Length: (\d+)/i.exec(head)?.[1] ?? 0)
        rest = rest.subarray(end + 4)
      }
      if (rest.length < left) {
        left -= rest.length
        rest = Buffer.alloc(0)
        return
      }
      rest = rest.subarray(left)
      const whole = head
      head = ''
      answered(whole)
    }
  })
}
