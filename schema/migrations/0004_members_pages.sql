-- A category's members with what a list of them shows of their pages, and with the category's name, which pages
-- show: lookups took PostgreSQL longer than all the rest of a list, or of a page. (D65)
alter table wiki.live_category_member
  add ns text collate "C",
  add title text,
  add revision_id uuid,
  add revision_created_at timestamptz,
  add revision_author text,
  add name text;

update wiki.live_category_member m
   set ns = l.ns, title = l.title, revision_id = l.revision_id, revision_created_at = l.revision_created_at,
       revision_author = l.revision_author,
       name = coalesce((select c.name from wiki.category c where (c.locale, c.key) = (m.locale, m.key)),
                       (select d.title from wiki.live_page d where (d.locale, d.path) = (m.locale, 'category:' || m.key)),
                       m.key)
  from wiki.live_page l
 where l.id = m.page_id;

alter table wiki.live_category_member
  alter ns set not null,
  alter title set not null,
  alter revision_id set not null,
  alter revision_created_at set not null,
  alter revision_author set not null,
  alter name set not null;

drop index wiki.live_category_member_page;
create index live_category_member_page on wiki.live_category_member (page_id) include (locale, key, name);

create or replace view guest.category_member as
  select locale, key, sort_key, path, page_id, ns, title, revision_id, revision_created_at, revision_author,
         name
    from wiki.live_category_member;
