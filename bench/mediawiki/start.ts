import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { appendFile, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { killOnExit } from '../children.ts'
import { CORES, tools } from '../machine.ts'
import { type Server, stopProcess, unusedPort, waitUntilReady } from '../servers.ts'
import type { Plan, PlannedPage } from '../world/plan.ts'
import { exportXml } from './dump.ts'
import { MEDIAWIKI_FOLDER, type Programs } from './packages.ts'
import { fpmArguments, fpmSettings, localSettings, mariadbSettings, nginxSettings } from './settings.ts'

const INSTALL_TIMEOUT = 600_000
/** Concurrent requests of the warm-up, which requests each page once to fill the caches. */
const WARM_UP_CONCURRENCY = 6

const run = promisify(execFile)

/** The path of a page in MediaWiki's REST API. */
export const mediawikiPath = (title: string): string =>
  `/rest.php/v1/page/${encodeURIComponent(title.replaceAll(' ', '_'))}`

/**
 * Starts a MediaWiki with some pages of a data set: MariaDB, PHP's workers and nginx, in a temporary folder that is
 * deleted when this process exits. PHP and nginx share the core of the servers. MariaDB runs on all cores, as
 * PostgreSQL does.
 */
export const startMediawiki = async (
  programs: Programs,
  plan: Plan,
  pages: readonly PlannedPage[],
): Promise<Server> => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-mediawiki-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const port = await unusedPort()
  await mkdir(`${folder}/cache`)
  await writeFile(`${folder}/my.cnf`, mariadbSettings(folder))
  await writeFile(`${folder}/php-fpm.conf`, fpmSettings(folder))
  await writeFile(`${folder}/nginx.conf`, nginxSettings(folder, port))

  const defaultsFile = `--defaults-file=${folder}/my.cnf`
  await run(programs.mariadbInstallDb, [
    defaultsFile,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ])
  const database = startProgram(folder, CORES.all, programs.mariadbd, [defaultsFile])
  const origin = `http://127.0.0.1:${port}`
  await waitForSocket(`${folder}/mariadb.sock`)
  await runMaintenance(folder, programs, 'install.php', [
    ...['--confpath', folder, '--dbtype', 'mysql', '--dbserver', `localhost:${folder}/mariadb.sock`],
    ...['--dbname', 'wiki', '--dbuser', 'root', '--dbpass', '', '--scriptpath', '', '--server', origin],
    ...['--pass', randomUUID(), 'Bench', 'Operator'],
  ])
  await appendFile(`${folder}/LocalSettings.php`, localSettings(folder))
  await writeFile(`${folder}/pages.xml`, exportXml(plan, pages))
  await runMaintenance(folder, programs, 'importDump.php', ['--no-updates', `${folder}/pages.xml`])

  const php = startProgram(folder, CORES.server, programs.phpFpm, [
    '-y',
    `${folder}/php-fpm.conf`,
    ...fpmArguments,
  ])
  await waitForSocket(`${folder}/php.sock`)
  const nginx = startProgram(folder, CORES.server, programs.nginx, ['-c', `${folder}/nginx.conf`])
  await waitUntilReady(origin, nginx, () => 'nginx does not respond')
  await warmUp(origin, pages)
  return {
    origin,
    pids: () => [php, nginx].flatMap(({ pid }) => [pid!, ...childPids(pid!)]),
    stop: async () => {
      await Promise.all([stopProcess(nginx), stopProcess(php)])
      await stopProcess(database)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a program as leader of its own process group, so that its workers are killed with it. */
const startProgram = (folder: string, cores: string, program: string, args: string[]): ChildProcess => {
  const [command, ...rest] = tools.taskset ? ['taskset', '-c', cores, program, ...args] : [program, ...args]
  const child = spawn(command!, rest, { cwd: folder, stdio: 'ignore', detached: true })
  killOnExit(child, { group: true })
  return child
}

const runMaintenance = (folder: string, { php }: Programs, script: string, args: string[]) =>
  run(php, [`${MEDIAWIKI_FOLDER}/maintenance/${script}`, ...args], {
    env: { ...process.env, MW_CONFIG_FILE: `${folder}/LocalSettings.php` },
    timeout: INSTALL_TIMEOUT,
    maxBuffer: 1 << 26,
  })

const waitForSocket = async (socket: string): Promise<void> => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const connection = connect(socket)
      await once(connection, 'connect')
      connection.destroy()
      return
    } catch (error) {
      if (attempt === 150) throw error
      await wait(100)
    }
  }
}

const warmUp = async (origin: string, pages: readonly PlannedPage[]): Promise<void> => {
  const remaining = pages.values()
  const requestPages = async () => {
    for (const { title } of remaining) {
      const response = await fetch(origin + mediawikiPath(title))
      if (response.status !== 200)
        throw new Error(
          `MediaWiki returned status ${response.status} for the page ${title}: ${await response.text()}`,
        )
      await response.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: WARM_UP_CONCURRENCY }, requestPages))
}

const childPids = (pid: number): number[] =>
  tools.proc
    ? readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
    : []
