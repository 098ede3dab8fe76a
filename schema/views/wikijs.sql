-- What guests see of an attached Wiki.js. Rows come from tables that contain only visible rows. A text is read by the key
-- of a visible row, so that no condition is ever evaluated on a hidden text. Expired rows are left out here even before
-- `wikijs.sweep` deletes them. (D57)

create view guest.page as
select id, locale, ns, path, title, translation_group, revision_id, revision_created_at, revision_author, dialect
  from wiki.live_page
 where id <> all (array(select page_id from wikijs.expiration where expires_at <= now() and revision_id is null));

create view guest.revision as
select r.id, r.page_id, r.locale, r.created_at, r.author, r.comment, r.size,
       (select t.text
          from wikijs.text t
         where t.page_id = r.page_id and t.version_id = r.version_id and t.format = r.format) as markdown
  from wikijs.revision r
 where r.page_id <> all (array(select page_id from wikijs.expiration where expires_at <= now() and revision_id is null))
   and r.id <> all (array(select revision_id from wikijs.expiration
                           where expires_at <= now() and revision_id is not null));

create view guest.position as
select position, created_at, revision_id
  from wiki.live_position
 where page_id <> all (array(select page_id from wikijs.expiration where expires_at <= now() and revision_id is null))
   and revision_id <> all (array(select revision_id from wikijs.expiration
                                  where expires_at <= now() and revision_id is not null));

create view guest.category_member as
select locale, key, sort_key, path, page_id, ns, title, revision_id, revision_created_at, revision_author, name
  from wiki.live_category_member
 where page_id <> all (array(select page_id from wikijs.expiration where expires_at <= now() and revision_id is null));

-- Expired members do not count. Mostly there are none, and then nothing is read.
create view guest.live_category as
select c.locale, c.key, c.pages - e.pages as pages
  from wiki.live_category c
 cross join lateral (
       select count(*)::int as pages
         from wiki.live_category_member m
        where m.locale = c.locale and m.key = c.key
          and m.page_id = any (array(select page_id from wikijs.expiration where expires_at <= now() and revision_id is null))) e
 where c.pages > e.pages;

create view guest.search as
select page_id, locale, score, index_version, config, title_key, path_key, words, starts, body, length
  from wiki.live_search
 where page_id <> all (array(select page_id from wikijs.expiration where expires_at <= now() and revision_id is null));

create view guest.search_hot_set as
select page_id, locale, score, title_key, words
  from wiki.search_hot_set
 where page_id <> all (array(select page_id from wikijs.expiration where expires_at <= now() and revision_id is null));

create view guest.page_name as
select page_id, locale, key, is_alias
  from wiki.live_name;

-- A link by name to an expired page would name it.
create view guest.link as
select page_id, key, locale, path, is_first, is_redirect, page_locale, page_ns, page_path
  from wiki.live_link
 where page_id <> all (array(select page_id from wikijs.expiration where expires_at <= now() and revision_id is null))
   and (name_key is null or locale || ' ' || path <> all (array(
         select l.locale || ' ' || l.path
           from wikijs.expiration e
           join wiki.live_page l on l.id = e.page_id
          where e.expires_at <= now() and e.revision_id is null)));

create view guest.former_path as
select locale, path, page_id
  from wiki.live_former_path
 where page_id <> all (array(select page_id from wikijs.expiration where expires_at <= now() and revision_id is null));

create view guest.page_change as
select page_id, change, locale, ns
  from wiki.live_change
 where page_id <> all (array(select page_id from wikijs.expiration where expires_at <= now() and revision_id is null));

create view guest.tombstone as
select locale, path, ns, change
  from wiki.tombstone;

-- An expired page must leave no trace, such as a category or a language that nothing else uses.
create view guest.category as
select c.locale, c.key, c.name
  from wiki.category c
 where exists (select from guest.category_member m where m.locale = c.locale and m.key = c.key);

-- Reads the first page from the index: `exists` would read the table until it finds a row of the language.
create view guest.locale as
select l.locale, l.name, l.search_config
  from wiki.locale l
 where (select p.id from guest.page p where p.locale = l.locale order by p.path limit 1) is not null
    or l.locale = (select default_locale from wiki.wiki);

-- A file that only expired pages use is hidden with them.
create view guest.file_use as
select page_id, reference, file_id, page_locale, page_path
  from wiki.live_file_use
 where page_id <> all (array(select page_id from wikijs.expiration where expires_at <= now() and revision_id is null));

create view guest.file as
select f.id, f.locale, f.path, f.blob_id, f.sha256, f.media_type, f.media_kind, f.bytes, f.width, f.height, f.modified_at,
       f.author
  from wiki.live_file f
 where (select u.file_id from guest.file_use u where u.file_id = f.id order by u.page_locale, u.page_path limit 1)
       is not null;

-- The bytes are in Wiki.js's table. The version of a file begins with the id of its asset.
create view guest.file_part as
select f.blob_id, p.part,
       (select substring(b.data from 262144 * p.part + 1 for 262144)
          from wikijs.asset_bytes b
         where b.asset_id = split_part(l.version, ' ', 1)::int) as data
  from guest.file f
  join wiki.live_file l on l.id = f.id
 cross join lateral generate_series(0, greatest(f.bytes - 1, 0) / 262144) as p (part);
