import ipaddr from 'ipaddr.js'
import type { Logger } from 'pino'
import { REFUSAL_LOG_LIMITS } from '../limits.ts'
import { clientKey } from './rate-limit.ts'

/** Decides which refused requests get lines of their own in the log, and sums up the others. (D78) */
interface RefusalLog {
  /** Whether a refusal should be logged by itself; else it is counted for the client's summary. */
  shouldLog(client: string, status: number): boolean
  /** Logs what was counted since the last time: by itself at the end of each window, and when the service stops. */
  summarize(): void
}

/** Refusals of one client in this window, or of several. */
interface Tally {
  refusals: number
  /** How many had no line of their own, by status. */
  unlogged: Map<number, number>
}

const newTally = (): Tally => ({ refusals: 0, unlogged: new Map() })

const unloggedOf = ({ unlogged }: Tally): number =>
  [...unlogged.values()].reduce((sum, count) => sum + count, 0)

export const makeRefusalLog = (
  logger: Logger,
  bounds: Readonly<Record<keyof typeof REFUSAL_LOG_LIMITS, number>> = REFUSAL_LOG_LIMITS,
): RefusalLog => {
  const { windowMs, perClient, lines: linesMax, clients: clientsMax, named: namedMax } = bounds
  const clients = new Map<string, Tally & { address: string }>()
  /** Of clients that came when there was no room for more. */
  let unnamed = newTally()
  let lines = 0
  let began = 0
  let timer: NodeJS.Timeout | undefined

  const tallyOf = (address: string): Tally => {
    const key = clientKey(address)
    const known = clients.get(key)
    if (known) return known
    if (clients.size >= clientsMax) return unnamed
    const tally = { ...newTally(), address }
    clients.set(key, tally)
    return tally
  }
  const summarize = (): void => {
    clearTimeout(timer)
    timer = undefined
    const seconds = Math.round((performance.now() - began) / 1000)
    const silent = [...clients.values()].filter(({ unlogged }) => unlogged.size > 0)
    silent.sort((a, b) => unloggedOf(b) - unloggedOf(a))
    for (const { address, unlogged } of silent.slice(0, namedMax)) {
      logger.info(
        { client: networkOf(address), statuses: Object.fromEntries(unlogged), seconds },
        'more refused',
      )
    }
    const others = silent.slice(namedMax)
    for (const { unlogged } of others) for (const [status, count] of unlogged) add(unnamed, status, count)
    if (unnamed.unlogged.size > 0) {
      const statuses = Object.fromEntries(unnamed.unlogged)
      logger.info({ otherClients: others.length, statuses, seconds }, 'more refused')
    }
    clients.clear()
    unnamed = newTally()
    lines = 0
  }
  return {
    shouldLog: (client, status) => {
      if (timer === undefined) {
        began = performance.now()
        timer = setTimeout(summarize, windowMs)
        timer.unref()
      }
      const tally = tallyOf(client)
      tally.refusals += 1
      if (tally.refusals <= perClient && lines < linesMax) {
        lines += 1
        return true
      }
      add(tally, status, 1)
      return false
    },
    summarize,
  }
}

const add = ({ unlogged }: Tally, status: number, count: number): void => {
  unlogged.set(status, (unlogged.get(status) ?? 0) + count)
}

/** What counts as one client, as people write it: an IPv4 address or an IPv6 network. */
const networkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`
}
