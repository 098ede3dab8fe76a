-- Versions of pages: the text stays where Wiki.js keeps it; here are keys, parsed times and what lists show.

-- Versions that guests may see.
create table wikijs.revision (
  id uuid primary key,
  page_id bigint not null references wiki.live_page (id) on delete cascade,
  -- Row of "pageHistory"; 0 for the page's own row.
  version_id int not null,
  locale text collate "C" not null,
  created_at timestamptz(6) not null,
  author text not null,
  comment text not null,
  size int not null,
  -- How its text is told: see the view `text`.
  form text not null
);

create index revision_history on wikijs.revision (page_id, created_at desc, id desc);
create index revision_recent on wikijs.revision (created_at desc, id desc);
create index revision_recent_locale on wikijs.revision (locale, created_at desc, id desc);

-- Those that share a created_at have dates by which lists go on between them.
select wiki.take_versions();

-- When what guests see now ends by itself: of a page, or of a version of it.
create table wikijs.closing (
  page_id bigint not null references wiki.live_page (id) on delete cascade,
  revision_id uuid,
  closes_at timestamptz not null
);
create index closing_page on wikijs.closing (page_id);
create index closing_at on wikijs.closing (closes_at);

-- When a page is to be looked at again, hidden ones too.
create table wikijs.boundary (
  page_id int primary key,
  at timestamptz not null
);
create index boundary_at on wikijs.boundary (at);

-- What of a page was given to be indexed, and the pages that wait for it.
create table wikijs.told (
  page_id bigint primary key references wiki.live_page (id) on delete cascade,
  title text not null,
  digest text not null
);
create table wikijs.to_index (
  page_id bigint primary key references wiki.live_page (id) on delete cascade,
  due_at timestamptz not null default '-infinity'
);

-- Null where it is no date; one without a zone is taken for UTC.
create function wikijs.instant(text) returns timestamptz language plpgsql immutable as $$
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

create function wikijs.form_of(content_type text) returns text language sql immutable as $$
  select case content_type when 'markdown' then 'markdown' when 'html' then 'html' else 'source' end
$$;

-- A line of text as the rest of Lectern has it.
create function wikijs.line(text) returns text language sql immutable as $$
  select normalize(trim(regexp_replace($1, '[\u0001-\u001f\u007f]+', ' ', 'g')), nfc)
$$;

-- An id that a version keeps when Wiki.js moves it into the history: by what was there before it. The first
-- digits follow the order of versions, for those of the same millisecond.
create function wikijs.revision_id(page_id int, previous int) returns uuid language sql immutable as $$
  select (left(h, 8) || '-' || right(h, 4) || '-8' || left(m, 3) || '-a' || substr(m, 4, 3) || '-' || substr(m, 8, 12))::uuid
    from (select lpad(to_hex(previous), 12, '0') as h, md5('wikijs ' || page_id || ' ' || previous) as m) x
$$;

-- All versions, hidden ones too, each judged by its own row. A date that cannot be read opens never.
create view wikijs.version as
select v.*, p.id as previous, coalesce(p.action, '') as made_by,
       case when coalesce(starts, '') = '' then '-infinity' else coalesce(wikijs.instant(starts), 'infinity') end as opens_at,
       case when coalesce(ends, '') = '' then 'infinity' else coalesce(wikijs.instant(ends), '-infinity') end as closes_at
  from (select id as page_id, 0 as version_id, path, "localeCode" as locale, title, "contentType" as content_type,
               "isPublished" and not "isPrivate" as is_public, "publishStartDate" as starts, "publishEndDate" as ends,
               "authorId" as author_id,
               coalesce(wikijs.instant("updatedAt"), wikijs.instant("createdAt"), 'epoch') as created_at
          from source.pages
         union all
        select "pageId", id, path, "localeCode", title, "contentType",
               "isPublished" and not "isPrivate", "publishStartDate", "publishEndDate",
               "authorId",
               coalesce(wikijs.instant("versionDate"), wikijs.instant("createdAt"), 'epoch')
          from source."pageHistory") v
  left join lateral (
       select h.id, h.action
         from source."pageHistory" h
        where h."pageId" = v.page_id and (v.version_id = 0 or h.id < v.version_id)
        order by h.id desc
        limit 1) p on true;

-- Texts in each way of telling them: as they are written; as HTML, which is Markdown where no line is blank; as
-- Wiki.js shows them to those who may not read the source; in a fence, where they are in another language.
create view wikijs.text as
select s.page_id, s.version_id, f.form,
       case f.form
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
 cross join (values ('markdown'), ('html'), ('render'), ('source')) f (form);

-- Pages as guests see them now.
create view wikijs.shown_page as
select p.id as page_id, a.locale, coalesce(substring(a.path from '^(template|page_template|module|category):'), 'main') as ns,
       a.path, coalesce(nullif(wikijs.line(v.title), ''), a.path) as title, t.tags,
       wikijs.may('read:history', v.locale, v.path, t.tags) as with_history,
       case when not wikijs.may('read:source', v.locale, v.path, t.tags) then 'render'
            else wikijs.form_of(v.content_type) end as form,
       wikijs.revision_id(p.id, coalesce(v.previous, 0)) as revision_id,
       v.created_at, coalesce(nullif(wikijs.line(u.name), ''), 'Unknown') as author,
       case when v.made_by in ('moved', 'restored', 'converted') then v.made_by else '' end as comment,
       v.closes_at
  from source.pages p
  join wikijs.version v on v.page_id = p.id and v.version_id = 0
  left join source.users u on u.id = v.author_id
 cross join lateral (
       select array(select t.tag::text from source."pageTags" g join source.tags t on t.id = g."tagId"
                     where g."pageId" = p.id) as tags) t
 cross join lateral (select lower(v.locale) as locale, normalize(v.path, nfc) as path) a
 where v.is_public and v.opens_at <= now() and now() < v.closes_at
   and a.locale ~ '^[a-z]{2,3}(-[a-z0-9]{2,8})*$'
   and octet_length(a.path) between 1 and 512 and a.path !~ '[\u0001-\u001f\u007f]'
   and wikijs.may('read:pages', v.locale, v.path, t.tags);

-- Versions that guests would see if their page is shown with its history. One that had tags of its own is judged
-- by these, else by the page's.
create view wikijs.shown_version as
select v.page_id, v.version_id, wikijs.form_of(v.content_type) as form,
       wikijs.revision_id(v.page_id, coalesce(v.previous, 0)) as revision_id,
       v.created_at, coalesce(nullif(wikijs.line(u.name), ''), 'Unknown') as author,
       case when v.made_by in ('moved', 'restored', 'converted') then v.made_by else '' end as comment,
       v.closes_at
  from wikijs.version v
  left join source.users u on u.id = v.author_id
 cross join lateral (
       select array(select t.tag::text from source."pageHistoryTags" g join source.tags t on t.id = g."tagId"
                     where g."pageId" = v.version_id) as own,
              array(select t.tag::text from source."pageTags" g join source.tags t on t.id = g."tagId"
                     where g."pageId" = v.page_id) as pages) t
 cross join lateral (select case when t.own = '{}' then t.pages else t.own end as tags) g
 where v.version_id > 0 and v.is_public and v.opens_at <= now() and now() < v.closes_at
   and wikijs.may('read:pages', v.locale, v.path, g.tags)
   and wikijs.may('read:history', v.locale, v.path, g.tags);
