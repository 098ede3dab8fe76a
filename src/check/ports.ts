import { once } from 'node:events'
import { createServer } from 'node:net'
import { quote } from '@lectern/wiki/text'
import { nameWithOrigin } from '../config/messages.ts'
import type { Config } from '../config.ts'
import { originOf } from '../http/server.ts'
import { API_PATH, packageVersion } from '../paths.ts'
import type { MayServe } from './database.ts'
import { type Diagnostic, failure, ok, skipped, warning } from './diagnostic.ts'

/** How long what listens on a port has to respond, milliseconds. */
const RESPONSE_TIMEOUT_MS = 2_000

/** A Lectern that listens on a port. What it does not tell is absent. */
interface OtherLectern {
  version?: string
  /** The name of its wiki; null if it has none. */
  wiki?: string | null
}

/** A port of the configuration, and why it is not possible to listen on it: the code of the error, if there is one. */
type Port = Awaited<ReturnType<typeof portOf>>

/**
 * Checks that the service can listen on its ports. A Lectern that already uses both of them for the same wiki is the
 * running service, beside which operators run this check; any other program prevents the service from starting.
 */
export const checkPorts = async (config: Config, mayServe: MayServe): Promise<Diagnostic[]> => {
  const { port, host, internalPort, internalHost } = config
  const open = await portOf('PORT', port, host)
  const internal = await portOf('INTERNAL_PORT', internalPort, internalHost)
  const isLive = isInUse(internal) && (await isLectern(internalPort, internalHost))
  const other = isInUse(open) ? (await lecternAt(originOf(port, host) + API_PATH, isLive)).found : undefined
  if (other !== undefined && isLive && mayServe(other.wiki))
    return [runningService(open, other), ok('ports', `INTERNAL_PORT: it also uses ${internal.target}`)]
  return [
    portDiagnostic(open, other && nameOf(other)),
    portDiagnostic(internal, isLive ? 'another Lectern' : undefined),
  ]
}

const wrong = (message: string, advice?: string): Diagnostic => failure('ports', message, advice)

const isInUse = ({ code }: Port): boolean => code === 'EADDRINUSE'

const portOf = async (variable: 'PORT' | 'INTERNAL_PORT', port: number, host?: string) => ({
  variable,
  /** Such as `port 3001 of 127.0.0.1`. */
  target: `port ${port}${host ? ` of ${host}` : ''}`,
  host,
  code: await listenFailure(port, host),
})

/** Such as `another Lectern (version 0.1.0, wiki "Tea Wiki")`. */
const nameOf = ({ version, wiki }: OtherLectern): string => {
  const facts = [version && `version ${version}`, wiki && `wiki "${wiki}"`].filter(Boolean)
  return `another Lectern${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`
}

const runningService = ({ variable, target }: Port, { version, wiki }: OtherLectern): Diagnostic => {
  const message = `${variable}: Lectern${version ? ` ${version}` : ''} is running on ${target}${wiki ? `, and serves this wiki (${wiki})` : ''}`
  if (version === undefined || version === packageVersion()) return ok('ports', message)
  const problem = `${message}. This command belongs to Lectern ${packageVersion()}.`
  return warning('ports', problem, 'If you have upgraded Lectern, restart the service.')
}

/** @param user what already listens on the port, as far as it is known */
const portDiagnostic = ({ variable, target, host, code }: Port, user = 'another program'): Diagnostic => {
  const name = nameWithOrigin(variable)
  if (!code) return ok('ports', `${variable}: ${target} is free`)
  if (code === 'EADDRINUSE')
    return wrong(
      `${name}: ${user} uses ${target}, so the service cannot start.`,
      `Stop it, or set ${variable} to another port.`,
    )
  if (code === 'EACCES')
    return wrong(`${name}: this user cannot listen on ${target}.`, `Set ${variable} to 1024 or more.`)
  return wrong(
    `${nameWithOrigin(variable.replace('PORT', 'HOST'))} must be an address of this machine, but is "${quote(host ?? '')}" (${code}).`,
  )
}

/** @returns the code of the error; undefined if it is possible to listen */
const listenFailure = async (port: number, host?: string): Promise<string | undefined> => {
  const server = createServer((socket) => socket.destroy())
  try {
    server.listen(port, host)
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}

/** Whether the internal listener of a Lectern uses a port. */
const isLectern = async (port: number, host: string): Promise<boolean> =>
  (await readJson<{ status?: unknown }>(`${originOf(port, host)}/live`)).body?.status === 'live'

/**
 * The Lectern whose API has a URL; absent for another program, or if nothing responds, for this reason.
 * @param isLive whether a Lectern uses the internal port: then an error, such as a lost database, is its response
 */
const lecternAt = async (url: string, isLive: boolean) => {
  const { body, silence } = await readJson<{
    name?: string | null
    software?: { name?: unknown; version?: string }
    error?: { code?: unknown }
  }>(`${url}/`)
  if (body?.software?.name === 'Lectern')
    return { found: { version: body.software.version, wiki: body.name } }
  const code = body?.error?.code
  return { found: isLive && typeof code === 'string' && code !== 'not_found' ? {} : undefined, silence }
}

/** The JSON at a URL; absent if the response is not JSON, or if there is none, for this reason. */
const readJson = async <Body>(url: string): Promise<{ body?: Body | null; silence?: string }> => {
  const timeout = new AbortController()
  // This timer also keeps the process alive: in Node 20, a request that the other side ends does not.
  const timer = setTimeout(() => timeout.abort(), RESPONSE_TIMEOUT_MS)
  try {
    const response = await fetch(url, { signal: timeout.signal })
    return { body: (await response.json().catch(() => undefined)) as Body | undefined }
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } }
    return { silence: cause?.code ?? message }
  } finally {
    clearTimeout(timer)
  }
}

/** What is wrong with the certificate of a server, by Node's code of the error; absent: another error. */
const certificateProblem = (code = ''): string | undefined => {
  if (!/CERT|ISSUER|SIGNATURE|CRL/.test(code)) return undefined
  if (code === 'CERT_HAS_EXPIRED') return 'has expired'
  return code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? 'is for another host' : 'is not trusted'
}

/** Whether BASE_URL leads to this service, or to another one that serves its wiki. */
export const checkBaseUrl = async (config: Config, url: string, mayServe: MayServe): Promise<Diagnostic> => {
  const isLive = await isLectern(config.internalPort, config.internalHost)
  const { found, silence } = await lecternAt(url, isLive)
  const leadsTo = `${nameWithOrigin('BASE_URL')}: ${url} leads to`
  if (found && mayServe(found.wiki)) return ok('address', `${leadsTo} a Lectern that serves this wiki`)
  const problem = certificateProblem(silence)
  if (problem !== undefined) {
    const message = `${nameWithOrigin('BASE_URL')}: the certificate of ${url} ${problem} (${silence}).`
    return warning('address', message, 'Replace it. If only Node does not trust it, set NODE_EXTRA_CA_CERTS.')
  }
  const target = silence ? `nothing that responds (${silence})` : found ? nameOf(found) : 'another program'
  if (!found && !isLive)
    return skipped('address', `no service runs here, and ${leadsTo} ${target}`, 'Check while it runs.')
  const advice = 'Correct BASE_URL, or the proxy that it names, unless only other machines reach it.'
  return (silence ? warning : failure)('address', `${leadsTo} ${target}, not to this service.`, advice)
}
