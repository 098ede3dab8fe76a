import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort, ready, startServerProcess } from '../../faults/support/server-process.ts'
import { WikiClient } from './client.ts'

/** The folder of MediaWiki's code in Debian's package. */
const CODE = '/usr/share/mediawiki'
const PASSWORD = 'correct-horse-battery'
/** MediaWiki's code takes most of the time, so PHP compiles it once. */
const PHP = ['-d', 'opcache.enable_cli=1', '-d', 'opcache.validate_timestamps=0', '-d', 'memory_limit=256M']

const SETTINGS = `
$wgRightsUrl = 'https://creativecommons.org/licenses/by-sa/4.0/';
$wgMainCacheType = CACHE_DB;
$wgJobRunRate = 0;
$wgEnableEmail = false;
$wgPasswordAttemptThrottle = false;
$wgShowExceptionDetails = true;
$wgUpdateRowsPerJob = 500;
foreach ( [ 'deleterevision', 'deletelogentry', 'suppressrevision', 'viewsuppressed', 'suppressionlog', 'noratelimit',
  'apihighlimits', 'importupload', 'import', 'mergehistory', 'suppressredirect', 'editcontentmodel' ] as $right ) {
  $wgGroupPermissions['sysop'][$right] = true;
}
$wgGroupPermissions['user']['noratelimit'] = true;
`

const execute = promisify(execFile)

/** A MediaWiki of Debian's package on the loopback interface, with SQLite. */
export interface TestWiki {
  /** URL of its root. */
  url: string
  /** Signed in as the administrator. */
  admin: WikiClient
  /** Creates an account, and signs it in. */
  createUser(name: string): Promise<WikiClient>
  /** Runs a maintenance script. @returns what it prints */
  maintain(script: string, args: string[]): Promise<string>
  /** Adds lines to LocalSettings.php. */
  configure(lines: string): Promise<void>
  stop(): Promise<void>
}

export const startTestWiki = async (): Promise<TestWiki> => {
  if (!existsSync(`${CODE}/api.php`))
    throw new Error("Debian's package mediawiki is not installed, or php-cli and php-sqlite3 are missing")
  const folder = await mkdtemp(join(tmpdir(), 'lectern-mediawiki-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const settings = `${folder}/LocalSettings.php`
  const maintain = async (script: string, args: string[]) => {
    const options = { env: { ...process.env, MW_CONFIG_FILE: settings }, maxBuffer: 1 << 28 }
    return (await execute('php', [`${CODE}/maintenance/${script}`, ...args], options)).stdout
  }
  await maintain('install.php', [
    ...['--confpath', folder, '--dbtype', 'sqlite', '--dbpath', `${folder}/data`, '--dbname', 'tea'],
    ...['--scriptpath', '', '--server', url, '--pass', PASSWORD, 'Tea Wiki', 'Operator'],
  ])
  await appendFile(settings, SETTINGS)
  const server = startServerProcess({
    command: 'env',
    args: [`MW_CONFIG_FILE=${settings}`, 'php', ...PHP, '-S', `127.0.0.1:${port}`, '-t', CODE],
  })
  await ready(server, async () => {
    const response = await fetch(`${url}/api.php?action=query&format=json`)
    if (response.status !== 200) throw new Error(await response.text())
  })
  const signIn = async (name: string) => {
    const client = new WikiClient(`${url}/api.php`)
    await client.signIn(name, PASSWORD)
    return client
  }
  return {
    url,
    admin: await signIn('Operator'),
    createUser: async (name) => {
      await maintain('createAndPromote.php', [name, PASSWORD])
      return signIn(name)
    },
    maintain,
    configure: (lines) => appendFile(settings, `${lines}\n`),
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
