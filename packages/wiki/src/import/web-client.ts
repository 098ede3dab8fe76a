import type { LookupAddress, LookupOptions } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import ipaddr from 'ipaddr.js'
import { UsageError } from '../errors.ts'
import { quote } from '../text.ts'

/** In IPv6, only addresses that begin with the bits 001 are public. */
const GLOBAL: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

export type RangeOf = (address: string) => string

/** The range of an IP address: `unicast` if it is public, or such as `private`. An IPv4 address in one of IPv6 counts as itself. */
export const rangeOf: RangeOf = (text) => {
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv4) return address.range()
  const range = address.range()
  // NAT64 (RFC 6052) reaches the IPv4 address at the end.
  if (range === 'rfc6052') return new ipaddr.IPv4(address.toByteArray().slice(12)).range()
  return range === 'unicast' && !address.match(GLOBAL) ? 'reserved' : range
}

/** The range of the addresses that every source may use. */
const PUBLIC = 'unicast'

const ACCEPTED = { accept: '*/*', 'accept-encoding': 'gzip, deflate, br' }

/** A source leads to an address of this machine or of a private network, and was not named there. */
export class AddressRefused extends UsageError {}

export interface WebResponse {
  status: number
  headers: Headers
  /** Decompressed. The caller reads it to its end, or destroys it. */
  body: Readable
}

/**
 * Sends GET requests for one source, and follows no redirects. It connects to public addresses, and to those of the range in which the
 * source is: a server must not let Lectern reach this machine or its network. Addresses are checked when it connects.
 */
export class WebClient {
  readonly #source: string
  readonly #rangeOf: RangeOf
  readonly #agents: { 'http:': http.Agent; 'https:': https.Agent }
  #allowed: Set<string> | undefined

  /** @param source URL of the source, as the operator named it */
  constructor(source: string, range: RangeOf = rangeOf) {
    this.#source = source
    this.#rangeOf = range
    const options = { keepAlive: true, lookup: this.#lookup }
    this.#agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) }
  }

  /** @param url Node.js sends its user and password as `Authorization` @throws AddressRefused; otherwise the error of Node.js */
  async get(
    url: URL,
    { headers = {}, signal }: { headers?: Record<string, string>; signal: AbortSignal },
  ): Promise<WebResponse> {
    if (isIP(hostOf(url)) !== 0) await this.addressesOf(url)
    const { request } = url.protocol === 'https:' ? https : http
    const agent = this.#agents[url.protocol as 'http:' | 'https:']
    const sent = request(url, { agent, signal, headers: { ...ACCEPTED, ...headers } })
    // An error after the response is one of its body, too.
    const [response]: http.IncomingMessage[] = await once(sent.on('error', () => {}).end(), 'response')
    const received = new Headers(response!.headers as Record<string, string>)
    return { status: response!.statusCode!, headers: received, body: decompressed(response!) }
  }

  /** The addresses of a host to which it may connect. @throws AddressRefused if there are none, or the error of Node.js */
  async addressesOf(url: URL): Promise<LookupAddress[]> {
    return this.#allowedOf(hostOf(url), await resolve(hostOf(url)))
  }

  async #allowedOf(host: string, found: LookupAddress[]): Promise<LookupAddress[]> {
    this.#allowed ??= await this.#rangesOfSource()
    const allowed = found.filter(({ address }) => this.#allowed!.has(this.#rangeOf(address)))
    if (allowed.length > 0) return allowed
    const address = found.map((one) => one.address).join(', ')
    throw new AddressRefused(
      `${quote(new URL(this.#source).host)} leads to ${quote(host)}${host === address ? '' : ` (${address})`}, which is not on the public Internet. ` +
        `Lectern connects there only if you name that address as the source.`,
    )
  }

  /** A source that has a public address is a public one, whatever other addresses its name has. */
  async #rangesOfSource(): Promise<Set<string>> {
    const host = hostOf(new URL(this.#source))
    const found = firstAddresses.get(host) ?? (await resolve(host))
    firstAddresses.set(host, found)
    const ranges = found.map(({ address }) => this.#rangeOf(address))
    return new Set(ranges.includes(PUBLIC) ? [PUBLIC] : [PUBLIC, ...ranges])
  }

  #lookup: LookupFunction = (host, options, callback) => {
    resolve(host, options)
      .then((found) => this.#allowedOf(host, found))
      .then(
        (allowed) =>
          options.all ? callback(null, allowed) : callback(null, allowed[0]!.address, allowed[0]!.family),
        (error) => callback(error, []),
      )
  }
}

/**
 * The first addresses of each host of a source. They decide for the life of the process whether it is a public one:
 * the owner of a public name must not make it private later (DNS rebinding).
 */
const firstAddresses = new Map<string, LookupAddress[]>()

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

const resolve = (host: string, options: LookupOptions = {}): Promise<LookupAddress[]> =>
  lookup(host, { ...options, all: true })

const DECODERS = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress }

const decompressed = (response: http.IncomingMessage): Readable => {
  const decode = DECODERS[response.headers['content-encoding'] as keyof typeof DECODERS]
  return decode ? pipeline(response, decode(), () => {}) : response
}
