import { randomUUID } from 'node:crypto'
import type { Database } from '../db/database.ts'
import { statement } from '../db/statements.ts'

/** A named source and its follower, as the database knows them. */
export interface FollowedSource {
  /**
   * Makes this process the follower of the source, or keeps it so.
   * @param seconds after which another process may take its place
   * @returns the version of the source at its last import; null if another process is the follower
   */
  take(seconds: number): Promise<{ version: string | null } | null>
  /** Records that the source is as it was at its last import. */
  markChecked(): Promise<void>
  /** Records that the source could not be checked or imported. @param message without passwords */
  markFailed(message: string): Promise<void>
  /** Lets another process be the follower. */
  release(): Promise<void>
}

/** The version of a source at its last import; null if it was not imported, or its version was not known. */
export const importedVersion = async (owner: Database, name: string): Promise<string | null> =>
  (await owner.query(statement('source_version'), [name]))[0]?.version ?? null

export const openFollowedSource = async (owner: Database, name: string): Promise<FollowedSource> => {
  const follower = randomUUID()
  await owner.query(statement('source_id'), [name])
  return {
    take: async (seconds) =>
      (await owner.query(statement('take_source'), [name, follower, seconds]))[0] ?? null,
    markChecked: async () => {
      await owner.query(statement('mark_source_checked'), [name])
    },
    markFailed: async (message) => {
      await owner.query(statement('mark_source_failed'), [name, message])
    },
    release: async () => {
      await owner.query(statement('release_source'), [name, follower])
    },
  }
}
