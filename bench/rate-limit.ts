import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { type Consume, makeFixedWindow } from '../src/rate/fixed-window.ts'
import { makeRedisWindow } from '../src/rate/redis-window.ts'
import { readMessage, type ToPrimary, type ToWorker, wrapMessage } from '../src/workers/messages.ts'
import { makeSharedCounter } from '../src/workers/shared-counter.ts'

/**
 * Measures the cost of the rate limiter: the CPU time of this process per counted request, and the memory per
 * client. One run has clients that send 300 requests each, the other has a new client for each request. 32
 * requests are counted concurrently.
 *
 *   node --expose-gc dist/bench/rate-limit.js [redis://127.0.0.1:6379]
 */
const LIMIT = 600
const REQUESTS = 100_000
const CONCURRENCY = 32

if (process.send) {
  const consume = makeFixedWindow()
  process.on('message', (raw) => {
    const message = readMessage<ToPrimary>(raw)
    if (message?.type !== 'count') return
    const consumptions = message.leases.map(([client, requests]): [number, number] => {
      const { requests: total, msLeft } = consume(client, requests)
      return [total, msLeft]
    })
    process.send!(wrapMessage({ type: 'counted', number: message.number, consumptions }))
  })
} else await measureAll()

async function measureAll(): Promise<void> {
  await measure('in this process', makeFixedWindow())
  const overLimit = makeFixedWindow()
  await measure('over the limit, in this process', (client) => overLimit(client, LIMIT + 1))

  const primary = fork(fileURLToPath(import.meta.url))
  const counter = makeSharedCounter(LIMIT, (message) => primary.send(wrapMessage(message)))
  primary.on('message', (raw) => {
    const message = readMessage<ToWorker>(raw)
    if (message?.type === 'counted') counter.onReply(message.number, message.consumptions)
  })
  await measure('in the primary process', counter.consume)
  primary.disconnect()

  const [url] = process.argv.slice(2)
  if (url) {
    const window = await makeRedisWindow(url, LIMIT, pino({ level: 'warn' }))
    await measure('in Redis', window.consume)
    window.close()
  }
  measureMemory()
}

async function measure(where: string, consume: Consume): Promise<void> {
  const run = async (clientOf: (request: number) => string): Promise<string> => {
    let request = 0
    const before = process.cpuUsage()
    const countRequests = async () => {
      while (request < REQUESTS) {
        request += 1
        const consumption = consume(clientOf(request))
        if (consumption instanceof Promise) await consumption
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, countRequests))
    const { user, system } = process.cpuUsage(before)
    return ((user + system) / REQUESTS).toFixed(2)
  }
  const busyClient = (request: number) => `192.0.${Math.floor(request / 300)}.1`
  // Warm-up.
  await run((request) => `192.1.${Math.floor(request / 300)}.1`)
  const busyClients = await run(busyClient)
  const newClients = await run((request) => `10.${request >> 16}.${(request >> 8) & 255}.${request & 255}`)
  console.log(
    `${where}: ${busyClients} µs per request of busy clients, ${newClients} µs per request of new clients`,
  )
}

function measureMemory(): void {
  const consume = makeFixedWindow()
  const { gc } = globalThis
  const usedMb = () => {
    gc?.()
    return process.memoryUsage().heapUsed / 1e6
  }
  const before = usedMb()
  for (const clients of [100_000, 1_000_000]) {
    for (let i = 0; i < clients; i += 1) consume(`${i >> 16}.${(i >> 8) & 255}.${i & 255}.1`)
    console.log(
      `windows of ${clients} clients: ${(usedMb() - before).toFixed(1)} MB${gc ? '' : ' (run node with --expose-gc for less noise)'}`,
    )
  }
}
