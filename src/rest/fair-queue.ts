import type { Overloaded } from '../errors.ts'

/** A client that has running or queued requests. */
export interface QueueClient {
  readonly key: string
  running: number
  /** In the order of arrival. */
  readonly queued: QueuedRequest[]
}

interface QueuedRequest {
  readonly client: QueueClient
  /** When the request is shed if it has not started, by the clock of the caller. */
  readonly deadline: number
  start(): void
  reject(error: Overloaded): void
}

/** A queue from which clients take turns, so that a client with a long queue delays nobody else. (D76) */
export class FairQueue {
  readonly #runningPerClient: number
  readonly #clients = new Map<string, QueueClient>()
  /** Requests of all clients, in the order of arrival and of deadlines. */
  readonly #requests = new Set<QueuedRequest>()
  /** Clients with a queued request that may run. The next is first; a client whose request starts goes to the end. */
  readonly #ready = new Set<QueueClient>()
  /** How many clients have more queued requests than the index. */
  readonly #clientsAbove: number[] = []

  /** @param runningPerClient how many requests of one client run at a time */
  constructor(runningPerClient: number) {
    this.#runningPerClient = runningPerClient
  }

  /** How many requests are queued. */
  get size(): number {
    return this.#requests.size
  }

  /** How many clients have running or queued requests. */
  get clients(): number {
    return this.#clients.size
  }

  /** The earliest deadline. */
  get deadline(): number | undefined {
    return this.#first()?.deadline
  }

  find(key: string): QueueClient | undefined {
    return this.#clients.get(key)
  }

  findOrAdd(key: string): QueueClient {
    const known = this.#clients.get(key)
    if (known) return known
    const client: QueueClient = { key, running: 0, queued: [] }
    this.#clients.set(key, client)
    return client
  }

  /** @param request its deadline must not be earlier than that of the request before */
  add(request: QueuedRequest): void {
    const { client } = request
    this.#clientsAbove[client.queued.length] = this.clientsAbove(client.queued.length) + 1
    client.queued.push(request)
    this.#requests.add(request)
    if (client.running < this.#runningPerClient) this.#ready.add(client)
  }

  /** Counts one more running request of a client. */
  start(client: QueueClient): void {
    client.running += 1
    this.#ready.delete(client)
    if (client.queued.length > 0 && client.running < this.#runningPerClient) this.#ready.add(client)
  }

  /** Counts one running request of a client less. */
  end(client: QueueClient): void {
    client.running -= 1
    if (client.queued.length > 0) this.#ready.add(client)
    else this.#dropIdle(client)
  }

  /** Removes and returns the first request of the next client. */
  takeNext(): QueuedRequest | undefined {
    const [client] = this.#ready
    return client && this.#take(client)
  }

  /** Removes and returns the first request if its deadline is not later than `at`. */
  takeExpired(at: number): QueuedRequest | undefined {
    const request = this.#first()
    if (request === undefined || request.deadline > at) return undefined
    this.#take(request.client)
    this.#dropIdle(request.client)
    return request
  }

  /** How many clients have more than `count` queued requests. */
  clientsAbove(count: number): number {
    return this.#clientsAbove[count] ?? 0
  }

  #first(): QueuedRequest | undefined {
    const [request] = this.#requests
    return request
  }

  #take(client: QueueClient): QueuedRequest {
    const request = client.queued.shift()!
    this.#clientsAbove[client.queued.length]! -= 1
    this.#requests.delete(request)
    if (client.queued.length === 0) this.#ready.delete(client)
    return request
  }

  #dropIdle(client: QueueClient): void {
    if (client.running === 0 && client.queued.length === 0) this.#clients.delete(client.key)
  }
}
