-- What `lectern check` reads of the attachment.
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
  from wikijs.attachment a;
