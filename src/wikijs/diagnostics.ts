import type { Database } from '../db/database.ts'
import { installedDigest } from './attach.ts'
import { attachmentOf } from './follow.ts'

/** Facts of an attached Wiki.js, for `lectern check`. */
export interface AttachmentDiagnostics {
  /** Triggers that do not listen to Wiki.js any more: what it edits since does not show. */
  disabledTriggers: number
  /** Indexes on Wiki.js's tables that are gone. */
  missingIndexes: string[]
  /** Pages, and what concerns all pages (the guests' rules, the settings), whose rows are others than those judged. */
  missedChanges: number
  /** Page rules of guests that cannot be decided: what they could be about is hidden. */
  undecided: string[]
}

/**
 * For who may follow the attached Wiki.js.
 * @returns undefined where another Lectern attached it, whose tables may be others
 */
export const attachmentDiagnostics = async (owner: Database): Promise<AttachmentDiagnostics | undefined> => {
  const [attachment] = await owner.query<{ source: string; form: string }>(ATTACHMENT, [])
  if (attachment!.form !== installedDigest(attachment!.source)) return undefined
  return (await owner.query<AttachmentDiagnostics>(FACTS, []))[0]!
}

/** Whether a Wiki.js is attached, and not by this very Lectern. */
export const isAttachedByAnother = async (owner: Database): Promise<boolean> => {
  const { isAttached, mayFollow } = await attachmentOf(owner)
  return isAttached && mayFollow && (await attachmentDiagnostics(owner)) === undefined
}

const ATTACHMENT = { name: 'attachment_form', text: 'select source, form from wikijs.attachment' }

const FACTS = {
  name: 'attachment_facts',
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
              from wikijs.source_rows s full join wikijs.judged j on j.page_id = s.page_id
             where s.digest is distinct from j.digest)
           + (select count(*)::int
                from wikijs.source_all s left join wikijs.judged_all j on j.subject = s.subject
               where s.digest is distinct from j.digest) as "missedChanges",
           array(select pattern::text from wikijs.rule where not is_certain order by position) as undecided
      from wikijs.attachment a`,
}
