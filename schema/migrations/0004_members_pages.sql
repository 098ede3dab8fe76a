-- A category's members with what a list of them shows of their pages, so that a list is read from one table: a
-- lookup for each member took PostgreSQL as long as all the rest. (D65)
alter table wiki.live_category_member
  add ns text collate "C",
  add title text,
  add revision_id uuid,
  add revision_created_at timestamptz,
  add revision_author text;

update wiki.live_category_member m
   set ns = l.ns, title = l.title, revision_id = l.revision_id, revision_created_at = l.revision_created_at,
       revision_author = l.revision_author
  from wiki.live_page l
 where l.id = m.page_id;

alter table wiki.live_category_member
  alter ns set not null,
  alter title set not null,
  alter revision_id set not null,
  alter revision_created_at set not null,
  alter revision_author set not null;

create or replace view guest.category_member as
  select locale, key, sort_key, path, page_id, ns, title, revision_id, revision_created_at, revision_author
    from wiki.live_category_member;
