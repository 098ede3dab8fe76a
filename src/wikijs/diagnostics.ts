import type { Database } from '../db/database.ts'
import { installedDigest } from './attach.ts'
import { attachmentOf } from './follow.ts'

export interface AttachmentDiagnostics {
  /** How many triggers on Wiki.js's tables are disabled or missing: edits since then do not show. */
  disabledTriggers: number
  missingIndexes: string[]
  /** How many pages, or subjects of all pages (rules of guests, settings), have changed since they were synced. */
  missedChanges: number
  /** Regular expressions of guests' page rules that cannot be evaluated: they hide all pages that they could match. */
  undecided: string[]
}

/** For a user who may follow the attached Wiki.js. @returns undefined when another version attached it */
export const attachmentDiagnostics = async (owner: Database): Promise<AttachmentDiagnostics | undefined> => {
  const [attachment] = await owner.query<{ source: string; digest: string }>(ATTACHMENT, [])
  if (attachment!.digest !== installedDigest(attachment!.source)) return undefined
  return (await owner.query<AttachmentDiagnostics>(DIAGNOSTICS, []))[0]!
}

export const isAttachedByAnother = async (owner: Database): Promise<boolean> => {
  const { isAttached, mayFollow } = await attachmentOf(owner)
  return isAttached && mayFollow && (await attachmentDiagnostics(owner)) === undefined
}

const ATTACHMENT = { name: 'attachment_digest', text: 'select source, digest from wikijs.attachment' }

const DIAGNOSTICS = {
  name: 'attachment_diagnostics',
  text: `
    select a.triggers - (select count(*)::int
                           from pg_trigger t
                           join pg_proc p on p.oid = t.tgfoid
                          where p.pronamespace = to_regnamespace('wikijs') and t.tgenabled in ('O', 'A'))
             as "disabledTriggers",
           array(select name
                   from unnest('{lectern_history_of_page,lectern_page_path,lectern_tags_of_page,lectern_tags_of_version}'
                               ::text[]) name
                  where to_regclass(format('%I.%I', a.source, name)) is null) as "missingIndexes",
           (select count(*)::int
              from wikijs.source_rows s full join wikijs.synced_digest d on d.page_id = s.page_id
             where s.digest is distinct from d.digest)
           + (select count(*)::int
                from wikijs.source_subjects s left join wikijs.synced_subject_digest d on d.subject = s.subject
               where s.digest is distinct from d.digest) as "missedChanges",
           array(select pattern::text from wikijs.rule where not is_certain order by position) as undecided
      from wikijs.attachment a`,
}
