import { ConfigError, UsageError } from '@lectern/wiki/errors'
import { nameWithOrigin, problemsText } from '../config/messages.ts'
import { type Config, type InspectedConfig, inspectConfig } from '../config.ts'
import { hasDatabase } from '../db/open-database.ts'
import { isLoopbackName } from '../http/local-request.ts'
import type { MayServe } from './database.ts'
import { type Diagnostic, failure, skipped } from './diagnostic.ts'
import { checkDisk, dataDirProblem } from './machine.ts'
import { checkPorts } from './ports.ts'

/**
 * The configuration of a service, after everything was tried that can fail quickly: settings, the files that they name,
 * data folder, disk and ports. So the start tells all problems at once, and before it creates a database.
 * @param environment default: the environment of this process
 * @param mayServe of a Lectern that has a port: whether it is this service. Default: it is another one
 * @throws UsageError with all problems; ConfigError if a setting is wrong, which lasts, unlike a port in use
 */
export const readConfigToServe = async (
  environment?: Parameters<typeof inspectConfig>[0],
  mayServe: MayServe = () => false,
): Promise<Config> => {
  const inspected = inspectConfig(environment)
  const { config, problems, misspelled } = inspected
  const files = await checkFiles(config)
  const diagnostics = [
    ...problems.map((problem) => failure('configuration', problem)),
    ...files.diagnostics,
    ...(await checkDataDir(inspected)),
    ...(await checkValidPorts(inspected, mayServe)),
  ]
  const wrong = diagnostics.filter(({ status }) => status === 'wrong')
  if (wrong.length === 0) return config
  const sentences = wrong.map(({ message, advice }) => [message, advice].filter(Boolean).join(' '))
  const Wrong = inspected.isFinal || files.areWrong ? ConfigError : UsageError
  throw new Wrong(problemsText([...sentences, ...misspelled]))
}

/** Whether a setting is valid, and its name. An invalid one has its default in `config`, which nobody wants to have checked. */
export const isValid = ({ problems }: InspectedConfig, ...settings: string[]): boolean => {
  const names = `(${settings.join('|')})`
  const problemOfThem = new RegExp(`^${names} |Did you mean ${names}(_FILE)?\\?$`)
  return !problems.some((problem) => problemOfThem.test(problem))
}

/** What everybody who reaches the internal listener can do; undefined if only this machine reaches it. */
export const exposureOf = ({ internalHost, followSecret }: Config): string | undefined =>
  isLoopbackName(internalHost)
    ? undefined
    : `INTERNAL_HOST is ${internalHost}: all who reach it can send GraphQL without a rate limit${followSecret === undefined ? ', and start imports' : ''}.`

/** Which clients share one rate limit, and what to do; empty if none do. */
export const sharedLimitOf = ({ baseUrl, trustedProxies, rateLimit }: Config): string[] =>
  baseUrl?.startsWith('https:') && trustedProxies === 0 && rateLimit > 0
    ? [
        'BASE_URL is that of a proxy. With TRUSTED_PROXIES=0, its clients share one rate limit.',
        'Set TRUSTED_PROXIES to the number of proxies.',
      ]
    : []

/** Tries the ports. Of an invalid one, the address is tried. */
export const checkValidPorts = async (inspected: InspectedConfig, mayServe: MayServe) => {
  const { config } = inspected
  const port = isValid(inspected, 'PORT') ? config.port : 0
  const internalPort = isValid(inspected, 'INTERNAL_PORT') ? config.internalPort : 0
  const found = await checkPorts({ ...config, port, internalPort }, mayServe)
  if (isValid(inspected, 'PORT', 'INTERNAL_PORT')) return found
  return [...found.filter(({ status }) => status !== 'ok'), skipped('ports')]
}

/** Reads the files that settings name, as the service does. What can be read, but not used, is wrong. */
export const checkFiles = async (config: Config) => {
  const brandingWith = async (settings: Partial<Config>) =>
    (await import('../docs-site/branding.ts')).readBranding(settings)
  const reads = [
    async () => brandingWith({ siteLogo: config.siteLogo }),
    async () => brandingWith({ siteStyles: config.siteStyles }),
    async () => {
      if (config.graphqlDocuments === undefined) return
      const { readStoredDocuments } = await import('../internal/stored-documents.ts')
      const { graphqlSchema } = await import('../graphql.ts')
      await readStoredDocuments(config.graphqlDocuments, graphqlSchema)
    },
    async () => {
      if (config.filesUrl === undefined || config.databaseUrl === undefined) return
      const { makeFileStore } = await import('@lectern/files-s3/file-store')
      await makeFileStore(config.filesUrl).checkSettings()
    },
  ]
  const results = await Promise.allSettled(reads.map((read) => read()))
  const errors = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []))
  const diagnostics = errors.map(({ message }) =>
    failure('configuration', message.replace(/^[A-Z_]+/, nameWithOrigin)),
  )
  return { diagnostics, areWrong: errors.some((error) => error instanceof ConfigError) }
}

/** The data folder of the embedded database, and the disk for a new database. A database with content can be served. */
const checkDataDir = async (inspected: InspectedConfig): Promise<Diagnostic[]> => {
  const { config } = inspected
  if (config.databaseUrl !== undefined || !isValid(inspected, 'DATABASE_URL')) return []
  const problem = dataDirProblem(config.dataDir)
  if (problem !== undefined) return [problem]
  return hasDatabase(config) ? [] : [await checkDisk(config.dataDir)]
}
