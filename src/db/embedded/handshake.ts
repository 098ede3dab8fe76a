import {
  authenticationOk,
  backendKey,
  type Inbox,
  ProtocolError,
  parameterStatus,
  readyForQuery,
} from './messages.ts'

/** The first packet of a client. */
type StartupMessage =
  | { kind: 'encryption' | 'cancel' }
  | { kind: 'start'; isReader: boolean; settings: string }

const STARTUP_BYTES = 10_000
const CANCEL = 80_877_102
const ENCRYPTION = [80_877_103, 80_877_104]
const VERSION_3 = 196_608
const ROLES = ['postgres', 'lectern_reader']

/**
 * Takes a startup packet; null until all of it has arrived.
 * @throws ProtocolError when the packet is invalid, or the user unknown
 */
export const readStartup = (inbox: Inbox): StartupMessage | null => {
  const length = inbox.peek(4)?.readInt32BE(0)
  if (length === undefined) return null
  if (length < 8 || length > STARTUP_BYTES)
    throw new ProtocolError('08P01', 'invalid length of startup packet')
  const packet = inbox.take(length)
  if (packet === null) return null
  const code = packet.readInt32BE(4)
  if (ENCRYPTION.includes(code)) return { kind: 'encryption' }
  if (code === CANCEL) return { kind: 'cancel' }
  if (code !== VERSION_3) throw new ProtocolError('0A000', 'only protocol version 3.0 is supported')
  return readParameters(packet.toString('utf8', 8).split('\0'))
}

/** Tells the client that the connection is open. The name of the database does not matter: there is only one. */
export const greeting = (id: number, serverVersion: string): Buffer =>
  Buffer.concat([
    authenticationOk,
    parameterStatus('server_version', serverVersion),
    parameterStatus('server_encoding', 'UTF8'),
    parameterStatus('client_encoding', 'UTF8'),
    parameterStatus('DateStyle', 'ISO, MDY'),
    parameterStatus('TimeZone', 'UTC'),
    parameterStatus('integer_datetimes', 'on'),
    parameterStatus('standard_conforming_strings', 'on'),
    backendKey(id),
    readyForQuery('I'),
  ])

const readParameters = (texts: string[]): StartupMessage => {
  const parameters = new Map<string, string>()
  for (let i = 0; i + 1 < texts.length; i += 2) parameters.set(texts[i]!, texts[i + 1]!)
  const user = parameters.get('user') ?? ''
  if (!ROLES.includes(user))
    throw new ProtocolError('28000', `unknown user: the only users are ${ROLES.join(' and ')}`)
  const isReader = user === 'lectern_reader'
  const path = /(?:^|\s)-c\s*search_path=([\w,]+)/.exec(parameters.get('options') ?? '')?.[1]
  return { kind: 'start', isReader, settings: settingsOf(user, isReader, path?.split(',')) }
}

/**
 * `reset all` restores the defaults of the server, among them UTC and ISO dates. `reset session authorization` has no
 * effect in PGlite, so the statement names the owner too.
 */
const settingsOf = (user: string, isReader: boolean, path?: string[]): string =>
  [
    'reset all',
    `set session authorization ${user}`,
    ...(isReader ? ['set default_transaction_read_only = on'] : []),
    ...(path || isReader ? [`set search_path = ${path?.map((name) => `"${name}"`).join(', ') ?? "''"}`] : []),
  ].join('; ')
