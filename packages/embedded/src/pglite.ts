import {
  accessSync,
  appendFileSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { UsageError } from '@lectern/wiki/errors'
import { DiskFull, databaseFolder, directoryError } from './data-directory.ts'

/**
 * Functions that every role may call in PostgreSQL, as a regular expression. With them the reader could change the
 * session that it shares with the owner, or send notifications in its name.
 */
const OWNER_FUNCTIONS = '^(set_config|setseed|pg_notify|pg_(try_)?advisory_(un)?lock(_shared|_all)?)$'

const REVOKE = `
do $$
declare f regprocedure;
begin
  for f in select oid from pg_proc
            where pronamespace = 'pg_catalog'::regnamespace
              and proname ~ '${OWNER_FUNCTIONS}'
              and has_function_privilege('public', oid, 'execute') loop
    execute format('revoke execute on function %s from public', f);
  end loop;
  if has_table_privilege('public', 'pg_catalog.pg_settings', 'update') then
    revoke update on pg_catalog.pg_settings from public; -- its rule calls set_config
  end if;
  if has_database_privilege('public', current_database(), 'temporary') then
    execute format('revoke temporary on database %I from public', current_database());
  end if;
end $$`

/**
 * Opens the database of a data folder that this process owns. If it does not exist, creates it from the snapshot, or
 * by initdb when there is no snapshot.
 * @throws UsageError when the database cannot be opened
 */
export const startDatabase = async (dataDir: string, snapshot: string): Promise<PGlite> => {
  const folder = databaseFolder(dataDir)
  try {
    if (!existsSync(folder)) await create(dataDir, folder, snapshot)
    accessSync(join(folder, 'global', 'pg_control'), constants.R_OK | constants.W_OK)
    const database = await openCluster(folder)
    await database.exec(REVOKE)
    return database
  } catch (error) {
    throw directoryError(folder, error)
  }
}

/**
 * PGlite writes all of its buffers when it opens, so they take memory from the start: 80 MB less than with the 128 MB of
 * initdb. What is not in them, the page cache of the system has. Of the write-ahead log, which an import can make as
 * large as the database, little is kept for later use: PGlite ends it with a checkpoint when it closes.
 */
const SETTINGS = "\nshared_buffers = '32MB'\nmax_wal_size = '64MB'\nmin_wal_size = '32MB'\n"

/** Creates the database under another name first, so that an interrupted start leaves nothing that looks complete. */
const create = async (dataDir: string, folder: string, snapshot: string): Promise<void> => {
  const unfinished = join(dataDir, 'postgres.new')
  const remove = () => rmSync(unfinished, { recursive: true, force: true })
  remove()
  try {
    mkdirSync(unfinished, { mode: 0o700 })
    if (existsSync(snapshot)) cpSync(snapshot, unfinished, { recursive: true })
    else await (await openCluster(unfinished)).close()
    appendFileSync(join(unfinished, 'postgresql.conf'), SETTINGS)
    renameSync(unfinished, folder)
  } catch (error) {
    remove()
    throw error
  }
}

/** Opens the database in a folder. @throws UsageError when that is not possible */
export const openCluster = async (folder: string): Promise<PGlite> => {
  const log: string[] = []
  try {
    const onStderr = (line: string): boolean => {
      log.push(line)
      if (log.length > 20) log.shift()
      return true
    }
    return await PGlite.create(folder, { onStderr })
  } catch (error) {
    const reason = log
      .findLast((line) => /\b(FATAL|PANIC|DETAIL):/.test(line))
      ?.replace(/^.*?(FATAL|PANIC|DETAIL): +/, '')
    if (reason && /No space left|quota exceeded/i.test(reason)) throw new DiskFull(folder, reason)
    const { message, errno } = error as { message?: string; errno?: number }
    const full = FULL_DISK_ERRNOS[errno ?? 0]
    if (full !== undefined) throw new DiskFull(folder, full)
    throw new UsageError(
      `The embedded database cannot open ${folder}: ${(reason ?? message ?? `error ${errno}`).replace(/\.$/, '')}. ` +
        'Choose another data folder and import the wiki again, or use the version of Lectern that created this one.',
    )
  }
}

/** The file system of PGlite throws errors without a message, with the numbers of WASI. */
const FULL_DISK_ERRNOS: Record<number, string> = { 19: 'EDQUOT', 51: 'ENOSPC' }
