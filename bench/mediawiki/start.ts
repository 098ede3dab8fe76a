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
import { own } from '../children.ts'
import { CORES, tools } from '../machine.ts'
import { answering, type Server, stop, unusedPort } from '../servers.ts'
import type { Plan, PlannedPage } from '../world/plan.ts'
import { dumpOf } from './dump.ts'
import { MEDIAWIKI, type Programs } from './packages.ts'
import { fpmArguments, fpmSettings, localSettings, mariadbSettings, nginxSettings } from './settings.ts'

const INSTALL_TIMEOUT = 600_000
/** Requests at once while every page is asked for once, so that it lies in the caches. */
const WARMING = 6

const run = promisify(execFile)

/** Address of a page in MediaWiki's REST API. */
export const mediawikiPath = (title: string): string =>
  `/rest.php/v1/page/${encodeURIComponent(title.replaceAll(' ', '_'))}`

/**
 * A MediaWiki in a folder of its own, which goes with this process: MariaDB, PHP's workers and nginx, with
 * some pages of a world. PHP and nginx share the core of the servers; MariaDB runs where PostgreSQL does.
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

  const my = `--defaults-file=${folder}/my.cnf`
  await run(programs.mariadbInstallDb, [my, '--auth-root-authentication-method=normal', '--skip-test-db'])
  const database = start(folder, CORES.all, programs.mariadbd, [my])
  const origin = `http://127.0.0.1:${port}`
  await listening(`${folder}/mariadb.sock`)
  await maintenance(folder, programs, 'install.php', [
    ...['--confpath', folder, '--dbtype', 'mysql', '--dbserver', `localhost:${folder}/mariadb.sock`],
    ...['--dbname', 'wiki', '--dbuser', 'root', '--dbpass', '', '--scriptpath', '', '--server', origin],
    ...['--pass', randomUUID(), 'Bench', 'Operator'],
  ])
  await appendFile(`${folder}/LocalSettings.php`, localSettings(folder))
  await writeFile(`${folder}/pages.xml`, dumpOf(plan, pages))
  await maintenance(folder, programs, 'importDump.php', ['--no-updates', `${folder}/pages.xml`])

  const php = start(folder, CORES.server, programs.phpFpm, ['-y', `${folder}/php-fpm.conf`, ...fpmArguments])
  await listening(`${folder}/php.sock`)
  const nginx = start(folder, CORES.server, programs.nginx, ['-c', `${folder}/nginx.conf`])
  await answering(origin, nginx, () => 'nginx does not answer')
  await warm(origin, pages)
  return {
    origin,
    pids: () => [php, nginx].flatMap(({ pid }) => [pid!, ...childrenOf(pid!)]),
    stop: async () => {
      await Promise.all([stop(nginx), stop(php)])
      await stop(database)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** In a group of its own, so that workers go with their master. */
const start = (folder: string, cores: string, program: string, args: string[]): ChildProcess => {
  const [command, ...rest] = tools.taskset ? ['taskset', '-c', cores, program, ...args] : [program, ...args]
  const child = spawn(command!, rest, { cwd: folder, stdio: 'ignore', detached: true })
  own(child, { group: true })
  return child
}

const maintenance = (folder: string, { php }: Programs, script: string, args: string[]) =>
  run(php, [`${MEDIAWIKI}/maintenance/${script}`, ...args], {
    env: { ...process.env, MW_CONFIG_FILE: `${folder}/LocalSettings.php` },
    timeout: INSTALL_TIMEOUT,
    maxBuffer: 1 << 26,
  })

const listening = async (socket: string): Promise<void> => {
  for (let tries = 0; ; tries += 1) {
    try {
      const connection = connect(socket)
      await once(connection, 'connect')
      connection.destroy()
      return
    } catch (error) {
      if (tries === 150) throw error
      await wait(100)
    }
  }
}

const warm = async (origin: string, pages: readonly PlannedPage[]): Promise<void> => {
  const left = pages.values()
  const askInTurn = async () => {
    for (const { title } of left) {
      const answer = await fetch(origin + mediawikiPath(title))
      if (answer.status !== 200)
        throw new Error(`MediaWiki: ${title}: ${answer.status} ${await answer.text()}`)
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: WARMING }, askInTurn))
}

const childrenOf = (pid: number): number[] =>
  tools.proc
    ? readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
    : []
