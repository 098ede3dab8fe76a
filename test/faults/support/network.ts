import { execFileSync } from 'node:child_process'

/** A machine of the test: a network namespace with an address of its own. */
export interface Host {
  readonly address: string
  /** What a command line begins with to run there. */
  readonly through: readonly string[]
  /** Takes it off the network: its connections stay open, and no packet comes or goes. */
  cutOff(): void
  reconnect(): void
}

/** Two zones, each a switch with hosts, and the line between them. This process is in the first zone. */
export interface Network {
  host(zone: 0 | 1): Host
  /** Cuts the line between the zones. */
  cutLine(): void
  mendLine(): void
  remove(): void
}

/** Network namespaces need root. */
export const canMakeNetworks = process.getuid?.() === 0

/** Names of interfaces have at most 15 letters. */
const PREFIX = `lt${process.pid % 100_000}`

export const makeNetwork = (): Network => {
  const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' })
  const subnet = `10.${100 + (process.pid % 100)}.${process.pid % 250}`
  const zones = [`${PREFIX}za`, `${PREFIX}zb`] as const
  const line = [`${PREFIX}la`, `${PREFIX}lb`] as const
  const namespaces: string[] = []
  for (const zone of zones) ip('link', 'add', zone, 'type', 'bridge')
  ip('link', 'add', line[0], 'type', 'veth', 'peer', 'name', line[1])
  for (const [i, end] of line.entries()) ip('link', 'set', end, 'master', zones[i]!, 'up')
  for (const zone of zones) ip('link', 'set', zone, 'up')
  ip('address', 'add', `${subnet}.1/24`, 'dev', zones[0])

  const host = (zone: 0 | 1): Host => {
    const number = namespaces.length + 2
    const [name, address] = [`${PREFIX}n${number}`, `${subnet}.${number}`]
    const port = `${PREFIX}p${number}`
    ip('netns', 'add', name)
    namespaces.push(name)
    ip('link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
    ip('link', 'set', port, 'master', zones[zone], 'up')
    ip('-n', name, 'address', 'add', `${address}/24`, 'dev', 'eth0')
    for (const one of ['lo', 'eth0']) ip('-n', name, 'link', 'set', one, 'up')
    return {
      address,
      through: ['ip', 'netns', 'exec', name],
      cutOff: () => void ip('link', 'set', port, 'down'),
      reconnect: () => void ip('link', 'set', port, 'up'),
    }
  }
  const remove = () => {
    process.off('exit', remove)
    for (const name of namespaces) ip('netns', 'delete', name)
    for (const name of [line[0], ...zones]) ip('link', 'delete', name)
  }
  process.once('exit', remove)
  return {
    host,
    cutLine: () => void ip('link', 'set', line[0], 'down'),
    mendLine: () => void ip('link', 'set', line[0], 'up'),
    remove,
  }
}
