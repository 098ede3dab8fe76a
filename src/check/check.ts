import { settingOrigins } from '../config/messages.ts'
import { type Config, inspectConfig } from '../config.ts'
import { isLoopbackName } from '../http/local-request.ts'
import { checkDatabase, type MayServe } from './database.ts'
import { type Diagnostic, failure, ok, reportErrors, skipped, warning } from './diagnostic.ts'
import { checkDisk, checkWorkers, dataDirProblem } from './machine.ts'
import { checkBaseUrl } from './ports.ts'
import { checkFiles, checkValidPorts, exposureOf, isValid, sharedLimitOf } from './start.ts'

/** Opens the source that a service follows. @param dataDir the folder of the data, where remote repositories are cloned */
type OpenSource = (dataDir: string) => Promise<{ kind: string; version(): Promise<string> }>

/**
 * Checks everything that the service needs, and yields each diagnostic when it is known. Changes nothing.
 * @param environment default: the environment of this process
 * @param openSource absent: no source is named
 */
export async function* check(environment?: Parameters<typeof inspectConfig>[0], openSource?: OpenSource) {
  yield ok('node', `Node ${process.versions.node}`) // with an older one, no command starts
  const inspected = inspectConfig(environment)
  const { config, problems, misspelled } = inspected
  for (const problem of problems) yield failure('configuration', problem)
  const { diagnostics: files } = await checkFiles(config)
  yield* files
  const suspects = [...misspelled, ...(settingOrigins().differing ?? [])]
  for (const line of suspects) yield warning('configuration', line)
  if (problems.length + files.length + suspects.length === 0)
    yield ok('configuration', 'all variables are valid')
  yield* checkWorkers(config)
  const isEmbedded = config.databaseUrl === undefined && isValid(inspected, 'DATABASE_URL')
  // Beside the embedded database, the folder has the clones of remote repositories.
  const unwritable = isEmbedded || openSource ? dataDirProblem(config.dataDir, isEmbedded) : undefined
  let mayServe: MayServe = () => true
  if (unwritable !== undefined) yield unwritable
  if (isEmbedded && unwritable !== undefined) yield skipped('database')
  else if (isValid(inspected, 'DATABASE_URL', 'DATA_DIR', 'DATABASE_REPLICA_URLS')) {
    const database = await checkDatabase(config)
    yield* database.diagnostics
    yield* database.replicas
    if (database.diagnostics.at(-1)?.status === 'wrong') yield skipped('wiki')
    mayServe = database.mayServe
  } else yield skipped('database')
  if (!isEmbedded) yield skipped('disk', 'the database server has its own disk')
  else if (unwritable === undefined) yield await checkDisk(config.dataDir)
  if (isValid(inspected, 'FOLLOW_SECRET', 'TRUSTED_PROXIES', 'RATE_LIMIT')) yield* checkExposure(config)
  yield* await checkSource(openSource, config.dataDir)
  if (config.redisUrl !== undefined) yield* await checkRedis(config.redisUrl)
  const isStoreSet = !files.some(({ message }) => message.startsWith('FILES_URL'))
  if (config.filesUrl !== undefined && isStoreSet) yield* await checkFileStore(config.filesUrl)
  if (settingOrigins().names.has('SOURCE')) {
    yield skipped('ports', 'the environment file is that of a follower, which has none')
    return
  }
  yield* await checkValidPorts(inspected, mayServe)
  if (config.baseUrl !== undefined) yield await checkBaseUrl(config, config.baseUrl, mayServe)
}

/** Settings that are dangerous. */
function* checkExposure(config: Config): Generator<Diagnostic> {
  const { host = '', rateLimit, followSecret, trustedProxies } = config
  const warn = (message: string, advice: string) => warning('configuration', message, advice)
  const exposure = exposureOf(config)
  const secret = followSecret === undefined ? ' Set FOLLOW_SECRET for the service and the follower.' : ''
  if (exposure !== undefined) yield warn(exposure, `Let only your own network reach INTERNAL_PORT.${secret}`)
  if (trustedProxies > 0 && !isLoopbackName(host)) {
    const evaded = `TRUSTED_PROXIES is ${trustedProxies}: clients who reach PORT without the proxies can forge their address.`
    yield warn(evaded, 'Let only the proxies reach PORT, for example with HOST=127.0.0.1.')
  }
  const [shared, advice] = sharedLimitOf(config)
  if (shared && advice) yield warn(shared, advice)
  if (rateLimit === 0) yield warn('RATE_LIMIT is 0: one client can use the whole service.', 'Set a limit.')
}

const checkSource = async (open: OpenSource | undefined, dataDir: string): Promise<Diagnostic[]> => {
  if (open === undefined)
    return [skipped('source', 'none is named', 'If the service follows one, run `lectern check SOURCE`.')]
  const read = async () => {
    const source = await open(dataDir)
    await source.version()
    return [ok('source', `${source.kind}, which can be read`)]
  }
  return reportErrors('source', read, 'Name another one, or let this user read it.')
}

const checkFileStore = (url: string): Promise<Diagnostic[]> => {
  const read = async () => {
    const { makeFileStore } = await import('@lectern/files-s3/file-store')
    const store = makeFileStore(url)
    await store.checkReadable()
    const problem = await store.checkWritable().catch((error: Error) => error)
    const advice = 'It can be read, which is enough to serve. An import also writes and deletes.'
    if (problem) return [warning('files', problem.message, advice)]
    return [ok('files', 'the bucket can be read and written')]
  }
  return reportErrors('files', read, 'Until it can be read, files are 503, and imports fail.')
}

const checkRedis = (url: string): Promise<Diagnostic[]> => {
  const ping = async () => {
    const { pingRedis } = await import('../rate/redis.ts')
    await pingRedis(url).catch(({ code, message }: NodeJS.ErrnoException) => {
      throw new Error(`REDIS_URL: ${message || code}. Each instance counts requests on its own.`)
    })
    return [ok('redis', 'accepts the writes of the rate limiter')]
  }
  const advice = 'Start Redis, or correct REDIS_URL: host, port, password, and a user who writes lectern:*.'
  return reportErrors('redis', ping, advice)
}
