-- Versions of pages. Their texts stay in Wiki.js's tables. These tables contain keys, parsed times and the columns of
-- lists.

-- Versions that guests may see.
create table wikijs.revision (
  id uuid primary key,
  page_id bigint not null references wiki.live_page (id) on delete cascade,
  -- Id of the row of "pageHistory"; 0 for the row of "pages".
  version_id int not null,
  locale text collate "C" not null,
  created_at timestamptz(6) not null,
  author text not null,
  comment text not null,
  size int not null,
  -- Which text of the view `wikijs.text` guests see.
  format text not null
);

create index revision_history on wikijs.revision (page_id, created_at desc, id desc);
create index revision_recent on wikijs.revision (created_at desc, id desc);
create index revision_recent_locale on wikijs.revision (locale, created_at desc, id desc);
create index revision_author on wikijs.revision (locale, author collate "C", created_at desc, id desc);

-- Versions with the same created_at get cursor dates, so that a list can continue between them. (D7)
select wiki.take_versions();

-- When a page that guests see now, or a version of it, expires.
create table wikijs.expiration (
  page_id bigint not null references wiki.live_page (id) on delete cascade,
  revision_id uuid,
  expires_at timestamptz not null
);
create index expiration_page on wikijs.expiration (page_id);
create index expiration_at on wikijs.expiration (expires_at);

-- When to sync a page again because one of its dates passes; also for hidden pages.
create table wikijs.schedule (
  page_id int primary key,
  at timestamptz not null
);
create index schedule_at on wikijs.schedule (at);

-- The title and the digest of the text with which a page was last marked for indexing, and the pages that wait.
create table wikijs.indexed_digest (
  page_id bigint primary key references wiki.live_page (id) on delete cascade,
  title text not null,
  digest text not null
);
create table wikijs.to_index (
  page_id bigint primary key references wiki.live_page (id) on delete cascade,
  due_at timestamptz not null default '-infinity'
);

-- A date of Wiki.js as a timestamp; null if it is not a date. A date without a zone is in UTC.
create function wikijs.timestamp_from(text) returns timestamptz language plpgsql immutable as $$
begin
  if $1 ~ '^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?$' then
    return ($1 || ' UTC')::timestamptz;
  elsif $1 ~ '^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$' then
    return $1::timestamptz;
  end if;
  return null;
exception when others then
  return null;
end $$;

create function wikijs.format_of(content_type text) returns text language sql immutable as $$
  select case content_type when 'markdown' then 'markdown' when 'html' then 'html' else 'source' end
$$;

-- A text in one line: NFC, without control characters, as imports store names and titles.
create function wikijs.one_line(text) returns text language sql immutable as $$
  select normalize(trim(regexp_replace($1, '[\u0001-\u001f\u007f]+', ' ', 'g')), nfc)
$$;

-- The id of a version. It is derived from the version before, so that it stays the same when Wiki.js moves the version
-- into the history. Its first digits follow the order of the versions, for versions of the same millisecond. (D57)
create function wikijs.revision_id(page_id int, previous int) returns uuid language sql immutable as $$
  select (left(h, 8) || '-' || right(h, 4) || '-8' || left(m, 3) || '-a' || substr(m, 4, 3) || '-' || substr(m, 8, 12))::uuid
    from (select lpad(to_hex(previous), 12, '0') as h, md5('wikijs ' || page_id || ' ' || previous) as m) x
$$;

-- All versions, also hidden ones, each with the state of its own row. A version with an invalid date never shows.
create view wikijs.version as
select v.*, p.id as previous, coalesce(p.action, '') as action,
       case when coalesce(starts, '') = '' then '-infinity' else coalesce(wikijs.timestamp_from(starts), 'infinity') end as starts_at,
       case when coalesce(ends, '') = '' then 'infinity' else coalesce(wikijs.timestamp_from(ends), '-infinity') end as expires_at
  from (select id as page_id, 0 as version_id, path, "localeCode" as locale, title, "contentType" as content_type,
               "isPublished" and not "isPrivate" as is_public, "publishStartDate" as starts, "publishEndDate" as ends,
               "authorId" as author_id,
               coalesce(wikijs.timestamp_from("updatedAt"), wikijs.timestamp_from("createdAt"), 'epoch') as created_at
          from source.pages
         union all
        select "pageId", id, path, "localeCode", title, "contentType",
               "isPublished" and not "isPrivate", "publishStartDate", "publishEndDate",
               "authorId",
               coalesce(wikijs.timestamp_from("versionDate"), wikijs.timestamp_from("createdAt"), 'epoch')
          from source."pageHistory") v
  left join lateral (
       select h.id, h.action
         from source."pageHistory" h
        where h."pageId" = v.page_id and (v.version_id = 0 or h.id < v.version_id)
        order by h.id desc
        limit 1) p on true;

-- Texts in each format. `markdown`: as written. `html`: in a <div> without blank lines, so that Markdown treats it as
-- HTML. `render`: the HTML that Wiki.js shows to guests who may not read the source. `source`: any other format, in a
-- code fence. (D57)
create view wikijs.text as
select s.page_id, s.version_id, f.format,
       case f.format
         when 'markdown' then s.content
         when 'html' then case when s.content ~ '\S' then
           regexp_replace(E'<div>\n' || s.content || E'\n</div>', '\r?\n[ \t]*(?=\r?\n)', '&#10;', 'g') else '' end
         when 'render' then case when s.render ~ '\S' then
           regexp_replace(E'<div>\n' || regexp_replace(s.render, '<a href="#[^"]*" class="toc-anchor">¶</a> ?', '', 'g')
                                    || E'\n</div>', '\r?\n[ \t]*(?=\r?\n)', '&#10;', 'g') else '' end
         else (select t.fence || regexp_replace(s.content_type, '\W', '', 'g') || E'\n' || s.content || E'\n' || t.fence
                 from (select repeat('`', greatest(3, 1 + coalesce(max(length(m[1])), 0))) as fence
                         from regexp_matches(s.content, '(`+)', 'g') m) t)
       end as text
  from (select id as page_id, 0 as version_id, coalesce(content, '') as content, coalesce(render, '') as render,
               "contentType" as content_type
          from source.pages
         union all
        select "pageId", id, coalesce(content, ''), '', "contentType" from source."pageHistory") s
 cross join (values ('markdown'), ('html'), ('render'), ('source')) f (format);

-- Pages that guests see now.
create view wikijs.shown_page as
select p.id as page_id, a.locale, coalesce(substring(a.path from '^(template|page_template|module|category):'), 'main') as ns,
       a.path, coalesce(nullif(wikijs.one_line(v.title), ''), a.path) as title, t.tags,
       wikijs.may('read:history', v.locale, v.path, t.tags) as with_history,
       case when not wikijs.may('read:source', v.locale, v.path, t.tags) then 'render'
            else wikijs.format_of(v.content_type) end as format,
       wikijs.revision_id(p.id, coalesce(v.previous, 0)) as revision_id,
       v.created_at, coalesce(nullif(wikijs.one_line(u.name), ''), 'Unknown') as author,
       case when v.action in ('moved', 'restored', 'converted') then v.action else '' end as comment,
       v.expires_at
  from source.pages p
  join wikijs.version v on v.page_id = p.id and v.version_id = 0
  left join source.users u on u.id = v.author_id
 cross join lateral (
       select array(select t.tag::text from source."pageTags" g join source.tags t on t.id = g."tagId"
                     where g."pageId" = p.id) as tags) t
 cross join lateral (select lower(v.locale) as locale, normalize(v.path, nfc) as path) a
 where v.is_public and v.starts_at <= now() and now() < v.expires_at
   and a.locale ~ '^[a-z]{2,3}(-[a-z0-9]{2,8})*$'
   and octet_length(a.path) between 1 and 512 and a.path !~ '[\u0001-\u001f\u007f]'
   and wikijs.may('read:pages', v.locale, v.path, t.tags);

-- Versions that guests see if their page is visible with its history. Page rules about tags apply to the tags of the
-- version, or to the tags of the page if the version has none.
create view wikijs.shown_version as
select v.page_id, v.version_id, wikijs.format_of(v.content_type) as format,
       wikijs.revision_id(v.page_id, coalesce(v.previous, 0)) as revision_id,
       v.created_at, coalesce(nullif(wikijs.one_line(u.name), ''), 'Unknown') as author,
       case when v.action in ('moved', 'restored', 'converted') then v.action else '' end as comment,
       v.expires_at
  from wikijs.version v
  left join source.users u on u.id = v.author_id
 cross join lateral (
       select array(select t.tag::text from source."pageHistoryTags" g join source.tags t on t.id = g."tagId"
                     where g."pageId" = v.version_id) as own,
              array(select t.tag::text from source."pageTags" g join source.tags t on t.id = g."tagId"
                     where g."pageId" = v.page_id) as pages) t
 cross join lateral (select case when t.own = '{}' then t.pages else t.own end as tags) g
 where v.version_id > 0 and v.is_public and v.starts_at <= now() and now() < v.expires_at
   and wikijs.may('read:pages', v.locale, v.path, g.tags)
   and wikijs.may('read:history', v.locale, v.path, g.tags);
