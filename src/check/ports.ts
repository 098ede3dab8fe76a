import { once } from 'node:events'
import { createServer } from 'node:net'
import { quote } from '@lectern/wiki/text'
import { nameWithOrigin } from '../config/messages.ts'
import type { Config } from '../config.ts'
import { isEveryAddress, urlHost } from '../http/server.ts'
import { API_PATH, packageVersion } from '../paths.ts'
import type { MayServe } from './database.ts'
import { type Diagnostic, failure, ok, warning } from './diagnostic.ts'

/** How long what listens on a port has to respond, milliseconds. */
const RESPONSE_TIMEOUT_MS = 2_000

/** A Lectern that listens on a port. What it does not tell is absent. */
interface OtherLectern {
  version?: string
  /** The name of its wiki; null if it has none. */
  wiki?: string | null
}

/** A port of the configuration, and why it is not possible to listen on it: the code of the error, if there is one. */
interface Port {
  variable: 'PORT' | 'INTERNAL_PORT'
  /** Such as `port 3001 of 127.0.0.1`. */
  target: string
  host: string | undefined
  code: string | undefined
}

/**
 * Checks that the service can listen on its ports. A Lectern that already uses both of them for the same wiki is the
 * running service, beside which operators run this check; any other program prevents the service from starting.
 */
export const checkPorts = async (config: Config, mayServe: MayServe): Promise<Diagnostic[]> => {
  const { port, host, internalPort, internalHost } = config
  if (port !== 0 && port === internalPort && isSameAddress(host, internalHost)) {
    return [
      wrong(
        `${nameWithOrigin('PORT')} and ${nameWithOrigin('INTERNAL_PORT')} are both ${port}.`,
        'Set one of them to another port.',
      ),
    ]
  }
  const open = await portOf('PORT', port, host)
  const internal = await portOf('INTERNAL_PORT', internalPort, internalHost)
  const isLive = isInUse(internal) && (await isLectern(internalPort, internalHost))
  const other = isInUse(open) ? await lecternOn(port, host, isLive) : undefined
  if (other !== undefined && isLive && mayServe(other.wiki))
    return [runningService(open, other), ok('ports', `INTERNAL_PORT: it also uses ${internal.target}`)]
  return [
    portDiagnostic(open, other && nameOf(other)),
    portDiagnostic(internal, isLive ? 'another Lectern' : undefined),
  ]
}

const wrong = (message: string, advice?: string): Diagnostic => failure('ports', message, advice)

const isSameAddress = (host: string | undefined, internalHost: string): boolean =>
  host === internalHost || isEveryAddress(host) || isEveryAddress(internalHost)

const isInUse = ({ code }: Port): boolean => code === 'EADDRINUSE'

const portOf = async (variable: Port['variable'], port: number, host?: string): Promise<Port> => ({
  variable,
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
  return version === undefined || version === packageVersion()
    ? ok('ports', message)
    : warning(
        'ports',
        `${message}. This command belongs to Lectern ${packageVersion()}.`,
        'If you have upgraded Lectern, restart the service.',
      )
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
  (await readJson<{ status?: unknown }>(port, host, '/live'))?.status === 'live'

/**
 * The Lectern whose API uses a port; undefined for another program.
 * @param isLive whether a Lectern uses the internal port: then an error, such as a lost database, is its response
 */
const lecternOn = async (
  port: number,
  host: string | undefined,
  isLive: boolean,
): Promise<OtherLectern | undefined> => {
  const body = await readJson<{
    name?: string | null
    software?: { name?: unknown; version?: string }
    error?: { code?: unknown }
  }>(port, host, `${API_PATH}/`)
  if (body?.software?.name === 'Lectern') return { version: body.software.version, wiki: body.name }
  return isLive && typeof body?.error?.code === 'string' ? {} : undefined
}

/** The JSON at a path of what listens on a port; undefined if it does not respond with JSON. */
const readJson = async <Body>(
  port: number,
  listenHost: string | undefined,
  path: string,
): Promise<Body | null | undefined> => {
  const host = isEveryAddress(listenHost) ? 'localhost' : urlHost(listenHost!)
  const timeout = new AbortController()
  // This timer also keeps the process alive: in Node 20, a request that the other side ends does not.
  const timer = setTimeout(() => timeout.abort(), RESPONSE_TIMEOUT_MS)
  try {
    const url = `http://${host}:${port}${path}`
    const response = await fetch(url, { signal: timeout.signal })
    return (await response.json()) as Body
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
