-- Dates by which lists of edits go on within a moment that edits share. (D66)

-- Edits that guests may see, wherever they lie: attaching a Wiki.js puts its own in their place.
create view wiki.public_revision as select id, page_id, created_at from wiki.revision_visible;

-- Where lists go on after an edit that shares its created_at: a date of its own, which no edit was made at.
create table wiki.live_position (
  position timestamptz(3) primary key,
  created_at timestamptz(6) not null,
  revision_id uuid not null,
  page_id bigint not null references wiki.live_page (id) on delete cascade
);

create unique index live_position_revision on wiki.live_position (revision_id);
create index live_position_page on wiki.live_position (page_id);

create type wiki.tied_revision as (created_at timestamptz, revision_id uuid, page_id bigint, revisions bigint);

-- Brings the positions of pages' edits up to date, and those of edits that share a created_at with them. A position
-- is kept as long as its edit is seen at the same created_at, even when nothing shares it any more: a client may be
-- on its way. It is taken from an edit that guests saw before another one was made at that very date.
--
-- The date is chosen by the edit's id out of as many as leave each tie 256 ms an edit, from 10 ms after it on. None is
-- a multiple of 10 ms, as dates that people write mostly are. The two last digits of a ten-millisecond never being 0,
-- 230 dates lie in 256 ms. What is taken is tried again by another number, each time out of twice as many.
create function wiki.assign_positions(pages bigint[]) returns void language plpgsql
set jit = off as $$
declare
  moments timestamptz[];
  tied wiki.tied_revision[];
  attempt int := 0;
begin
  if cardinality(pages) = 0 then
    return;
  end if;
  delete from wiki.live_position p
   where p.page_id = any (pages)
     and not exists (select from wiki.public_revision r
                      where r.id = p.revision_id and r.created_at = p.created_at
                        and r.page_id = p.page_id);
  with taken as (
    delete from wiki.live_position p
     using wiki.public_revision r
     where r.page_id = any (pages) and r.created_at = p.position
    returning p.created_at
  )
  select array(select created_at from taken) into moments;
  moments := array(
    select unnest(moments)
     union
    select r.created_at
      from wiki.public_revision r
     where r.page_id = any (pages)
       and not exists (select from wiki.live_position p where p.revision_id = r.id));
  tied := array(
    select (t.created_at, t.id, t.page_id, t.revisions)::wiki.tied_revision
      from (select r.created_at, r.id, r.page_id, count(*) over (partition by r.created_at) as revisions
              from unnest(moments) m (created_at)
              join wiki.public_revision r on r.created_at = m.created_at) t
     where t.revisions > 1
       and not exists (select from wiki.live_position p where p.revision_id = t.id));
  while cardinality(tied) > 0 loop
    insert into wiki.live_position (position, created_at, revision_id, page_id)
    select distinct on (c.position) c.position, t.created_at, t.revision_id, t.page_id
      from unnest(tied) t
     cross join lateral (
           select (uuid_hash_extended(t.revision_id, attempt) & x'7fffffffffffffff'::bigint)
                  % ((230 * t.revisions) << attempt) as n) s
     cross join lateral (
           -- No date comes after the year 9999: its ties have their positions before them.
           select date_bin('10 milliseconds', t.created_at, '2000-01-01T00:00:00Z')
                  + case when t.created_at < '9999-01-01T00:00:00Z' then 1 + s.n / 9 else -1 - s.n / 9 end
                    * interval '10 milliseconds'
                  + (1 + s.n % 9) * interval '1 millisecond' as position) c
     where not exists (select from wiki.public_revision r where r.created_at = c.position)
     order by c.position, t.revision_id
    on conflict do nothing;
    tied := array(
      select t from unnest(tied) t
       where not exists (select from wiki.live_position p where p.revision_id = t.revision_id));
    attempt := attempt + 1;
  end loop;
end $$;

create function wiki.on_versions() returns trigger language plpgsql as $$
begin
  perform wiki.assign_positions(array(select distinct page_id from changed));
  return null;
end $$;

-- Puts the versions of an attached Wiki.js in the place of edits: from now on they get their positions in the
-- transaction that writes them.
create function wiki.take_versions() returns void language plpgsql as $$
begin
  create or replace view wiki.public_revision as select id, page_id, created_at from wikijs.revision;
  create trigger insert_positions after insert on wikijs.revision referencing new table as changed
    for each statement execute function wiki.on_versions();
  create trigger update_positions after update on wikijs.revision referencing new table as changed
    for each statement execute function wiki.on_versions();
  create trigger delete_positions after delete on wikijs.revision referencing old table as changed
    for each statement execute function wiki.on_versions();
end $$;

revoke all on function wiki.assign_positions, wiki.on_versions, wiki.take_versions from public;

create view guest.position as select position, created_at, revision_id from wiki.live_position;
grant select on guest.position to lectern_reader;

-- What is stored already, also in a Wiki.js that was attached before: until it is attached again, guests are served
-- what was.
do $$
begin
  if to_regclass('wikijs.revision') is not null then
    perform pg_advisory_xact_lock(7305002);
    perform wiki.take_versions();
    create or replace view guest.position as
    select position, created_at, revision_id
      from wiki.live_position
     where page_id <> all (array(select page_id from wikijs.closing where closes_at <= now() and revision_id is null))
       and revision_id <> all (array(select revision_id from wikijs.closing where closes_at <= now() and revision_id is not null));
  end if;
  perform wiki.assign_positions(array(select id from wiki.live_page));
end $$;

analyze wiki.live_position;
