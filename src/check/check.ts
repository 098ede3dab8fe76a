import { inspectConfig } from '../config.ts'
import { pingRedis } from '../rate/ping.ts'
import { checkDatabase } from './database.ts'
import { type Diagnostic, failure, ok, warning } from './diagnostic.ts'
import { checkDisk, checkNode, checkPorts, checkWorkers } from './machine.ts'

export type { Diagnostic } from './diagnostic.ts'

/**
 * Looks at everything that a service needs; a finding as soon as it is there. Changes nothing.
 * @param environment default: this process's
 */
export async function* check(environment?: Parameters<typeof inspectConfig>[0]): AsyncGenerator<Diagnostic> {
  yield checkNode(process.versions.node)
  const { config, problems, unknownVariables } = inspectConfig(environment)
  for (const problem of problems) yield failure('configuration', problem)
  for (const { name, meant } of unknownVariables) {
    yield warning(
      'configuration',
      `Nothing reads the variable ${name}.`,
      meant ? `Did you mean ${meant}?` : 'README.md lists those that are read.',
    )
  }
  if (problems.length === 0 && unknownVariables.length === 0)
    yield ok('configuration', 'every variable is understood')
  yield* checkWorkers(config)
  // With a default in its place, what follows would be about something else.
  const isGood = (variable: string) => !problems.some((problem) => problem.startsWith(`${variable} `))
  if (['DATABASE_URL', 'DATA_DIR', 'DATABASE_REPLICA_URLS'].every(isGood)) yield* await checkDatabase(config)
  if (config.databaseUrl === undefined && isGood('DATABASE_URL')) yield await checkDisk(config.dataDir)
  if (config.redisUrl !== undefined) yield await checkRedis(config.redisUrl)
  if (['PORT', 'INTERNAL_PORT'].every(isGood)) yield* await checkPorts(config)
}

const checkRedis = async (url: string): Promise<Diagnostic> => {
  try {
    await pingRedis(url)
    return ok('redis', 'takes what the rate limit writes')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return failure(
      'redis',
      `REDIS_URL: ${message || code}. Each instance counts by itself.`,
      'Start Redis, or correct REDIS_URL: host, port, password, and a user who may write lectern:*.',
    )
  }
}
