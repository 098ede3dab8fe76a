import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { type Consume, makeFixedWindow } from '../src/rate/fixed-window.ts'
import { makeRedisWindow } from '../src/rate/redis-window.ts'
import { readMessage, type ToPrimary, type ToWorker, wrapMessage } from '../src/workers/messages.ts'
import { makeSharedCounter } from '../src/workers/shared-counter.ts'

/**
 * What it costs to count a request for the rate limit: CPU of this process, of clients that make 300 requests each
 * and of as many clients as requests, 32 at a time; and what memory clients take.
 *
 *   node --expose-gc dist/bench/counting.js [redis://127.0.0.1:6379]
 */
const LIMIT = 600
const REQUESTS = 100_000
const AT_A_TIME = 32

if (process.send) {
  const count = makeFixedWindow()
  process.on('message', (received) => {
    const message = readMessage<ToPrimary>(received)
    if (message?.type !== 'count') return
    const used = message.draws.map(([client, requests]): [number, number] => {
      const { requests: all, msLeft } = count(client, requests)
      return [all, msLeft]
    })
    process.send!(wrapMessage({ type: 'counted', number: message.number, used }))
  })
} else await measureAll()

async function measureAll(): Promise<void> {
  await measure('in this process', makeFixedWindow())
  const full = makeFixedWindow()
  await measure('refused in this process', (client) => full(client, LIMIT + 1))

  const primary = fork(fileURLToPath(import.meta.url))
  const counting = makeSharedCounter(LIMIT, (message) => primary.send(wrapMessage(message)))
  primary.on('message', (received) => {
    const message = readMessage<ToWorker>(received)
    if (message?.type === 'counted') counting.onReply(message.number, message.used)
  })
  await measure('in the primary of workers', counting.consume)
  primary.disconnect()

  const [url] = process.argv.slice(2)
  if (url) {
    const windows = await makeRedisWindow(url, LIMIT, pino({ level: 'warn' }))
    await measure('in Redis', windows.consume)
    windows.close()
  }
  memory()
}

async function measure(where: string, count: Consume): Promise<void> {
  const run = async (clientOf: (request: number) => string): Promise<string> => {
    let made = 0
    const before = process.cpuUsage()
    const one = async () => {
      while (made < REQUESTS) {
        made += 1
        const used = count(clientOf(made))
        if (used instanceof Promise) await used
      }
    }
    await Promise.all(Array.from({ length: AT_A_TIME }, one))
    const { user, system } = process.cpuUsage(before)
    return ((user + system) / REQUESTS).toFixed(2)
  }
  const busy = (request: number) => `192.0.${Math.floor(request / 300)}.1`
  await run((request) => `192.1.${Math.floor(request / 300)}.1`)
  const busyClients = await run(busy)
  const manyClients = await run((request) => `10.${request >> 16}.${(request >> 8) & 255}.${request & 255}`)
  console.log(`${where}: ${busyClients} µs a request of busy clients, ${manyClients} µs of new ones`)
}

function memory(): void {
  const count = makeFixedWindow()
  const { gc } = globalThis
  const used = () => {
    gc?.()
    return process.memoryUsage().heapUsed / 1e6
  }
  const before = used()
  for (const clients of [100_000, 1_000_000]) {
    for (let i = 0; i < clients; i += 1) count(`${i >> 16}.${(i >> 8) & 255}.${i & 255}.1`)
    console.log(
      `windows of ${clients} clients: ${(used() - before).toFixed(1)} MB${gc ? '' : ' (--expose-gc for less noise)'}`,
    )
  }
}
