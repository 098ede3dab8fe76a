-- Fixture: what Lectern with schema 6 installed when it attached a Wiki.js in schema `public`, without comments.
-- Never change it: migrations must handle databases in this state.

create schema wikijs;
revoke all on schema wikijs from public;

create table wikijs.attachment (
  only_row boolean primary key default true check (only_row),
  source text not null,
  form text not null,
  triggers int not null
);
create table wikijs.permission (
  permission text collate "C" primary key
);
create table wikijs.rule (
  position int primary key,
  match text not null,
  pattern text collate "C" not null,
  length int not null,
  denies boolean not null,
  roles text[] not null,
  locales text[] not null,
  is_certain boolean not null
);

create function wikijs.javascript_length(text) returns int language sql immutable as $$
  select length($1) + length(regexp_replace($1, '[^\U00010000-\U0010FFFF]', '', 'g'))
$$;
create function wikijs.is_common_regex(pattern text) returns boolean language plpgsql immutable as $function$
begin
  if pattern !~ $re$^(?:[^\\^$.|?*+(){}\[\]]|[\^.$|]|[*+?]|\{\d{1,2}(?:,\d{0,2})?\}|\((?!\?)|\(\?[:=!]|\)|\\[dDwW]|\\[^A-Za-z0-9]|\[\^?(?:[^\[\]\\]|\\[^A-Za-z0-9])+\])*$$re$
     or pattern like '*%' then
    return false;
  end if;
  perform '' ~ pattern;
  return true;
exception when others then
  return false;
end $function$;
create function wikijs.read_rules() returns boolean language plpgsql as $$
declare
  before text := (select json_agg(p order by permission)::text from wikijs.permission p)
                 || (select coalesce(json_agg(r order by position)::text, '') from wikijs.rule r);
begin
  delete from wikijs.permission;
  delete from wikijs.rule;
  insert into wikijs.permission
  select distinct permission
    from "public"."userGroups" u
    join "public".groups g on g.id = u."groupId"
   cross join lateral json_array_elements_text(g.permissions) permission
   where u."userId" = 2;
  insert into wikijs.rule (position, match, pattern, length, denies, roles, locales, is_certain)
  select row_number() over (order by u.id, r.place), coalesce(r.rule ->> 'match', ''), coalesce(r.rule ->> 'path', ''),
         wikijs.javascript_length(coalesce(r.rule ->> 'path', '')),
         coalesce(r.rule ->> 'deny', 'false') not in ('false', '0', ''),
         array(select json_array_elements_text(coalesce(r.rule -> 'roles', '[]'))),
         array(select json_array_elements_text(
           case json_typeof(r.rule -> 'locales') when 'array' then r.rule -> 'locales' else '[]' end)),
         coalesce(json_typeof(r.rule -> 'path') = 'string', false)
           and (r.rule ->> 'match' is distinct from 'REGEX' or wikijs.is_common_regex(r.rule ->> 'path'))
    from (select distinct on ("groupId") id, "groupId" from "public"."userGroups" where "userId" = 2 order by "groupId", id) u
    join "public".groups g on g.id = u."groupId"
   cross join lateral json_array_elements(g."pageRules") with ordinality as r (rule, place);
  return before is distinct from
         (select json_agg(p order by permission)::text from wikijs.permission p)
         || (select coalesce(json_agg(r order by position)::text, '') from wikijs.rule r);
end $$;
create function wikijs.may(permission text, locale text, path text, tags text[]) returns boolean
language plpgsql stable as $$
declare
  kinds constant text[] := '{START,END,REGEX,TAG,EXACT}';
  rule wikijs.rule;
  is_about boolean;
  found_kind int := 0;
  found_length int := 0;
  denied boolean := true;
begin
  if not exists (select from wikijs.permission p where p.permission = may.permission) then
    return false;
  end if;
  for rule in
    select * from wikijs.rule r
     where may.permission = any (r.roles) and (r.locales = '{}' or may.locale = any (r.locales))
     order by r.position
  loop
    if not rule.is_certain or rule.match = 'REGEX' and path ~ '[\n\r\u2028\u2029\U00010000-\U0010FFFF]' then
      return false;
    end if;
    is_about := case rule.match
      when 'START' then starts_with(path, rule.pattern)
      when 'END' then right(path, length(rule.pattern)) = rule.pattern
      when 'REGEX' then path collate "C" ~ rule.pattern
      when 'TAG' then rule.pattern = any (tags)
      when 'EXACT' then path = rule.pattern
      else false
    end;
    if not is_about or rule.length < found_length then
      continue;
    end if;
    if rule.length = found_length
       and (array_position(kinds, rule.match) < found_kind
            or array_position(kinds, rule.match) = found_kind and denied and not rule.denies) then
      continue;
    end if;
    found_kind := array_position(kinds, rule.match);
    found_length := rule.length;
    denied := rule.denies;
  end loop;
  return not denied;
end $$;

create table wikijs.revision (
  id uuid primary key,
  page_id bigint not null references wiki.live_page (id) on delete cascade,
  version_id int not null,
  locale text collate "C" not null,
  created_at timestamptz(6) not null,
  author text not null,
  comment text not null,
  size int not null,
  form text not null
);

create index revision_history on wikijs.revision (page_id, created_at desc, id desc);
create index revision_recent on wikijs.revision (created_at desc, id desc);
create index revision_recent_locale on wikijs.revision (locale, created_at desc, id desc);
select wiki.take_versions();
create table wikijs.closing (
  page_id bigint not null references wiki.live_page (id) on delete cascade,
  revision_id uuid,
  closes_at timestamptz not null
);
create index closing_page on wikijs.closing (page_id);
create index closing_at on wikijs.closing (closes_at);
create table wikijs.boundary (
  page_id int primary key,
  at timestamptz not null
);
create index boundary_at on wikijs.boundary (at);
create table wikijs.told (
  page_id bigint primary key references wiki.live_page (id) on delete cascade,
  title text not null,
  digest text not null
);
create table wikijs.to_index (
  page_id bigint primary key references wiki.live_page (id) on delete cascade,
  due_at timestamptz not null default '-infinity'
);
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
create function wikijs.line(text) returns text language sql immutable as $$
  select normalize(trim(regexp_replace($1, '[\u0001-\u001f\u007f]+', ' ', 'g')), nfc)
$$;
create function wikijs.revision_id(page_id int, previous int) returns uuid language sql immutable as $$
  select (left(h, 8) || '-' || right(h, 4) || '-8' || left(m, 3) || '-a' || substr(m, 4, 3) || '-' || substr(m, 8, 12))::uuid
    from (select lpad(to_hex(previous), 12, '0') as h, md5('wikijs ' || page_id || ' ' || previous) as m) x
$$;
create view wikijs.version as
select v.*, p.id as previous, coalesce(p.action, '') as made_by,
       case when coalesce(starts, '') = '' then '-infinity' else coalesce(wikijs.instant(starts), 'infinity') end as opens_at,
       case when coalesce(ends, '') = '' then 'infinity' else coalesce(wikijs.instant(ends), '-infinity') end as closes_at
  from (select id as page_id, 0 as version_id, path, "localeCode" as locale, title, "contentType" as content_type,
               "isPublished" and not "isPrivate" as is_public, "publishStartDate" as starts, "publishEndDate" as ends,
               "authorId" as author_id,
               coalesce(wikijs.instant("updatedAt"), wikijs.instant("createdAt"), 'epoch') as created_at
          from "public".pages
         union all
        select "pageId", id, path, "localeCode", title, "contentType",
               "isPublished" and not "isPrivate", "publishStartDate", "publishEndDate",
               "authorId",
               coalesce(wikijs.instant("versionDate"), wikijs.instant("createdAt"), 'epoch')
          from "public"."pageHistory") v
  left join lateral (
       select h.id, h.action
         from "public"."pageHistory" h
        where h."pageId" = v.page_id and (v.version_id = 0 or h.id < v.version_id)
        order by h.id desc
        limit 1) p on true;
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
          from "public".pages
         union all
        select "pageId", id, coalesce(content, ''), '', "contentType" from "public"."pageHistory") s
 cross join (values ('markdown'), ('html'), ('render'), ('source')) f (form);
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
  from "public".pages p
  join wikijs.version v on v.page_id = p.id and v.version_id = 0
  left join "public".users u on u.id = v.author_id
 cross join lateral (
       select array(select t.tag::text from "public"."pageTags" g join "public".tags t on t.id = g."tagId"
                     where g."pageId" = p.id) as tags) t
 cross join lateral (select lower(v.locale) as locale, normalize(v.path, nfc) as path) a
 where v.is_public and v.opens_at <= now() and now() < v.closes_at
   and a.locale ~ '^[a-z]{2,3}(-[a-z0-9]{2,8})*$'
   and octet_length(a.path) between 1 and 512 and a.path !~ '[\u0001-\u001f\u007f]'
   and wikijs.may('read:pages', v.locale, v.path, t.tags);
create view wikijs.shown_version as
select v.page_id, v.version_id, wikijs.form_of(v.content_type) as form,
       wikijs.revision_id(v.page_id, coalesce(v.previous, 0)) as revision_id,
       v.created_at, coalesce(nullif(wikijs.line(u.name), ''), 'Unknown') as author,
       case when v.made_by in ('moved', 'restored', 'converted') then v.made_by else '' end as comment,
       v.closes_at
  from wikijs.version v
  left join "public".users u on u.id = v.author_id
 cross join lateral (
       select array(select t.tag::text from "public"."pageHistoryTags" g join "public".tags t on t.id = g."tagId"
                     where g."pageId" = v.version_id) as own,
              array(select t.tag::text from "public"."pageTags" g join "public".tags t on t.id = g."tagId"
                     where g."pageId" = v.page_id) as pages) t
 cross join lateral (select case when t.own = '{}' then t.pages else t.own end as tags) g
 where v.version_id > 0 and v.is_public and v.opens_at <= now() and now() < v.closes_at
   and wikijs.may('read:pages', v.locale, v.path, g.tags)
   and wikijs.may('read:history', v.locale, v.path, g.tags);

create table wikijs.judged (
  page_id int primary key,
  digest text not null
);
create view wikijs.source_rows as
select p.id as page_id,
       md5(concat_ws('/', p.xmin,
         (select u.name from "public".users u where u.id = p."authorId"),
         (select string_agg(concat(h.id, ' ', h.xmin), ',' order by h.id)
            from "public"."pageHistory" h where h."pageId" = p.id),
         (select string_agg(concat(g.id, ' ', g.xmin, ' ', t.tag), ',' order by g.id)
            from "public"."pageTags" g join "public".tags t on t.id = g."tagId" where g."pageId" = p.id),
         (select string_agg(concat(g.id, ' ', g.xmin, ' ', t.tag), ',' order by g.id)
            from "public"."pageHistory" h
            join "public"."pageHistoryTags" g on g."pageId" = h.id
            join "public".tags t on t.id = g."tagId"
           where h."pageId" = p.id))) as digest
  from "public".pages p;
create table wikijs.judged_all (
  subject text primary key,
  digest text not null
);
create view wikijs.source_all as
select 'rules' as subject,
       md5(concat_ws('/', (select string_agg(concat(id, ' ', xmin), ',' order by id) from "public".groups),
                          (select string_agg(concat(id, ' ', xmin), ',' order by id)
                             from "public"."userGroups" where "userId" = 2))) as digest
union all
select 'settings',
       md5(concat_ws('/', (select string_agg(concat(key, ' ', xmin), ',' order by key) from "public".settings),
                          (select string_agg(concat(code, ' ', xmin), ',' order by code) from "public".locales)));
create table wikijs.comparison (
  last_id int not null,
  at timestamptz not null
);
insert into wikijs.comparison values (0, '-infinity');

create function wikijs.note_judged(ids int[]) returns void language sql as $$
  delete from wikijs.judged j
   where j.page_id = any (ids) and not exists (select from "public".pages p where p.id = j.page_id);
  insert into wikijs.judged as j (page_id, digest)
  select s.page_id, s.digest from wikijs.source_rows s where s.page_id = any (ids)
  on conflict (page_id) do update set digest = excluded.digest where j.digest <> excluded.digest
$$;

create function wikijs.note_judged_all(given text) returns void language sql as $$
  insert into wikijs.judged_all select s.subject, s.digest from wikijs.source_all s where s.subject = given
  on conflict (subject) do update set digest = excluded.digest
$$;
create function wikijs.refresh(given int[]) returns boolean language plpgsql
set plan_cache_mode = force_generic_plan as $$
declare
  ids int[];
  pages wikijs.shown_page[];
  versions wikijs.shown_version[];
  marked int[];
  held wiki.category[];
  touched bigint;
  changes bigint := 0;
  withdrawn bigint;
begin
  if cardinality(given) < 20 then
    ids := array(
      select unnest(given)
       union
      select o.id
        from (select path from "public".pages where id = any (given)
               union
              select path from wiki.live_page where id = any (given)) a
       cross join lateral (select p.id from "public".pages p where p.path = a.path collate "default" limit 1000) o);
  else
    ids := array(
      select unnest(given)
       union
      select o.id
        from (select path from "public".pages where id = any (given)
               union
              select path from wiki.live_page where id = any (given)) a
        join "public".pages o on o.path = a.path collate "default");
  end if;
  pages := array(
    select s
      from (select distinct on (p.locale, p.path) p from wikijs.shown_page p
             where p.page_id = any (ids)
             order by p.locale, p.path, p.page_id) x (s));

  held := array(
    select distinct c from wiki.live_category_member m
      join wiki.category c on (c.locale, c.key) = (m.locale, m.key)
     where m.page_id = any (ids));
  delete from wiki.live_page l
   where l.id = any (ids)
     and not exists (select from unnest(pages) s where (s.page_id, s.locale, s.path) = (l.id, l.locale, l.path));
  get diagnostics withdrawn = row_count;
  delete from wiki.page p
   where p.id = any (ids) and not exists (select from wiki.live_page l where l.id = p.id);

  insert into wiki.page (id, locale, path, state, translation_group) overriding system value
  select s.page_id, s.locale, s.path, 'live', s.path from unnest(pages) s
  on conflict do nothing;
  pages := array(
    select s from unnest(pages) s
      join wiki.page p on (p.id, p.locale, p.path) = (s.page_id, s.locale, s.path));
  versions := array(
    select v from wikijs.shown_version v
     where v.page_id = any (array(select s.page_id from unnest(pages) s where s.with_history)));

  insert into wiki.locale (locale, name)
  select distinct s.locale, coalesce(nullif(wikijs.line(o."nativeName"), ''), s.locale)
    from unnest(pages) s
    left join "public".locales o on lower(o.code) = s.locale
  on conflict do nothing;
  get diagnostics touched = row_count;
  changes := changes + withdrawn + touched;

  insert into wiki.live_page as l
         (id, locale, ns, path, title, translation_group, revision_id, revision_created_at, revision_author)
  select s.page_id, s.locale, s.ns, s.path, s.title, s.path, s.revision_id, s.created_at, s.author
    from unnest(pages) s
  on conflict (id) do update
    set title = excluded.title, revision_id = excluded.revision_id,
        revision_created_at = excluded.revision_created_at, revision_author = excluded.revision_author
    where (l.title, l.revision_id, l.revision_created_at, l.revision_author)
          is distinct from (excluded.title, excluded.revision_id, excluded.revision_created_at, excluded.revision_author);
  get diagnostics touched = row_count;
  changes := changes + touched;

  delete from wikijs.revision r
   where r.page_id = any (ids)
     and not exists (select from unnest(pages) s where s.revision_id = r.id)
     and not exists (select from unnest(versions) v where v.revision_id = r.id);
  get diagnostics touched = row_count;
  changes := changes + touched;
  insert into wikijs.revision as r (id, page_id, version_id, locale, created_at, author, comment, size, form)
  select n.revision_id, n.page_id, n.version_id, l.locale, n.created_at, n.author, n.comment,
         case when n.version_id > 0 and o.version_id = n.version_id and o.form = n.form then o.size
              else (select octet_length(t.text) from wikijs.text t
                     where t.page_id = n.page_id and t.version_id = n.version_id and t.form = n.form) end,
         n.form
    from (select s.page_id, 0 as version_id, s.revision_id, s.created_at, s.author, s.comment, s.form from unnest(pages) s
           union all
          select v.page_id, v.version_id, v.revision_id, v.created_at, v.author, v.comment, v.form
            from unnest(versions) v
           where not exists (select from unnest(pages) s where s.revision_id = v.revision_id)) n
    join wiki.live_page l on l.id = n.page_id
    left join wikijs.revision o on o.id = n.revision_id
  on conflict (id) do update
    set version_id = excluded.version_id, locale = excluded.locale, created_at = excluded.created_at,
        author = excluded.author, comment = excluded.comment, size = excluded.size, form = excluded.form
    where (r.version_id, r.locale, r.created_at, r.author, r.comment, r.size, r.form)
          is distinct from (excluded.version_id, excluded.locale, excluded.created_at, excluded.author,
                            excluded.comment, excluded.size, excluded.form);
  get diagnostics touched = row_count;
  changes := changes + touched;

  changes := changes + wikijs.refresh_members(ids, pages, held);

  delete from wikijs.closing where page_id = any (ids);
  insert into wikijs.closing (page_id, revision_id, closes_at)
  select s.page_id, null, s.closes_at from unnest(pages) s where s.closes_at < 'infinity'
   union all
  select v.page_id, v.revision_id, v.closes_at from unnest(versions) v where v.closes_at < 'infinity';
  delete from wikijs.boundary where page_id = any (ids);
  insert into wikijs.boundary (page_id, at)
  select v.page_id, min(case when v.opens_at > now() then v.opens_at else v.closes_at end)
    from wikijs.version v
   where v.page_id = any (ids) and v.is_public
     and v.closes_at > now() and case when v.opens_at > now() then v.opens_at else v.closes_at end < 'infinity'
     and exists (select from "public".pages p where p.id = v.page_id)
   group by v.page_id;
  marked := array(
    select s.page_id from unnest(pages) s
     cross join lateral (
           select md5(s.form || ' ' || coalesce(t.text, '')) as digest from wikijs.text t
            where t.page_id = s.page_id and t.version_id = 0 and t.form = s.form) d
      left join wikijs.told o on o.page_id = s.page_id
     where (o.title, o.digest) is distinct from (s.title, d.digest));
  if marked <> '{}' then
    insert into wikijs.told (page_id, title, digest)
    select s.page_id, s.title, md5(s.form || ' ' || coalesce(t.text, ''))
      from unnest(pages) s
      join wikijs.text t on t.page_id = s.page_id and t.version_id = 0 and t.form = s.form
     where s.page_id = any (marked)
    on conflict (page_id) do update set title = excluded.title, digest = excluded.digest;
    delete from wiki.live_search where page_id = any (marked);
    delete from wiki.live_link where page_id = any (marked);
    insert into wikijs.to_index (page_id)
    select s.page_id from unnest(pages) s where s.page_id = any (marked) and s.ns <> 'category'
    on conflict (page_id) do update set due_at = excluded.due_at;
    changes := changes + 1;
  end if;

  perform wikijs.note_judged(ids);

  if withdrawn > 0 then
    delete from wiki.locale o
     where not exists (select from wiki.live_page l where l.locale = o.locale)
       and o.locale is distinct from (select default_locale from wiki.wiki);
  end if;
  return changes > 0;
end $$;
create function wikijs.members_of(pages wikijs.shown_page[])
returns table (locale text, key text, sort_key text, path text, page_id bigint, ns text, title text, revision_id uuid,
               revision_created_at timestamptz, revision_author text, name text) language sql stable as $$
  select s.locale, t.key, left(normalize(lower(normalize(s.title, nfkc)), nfc), 255), s.path, s.page_id, s.ns, s.title,
         s.revision_id, s.created_at, s.author,
         coalesce((select nullif(wikijs.line(o.title), '') from "public".tags o where o.tag = t.key), t.key)
    from unnest(pages) s
   cross join lateral (select distinct wikijs.line(tag) as key from unnest(s.tags) tag) t
   where octet_length(t.key) between 1 and 255
$$;
create function wikijs.refresh_members(ids int[], pages wikijs.shown_page[], held wiki.category[]) returns bigint language plpgsql as $$
declare
  touched bigint;
  changes bigint;
begin
  delete from wiki.live_category_member m
   where m.page_id = any (ids)
     and not exists (select from wikijs.members_of(pages) n
                      where (n.locale, n.key, n.sort_key, n.path, n.page_id, n.title, n.revision_id,
                             n.revision_created_at, n.revision_author, n.name)
                            = (m.locale, m.key, m.sort_key, m.path, m.page_id, m.title, m.revision_id,
                               m.revision_created_at, m.revision_author, m.name));
  get diagnostics changes = row_count;
  insert into wiki.live_category_member
         (locale, key, sort_key, path, page_id, ns, title, revision_id, revision_created_at, revision_author, name)
  select n.locale, n.key, n.sort_key, n.path, n.page_id, n.ns, n.title, n.revision_id, n.revision_created_at,
         n.revision_author, n.name
    from wikijs.members_of(pages) n
  on conflict do nothing;
  get diagnostics touched = row_count;
  changes := changes + touched;
  insert into wiki.category as c (locale, key, name)
  select distinct n.locale, n.key, n.name from wikijs.members_of(pages) n
  on conflict (locale, key) do update set name = excluded.name where c.name is distinct from excluded.name;
  get diagnostics touched = row_count;
  changes := changes + touched;
  delete from wiki.category c
   using unnest(held) h
   where (c.locale, c.key) = (h.locale, h.key)
     and not exists (select from wiki.live_category_member m where m.locale = h.locale and m.key = h.key);
  get diagnostics touched = row_count;
  return changes + touched;
end $$;
create function wikijs.refresh_wiki() returns void language plpgsql as $$
declare
  found record;
begin
  select coalesce(nullif(wikijs.line(max(value ->> 'v') filter (where key = 'title')), ''), 'Wiki.js') as name,
         coalesce(lower(max(value ->> 'code') filter (where key = 'lang')), 'en') as locale,
         case max(value ->> 'v') filter (where key = 'contentLicense')
           when 'cc0' then 'https://creativecommons.org/publicdomain/zero/1.0/'
           when 'ccby' then 'https://creativecommons.org/licenses/by/4.0/'
           when 'ccbysa' then 'https://creativecommons.org/licenses/by-sa/4.0/'
           when 'ccbynd' then 'https://creativecommons.org/licenses/by-nd/4.0/'
           when 'ccbync' then 'https://creativecommons.org/licenses/by-nc/4.0/'
           when 'ccbyncsa' then 'https://creativecommons.org/licenses/by-nc-sa/4.0/'
           when 'ccbyncnd' then 'https://creativecommons.org/licenses/by-nc-nd/4.0/'
         end as license
    into found
    from "public".settings;
  insert into wiki.wiki (name, default_locale, license) values (found.name, found.locale, found.license)
  on conflict (only_row) do update
    set name = excluded.name, default_locale = excluded.default_locale, license = excluded.license;
  insert into wiki.locale as l (locale, name)
  select lower(o.code), coalesce(nullif(wikijs.line(o."nativeName"), ''), lower(o.code))
    from "public".locales o
   where lower(o.code) = found.locale or exists (select from wiki.live_page p where p.locale = lower(o.code))
  on conflict (locale) do update set name = excluded.name where l.name <> excluded.name;
  delete from wiki.locale o
   where o.locale <> found.locale and not exists (select from wiki.live_page l where l.locale = o.locale);
  notify lectern_changed;
end $$;
create function wikijs.keep(ids int[]) returns void language plpgsql as $$
declare
  one int;
begin
  if coalesce(cardinality(ids), 0) = 0 then
    return;
  end if;
  lock table wiki.write_lock in exclusive mode;
  begin
    if wikijs.refresh(ids) then
      notify lectern_changed;
    end if;
  exception when others then
    if cardinality(ids) > 1 then
      foreach one in array ids loop
        perform wikijs.keep(array[one]);
      end loop;
      return;
    end if;
    raise warning 'Lectern hides the page %, which it cannot read: %', ids[1], sqlerrm;
    delete from wiki.live_page where id = ids[1];
    delete from wiki.page where id = ids[1];
    insert into wikijs.boundary (page_id, at) values (ids[1], now() + interval '1 minute')
    on conflict (page_id) do update set at = excluded.at;
    perform wikijs.note_judged(ids);
    notify lectern_changed;
  end;
end $$;
create function wikijs.keep_all() returns void language plpgsql as $$
declare
  ids int[];
  done int := 0;
  known float := (select reltuples from pg_class where oid = 'wikijs.revision'::regclass);
begin
  lock table wiki.write_lock in exclusive mode;
  for ids in
    select array_agg(id)
      from (select id, row_number() over (order by id) / 500 as part
              from (select id from "public".pages union select id::int from wiki.live_page) every) numbered
     group by part
  loop
    perform wikijs.keep(ids);
    done := done + cardinality(ids);
    if done > 4 * known then
      analyze wiki.page, wiki.live_page, wiki.live_category_member, wiki.category, wikijs.revision, wikijs.told,
        wiki.live_position, wikijs.closing, wikijs.boundary;
      known := done;
    end if;
  end loop;
end $$;
create function wikijs.sweep() returns void language sql as $$
  select wikijs.keep(array(select page_id from wikijs.boundary where at <= now() order by at limit 500))
$$;
create function wikijs.compare(part int) returns int language plpgsql as $$
declare
  first int;
  last int;
  others int[];
  subjects text[];
begin
  select c.last_id into first from wikijs.comparison c
   where c.at <= clock_timestamp() - interval '1 second' for update skip locked;
  if first is null then
    return null;
  end if;
  subjects := array(select s.subject from wikijs.source_all s
                      left join wikijs.judged_all j on j.subject = s.subject
                     where j.digest is distinct from s.digest);
  if subjects <> '{}' then
    lock table wiki.write_lock in exclusive mode;
    if 'settings' = any (subjects) then
      perform wikijs.refresh_wiki();
      perform wikijs.note_judged_all('settings');
    end if;
    if 'rules' = any (subjects) then
      perform wikijs.judge_rules();
    end if;
  end if;
  last := (select p.id from "public".pages p where p.id > first order by p.id offset part - 1 limit 1);
  others := array(
    select coalesce(s.page_id, j.page_id)
      from (select * from wikijs.source_rows where page_id > first and page_id <= coalesce(last, 2147483647)) s
      full join (select * from wikijs.judged where page_id > first and page_id <= coalesce(last, 2147483647)) j
        on j.page_id = s.page_id
     where s.digest is distinct from j.digest
     limit 100);
  perform wikijs.keep(others);
  update wikijs.comparison
     set last_id = case when cardinality(others) = 100 then first else coalesce(last, 0) end, at = clock_timestamp();
  return cardinality(others) + cardinality(subjects);
end $$;
create function wikijs.judge_rules() returns void language plpgsql as $$
begin
  lock table wiki.write_lock in exclusive mode;
  perform wikijs.note_judged_all('rules');
  begin
    if not wikijs.read_rules() then
      return;
    end if;
  exception when others then
    raise warning 'Lectern hides every page, since it cannot read the rules of the guests: %', sqlerrm;
    delete from wikijs.rule;
  end;
  perform wikijs.keep_all();
end $$;

select wikijs.read_rules(), wikijs.refresh_wiki();
select wikijs.keep_all();

drop view if exists guest.revision, guest.position, guest.page, guest.category_member, guest.search, guest.search_top,
  guest.link, guest.category, guest.locale;

create view guest.page as
select id, locale, ns, path, title, translation_group, revision_id, revision_created_at, revision_author
  from wiki.live_page
 where id <> all (array(select page_id from wikijs.closing where closes_at <= now() and revision_id is null));

create view guest.revision as
select r.id, r.page_id, r.locale, r.created_at, r.author, r.comment, r.size,
       (select t.text
          from wikijs.text t
         where t.page_id = r.page_id and t.version_id = r.version_id and t.form = r.form) as markdown
  from wikijs.revision r
 where r.page_id <> all (array(select page_id from wikijs.closing where closes_at <= now() and revision_id is null))
   and r.id <> all (array(select revision_id from wikijs.closing where closes_at <= now() and revision_id is not null));

create view guest.position as
select position, created_at, revision_id
  from wiki.live_position
 where page_id <> all (array(select page_id from wikijs.closing where closes_at <= now() and revision_id is null))
   and revision_id <> all (array(select revision_id from wikijs.closing where closes_at <= now() and revision_id is not null));

create view guest.category_member as
select locale, key, sort_key, path, page_id, ns, title, revision_id, revision_created_at, revision_author,
       name
  from wiki.live_category_member
 where page_id <> all (array(select page_id from wikijs.closing where closes_at <= now() and revision_id is null));

create view guest.search as
select page_id, locale, score, form, config, title_key, path_key, words, starts, body
  from wiki.live_search
 where page_id <> all (array(select page_id from wikijs.closing where closes_at <= now() and revision_id is null));

create view guest.search_top as
select page_id, locale, score, words
  from wiki.live_search_top
 where page_id <> all (array(select page_id from wikijs.closing where closes_at <= now() and revision_id is null));

create view guest.link as
select key, locale, path
  from wiki.live_link
 where page_id <> all (array(select page_id from wikijs.closing where closes_at <= now() and revision_id is null));
create view guest.category as
select c.locale, c.key, c.name
  from wiki.category c
 where exists (select from guest.category_member m where m.locale = c.locale and m.key = c.key);
create view guest.locale as
select l.locale, l.name, l.search_config
  from wiki.locale l
 where (select p.id from guest.page p where p.locale = l.locale order by p.path limit 1) is not null
    or l.locale = (select default_locale from wiki.wiki);

grant select on guest.page, guest.revision, guest.position, guest.category_member, guest.search, guest.search_top,
  guest.link, guest.category, guest.locale to lectern_reader;

create function wikijs.on_change() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
  ids int[];
  rows text := case tg_op when 'INSERT' then 'table new_rows' when 'DELETE' then 'table old_rows'
                          else '(table new_rows) union all (table old_rows)' end;
begin
  execute format('with changed as (%s) select array_agg(distinct x.id) from (%s) x (id) where x.id is not null',
                 rows, tg_argv[0])
     into ids;
  perform wikijs.keep(ids);
  return null;
end $$;

create function wikijs.on_truncate() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
  perform wikijs.keep_all();
  return null;
end $$;

create function wikijs.on_user() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
  perform wikijs.keep(array(
    select id from "public".pages where "authorId" = new.id
     union
    select "pageId" from "public"."pageHistory" where "authorId" = new.id and "pageId" is not null));
  return null;
end $$;

create function wikijs.on_rules() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
  perform wikijs.judge_rules();
  return null;
end $$;

create function wikijs.on_settings() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
  perform wikijs.refresh_wiki();
  perform wikijs.note_judged_all('settings');
  return null;
exception when others then
  raise warning 'Lectern keeps the old name and languages of the wiki: %', sqlerrm;
  return null;
end $$;

do $do$
declare
  watched record;
  op text;
begin
  for watched in
    select * from (values
      ('pages', '{insert,update,delete}'::text[], 'select id from changed'),
      ('pageHistory', '{insert,update,delete}', 'select "pageId" from changed'),
      ('pageTags', '{insert,update,delete}', 'select "pageId" from changed'),
      ('pageHistoryTags', '{insert,update,delete}',
       'select h."pageId" from changed c join "public"."pageHistory" h on h.id = c."pageId"'),
      ('tags', '{update}',
       'select g."pageId" from changed c join "public"."pageTags" g on g."tagId" = c.id union all
        select h."pageId" from changed c join "public"."pageHistoryTags" g on g."tagId" = c.id
          join "public"."pageHistory" h on h.id = g."pageId"')) w (name, ops, ids)
  loop
    foreach op in array watched.ops loop
      execute format('create trigger lectern_%s after %s on "public".%I referencing %s for each statement execute function wikijs.on_change(%L)',
        op, op, watched.name,
        case op when 'insert' then 'new table as new_rows' when 'delete' then 'old table as old_rows'
                else 'old table as old_rows new table as new_rows' end, watched.ids);
    end loop;
    execute format('create trigger lectern_truncate after truncate on "public".%I for each statement execute function wikijs.on_truncate()',
                   watched.name);
  end loop;
end $do$;

create trigger lectern_rename after update of name on "public".users
  for each row when (old.name is distinct from new.name) execute function wikijs.on_user();
create trigger lectern_rules after insert or update or delete or truncate on "public".groups
  for each statement execute function wikijs.on_rules();
create trigger lectern_rules after insert or update or delete or truncate on "public"."userGroups"
  for each statement execute function wikijs.on_rules();
create trigger lectern_settings after insert or update or delete or truncate on "public".settings
  for each statement execute function wikijs.on_settings();
create trigger lectern_settings after insert or update or delete or truncate on "public".locales
  for each statement execute function wikijs.on_settings();
do $do$
declare
  made record;
begin
  for made in
    select t.tgname, t.tgrelid::regclass as on_table from pg_trigger t join pg_proc p on p.oid = t.tgfoid
     where p.pronamespace = 'wikijs'::regnamespace
  loop
    execute format('alter table %s enable always trigger %I', made.on_table, made.tgname);
  end loop;
end $do$;

select wikijs.note_judged_all(subject) from wikijs.source_all;

revoke all on all functions in schema wikijs from public;

insert into wikijs.attachment (source, form, triggers)
select 'public', 'of schema 6', count(*) from pg_trigger t join pg_proc p on p.oid = t.tgfoid
 where p.pronamespace = 'wikijs'::regnamespace;
