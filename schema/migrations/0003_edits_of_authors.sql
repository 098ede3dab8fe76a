-- The edits of an author in a language, newest first.

create index revision_visible_author on wiki.revision_visible (locale, author collate "C", created_at desc, id desc);

-- An attached Wiki.js has its own table. Later attachments create the index with it.
do $$
begin
  if to_regclass('wikijs.revision') is not null then
    execute 'create index revision_author on wikijs.revision (locale, author collate "C", created_at desc, id desc)';
  end if;
end $$;
