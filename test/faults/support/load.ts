import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

export interface LoadOptions {
  /** Start of the API's addresses. */
  url: string
  /** Under it, in turn; `{n}` becomes the number of the request. */
  paths: string[]
  /** The number of the first request; absent: 0. */
  first?: number
  connections: number
  /** How many clients the requests come from by turns, as a proxy would hand them on; absent: one. */
  clients?: number
  /** Requests a second, whether or not those before are answered; absent: each connection one after the other. */
  rate?: number
  seconds: number
}

export interface FaultLoadResult {
  /** Answers, by what they say; a 404 is an answer too. */
  answered: LoadAnswer[]
  refused: LoadAnswer[]
  /** Of the refused, those without Retry-After. */
  withoutRetryAfter: number
  /** Connections that ended, and answers of any other status. */
  broken: number
  seconds: number
}

/** Times by the clock of `performance.now`. */
export interface LoadAnswer {
  due: number
  /** When the request was sent: later, if no connection was free. */
  sent: number
  ended: number
}

/** How long answers took, milliseconds. */
export const durations = (answers: LoadAnswer[]): number[] => answers.map(({ due, ended }) => ended - due)

/**
 * For each answer, how many of `others` were completed between its request and it. Unlike its time, this number does
 * not grow if the machine is slow, or stops for a while.
 */
export const completedMeanwhile = (answers: LoadAnswer[], others: LoadAnswer[]): number[] => {
  const ends = others.map(({ ended }) => ended).sort((a, b) => a - b)
  const endedBefore = (at: number) => {
    const index = ends.findIndex((end) => end >= at)
    return index < 0 ? ends.length : index
  }
  return answers.map(({ sent, ended }) => endedBefore(ended) - endedBefore(sent))
}

/** How long the end of a load waits for the answers under way, milliseconds. It ends what hangs. */
const HANGS_AFTER = 60_000

/** The value that so much of them is not above. */
export const percentile = (values: number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0

/**
 * Sends requests and waits for all answers. With a rate, a request is waited for from the moment when it is due, so
 * that one that finds no free connection counts as waiting.
 */
export const runFaultLoad = async ({
  url,
  paths,
  first = 0,
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
    client.due = at
    client.sent = performance.now()
    client.isWaiting = true
    const path = paths[sent % paths.length]!.replace('{n}', String(first + sent))
    const address = `10.${connections % 256}.${(sent % addresses) >> 8}.${(sent % addresses) & 255}`
    sent += 1
    client.socket.write(`GET ${pathname}${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n\r\n`)
  }
  const answered = (client: Client, head: string): void => {
    const status = Number(head.slice(9, 12))
    const answer = { due: client.due, sent: client.sent, ended: performance.now() }
    client.isWaiting = false
    if (status === 503) {
      result.refused.push(answer)
      if (!/\r\nRetry-After: [1-9]/.test(head)) result.withoutRetryAfter += 1
    } else if (status === 200 || status === 404) result.answered.push(answer)
    else result.broken += 1
    if (isOver) return
    if (rate === undefined) send(client, performance.now())
    else if (due.length > 0) send(client, due.shift()!)
    else idle.push(client)
  }
  const clients: Client[] = []
  const open = (): Client => {
    const client: Client = { socket: connect(Number(port), hostname), due: 0, sent: 0, isWaiting: false }
    readAnswers(client.socket, (head) => (client.isWaiting ? answered(client, head) : client.onUsed?.()))
    client.socket.on('error', () => {
      if (!isOver) result.broken += 1
    })
    clients.push(client)
    return client
  }
  /**
   * Opens connections and sends a request on each, a few at a time: of many at once, a busy machine accepts some seconds
   * later. And the service closes a connection that is silent for 10 s.
   */
  const openUsed = async (): Promise<void> => {
    while (clients.length < connections) {
      const some = Array.from({ length: Math.min(50, connections - clients.length) }, open)
      const used = some.map(
        (client) =>
          new Promise<void>((resolve) => {
            client.onUsed = resolve
            client.socket.once('close', resolve).write(`GET ${pathname}/ HTTP/1.1\r\nHost: x\r\n\r\n`)
          }),
      )
      await Promise.all(used)
    }
    idle.push(...clients)
  }
  if (rate !== undefined) await openUsed()

  const began = performance.now()
  const past = () => performance.now() - began
  if (rate === undefined) {
    for (let n = 0; n < connections; n++) send(open(), performance.now())
    await wait(seconds * 1000)
  } else {
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
  const isUnderWay = () => clients.some(({ socket, isWaiting }) => isWaiting && !socket.closed)
  for (const over = performance.now(); isUnderWay() && performance.now() - over < HANGS_AFTER; )
    await wait(20)
  for (const { socket } of clients) socket.destroy()
  return result
}

interface Client {
  socket: Socket
  /** When its last request was due. */
  due: number
  /** When it was sent. */
  sent: number
  /** Called with the answer to the first request of the connection, which is not measured. */
  onUsed?: () => void
  /** Whether the last request has no answer yet. */
  isWaiting: boolean
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
